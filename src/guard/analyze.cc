#include "guard/analyze.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "base/ascii.h"
#include "base/contains.h"
#include "guard/analyzer.h"
#include "guard/constants.h"
#include "guard/forms.h"
#include "guard/gathered.h"
#include "guard/recursion.h"
#include "sql/query/reader.h"

namespace schemaward::guard {
namespace {

constexpr int kSelectDepthMax = 64;
constexpr int kRecursionPassesMax = 64;

bool Names(const query::TableExpressionPtr& table, std::string_view name) {
  if (table == nullptr) return false;
  if (table->kind == query::TableKind::Join)
    return Names(table->left, name) || Names(table->right, name);
  return table->kind == query::TableKind::Table && table->names.size() == 1 &&
         FoldsTo(table->names.front().text, name);
}

// True when a table other than the common table itself is read beside it.
bool ReadsAnother(const query::TableExpressionPtr& table, std::string_view name) {
  if (table == nullptr) return false;
  if (table->kind == query::TableKind::Join)
    return ReadsAnother(table->left, name) || ReadsAnother(table->right, name);
  return table->kind == query::TableKind::Table &&
         !(table->names.size() == 1 && FoldsTo(table->names.front().text, name));
}

// The names that WITH c (a, b) gives to the columns.
void GiveNames(const query::CommonTable& common, std::vector<Info>& columns) {
  for (std::size_t i = 0; i < std::min(columns.size(), common.columns.size()); ++i)
    columns[i].name = common.columns[i].text;
}

std::size_t TaintsIn(const std::vector<Info>& columns) {
  std::size_t count = 0;
  for (const Info& info : columns) count += info.taints.size();
  return count;
}

bool HasAggregate(const query::Expression& value, const sql::Dialect& dialect) {
  if (value.kind == query::ExpressionKind::Call && !value.has_window && value.names.size() == 1) {
    const Function* function = FindFunction(dialect, value.names.front().text);
    if (function != nullptr &&
        (function->kind == FunctionKind::Aggregate || function->kind == FunctionKind::Statistic))
      return true;
  }
  return std::any_of(value.parts.begin(), value.parts.end(), [&](const query::Part& part) {
    return part.expression != nullptr && HasAggregate(*part.expression, dialect);
  });
}

// One row at most, of all that are read: an aggregate without groups.
bool GivesOneRow(const query::Query& query, const sql::Dialect& dialect) {
  if (query.terms.size() != 1 || query.terms.front().nested != nullptr) return false;
  const query::Core& core = query.terms.front().core;
  return core.group_by.empty() && !core.groups_all &&
         std::any_of(core.outputs.begin(), core.outputs.end(), [&](const query::Output& output) {
           return HasAggregate(*output.expression, dialect);
         });
}

// A derived table need not have a name everywhere.
std::vector<query::Name> QualifiedBy(const Binding& binding, const Info& info) {
  if (binding.name.empty()) return {{info.name, true, false}};
  return {{binding.name, true, false}, {info.name, true, false}};
}

// All columns of sqlite_master, without where its tables begin: that follows the size of others.
void AddMaster(const Binding& binding, std::vector<query::Output>& outputs) {
  for (const char* name : {"type", "name", "tbl_name", "rootpage", "sql"}) {
    query::Output& output = outputs.emplace_back();
    output.expression = std::make_unique<query::Expression>();
    if (std::string_view(name) == "rootpage") {
      output.expression->form = "word";
      output.expression->text = "NULL";
    } else {
      output.expression->kind = query::ExpressionKind::Column;
      output.expression->names = {{binding.name, true, false}, {name, true, false}};
    }
    output.alias = {name, true, false};
  }
}

}  // namespace

void Add(Taints& to, const Taints& more) {
  for (const Taint& taint : more)
    if (std::find(to.begin(), to.end(), taint) == to.end()) to.push_back(taint);
}

void Analyzer::Canon(query::Name& name) const {
  if (!is_postgres_ || name.is_quoted) return;
  name.text = LowerAscii(name.text);
  name.is_quoted = true;
}

void Analyzer::Forbid(const std::string& what) {
  if (view_depth_ == 0)
    out_.forbidden.push_back(
        std::move(Error(ErrorKind::NotARead, "the statement " + what).Hint(query::kWriteWithout)));
}

void Analyzer::ForbidWithheld(const std::deque<Binding>& bindings, std::string_view column) {
  for (const Binding& binding : bindings)
    for (const std::string_view name : binding.withheld) {
      if (!column.empty() && !FoldsTo(name, column)) continue;
      Forbid(column.empty()
                 ? fmt::format("reads every column of \"{}\", of which \"{}\" tells of values: "
                               "name the columns",
                               binding.name, name)
                 : fmt::format("reads \"{}\", which tells of values", name));
      break;
    }
}

Status Analyzer::Run(query::Statement& statement) {
  if (statement.query == nullptr) return CatalogStatement(statement);
  WARD_TRY(const auto outputs, Query(*statement.query, nullptr, nullptr, true));
  for (const Info& info : outputs) out_.outputs.push_back(info.taints);
  if (is_postgres_ && GatheredBytes(*statement.query) > kGatheredMax)
    Forbid("gathers more than 256 MB of what it makes itself in one value");
  return Ok();
}

// DESCRIBE and PRAGMA show names and types, SUMMARIZE shows values of every column.
Status Analyzer::CatalogStatement(query::Statement& statement) {
  if (statement.table == nullptr) {
    out_.system_relation = statement.form;
    return Ok();
  }
  const bool names_others = statement.form == "pragma_foreign_key_list";
  if (out_.hides != nullptr || names_others) out_.system_relation = statement.form;
  WARD_TRY(const catalog::Table* table, FindTable(*statement.table));
  out_.tables.push_back({table, nullptr, nullptr});
  statement.table->names = {{table->schema, true, false}, {table->name, true, false}};
  if (statement.form != "summarize") return Ok();
  Scope scope;
  const Binding binding = BindingOf(*table);
  for (const Info& info : binding.columns)
    WARD_CHECK(Note(info.taints, scope, {.where = Position::Output}));
  return Ok();
}

namespace {

// SELECT 'a' ORDER BY min(n.id): MariaDB (10.11.19) ends of it inside a select over n.
bool SortsNothing(const query::Query& query) {
  const query::SetTerm& term = query.terms.front();
  return !query.order_by.empty() && query.terms.size() == 1 && term.nested == nullptr &&
         term.core.values.empty() && term.core.from.empty();
}

}  // namespace

Result<std::vector<Info>> Analyzer::Query(query::Query& query, const Scope* outer,
                                          const Common* commons, bool is_outermost) {
  if (depth_ >= kSelectDepthMax)
    return Error(ErrorKind::SqlSyntax, "the statement nests its selects too deeply");
  ++depth_;
  struct Leave {
    int& depth;
    ~Leave() { --depth; }
  } leave{depth_};
  if (is_mysql_ && outer != nullptr && view_depth_ == 0 && SortsNothing(query))
    Forbid("sorts a select without FROM, which is one row; leave its ORDER BY out");
  Taints by;
  Taints* const multiplied = std::exchange(multiplied_, view_depth_ > 0 ? &by : nullptr);
  auto outputs = Terms(query, outer, commons, is_outermost);
  multiplied_ = multiplied;
  if (outputs) WARD_CHECK(Multiplied(query, by, *outputs));
  return outputs;
}

// In a view's text: how often a row stands there follows what functions make rows of, whichever
// columns are read.
Status Analyzer::Multiplied(const query::Query& query, const Taints& by,
                            std::vector<Info>& outputs) {
  if (by.empty()) return Ok();
  for (Info& info : outputs) Add(info.taints, by);
  if (GivesOneRow(query, dialect_)) return Ok();
  if (multiplied_ != nullptr) {
    Add(*multiplied_, by);
    return Ok();
  }
  return Note(by, Scope(), {.where = Position::Order});
}

Result<std::vector<Info>> Analyzer::Terms(query::Query& query, const Scope* outer,
                                          const Common* commons, bool is_outermost) {
  std::vector<std::unique_ptr<Common>> owned;
  WARD_TRY(const Common* with, With(query, outer, commons, owned));
  std::vector<Info> outputs;
  std::unique_ptr<Scope> scope;
  const bool is_alone = query.terms.size() == 1;
  for (query::SetTerm& term : query.terms) {
    std::vector<Info> more;
    if (term.nested != nullptr) {
      WARD_TRY(more, Query(*term.nested, outer, with, is_outermost && is_alone));
    } else {
      std::unique_ptr<Scope> own;
      WARD_TRY(more, Core(term.core, outer, with, is_outermost && is_alone, own));
      if (is_alone) scope = std::move(own);
    }
    if (&term == &query.terms.front()) {
      outputs = std::move(more);
      continue;
    }
    const bool is_by_name = term.op.find("BY NAME") != std::string::npos;
    if (more.size() != outputs.size() && !is_by_name)
      return Error(ErrorKind::SqlSyntax,
                   fmt::format("the parts of a set operation have {} and {} columns",
                               outputs.size(), more.size()));
    if (is_by_name) AddByName(outputs, more);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (!is_by_name) Add(outputs[i].taints, more[i].taints);
      outputs[i].is_base = false;
    }
    Scope nothing;
    auto& first = query.terms.front().core.outputs;
    if (term.op.find("UNION ALL") == std::string::npos)  // rows are compared
      for (std::size_t i = 0; i < outputs.size(); ++i)
        WARD_CHECK(
            Note(outputs[i].taints, nothing,
                 {.where = Position::Group, .output = i < first.size() ? &first[i] : nullptr}));
  }
  if (scope == nullptr) {  // only outputs can be named
    scope = std::make_unique<Scope>();
    scope->outer = outer;
    scope->commons = with;
    scope->aliases = outputs;
  }
  WARD_CHECK(OrderBy(query, *scope));
  WARD_CHECK(Limit(query.limit, with));
  WARD_CHECK(Limit(query.offset, with));
  return outputs;
}

// UNION BY NAME: a column goes to that of its name, wherever it stands. What has no name is called
// by its text, which is not kept: it may be any other without one.
void Analyzer::AddByName(std::vector<Info>& outputs, const std::vector<Info>& more) {
  for (const Info& info : more) {
    bool is_found = false;
    for (Info& output : outputs) {
      if (!FoldsTo(output.name, info.name)) continue;
      Add(output.taints, info.taints);
      is_found = true;
    }
    if (!is_found || info.name.empty()) outputs.push_back(info);
  }
}

Result<const Common*> Analyzer::With(query::Query& query, const Scope* outer, const Common* commons,
                                     std::vector<std::unique_ptr<Common>>& owned) {
  for (query::CommonTable& common : query.with) {
    Canon(common.name);
    for (query::Name& column : common.columns) Canon(column);
    auto node = std::make_unique<Common>();
    node->name = common.name.text;
    node->next = commons;
    const auto& own = common.query->with;  // what it may call so itself
    const bool is_recursive =
        (query.is_recursive || is_sqlite_) && common.query->terms.size() > 1 &&
        std::none_of(own.begin(), own.end(),
                     [&](const auto& one) { return Means(one.name, node->name, dialect_); }) &&
        std::any_of(common.query->terms.begin() + 1, common.query->terms.end(),
                    [&](const query::SetTerm& term) {
                      return std::any_of(
                          term.core.from.begin(), term.core.from.end(),
                          [&](const auto& table) { return Names(table, node->name); });
                    });
    if (is_recursive) {
      WARD_CHECK(Recursive(common, *common.query));
      WARD_CHECK(Recursion(common, outer, *node));
    } else {
      // A name that means the common table itself where no recursion was found.
      Common self;
      self.name = node->name;
      self.next = commons;
      self.is_itself = true;
      const bool sees_itself = query.is_recursive;  // else what is printed has a schema
      WARD_TRY(node->columns, Query(*common.query, outer, sees_itself ? &self : commons, false));
      node->is_open = !NameOutputs(*common.query, node->columns, common.columns.size());
      if (node->is_open) {
        for (const Info& info : node->columns) Add(node->open_taints, info.taints);
        node->columns.clear();
      }
      GiveNames(common, node->columns);
    }
    commons = node.get();
    owned.push_back(std::move(node));
  }
  return commons;
}

// What is in a column comes round: a step hands it on to the next column, and so to all. The
// columns are looked at until nothing is added.
Status Analyzer::Recursion(query::CommonTable& common, const Scope* outer, Common& node) {
  ++recursion_depth_;
  struct Leave {
    int& depth;
    ~Leave() { --depth; }
  } leave{recursion_depth_};
  query::SetTerm& first = common.query->terms.front();
  std::unique_ptr<Scope> scope;
  if (first.nested != nullptr) {
    WARD_TRY(node.columns, Query(*first.nested, outer, node.next, false));
  } else {
    WARD_TRY(node.columns, Core(first.core, outer, node.next, false, scope));
  }
  GiveNames(common, node.columns);
  std::size_t known = TaintsIn(node.columns);
  for (int pass = 0; pass < kRecursionPassesMax; ++pass) {
    WARD_TRY(node.columns, Query(*common.query, outer, &node, false));
    NameOutputs(*common.query, node.columns, common.columns.size());
    GiveNames(common, node.columns);
    if (std::exchange(known, TaintsIn(node.columns)) == known) return Ok();
  }
  return Error(ErrorKind::SqlSyntax,
               fmt::format("the recursion \"{}\" hands values through more than {} columns",
                           common.name.text, kRecursionPassesMax));
}

// A recursion ends by itself where it walks a table, or says how far it counts.
Status Analyzer::Recursive(const query::CommonTable& common, const query::Query& around) {
  // To SQLite a limit below zero is none, and the rows that OFFSET leaves out are made too.
  const auto rows = IntegerOf(around.limit.get());
  const auto left_out = around.offset == nullptr ? 0 : IntegerOf(around.offset.get());
  if (rows && *rows >= 0 && *rows <= kRecursionMax && left_out && *left_out <= kRecursionMax)
    return Ok();
  for (std::size_t i = 1; i < around.terms.size(); ++i) {
    const query::Core& core = around.terms[i].core;
    const auto is_own = [&](const auto& table) { return Names(table, common.name.text); };
    if (std::none_of(core.from.begin(), core.from.end(), is_own)) continue;
    const bool has_others = std::any_of(core.from.begin(), core.from.end(), [&](const auto& table) {
      return ReadsAnother(table, common.name.text);
    });
    if (has_others && WalksATable(common, around, core)) continue;
    if (!CountsToAnEnd(common, around, core, dialect_, has_others))
      Forbid(fmt::format(
          "counts without an end in \"{}\": start a column at a constant, add one to it "
          "and bound it by a constant in the WHERE of its recursive part, at most {} "
          "steps away",
          common.name.text, kRecursionMax));
  }
  return Ok();
}

Result<std::vector<Info>> Analyzer::Core(query::Core& core, const Scope* outer,
                                         const Common* commons, bool is_outermost,
                                         std::unique_ptr<Scope>& owned) {
  owned = std::make_unique<Scope>();
  Scope& scope = *owned;
  scope.outer = outer;
  scope.commons = commons;
  scope.core = &core;
  if (view_depth_ == 0) ++out_.selects;
  if (!core.values.empty()) return Values(core, scope);
  scope.is_binding = true;
  for (query::TableExpressionPtr& table : core.from) WARD_CHECK(Table(*table, scope));
  WARD_CHECK(JudgePassed(scope));
  WARD_CHECK(ExpandStars(core, scope));
  for (query::NamedWindow& window : core.windows) {
    Canon(window.name);
    WARD_TRY(const Taints taints, Walk(window.spec, scope, {}));
    Add(scope.windows, taints);
  }
  WARD_CHECK(Outputs(core, scope, is_outermost));
  for (query::ExpressionPtr* condition : {&core.where, &core.having, &core.qualify}) {
    if (*condition == nullptr) continue;
    const bool sees_aliases = !is_postgres_ && !(is_mysql_ && condition == &core.where);
    // To MySQL's HAVING the columns of FROM come last, behind those of selects around.
    const Place place{.where = Position::Predicate,
                      .aliases = sees_aliases ? Aliases::Behind : Aliases::Unseen,
                      .looks_around = is_mysql_ && condition == &core.having};
    WARD_CHECK(Condition(*condition, scope, place));
  }
  WARD_CHECK(Keys(core.group_by, scope, true));
  WARD_CHECK(Keys(core.distinct_on, scope, false));
  if (core.is_distinct || core.groups_all)
    for (std::size_t i = 0; i < scope.aliases.size(); ++i)
      WARD_CHECK(Note(scope.aliases[i].taints, scope,
                      {.where = Position::Group, .output = &core.outputs[i]}));
  return scope.aliases;
}

namespace {

constexpr auto kEqual =
    std::to_array<std::string_view>({" = ", " == ", " <=> ", " IS ", " IS NOT DISTINCT FROM "});

// True where an engine may find rows of two relations by values that are equal, in the order of
// these: x IN (SELECT ...) is a join as well.
bool MayJoin(const query::Expression& condition) {
  if (HoldsSelect(condition)) return true;
  if (!IsForm(condition, "operator") || condition.parts.size() != 2 ||
      !Contains(kEqual, condition.parts[1].text))
    return false;
  return std::all_of(condition.parts.begin(), condition.parts.end(), [](const query::Part& part) {
    return part.expression != nullptr && ConstantOf(part.expression.get()) == nullptr;
  });
}

}  // namespace

// What a select in an expression compares is part of its value, in the text of a view: there
// nothing is noted where it stands. Two columns that are equal join, which says of neither more
// than which rows belong together.
Status Analyzer::Condition(query::ExpressionPtr& condition, Scope& scope, const Place& place) {
  if (view_depth_ > 0 && IsAnd(*condition)) {
    for (query::Part& part : condition->parts)
      if (part.expression != nullptr) WARD_CHECK(Condition(part.expression, scope, place));
    return Ok();
  }
  const auto is_column = [](const query::Part& part) {
    const query::Expression* value = part.expression.get();
    const bool is_as_text = value != nullptr && IsForm(*value, "cast") &&
                            FoldsTo(value->parts.back().text, " as text)");  // of varchar
    if (is_as_text) value = value->parts.front().expression.get();
    return value != nullptr && value->kind == query::ExpressionKind::Column;
  };
  const bool joins = IsForm(*condition, "operator") && condition->parts.size() == 2 &&
                     condition->parts[1].text == " = " && is_column(condition->parts[0]) &&
                     is_column(condition->parts[1]);
  WARD_TRY(const Taints taints, Walk(condition, scope, place));
  if (view_depth_ > 0 && (joins || MayJoin(*condition))) NoteOfView(taints, Position::Join);
  if (compared_ != nullptr && !joins) Add(*compared_, taints);
  return Ok();
}

Result<std::vector<Info>> Analyzer::Values(query::Core& core, Scope& scope) {
  std::vector<Info> infos(core.values.front().size());
  for (auto& row : core.values)
    for (std::size_t i = 0; i < row.size() && i < infos.size(); ++i) {
      WARD_TRY(const Taints taints, Walk(row[i], scope, {}));
      Add(infos[i].taints, taints);
    }
  for (std::size_t i = 0; i < infos.size(); ++i)
    infos[i].name = is_mysql_    ? fmt::format("column_{}", i)
                    : is_duckdb_ ? fmt::format("col{}", i)
                                 : fmt::format("column{}", i + 1);
  scope.aliases = infos;
  return infos;
}

Status Analyzer::Outputs(query::Core& core, Scope& scope, bool is_outermost) {
  std::vector<Info> infos;
  for (query::Output& output : core.outputs) {
    Canon(output.alias);
    if (is_duckdb_) scope.aliases = infos;  // a name is in sight of what follows it
    Info info;
    info.name = OutputName(output);
    Place place{.aliases = is_duckdb_ ? Aliases::Behind : Aliases::Unseen, .output = &output};
    const bool is_column = output.expression->kind == query::ExpressionKind::Column;
    if (is_outermost && is_column && !core.is_distinct && !core.groups_all) place.plain = &output;
    WARD_TRY(info.taints, Walk(output.expression, scope, place));
    if (is_postgres_ && is_column && output.alias.text.empty() &&
        IsForm(*output.expression, "case"))
      output.alias = {info.name, true, false};  // what stands for a column is called as it
    // As it is printed: a column of a table is spelled as the table spells it.
    if (std::string printed = OutputName(output); FoldsTo(printed, info.name))
      info.name = std::move(printed);
    infos.push_back(std::move(info));
  }
  scope.aliases = std::move(infos);
  return Ok();
}

// PostgreSQL calls an unnamed output by its function, the others by its text, which nothing names.
std::string Analyzer::OutputName(const query::Output& output) const {
  if (!output.alias.text.empty()) return output.alias.text;
  const query::Expression* at = output.expression.get();
  while (is_postgres_ && at->kind == query::ExpressionKind::Syntax &&
         (at->form == "cast" || at->form == "own_cast") && at->parts.front().expression != nullptr)
    at = at->parts.front().expression.get();
  if (at->kind == query::ExpressionKind::Column) {
    query::Name name = at->names.back();
    Canon(name);
    return name.text;
  }
  if (at->kind == query::ExpressionKind::Call && is_postgres_) {
    query::Name name = at->names.back();
    Canon(name);
    return name.text;
  }
  return at->form == "field" ? at->names.back().text : std::string();
}

// A table that a select makes has a name for each column, so that a star around it can name them:
// what has none is called by its place. The first `named` get theirs from elsewhere.
bool Analyzer::NameOutputs(query::Query& query, std::vector<Info>& columns,
                           std::size_t named) const {
  query::Query* first = &query;
  while (true) {
    for (const query::SetTerm& term : first->terms)
      if (term.op.find("BY NAME") != std::string::npos) return true;
    if (first->terms.front().nested == nullptr) break;
    first = first->terms.front().nested.get();
  }
  auto& outputs = first->terms.front().core.outputs;
  if (std::any_of(outputs.begin(), outputs.end(), [](const query::Output& output) {
        return output.expression->kind == query::ExpressionKind::Star;
      }))
    return false;
  const auto is_taken = [&](std::string_view name) {
    return std::any_of(columns.begin(), columns.end(),
                       [&](const Info& other) { return FoldsTo(other.name, name); });
  };
  const std::vector<bool> renamed = NamedTwice(columns, named);
  for (std::size_t i = named; i < std::min(columns.size(), outputs.size()); ++i) {
    std::string name = columns[i].name;
    if (renamed[i]) {
      const char* const between = is_sqlite_ ? ":" : "_";
      for (int number = 1; is_taken(name); ++number)
        name = fmt::format("{}{}{}", columns[i].name, between, number);
    } else if (name.empty()) {
      name = fmt::format("column_{}", i + 1);
      while (is_taken(name)) name += '_';
    } else {
      continue;
    }
    outputs[i].alias = {name, true, false};
    columns[i].name = std::move(name);
  }
  return true;
}

// Columns from `named` on that are called as another is, and need another name so that a star can
// name them. SQLite and DuckDB give the later ones such names themselves; to PostgreSQL none of
// them can be named, and MySQL takes no such table.
std::vector<bool> Analyzer::NamedTwice(const std::vector<Info>& columns, std::size_t named) const {
  std::vector<bool> twice(columns.size());
  if (is_mysql_) return twice;
  for (std::size_t i = named; i < columns.size(); ++i)
    for (std::size_t k = named; k < (is_postgres_ ? columns.size() : i); ++k)
      if (k != i && !columns[i].name.empty() &&
          (is_postgres_ ? columns[k].name == columns[i].name
                        : FoldsTo(columns[k].name, columns[i].name)))
        twice[i] = true;
  return twice;
}

Status Analyzer::ExpandStars(query::Core& core, Scope& scope) {
  const bool has_star =
      std::any_of(core.outputs.begin(), core.outputs.end(), [](const query::Output& output) {
        return output.expression->kind == query::ExpressionKind::Star;
      });
  if (!has_star) return Ok();
  std::vector<query::Output> outputs;
  for (query::Output& output : core.outputs) {
    if (output.expression->kind != query::ExpressionKind::Star) {
      outputs.push_back(std::move(output));
      continue;
    }
    WARD_CHECK(ExpandStar(*output.expression, scope, outputs));
  }
  if (outputs.empty())
    return std::move(
        Error(ErrorKind::SqlSyntax, "the statement selects no column: * stands for none here")
            .Hint("Count its rows, or name a column; a table can have none."));
  core.outputs = std::move(outputs);
  return Ok();
}

// A star becomes the columns that the catalog knows: a column that is added later does not come
// along.
Status Analyzer::ExpandStar(query::Expression& star, Scope& scope,
                            std::vector<query::Output>& outputs) {
  if (scope.bindings.empty())
    return Error(ErrorKind::SqlSyntax, "the statement selects * without FROM");
  const bool is_qualified = !star.names.empty();
  if (is_qualified) Canon(star.names.back());
  const std::size_t before = outputs.size();
  std::vector<std::size_t> open_done;
  bool found = false;
  std::string twice;
  const auto add = [&](std::vector<query::Name> names) {
    query::Output output;
    const std::string& column = names.back().text;
    for (const auto& [old_name, new_name] : star.renamed)
      if (FoldsTo(old_name.text, column)) output.alias = {new_name.text, true, false};
    for (query::Part& part : star.parts) {
      if (part.expression == nullptr && FoldsTo(part.text, column)) twice = column;
      if (part.expression != nullptr && FoldsTo(part.text, column)) {
        output.expression = std::move(part.expression);
        if (output.alias.text.empty()) output.alias = {column, true, false};
        outputs.push_back(std::move(output));
        return;
      }
    }
    output.expression = std::make_unique<query::Expression>();
    output.expression->kind = query::ExpressionKind::Column;
    output.expression->names = std::move(names);
    outputs.push_back(std::move(output));
  };
  const auto is_excluded = [&](std::string_view name) {
    const bool out = std::any_of(star.excluded.begin(), star.excluded.end(),
                                 [&](const query::Name& n) { return FoldsTo(n.text, name); });
    return out;
  };
  const auto nameless = [] {
    return Error(ErrorKind::SqlSyntax,
                 "the statement selects * of a table of which some columns have no name: name "
                 "them");
  };
  for (std::size_t b = 0; b < scope.bindings.size(); ++b) {
    const Binding& binding = scope.bindings[b];
    if (is_qualified && !Means(star.names.back(), binding.name, dialect_)) continue;
    found = true;
    if (!binding.is_open) continue;
    if (!star.parts.empty() || !star.renamed.empty())
      return Error(ErrorKind::NotARead,
                   "the statement replaces columns of a star that stands for columns that are not "
                   "known; name the columns");
    if (is_sqlite_ && !binding.withheld.empty()) {
      AddMaster(binding, outputs);
      continue;
    }
    if (!binding.withheld.empty()) ForbidWithheld({binding}, "");
    query::Output output;  // what it gives is not known; its values are noted where it is bound
    output.expression = std::make_unique<query::Expression>();
    output.expression->kind = query::ExpressionKind::Star;
    if (!binding.name.empty()) output.expression->names = {{binding.name, true, false}};
    output.expression->excluded = star.excluded;
    outputs.push_back(std::move(output));
    open_done.push_back(b);
  }
  if (!found)
    return Error(ErrorKind::SqlUnknownName,
                 fmt::format("the statement reads \"{}.*\", which is no table of its FROM",
                             star.names.back().text));
  std::vector<query::Output> opens;
  std::move(outputs.begin() + static_cast<std::ptrdiff_t>(before), outputs.end(),
            std::back_inserter(opens));
  outputs.resize(before);
  if (is_qualified) {
    for (const Binding& binding : scope.bindings)
      if (!binding.is_open && Means(star.names.back(), binding.name, dialect_))
        for (const Info& info : binding.columns) {
          if (info.name.empty()) return nameless();
          if (!is_excluded(info.name)) add(QualifiedBy(binding, info));
        }
  } else {
    for (const Visible& visible : scope.visible) {
      const Info& info = InfoOf(scope, visible);
      if (info.name.empty()) return nameless();
      if (is_excluded(info.name)) continue;
      if (visible.is_merged)
        add({{info.name, true, false}});
      else
        add(QualifiedBy(scope.bindings[visible.binding], info));
    }
  }
  std::move(opens.begin(), opens.end(), std::back_inserter(outputs));
  if (!twice.empty())
    return std::move(
        Error(
            ErrorKind::SqlSyntax,
            fmt::format("the statement replaces column \"{}\" of *, which two tables have", twice))
            .Hint("Write a star for each table."));
  for (const query::Part& part : star.parts)
    if (part.expression != nullptr)
      return Error(
          ErrorKind::SqlUnknownName,
          fmt::format("the statement replaces column \"{}\" of *, which is not there", part.text));
  return Ok();
}

Status Analyzer::Keys(std::vector<query::ExpressionPtr>& keys, Scope& scope, bool are_groups) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Place place{.where = Position::Group,
                      .aliases = AliasesOf(*keys[i], Aliases::Behind),
                      .key = are_groups ? i + 1 : 0,
                      .key_core = scope.core};
    const std::size_t number = NumberOf(keys[i]);
    if (number > 0 && number <= scope.aliases.size()) {
      WARD_CHECK(Note(scope.aliases[number - 1].taints, scope, place));
      continue;
    }
    WARD_TRY(const Taints taints, Walk(keys[i], scope, place));
    if (compared_ != nullptr) Add(*compared_, taints);
  }
  return Ok();
}

// An output's name alone is the output; within an expression PostgreSQL sees columns only, and the
// others see a column of that name first.
Aliases Analyzer::AliasesOf(const query::Expression& key, Aliases alone) const {
  if (key.kind == query::ExpressionKind::Column) return alone;
  return is_postgres_ ? Aliases::Unseen : Aliases::Behind;
}

Status Analyzer::OrderBy(query::Query& query, Scope& scope) {
  auto& outputs = query.terms.front().core.outputs;
  if (query.orders_all)
    for (std::size_t i = 0; i < scope.aliases.size(); ++i)
      WARD_CHECK(
          Note(scope.aliases[i].taints, scope,
               {.where = Position::Order, .output = i < outputs.size() ? &outputs[i] : nullptr}));
  for (std::size_t i = 0; i < query.order_by.size(); ++i) {
    query::ExpressionPtr& expression = query.order_by[i].expression;
    const Place place{.where = Position::Order,
                      .aliases = AliasesOf(*expression, Aliases::First),
                      .key = i + 1,
                      .query = &query};
    const std::size_t number = NumberOf(expression);
    if (number > 0 && number <= scope.aliases.size()) {
      WARD_CHECK(Note(scope.aliases[number - 1].taints, scope, place));
      continue;
    }
    WARD_TRY(const Taints taints, Walk(expression, scope, place));
    if (compared_ != nullptr) Add(*compared_, taints);
  }
  return Ok();
}

Status Analyzer::Limit(query::ExpressionPtr& value, const Common* commons) {
  if (value == nullptr) return Ok();
  Scope nothing;
  nothing.commons = commons;
  WARD_TRY(const Taints taints, Walk(value, nothing, {.where = Position::Predicate}));
  if (compared_ != nullptr) Add(*compared_, taints);
  return Ok();
}

Status Analyzer::Condition(query::Expression& condition, const catalog::Table& table,
                           std::string_view alias) {
  Scope scope;
  Binding binding = BindingOf(table);
  binding.name = alias;
  for (std::size_t i = 0; i < binding.columns.size(); ++i)
    scope.visible.push_back({0, i, false, 0});
  scope.bindings.push_back(std::move(binding));
  auto holder = std::make_unique<query::Expression>(std::move(condition));
  const auto taints = Walk(holder, scope, {.where = Position::Predicate});
  condition = std::move(*holder);
  if (!taints) return taints.error();
  return Ok();
}

Status Analyze(sql::query::Statement& statement, const sql::Dialect& dialect, TableLookup& lookup,
               bool is_ours, Analysis& out) {
  return Analyzer(dialect, lookup, is_ours, out).Run(statement);
}

std::vector<std::vector<Taint>> OriginsOf(const catalog::Table& view, const sql::Dialect& dialect,
                                          TableLookup& lookup) {
  Analysis nothing;
  return Analyzer(dialect, lookup, false, nothing).Origins(view);
}

Status AnalyzeCondition(sql::query::Expression& condition, const catalog::Table& table,
                        std::string_view alias, const sql::Dialect& dialect, TableLookup& lookup,
                        std::vector<Use>& uses) {
  Analysis own;
  WARD_CHECK(Analyzer(dialect, lookup, false, own).Condition(condition, table, alias));
  if (!own.forbidden.empty()) return own.forbidden.front();
  uses.insert(uses.end(), own.uses.begin(), own.uses.end());
  return Ok();
}

}  // namespace schemaward::guard
