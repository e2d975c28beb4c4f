// Text: tree, names, decision, text again.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/ascii.h"
#include "guard/analyze.h"
#include "guard/guard.h"
#include "guard/order.h"
#include "guard/own_conditions.h"
#include "guard/rewrite.h"
#include "sql/query/print.h"
#include "sql/query/reader.h"

namespace schemaward::guard {
namespace {

namespace query = sql::query;

// Ids of the rules, as the audit record names them, in the order in which they are applied.
constexpr const char* kOneRead = "one_read";
constexpr const char* kNamesResolve = "names_resolve";
constexpr const char* kPersonalData = "personal_data";
constexpr const char* kTablesAllowed = "tables_allowed";
constexpr const char* kKnownLineage = "known_lineage";
constexpr const char* kListedFunctions = "listed_functions";
constexpr const char* kRowFilters = "row_filters";
constexpr std::string_view kNoLimit = "9223372036854775807";  // rows; what every engine takes
constexpr const char* kHiddenOrder = "hidden_order";
constexpr const char* kReadsBack = "reads_back";
constexpr const char* kDatabaseSession = "database_session";

// The printer puts brackets around every operator.
constexpr int kReadBackDepthMax = 3 * query::kReadDepthMax;

// Of a column whose name may not be told, its place; of a table that is not the caller's, only
// that: the caller named the table, and not its columns where it wrote a star.
std::string NameOf(const Use& use, bool hides_names, bool is_theirs) {
  if (!is_theirs) return catalog::QualifiedName(*use.table);
  const auto position = static_cast<std::size_t>(use.column - use.table->columns.data());
  return catalog::QualifiedName(*use.table) + "." +
         (hides_names ? privacy::HiddenName(position) : catalog::QuoteName(use.column->name));
}

query::ExpressionPtr Word(std::string_view form, std::string text) {
  auto literal = std::make_unique<query::Expression>();
  literal->form = form;
  (form == "text" ? literal->value : literal->text) = std::move(text);
  return literal;
}

/// One decision about one tree. Thread: owner.
class Decision {
 public:
  Decision(const privacy::Policy& policy, const Principal& principal, const sql::Dialect& dialect,
           TableLookup& lookup, bool is_ours)
      : policy_(policy),
        caller_(policy.For(principal)),
        principal_(principal),
        dialect_(dialect),
        lookup_(lookup),
        is_ours_(is_ours) {
    if (policy_.hide_names()) analysis.hides = &policy_;
  }

  Status Run(query::Statement& statement) {
    if (Status known = Analyze(statement, dialect_, lookup_, is_ours_, analysis); !known) {
      WARD_CHECK(Tables());  // else near names would tell the columns of a table that is not theirs
      return known;
    }
    WARD_CHECK(PersonalData());
    WARD_CHECK(Tables());
    WARD_CHECK(Lineage());
    if (!analysis.forbidden.empty()) return analysis.forbidden.front();
    Mask();
    WARD_CHECK(HoldGroups());
    WARD_CHECK(FilterRows());
    WARD_TRY(order, HideOrder(analysis, policy_, dialect_, lookup_));
    return Ok();
  }

  std::vector<Use> Refused() {
    std::vector<Use> refused;
    for (const Use& use : analysis.uses)
      if (!Allows(policy_.RuleOf(*use.table, *use.column).allowance, use)) refused.push_back(use);
    return refused;
  }

  std::vector<std::string> TablesToLookAt() const {
    std::vector<std::string> names;
    for (const TableUse& use : analysis.tables)
      if (caller_.OfTable(use.table->schema, use.table->name) == privacy::Access::Allowed)
        names.push_back(catalog::QualifiedName(*use.table));
    return names;
  }

  Analysis analysis;
  std::vector<std::string> masked;
  bool filters_rows = false;
  HiddenOrder order;

 private:
  Status PersonalData() {
    std::set<std::string> columns;
    std::set<privacy::Category> categories;
    for (const Use& use : analysis.uses) {
      const privacy::ColumnRule rule = policy_.RuleOf(*use.table, *use.column);
      if (Allows(rule.allowance, use)) continue;
      const bool is_theirs =
          caller_.OfTable(use.table->schema, use.table->name) == privacy::Access::Allowed;
      columns.insert(NameOf(use, policy_.hide_names(), is_theirs));
      categories.insert(rule.blocked.begin(), rule.blocked.end());
    }
    if (columns.empty()) return Ok();
    return privacy::PiiRefusal({columns.begin(), columns.end()},
                               {categories.begin(), categories.end()});
  }

  // Notes what has to be done for a use that is allowed in part.
  bool Allows(const privacy::Allowance& allowance, const Use& use) {
    if (allowance.plain) return true;
    const bool is_condition = use.where == Position::Predicate || use.where == Position::Join;
    if (allowance.predicate && is_condition && !use.in_statistic) return true;
    if (allowance.masked && use.plain != nullptr) {
      to_mask_.insert(use.plain);
      return true;
    }
    if (allowance.aggregate && use.in_statistic && use.where == Position::Output &&
        use.core != nullptr) {
      if (!CanCount(*use.core, *use.table)) return false;
      Least& least = least_rows_[{use.core, use.table}];
      least.rows = std::max(least.rows, allowance.group_min);
      if (const query::TableExpression* joined = JoinedTable(*use.core, *use.table))
        least.counted = {joined->alias, {use.table->primary_key->columns.front(), true, false}};
      return true;
    }
    return false;
  }

  Status Tables() {
    for (const TableUse& use : analysis.tables)
      if (caller_.OfTable(use.table->schema, use.table->name) == privacy::Access::NotListed)
        return privacy::NotListedRefusal("table", catalog::QualifiedName(*use.table));
    for (const TableUse& use : analysis.tables)
      if (caller_.OfTable(use.table->schema, use.table->name) == privacy::Access::Denied)
        return privacy::DeniedRefusal("table", catalog::QualifiedName(*use.table));
    for (const TableUse& use : analysis.tables) WARD_CHECK(Children(*use.table));
    for (const ViewRead& read : analysis.view_reads) WARD_CHECK(ThroughView(read));
    return SystemRelation();
  }

  // A view reads what it is made of whoever asks: what is denied is denied through it, and a filter
  // cannot be put inside it. One of the view's own says that its rows were thought of.
  Status ThroughView(const ViewRead& read) const {
    if (caller_.OfTable(read.table->schema, read.table->name) == privacy::Access::Denied)
      return std::move(privacy::DeniedRefusal("table", catalog::QualifiedName(*read.view))
                           .Detail("It is a view of what is denied."));
    if (!caller_.RowFiltersOf(read.view->schema, read.view->name).empty()) return Ok();
    if (!caller_.RowFiltersOf(read.table->schema, read.table->name).empty())
      return std::move(
          Error(ErrorKind::PolicyBlocked,
                fmt::format("view \"{}\" reads a table that is filtered by rows, and has no filter",
                            catalog::QualifiedName(*read.view)))
              .Hint("Read the table that it is made of, or have the policy filter the view too."));
    return Children(*read.table);
  }

  // The engine's own catalog names what lists keep from the caller, and columns whose names are
  // hidden.
  Status SystemRelation() const {
    if (analysis.system_relation.empty() || !(caller_.IsLimited() || policy_.hide_names()))
      return Ok();
    return std::move(
        Error(ErrorKind::PolicyBlocked,
              fmt::format("\"{}\" cannot be read: it names what the policy keeps from this caller",
                          analysis.system_relation))
            .Hint("list_indexed_schemas, find_relevant_tables and describe_table tell what may be "
                  "read."));
  }

  // The rows of tables that inherit are read with it: what the policy says of these holds too. Not
  // an allow-list, which means a table as a whole.
  Status Children(const catalog::Table& table) const {
    for (const std::string& child : table.children) {
      const auto parts = catalog::SplitName(child);
      if (parts.size() != 2) continue;
      if (caller_.OfTable(parts[0], parts[1]) == privacy::Access::Denied)
        return std::move(
            privacy::DeniedRefusal("table", catalog::QualifiedName(table))
                .Detail("A table that inherits from it is denied, and is read with it."));
      const auto own = caller_.RowFiltersOf(table.schema, table.name);
      for (const std::string& filter : caller_.RowFiltersOf(parts[0], parts[1]))
        if (std::find(own.begin(), own.end(), filter) == own.end())
          return std::move(
              Error(ErrorKind::PolicyBlocked,
                    fmt::format("table \"{}\" is read with a table that inherits from it "
                                "and is filtered by rows otherwise",
                                catalog::QualifiedName(table)))
                  .Hint("Who keeps the policy can filter both alike."));
    }
    return Ok();
  }

  Status Lineage() {
    if (!analysis.opaque.empty())
      return NotKnown(
          fmt::format("view \"{}\" cannot be read: what its columns are made of is not known",
                      catalog::QualifiedName(*analysis.opaque.front())));
    for (const Use& use : analysis.uses)
      if (use.is_unknown &&
          !policy_.IsExempted(use.table->schema, use.table->name, use.column->name))
        return NotKnown(fmt::format(
            "column {} cannot be read: a function of the database or a statistic of the "
            "engine makes it, and what that reads is not known",
            NameOf(use, policy_.hide_names(), true)));
    return Ok();
  }

  static Error NotKnown(const std::string& message) {
    Error error(ErrorKind::PolicyBlocked, message);
    error.Detail("A view can show personal data under another name.");
    error.Hint("Read the tables that the view is made of.");
    return error;
  }

  void Mask() {
    for (query::Output* output : to_mask_) {
      const query::Name name = output->expression->names.back();
      if (output->alias.text.empty()) output->alias = {name.text, true, false};
      auto is_there = std::make_unique<query::Expression>();
      is_there->kind = query::ExpressionKind::Syntax;
      is_there->form = "postfix";
      is_there->is_operator = true;
      is_there->parts.push_back(query::Part{"", std::move(output->expression), nullptr});
      is_there->parts.push_back(query::Part{" IS NOT NULL", nullptr, nullptr});
      std::vector<query::Part> parts;
      parts.push_back(query::Part{"CASE WHEN ", std::move(is_there), nullptr});
      parts.push_back(query::Part{" THEN ", Word("text", "***"), nullptr});
      parts.push_back(query::Part{" END", nullptr, nullptr});
      auto mask = std::make_unique<query::Expression>();
      mask->kind = query::ExpressionKind::Syntax;
      mask->form = "case";
      mask->is_operator = true;
      mask->parts = std::move(parts);
      output->expression = std::move(mask);
      masked.push_back(output->alias.text);
    }
    std::sort(masked.begin(), masked.end());
  }

  static void Collect(const query::TableExpressionPtr& from, const catalog::Table& table,
                      std::vector<const query::TableExpression*>& out) {
    if (from == nullptr) return;
    Collect(from->left, table, out);
    Collect(from->right, table, out);
    const bool is_it =
        from->kind == query::TableKind::Table && !from->names.empty() &&
        from->names.back().text == table.name &&
        (from->names.size() == 2 ? from->names.front().text == table.schema : table.schema.empty());
    if (is_it) out.push_back(from.get());
  }

  // The table in a select that joins it to others, by whose key its rows are counted; null where
  // it is the only one.
  static const query::TableExpression* JoinedTable(const query::Core& core,
                                                   const catalog::Table& table) {
    std::vector<const query::TableExpression*> found;
    for (const auto& from : core.from) Collect(from, table, found);
    const bool is_alone =
        core.from.size() == 1 && core.from.front()->kind == query::TableKind::Table;
    return is_alone || found.size() != 1 ? nullptr : found.front();
  }

  // True where the rows of `table` in a group can be counted once each, whatever is joined to it.
  static bool CanCount(const query::Core& core, const catalog::Table& table) {
    std::vector<const query::TableExpression*> found;
    for (const auto& from : core.from) Collect(from, table, found);
    if (found.size() != 1) return false;
    if (JoinedTable(core, table) == nullptr) return true;
    return table.primary_key && table.primary_key->columns.size() == 1;
  }

  // Groups of fewer rows than the policy asks for are left out.
  Status HoldGroups() {
    for (const auto& [place, least] : least_rows_) {
      if (least.rows <= 1) continue;
      query::Core* core = place.first;
      auto count = std::make_unique<query::Expression>();
      count->kind = query::ExpressionKind::Call;
      count->names = {query::Name{"count", false, false}};
      auto counted = std::make_unique<query::Expression>();
      const bool is_joined = !least.counted.empty();
      counted->kind = is_joined ? query::ExpressionKind::Column : query::ExpressionKind::Star;
      counted->names = least.counted;
      count->parts.push_back(
          query::Part{is_joined ? "(DISTINCT " : "(", std::move(counted), nullptr});
      count->parts.push_back(query::Part{")", nullptr, nullptr});
      auto condition = std::make_unique<query::Expression>();
      condition->kind = query::ExpressionKind::Syntax;
      condition->form = "operator";
      condition->is_operator = true;
      condition->parts.push_back(query::Part{"", std::move(count), nullptr});
      condition->parts.push_back(
          query::Part{" >= ", Word("integer", fmt::format("{}", least.rows)), nullptr});
      And(core->having, std::move(condition));
    }
    return Ok();
  }

  static void And(query::ExpressionPtr& to, query::ExpressionPtr more) {
    if (to == nullptr) {
      to = std::move(more);
      return;
    }
    auto both = std::make_unique<query::Expression>();
    both->kind = query::ExpressionKind::Syntax;
    both->form = "operator";
    both->is_operator = true;
    both->parts.push_back(query::Part{"", std::move(to), nullptr});
    both->parts.push_back(query::Part{" AND ", std::move(more), nullptr});
    to = std::move(both);
  }

  // A table with filters becomes (SELECT its columns FROM it WHERE filters), under the same alias.
  // An engine may try the statement's own conditions first, and the failure of one would tell of a
  // row that is not the caller's: where one can fail, the select has a limit that nothing reaches,
  // past which no engine moves a condition; those that cannot fail are repeated before it. What our
  // own code wrote holds nothing of the caller's but values.
  Status FilterRows() {
    for (TableUse& use : analysis.tables) {
      if (use.place != nullptr && use.place->kind != query::TableKind::Table) continue;  // done
      const auto filters = caller_.RowFiltersOf(use.table->schema, use.table->name);
      if (filters.empty()) continue;
      if (use.place == nullptr)
        return Error(ErrorKind::PolicyBlocked,
                     fmt::format("table \"{}\" is filtered by rows and can be read by a query only",
                                 catalog::QualifiedName(*use.table)));
      filters_rows = true;
      auto inner = std::make_unique<query::Query>();
      query::SetTerm term;
      auto table = std::make_unique<query::TableExpression>();
      table->names = use.place->names;
      table->sample = std::move(use.place->sample);
      table->alias = {use.table->name, true, false};
      query::TableExpression* const filtered = table.get();
      term.core.outputs = ColumnsUsedOf(use);
      term.core.from.push_back(std::move(table));
      for (const std::string& filter : filters) {
        WARD_TRY(auto condition, query::ReadCondition(filter, dialect_));
        WARD_CHECK(AnalyzeCondition(*condition, *use.table, use.table->name, dialect_, lookup_,
                                    analysis.uses));
        WARD_CHECK(FillPlaceholders(*condition));
        And(term.core.where, std::move(condition));
      }
      const bool is_fenced = analysis.can_fail && !is_ours_;
      if (is_fenced && use.core != nullptr)
        for (auto& condition : OwnConditions(*use.core, *use.table, *use.place, dialect_))
          And(term.core.where, std::move(condition));
      inner->terms.push_back(std::move(term));
      if (is_fenced) inner->limit = Word("integer", std::string(kNoLimit));
      use.place->kind = query::TableKind::Derived;
      use.place->names.clear();
      use.place->query = std::move(inner);
      use.place = filtered;
    }
    return Ok();
  }

  // The columns that the statement reads of the table; all, where its alias names them by place.
  std::vector<query::Output> ColumnsUsedOf(const TableUse& use) const {
    std::vector<query::Output> outputs;
    for (const catalog::Column& column : use.table->columns) {
      const bool is_used = !use.place->columns.empty() ||
                           std::any_of(analysis.uses.begin(), analysis.uses.end(),
                                       [&](const Use& one) { return one.column == &column; });
      if (!is_used) continue;
      query::Output output;
      output.expression = std::make_unique<query::Expression>();
      output.expression->kind = query::ExpressionKind::Column;
      output.expression->names = {{use.table->name, true, false}, {column.name, true, false}};
      outputs.push_back(std::move(output));
    }
    if (outputs.empty()) outputs.push_back({Word("integer", "1"), {"one", true, false}});
    return outputs;
  }

  // '${principal.id}' stands for what is known of the caller; what is not known matches nothing.
  Status FillPlaceholders(query::Expression& expression) const {
    for (query::Part& part : expression.parts) {
      if (part.query != nullptr)
        return Error(ErrorKind::PolicyBlocked, "a row filter holds a query");
      if (part.expression == nullptr) continue;
      WARD_CHECK(FillPlaceholders(*part.expression));
      if (part.expression->kind != query::ExpressionKind::Literal ||
          part.expression->form != "text")
        continue;
      const auto placeholder = privacy::PlaceholderOf(part.expression->value);
      if (!placeholder) continue;
      const auto known = privacy::KnownOf(principal_, *placeholder);
      part.expression = known ? Word("text", *known) : Word("word", "NULL");
    }
    return Ok();
  }

  const privacy::Policy& policy_;
  const privacy::CallerPolicy caller_;
  const Principal& principal_;
  const sql::Dialect& dialect_;
  TableLookup& lookup_;
  const bool is_ours_;
  std::set<query::Output*> to_mask_;
  // The least rows of a group, and by which column they are counted once each; empty: all.
  struct Least {
    std::int64_t rows = 0;
    std::vector<query::Name> counted;
  };
  std::map<std::pair<query::Core*, const catalog::Table*>, Least> least_rows_;
};

std::vector<TableRead> ToTableReads(const Analysis& analysis) {
  std::map<std::pair<std::string, std::string>, std::set<std::string>> reads;
  for (const TableUse& use : analysis.tables) reads[{use.table->schema, use.table->name}];
  for (const Use& use : analysis.uses)
    reads[{use.table->schema, use.table->name}].insert(use.column->name);
  std::vector<TableRead> result;
  for (const auto& [name, columns] : reads)
    result.push_back({name.first, name.second, {columns.begin(), columns.end()}});
  return result;
}

// The session that the policy asks for this caller, filled. It fails closed: what an engine cannot
// set, or what is not known of the caller, is a refusal. A role that a caller's claim names "none"
// would give the connection's own role back.
Result<DatabaseSession> SessionOf(const privacy::CallerPolicy& caller, const Principal& principal,
                                  const sql::Dialect& dialect) {
  DatabaseSession filled;
  const privacy::Session* session = caller.session();
  if (session == nullptr) return filled;
  if (dialect.name != sql::Postgres().name && dialect.name != sql::MySql().name)
    return std::move(
        Error(
            ErrorKind::PolicyBlocked,
            fmt::format("the policy sets a role or settings, which {} does not have", dialect.name))
            .Detail("A session of the policy is for PostgreSQL and MariaDB; what it would have "
                    "kept back cannot be kept back here.")
            .Hint("Whoever keeps the policy can use row_filters for this source instead."));
  WARD_TRY(filled.role, privacy::Filled(session->role, principal));
  const bool is_none = EqualsIgnoringAsciiCase(filled.role, "none");
  if (is_none || (filled.role.empty() && !session->role.empty()) ||
      filled.role.find('\0') != std::string::npos)
    return Error(ErrorKind::PolicyBlocked,
                 "the role that the policy names for this caller is none");
  for (const auto& [name, value] : session->settings) {
    WARD_TRY(std::string text, privacy::Filled(value, principal));
    if (text.find('\0') != std::string::npos)
      return Error(ErrorKind::PolicyBlocked, "a claim of this caller holds a zero byte");
    filled.settings.emplace_back(name, std::move(text));
  }
  return filled;
}

// What is printed reads back as a tree that prints the same.
Status ReadsBack(const query::Statement& statement, const query::Printed& printed,
                 const sql::Dialect& dialect) {
  if (statement.kind == query::StatementKind::Catalog) return Ok();
  const auto again = query::Read(printed.text, dialect, kReadBackDepthMax);
  if (!again)
    return Error(ErrorKind::Internal, "a statement does not read back as it was printed")
        .Private(again.error().message());
  WARD_TRY(const query::Printed twice, query::Print(*again, dialect));
  if (twice.text != printed.text)
    return Error(ErrorKind::Internal, "a statement reads back as another").Private(twice.text);
  return Ok();
}

}  // namespace

Result<Approved> Guard::Decide(const Statement& statement, const sql::Dialect& dialect,
                               TableLookup& lookup, const Principal& principal, bool is_ours,
                               TextHelp* help) const {
  WARD_TRY(query::Statement tree, query::Read(statement.text, dialect,
                                              is_ours ? kReadBackDepthMax : query::kReadDepthMax));
  if (tree.parameters != statement.parameters.size())
    return Error(ErrorKind::InvalidArgument,
                 fmt::format("the statement has {} placeholders and {} values were given",
                             tree.parameters, statement.parameters.size()));
  Decision decision(policy_, principal, dialect, lookup, is_ours);
  if (const Status decided = decision.Run(tree); !decided) {
    if (help != nullptr) help->tables = decision.TablesToLookAt();
    if (help != nullptr && decided.error().kind() == ErrorKind::SqlUnknownName &&
        !decision.analysis.corrections.empty()) {
      const Correction& fix = decision.analysis.corrections.front();
      std::string text(statement.text);
      if (fix.begin <= fix.end && fix.end <= text.size() && fix.end > 0) {
        text.replace(fix.begin, fix.end - fix.begin, fix.text);
        help->corrected = std::move(text);
      }
    }
    return decided.error();
  }
  WARD_TRY(query::Printed printed, query::Print(tree, dialect));
  WARD_CHECK(ReadsBack(tree, printed, dialect));
  Approved approved;
  approved.text_ = std::move(printed.text);
  for (const std::size_t index : printed.order)
    approved.parameters_.push_back(statement.parameters[index]);
  approved.dialect_ = &dialect;
  approved.is_explain_ = tree.kind == query::StatementKind::Explain;
  approved.masked_ = std::move(decision.masked);
  WARD_TRY(approved.session_, SessionOf(policy_.For(principal), principal, dialect));
  approved.reads_ = ToTableReads(decision.analysis);
  approved.rules_ = {kOneRead,      kNamesResolve,    kPersonalData, kTablesAllowed,
                     kKnownLineage, kListedFunctions, kReadsBack};
  if (decision.filters_rows) approved.rules_.emplace_back(kRowFilters);
  if (!approved.session_.IsEmpty()) approved.rules_.emplace_back(kDatabaseSession);
  HiddenOrder& order = decision.order;
  approved.inside_ = std::move(order.inside);
  // Where PostgreSQL may not walk an index it gathers from it and reads the table in its own order.
  if (order.needs_settings)
    for (const char* scan : {"enable_indexonlyscan", "enable_indexscan"})
      approved.session_.settings.emplace_back(scan, "off");
  if (order.has_hints || order.needs_settings) approved.rules_.emplace_back(kHiddenOrder);
  return approved;
}

namespace {

// The statement without what of it is refused as personal data, or nothing where there is none.
std::optional<std::string> WithoutBlocked(const Statement& statement, const sql::Dialect& dialect,
                                          TableLookup& lookup, const Principal& principal,
                                          const privacy::Policy& policy) {
  auto tree = query::Read(statement.text, dialect);
  if (!tree || tree->kind != query::StatementKind::Select) return std::nullopt;
  Decision decision(policy, principal, dialect, lookup, false);
  if (!Analyze(*tree, dialect, lookup, false, decision.analysis)) return std::nullopt;
  if (!LeaveOut(*tree, decision.Refused())) return std::nullopt;
  const auto printed = query::Print(*tree, dialect);
  // The caller's values stay what they are: each placeholder must still be there, in its order.
  if (!printed || printed->order.size() != statement.parameters.size() ||
      !std::is_sorted(printed->order.begin(), printed->order.end()))
    return std::nullopt;
  return printed->text;
}

}  // namespace

Result<Approved> Guard::ApproveText(const Statement& statement, const sql::Dialect& dialect,
                                    TableLookup& lookup, const Principal& principal,
                                    TextHelp* help) const {
  auto approved = Decide(statement, dialect, lookup, principal, false, help);
  if (approved) return approved;
  Error error = std::move(approved).error();
  if (error.kind() == ErrorKind::PiiBlocked) {
    auto rewritten = WithoutBlocked(statement, dialect, lookup, principal, policy_);
    if (rewritten &&
        Decide({*rewritten, statement.parameters}, dialect, lookup, principal, false, nullptr)) {
      error.recovery().rewrite = {*rewritten, "it leaves out what is personal"};
      if (help != nullptr) help->rewritten = std::move(rewritten);
    }
  }
  if (error.kind() == ErrorKind::NotARead)
    error.Hint(
        "This connection only reads: give a statement that changes something to the user, "
        "who can run it.");
  return error;
}

}  // namespace schemaward::guard
