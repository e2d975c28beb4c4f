// Items of FROM: what they offer, and under which name.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "catalog/is_view.h"
#include "guard/analyzer.h"
#include "guard/walk.h"
#include "sql/query/reader.h"

namespace schemaward::guard {
namespace {

// What of the engines' own catalogs may be read: names, types and keys. Not: other sessions'
// statements, statistics that hold values, settings, secrets, large objects.
constexpr auto kInformationSchema = std::to_array<std::string_view>(
    {"check_constraints", "columns", "constraint_column_usage", "domains", "key_column_usage",
     "referential_constraints", "routines", "schemata", "statistics", "table_constraints", "tables",
     "triggers", "views"});
constexpr auto kPgCatalog = std::to_array<std::string_view>(
    {"pg_attribute", "pg_class", "pg_constraint", "pg_description", "pg_enum", "pg_index",
     "pg_indexes", "pg_inherits", "pg_matviews", "pg_namespace", "pg_tables", "pg_type",
     "pg_views"});
constexpr std::string_view kOfDuckDb = "duckdb_";  // how its functions are called that list names
constexpr auto kSqliteTables = std::to_array<std::string_view>({"sqlite_master", "sqlite_schema"});

// Of these relations, columns that tell of values: sizes and counts of what a column holds, and
// bodies of routines, which can hold anything.
struct Withheld {
  std::string_view relation;
  std::span<const std::string_view> columns;
  std::span<const std::string_view> prefixes;  ///< of PostgreSQL's: how its columns begin
};
constexpr std::string_view kOfAttributes[] = {"attmissingval"};
constexpr std::string_view kOfClasses[] = {"relpages", "relallfrozen", "relallvisible",
                                           "relpartbound", "reltuples"};
constexpr std::string_view kOfMaster[] = {"rootpage"};
constexpr std::string_view kOfRoutines[] = {"routine_definition"};
constexpr std::string_view kOfStatistics[] = {"cardinality"};
constexpr std::string_view kOfTables[] = {"auto_increment",  "avg_row_length", "data_length",
                                          "index_length",    "data_free",      "checksum",
                                          "max_index_length"};
// The same where rows of some tables are filtered: how many there are of all.
constexpr std::string_view kOfTablesWithCounts[] = {
    "auto_increment", "avg_row_length", "data_length",      "index_length",
    "data_free",      "checksum",       "max_index_length", "table_rows"};
constexpr std::string_view kOfDuckDbTables[] = {"estimated_size"};
constexpr std::string_view kOfTriggers[] = {"action_statement", "action_condition"};
constexpr std::string_view kAttributePrefixes[] = {"att", "ctid", "oid", "tableoid", "xmin"};
constexpr std::string_view kClassPrefixes[] = {"rel", "ctid", "oid", "tableoid", "xmin"};
constexpr std::string_view kRoutinePrefixes[] = {"created",   "data_type", "external_",
                                                 "is_",       "last_",     "routine_",
                                                 "security_", "specific_", "type_udt_"};
constexpr std::string_view kTriggerPrefixes[] = {"action_", "created", "event_", "trigger_"};
constexpr Withheld kWithheld[] = {{"pg_attribute", kOfAttributes, kAttributePrefixes},
                                  {"pg_class", kOfClasses, kClassPrefixes},
                                  {"routines", kOfRoutines, kRoutinePrefixes},
                                  {"sqlite_master", kOfMaster, {}},
                                  {"sqlite_schema", kOfMaster, {}},
                                  {"statistics", kOfStatistics, {}},
                                  {"tables", kOfTables, {}},
                                  {"triggers", kOfTriggers, kTriggerPrefixes}};

void Withhold(Binding& binding) {
  for (const Withheld& one : kWithheld) {
    if (!FoldsTo(one.relation, binding.name)) continue;
    binding.withheld = one.columns;
    binding.prefixes = one.prefixes;
  }
}

template <std::size_t N>
bool Holds(const std::array<std::string_view, N>& list, std::string_view name) {
  return std::any_of(list.begin(), list.end(),
                     [&](std::string_view item) { return FoldsTo(item, name); });
}

// PIVOT ... ON x without the values of x.
bool FindsItsColumns(const query::Expression& pivot) {
  if (pivot.form != "pivot") return false;
  for (const query::Part& part : pivot.parts) {
    if (part.text == " USING ") return false;
    const bool is_listed =
        part.expression != nullptr && part.expression->form == "in_list" &&
        part.expression->parts.back().text == ")" &&
        std::none_of(part.expression->parts.begin(), part.expression->parts.end(),
                     [](const query::Part& one) { return one.query != nullptr; });
    if (part.expression != nullptr && !is_listed) return true;
  }
  return false;
}

// True where an engine computes outputs that nobody reads, and fails if one does.
bool ComputesAll(const query::Query& text) {
  bool computes = false;
  ForEachQuery(text, [&](const query::Query& one) {
    computes = computes || !one.with.empty();
    for (const query::SetTerm& term : one.terms)
      computes = computes || term.core.is_distinct || !term.core.distinct_on.empty() ||
                 (!term.op.empty() && term.op != " UNION ALL ");
  });
  return computes;
}

}  // namespace

Status Analyzer::Table(query::TableExpression& table, Scope& scope) {
  if (++relations_ > kRelationsMax)
    return Error(ErrorKind::SqlSyntax,
                 fmt::format("the statement reads more than {} tables", kRelationsMax));
  table.hint.clear();  // the guard puts its own
  Canon(table.alias);
  for (query::Name& column : table.columns) Canon(column);
  switch (table.kind) {
    case query::TableKind::Table:
      return BaseTable(table, scope);
    case query::TableKind::Function:
      return FunctionTable(table, scope);
    case query::TableKind::Derived:
      return Derived(table, scope);
    case query::TableKind::Join:
      break;
  }
  return Join(table, scope);
}

// Binds under the alias, gives the columns the alias's names, and makes them visible.
Status Analyzer::Bind(query::TableExpression& table, Scope& scope, Binding binding) {
  if (!table.alias.text.empty()) binding.name = table.alias.text;
  if (table.columns.size() > binding.columns.size() && !binding.is_open)
    return Error(ErrorKind::SqlSyntax,
                 fmt::format("the alias \"{}\" names more columns than there are", binding.name));
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (i < binding.columns.size()) {
      binding.columns[i].name = table.columns[i].text;
      binding.columns[i].is_base = false;
    } else {
      binding.columns.push_back({table.columns[i].text, binding.open_taints, false});
    }
  }
  for (const Binding& other : scope.bindings)
    if (!binding.name.empty() &&
        (is_postgres_ ? other.name == binding.name : FoldsTo(other.name, binding.name)))
      return Error(ErrorKind::SqlSyntax,
                   fmt::format("two tables of one FROM are called \"{}\"", binding.name));
  const std::size_t index = scope.bindings.size();
  for (std::size_t i = 0; i < binding.columns.size(); ++i)
    scope.visible.push_back({index, i, false, 0});
  scope.bindings.push_back(std::move(binding));
  return Ok();
}

const Common* Analyzer::FindCommon(const query::Name& name, const Common* commons) const {
  for (const Common* at = commons; at != nullptr; at = at->next)
    if (Means(name, at->name, dialect_)) return at;
  return nullptr;
}

bool Analyzer::IsSystemRelation(const std::vector<query::Name>& names) const {
  const std::string& table = names.back().text;
  if (names.size() == 2) {
    const std::string& schema = names.front().text;
    if (!is_sqlite_ && FoldsTo(schema, "information_schema"))
      return Holds(kInformationSchema, table);
    if (is_postgres_ && FoldsTo(schema, "pg_catalog")) return Holds(kPgCatalog, table);
    return is_sqlite_ && FoldsTo(schema, "main") && Holds(kSqliteTables, table);
  }
  if (names.size() != 1) return false;
  return (is_postgres_ && Holds(kPgCatalog, table)) || (is_sqlite_ && Holds(kSqliteTables, table));
}

Status Analyzer::BaseTable(query::TableExpression& table, Scope& scope) {
  if (table.names.size() == 1) {
    const Common* common = FindCommon(table.names.front(), scope.commons);
    while (common != nullptr && common->is_itself) {
      Forbid(fmt::format(
          "reads \"{}\" within its own text, and not as a term of a UNION that has it in FROM",
          common->name));
      common = FindCommon(table.names.front(), common->next);
    }
    if (common != nullptr) {
      table.names.front() = {common->name, true, false};
      Binding binding;
      binding.name = common->name;
      binding.columns = common->columns;
      binding.is_open = common->is_open;
      binding.open_taints = common->open_taints;
      for (Info& info : binding.columns) info.is_base = false;
      return Bind(table, scope, std::move(binding));
    }
  }
  if (IsSystemRelation(table.names)) {
    for (query::Name& name : table.names) Canon(name);
    if (is_postgres_ && table.names.size() == 1)
      table.names.insert(table.names.begin(), {"pg_catalog", true, false});
    if (out_.system_relation.empty()) out_.system_relation = table.names.back().text;
    Binding binding;
    binding.name = table.names.back().text;
    binding.is_open = true;
    binding.is_pg_class = is_postgres_ && FoldsTo(binding.name, "pg_class");
    // PostgreSQL's and DuckDB's information_schema tell no sizes.
    if (is_mysql_ || is_sqlite_ || FoldsTo(binding.name.substr(0, 3), "pg_") ||
        FoldsTo(binding.name, "routines") || FoldsTo(binding.name, "triggers"))
      Withhold(binding);
    if (is_mysql_ && out_.withholds_counts && FoldsTo(binding.name, "tables"))
      binding.withheld = kOfTablesWithCounts;
    // What it tells of values, a view could show under any name.
    if (view_depth_ > 0 && !binding.withheld.empty()) binding.open_taints = {kUnknown};
    // Names by place could call anything anything.
    if (!table.columns.empty()) ForbidWithheld({binding}, "");
    return Bind(table, scope, std::move(binding));
  }
  WARD_TRY(const catalog::Table* found, FindTable(table));
  if (view_depth_ == 0) {
    out_.tables.push_back({found, &table, scope.core});
  } else {
    out_.view_reads.push_back({view_, found});
  }
  table.names = {{found->schema, true, false}, {found->name, true, false}};
  if (found->schema.empty()) table.names.erase(table.names.begin());
  if (table.alias.text.empty()) table.alias = {found->name, true, false};
  Binding binding = BindingOf(*found);
  if (view_depth_ == 0) binding.place = &table;
  return Bind(table, scope, std::move(binding));
}

Binding Analyzer::BindingOf(const catalog::Table& table) {
  Binding binding;
  binding.name = table.name;
  binding.table = &table;
  if (catalog::IsView(table.kind)) {
    if (const std::vector<Info>* lineage = LineageOf(table)) {
      binding.columns = *lineage;
      return binding;
    }
    if (std::find(out_.opaque.begin(), out_.opaque.end(), &table) == out_.opaque.end())
      out_.opaque.push_back(&table);
  }
  for (const catalog::Column& column : table.columns)
    binding.columns.push_back({column.name, {{&table, &column}}, true});
  return binding;
}

// What the columns of a view are made of, by its own text; null where that cannot be told.
const std::vector<Info>* Analyzer::LineageOf(const catalog::Table& view) {
  if (const auto known = lineage_.find(&view); known != lineage_.end()) return &known->second;
  const bool is_unknown =
      std::find(unknown_lineage_.begin(), unknown_lineage_.end(), &view) != unknown_lineage_.end();
  if (is_unknown || view.definition.empty() || view_depth_ >= kViewDepthMax) return nullptr;
  unknown_lineage_.push_back(&view);  // also while it is read: a view cannot hold itself
  auto statement = query::ReadView(view.definition, dialect_);
  if (!statement || statement->query == nullptr) return nullptr;
  ++view_depth_;
  const catalog::Table* const above = std::exchange(view_, &view);
  Taints* const compared = std::exchange(compared_, nullptr);
  Taints* const multiplied = std::exchange(multiplied_, nullptr);
  Taints failing;
  Taints* const failing_outside = std::exchange(
      failing_, view.kind == catalog::TableKind::MaterializedView ? nullptr : &failing);
  auto outputs = Query(*statement->query, nullptr, nullptr, false);
  failing_ = failing_outside;
  if (ComputesAll(*statement->query)) NoteOfView(failing, Position::Order);
  multiplied_ = multiplied;
  compared_ = compared;
  view_ = above;
  --view_depth_;
  if (!outputs || outputs->size() != view.columns.size()) return nullptr;
  for (std::size_t i = 0; i < outputs->size(); ++i) {
    Taints& taints = (*outputs)[i].taints;
    (*outputs)[i].name = view.columns[i].name;
    (*outputs)[i].is_base = false;
    // Its own name and comment count too.
    Taint own{&view, &view.columns[i]};
    own.is_unknown = std::erase(taints, kUnknown) > 0;
    Add(taints, {own});
  }
  unknown_lineage_.erase(std::find(unknown_lineage_.begin(), unknown_lineage_.end(), &view));
  return &(lineage_[&view] = *std::move(outputs));
}

std::vector<Taints> Analyzer::Origins(const catalog::Table& view) {
  std::vector<Taints> origins;
  if (const std::vector<Info>* lineage = LineageOf(view))
    for (const Info& info : *lineage) origins.push_back(info.taints);
  return origins;
}

Result<const catalog::Table*> Analyzer::FindTable(const query::TableExpression& table) {
  const std::vector<query::Name>& names = table.names;
  std::string shown;
  for (const query::Name& name : names) shown += (shown.empty() ? "" : ".") + name.text;
  if (names.size() > 2)
    return Error(ErrorKind::SqlUnknownName,
                 fmt::format("the statement reads \"{}\": a name has at most two parts here, "
                             "schema.table",
                             shown));
  std::optional<std::string> schema;
  if (names.size() == 2) schema = names.front().text;
  WARD_TRY(auto found, lookup_.Find(schema, names.back().text));
  std::erase_if(found, [&](const catalog::Table* one) {
    return !Means(names.back(), one->name, dialect_) ||
           (schema && !Means(names.front(), one->schema, dialect_));
  });
  if (found.size() > 1) {  // the exact spelling, then the schema that an unqualified name means
    const auto keep = [&](auto&& wanted) {
      if (std::any_of(found.begin(), found.end(), wanted))
        std::erase_if(found, [&](const catalog::Table* one) { return !wanted(one); });
    };
    // The text of a view of DuckDB means its own schema first.
    if (is_duckdb_ && view_ != nullptr && view_depth_ > 0)
      keep([&](const catalog::Table* one) { return one->schema == view_->schema; });
    keep([&](const catalog::Table* one) { return one->name == names.back().text; });
    keep([&](const catalog::Table* one) { return one->schema == dialect_.default_schema; });
  }
  if (found.size() == 1) return found.front();
  if (found.size() > 1) {
    std::vector<std::string> choices;
    for (const catalog::Table* one : found) choices.push_back(catalog::QualifiedName(*one));
    std::sort(choices.begin(), choices.end());
    if (view_depth_ == 0) out_.corrections.push_back({table.begin, table.end, choices.front()});
    Error error(ErrorKind::SqlUnknownName,
                fmt::format("the statement reads \"{}\", which is in several schemas", shown));
    error.Near(std::move(choices));
    return error;
  }
  Error error(ErrorKind::SqlUnknownName,
              fmt::format("the statement reads table \"{}\", which is not in the index", shown));
  auto near = lookup_.Near(names.back().text);
  if (!near.empty() && view_depth_ == 0)
    out_.corrections.push_back({table.begin, table.end, near.front()});
  error.Near(std::move(near));
  return error;
}

Status Analyzer::FunctionTable(query::TableExpression& table, Scope& scope) {
  WARD_TRY(Taints taints, Invocation(*table.call, scope, {}, true));
  Binding binding;
  query::Name name = table.call->names.back();
  Canon(name);
  // The catalog of DuckDB, as information_schema is.
  if (is_duckdb_ && FoldsTo(name.text.substr(0, kOfDuckDb.size()), kOfDuckDb) &&
      out_.system_relation.empty())
    out_.system_relation = name.text;
  binding.name = name.text;
  binding.open_taints = std::move(taints);
  binding.is_open = true;
  binding.function = &table.call->names.back().text;
  if (is_duckdb_ && out_.withholds_counts && FoldsTo(name.text, "duckdb_tables")) {
    binding.withheld = kOfDuckDbTables;
    if (view_depth_ > 0) Add(binding.open_taints, {kUnknown});
    if (!table.columns.empty()) ForbidWithheld({binding}, "");  // as names by place
  }
  // PostgreSQL calls the one column of such a function by the alias.
  if (table.columns.empty() && !table.alias.text.empty() && is_postgres_) {
    binding.columns.push_back({table.alias.text, binding.open_taints, false});
    WARD_CHECK(Bind(table, scope, std::move(binding)));
    scope.visible.pop_back();  // a star gives what the function gives
    return Ok();
  }
  const std::size_t before = scope.visible.size();
  WARD_CHECK(Bind(table, scope, std::move(binding)));
  scope.visible.resize(before);
  return Ok();
}

// A select that reads a row beside it is asked anew for each, as one in an expression is: in a
// view's text its values are made of what it compares.
Result<std::vector<Info>> Analyzer::Lateral(query::Query& query, const Scope& scope) {
  if (view_depth_ == 0) return Query(query, &scope, scope.commons, false);
  Taints compared;
  Taints* const outside = std::exchange(compared_, &compared);
  beside_.emplace_back(&scope, false);
  auto columns = Query(query, &scope, scope.commons, false);
  const bool is_read = beside_.back().second;
  beside_.pop_back();
  compared_ = outside;
  if (outside != nullptr) Add(*outside, compared);
  if (columns && is_read)
    for (Info& info : *columns) Add(info.taints, compared);
  return columns;
}

Status Analyzer::Derived(query::TableExpression& table, Scope& scope) {
  // DuckDB needs no word for it.
  const bool is_lateral = table.is_lateral || is_duckdb_;
  WARD_TRY(auto columns, is_lateral ? Lateral(*table.query, scope)
                                    : Query(*table.query, scope.outer, scope.commons, false));
  for (Info& info : columns) info.is_base = false;
  Binding binding;
  if (table.call == nullptr && !NameOutputs(*table.query, columns, table.columns.size())) {
    binding.is_open = true;
    for (const Info& info : columns) Add(binding.open_taints, info.taints);
    columns.clear();
  }
  if (table.call != nullptr) {  // PIVOT
    Scope inner;
    inner.outer = scope.outer;
    inner.commons = scope.commons;
    Binding all;
    all.columns = columns;
    for (std::size_t i = 0; i < columns.size(); ++i) inner.visible.push_back({0, i, false, 0});
    inner.bindings.push_back(std::move(all));
    WARD_TRY(const Taints taints, Walk(table.call, inner, {.where = Position::Group}));
    (void)taints;
    if (FindsItsColumns(*table.call))
      Forbid(
          "holds PIVOT that looks its columns up in the data, which takes a second statement: "
          "write ON column IN ('value', ...)");
    binding.is_open = true;
    for (const Info& info : columns) Add(binding.open_taints, info.taints);
    columns.clear();
    // A star of another table beside it stands for that one's columns alone.
    if (table.alias.text.empty()) {
      table.alias = {"pivot", true, false};
      while (std::any_of(scope.bindings.begin(), scope.bindings.end(), [&](const Binding& other) {
        return FoldsTo(other.name, table.alias.text);
      }))
        table.alias.text += '_';
    }
  }
  binding.columns = std::move(columns);
  return Bind(table, scope, std::move(binding));
}

// Names out of its sight mean a select around, though this select's FROM may have them too.
Status Analyzer::JoinCondition(query::ExpressionPtr& condition, Scope& scope, const Sight& sight) {
  const auto cut = scope.visible.begin() + static_cast<std::ptrdiff_t>(sight.visible);
  const std::vector<Visible> hidden(scope.visible.begin(), cut);
  const std::size_t first = std::exchange(scope.first_binding, sight.binding);
  scope.visible.erase(scope.visible.begin(), cut);
  const Status known = Condition(condition, scope, {.where = Position::Predicate});
  scope.visible.insert(scope.visible.begin(), hidden.begin(), hidden.end());
  scope.first_binding = first;
  return known;
}

// To SQLite a comma is a join like the others: ON sees, and USING takes its columns from, all that
// stands before it in the same brackets, the first that has them. To DuckDB it is that too, but for
// USING. PostgreSQL and MySQL join first: ON and USING see the join's own sides.
Status Analyzer::JoinSides(query::TableExpression& join, Scope& scope, Sight& right) {
  const Sight own{scope.visible.size(), scope.bindings.size()};
  WARD_CHECK(Table(*join.left, scope));
  const std::size_t middle = scope.visible.size();
  right = {middle, scope.bindings.size()};
  const Sight brackets = scope.brackets;
  if (join.right->kind == query::TableKind::Join) scope.brackets = {middle, scope.bindings.size()};
  WARD_CHECK(Table(*join.right, scope));
  scope.brackets = brackets;
  const std::size_t begin = is_sqlite_ ? brackets.visible : own.visible;
  if (join.on != nullptr)
    WARD_CHECK(JoinCondition(join.on, scope, is_sqlite_ ? brackets : is_duckdb_ ? Sight() : own));
  if (!join.is_natural && join.using_columns.empty()) return Ok();
  const bool is_open = std::any_of(scope.bindings.begin(), scope.bindings.end(),
                                   [](const Binding& binding) { return binding.is_open; });
  if (join.is_natural) {
    if (is_open)
      return Error(ErrorKind::NotARead, "the statement joins NATURAL what has no known columns");
    std::vector<std::string> names;
    for (std::size_t l = begin; l < middle; ++l) {
      const std::string& name = InfoOf(scope, scope.visible[l]).name;
      for (std::size_t r = middle; r < scope.visible.size(); ++r)
        if (!name.empty() && (is_postgres_ ? InfoOf(scope, scope.visible[r]).name == name
                                           : FoldsTo(InfoOf(scope, scope.visible[r]).name, name)))
          names.push_back(name);
    }
    for (const std::string& name : names) {
      const query::Name one{name, true, false};
      if (std::none_of(join.using_columns.begin(), join.using_columns.end(),
                       [&](const query::Name& other) { return Means(one, other.text, dialect_); }))
        join.using_columns.push_back(one);
    }
    // What is printed says which columns are compared: one that is added later is not.
    join.is_natural = false;
    const std::size_t at = join.join.find(" NATURAL");
    if (at != std::string::npos) join.join.erase(at, 8);
    if (join.using_columns.empty()) {
      join.on = std::make_unique<query::Expression>();
      join.on->form = "word";
      join.on->text = is_sqlite_ ? "1" : "TRUE";
      return Ok();
    }
  }
  return Merge(join, scope, begin, middle);
}

Status Analyzer::Join(query::TableExpression& join, Scope& scope) {
  // DuckDB (1.5.6) comes to write where it may not, and ends this process.
  if (recursion_depth_ > 0 && join.join.find(" ASOF") != std::string::npos)
    Forbid("joins ASOF in a recursion");
  Sight right;
  WARD_CHECK(JoinSides(join, scope, right));
  const bool shows_left =
      join.join.find(" SEMI") != std::string::npos || join.join.find(" ANTI") != std::string::npos;
  if (!shows_left) return Ok();
  // The other side is out of sight behind the join: its names mean a select around.
  scope.visible.erase(scope.visible.begin() + static_cast<std::ptrdiff_t>(right.visible),
                      scope.visible.end());
  scope.bindings.erase(scope.bindings.begin() + static_cast<std::ptrdiff_t>(right.binding),
                       scope.bindings.end());
  return Ok();
}

// The columns of USING stand once: both sides are compared, and a star gives one.
Status Analyzer::Merge(const query::TableExpression& join, Scope& scope, std::size_t begin,
                       std::size_t middle) {
  auto& visible = scope.visible;
  std::vector<Visible> merged;
  std::vector<Visible> left(visible.begin() + static_cast<std::ptrdiff_t>(begin),
                            visible.begin() + static_cast<std::ptrdiff_t>(middle));
  std::vector<Visible> right(visible.begin() + static_cast<std::ptrdiff_t>(middle), visible.end());
  for (const query::Name& name : join.using_columns) {
    ForbidWithheld(scope.bindings, name.text);
    const auto take = [&](std::vector<Visible>& side) -> std::optional<std::size_t> {
      for (std::size_t i = 0; i < side.size(); ++i)
        if (Means(name, InfoOf(scope, side[i]).name, dialect_)) return i;
      return std::nullopt;
    };
    const auto l = take(left);
    const auto r = take(right);
    Taints unseen;  // of a side whose columns are not known
    Taints unlisted;
    for (const Binding& binding : scope.bindings) {
      if (binding.is_open) Add(unseen, binding.open_taints);
      AddUnlisted(binding, name, unlisted);
    }
    WARD_CHECK(Note(unlisted, scope, {.where = Position::Join}));
    const bool is_open = std::any_of(scope.bindings.begin(), scope.bindings.end(),
                                     [](const Binding& binding) { return binding.is_open; });
    if (!l && !r && is_open) continue;
    if ((!l || !r) && !is_open)
      return Error(
          ErrorKind::SqlUnknownName,
          fmt::format("the statement joins USING ({}), which one side does not have", name.text));
    Info info = l ? InfoOf(scope, left[*l]) : InfoOf(scope, right[*r]);
    info.is_base = false;
    Add(info.taints, l && r ? InfoOf(scope, right[*r]).taints : unseen);
    Add(info.taints, unlisted);
    WARD_CHECK(Note(info.taints, scope, {.where = Position::Join}));
    const Visible one{0, 0, true, scope.merged.size()};
    scope.merged.push_back(std::move(info));
    if (!l || !r) {
      (l ? left[*l] : right[*r]) = one;
      continue;
    }
    right.erase(right.begin() + static_cast<std::ptrdiff_t>(*r));
    if (is_sqlite_ || is_duckdb_) {
      left[*l] = one;
    } else {
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(*l));
      merged.push_back(one);
    }
  }
  visible.resize(begin);
  visible.insert(visible.end(), merged.begin(), merged.end());
  visible.insert(visible.end(), left.begin(), left.end());
  visible.insert(visible.end(), right.begin(), right.end());
  return Ok();
}

const Info& Analyzer::InfoOf(const Scope& scope, const Visible& visible) const {
  return visible.is_merged ? scope.merged[visible.merged]
                           : scope.bindings[visible.binding].columns[visible.column];
}

}  // namespace schemaward::guard
