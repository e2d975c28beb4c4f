// Columns: which table's each name means.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "catalog/is_view.h"
#include "guard/analyzer.h"

namespace schemaward::guard {
namespace {

constexpr auto kRowids = std::to_array<std::string_view>({"_rowid_", "oid", "rowid"});

bool IsRowid(std::string_view name, const sql::Dialect& dialect) {
  if (dialect.name == sql::DuckDb().name) return FoldsTo("rowid", name);
  return dialect.name == sql::Sqlite().name &&
         std::any_of(kRowids.begin(), kRowids.end(),
                     [&](std::string_view rowid) { return FoldsTo(rowid, name); });
}

// SQLite's rowid is the column that is its table's INTEGER PRIMARY KEY, where there is one; in
// DuckDB it is none.
Taints RowidOf(const catalog::Table& table, const sql::Dialect& dialect) {
  if (dialect.name != sql::Sqlite().name) return {};
  if (!table.primary_key || table.primary_key->columns.size() != 1) return {};
  const std::size_t at = catalog::FindColumn(table, table.primary_key->columns.front());
  if (at >= table.columns.size() || !FoldsTo(table.columns[at].type, "integer")) return {};
  return {{&table, &table.columns[at]}};
}

// FTS tables are not told from others in the catalog: their columns have no type.
bool MayBeFullText(const catalog::Table& table) {
  return !table.primary_key && !catalog::IsView(table.kind) &&
         std::all_of(table.columns.begin(), table.columns.end(),
                     [](const catalog::Column& column) { return column.type.empty(); });
}

}  // namespace

std::vector<std::string> RowidsOf(const Analysis& analysis, const catalog::Table& table) {
  std::vector<std::string> names;
  for (const auto& [of, name] : analysis.rowids)
    if (of == &table) names.push_back(name);
  return names;
}

Result<Taints> Analyzer::WholeRow(const Binding& binding, const Place& place, const Scope& scope) {
  Taints taints = binding.open_taints;
  if (!binding.withheld.empty()) ForbidWithheld({binding}, "");
  for (const Info& info : binding.columns) Add(taints, info.taints);
  // As a star, the columns that the catalog knows: one that is added later does not come along.
  if (binding.place != nullptr)
    for (std::size_t i = binding.place->columns.size(); i < binding.columns.size(); ++i)
      binding.place->columns.push_back({binding.columns[i].name, true, false});
  Place all = place;
  all.plain = nullptr;
  WARD_CHECK(Note(taints, scope, all));
  return taints;
}

Result<Taints> Analyzer::Column(query::ExpressionPtr& expression, Scope& scope,
                                const Place& place) {
  constexpr std::size_t kParts = 3;
  if (expression->names.size() > kParts) return UnknownColumn(*expression, scope);
  return expression->names.size() == 1 ? Unqualified(expression, scope, place)
                                       : Qualified(expression, scope, place);
}

const Info* Analyzer::AliasOf(const Scope& scope, const query::Name& name) const {
  for (const Info& alias : scope.aliases)
    if (!alias.name.empty() && Means(name, alias.name, dialect_)) return &alias;
  return nullptr;
}

// Columns of SQLite that the catalog does not list: the rowid, and of a full-text table that of its
// own name, which searches all of them, and rank.
void Analyzer::AddUnlisted(const Binding& binding, const query::Name& name, Taints& taints) const {
  if (!is_sqlite_ || binding.table == nullptr) return;
  if (IsRowid(name.text, dialect_)) Add(taints, RowidOf(*binding.table, dialect_));
  const bool searches = FoldsTo(name.text, binding.table->name) || FoldsTo(name.text, "rank");
  if (!searches || !MayBeFullText(*binding.table)) return;
  for (const Info& info : binding.columns) Add(taints, info.taints);
}

// The same of the selects from `scope` to the one before `end`.
void Analyzer::AddUnlistedUpTo(const Scope* end, const Scope& scope, const query::Name& name,
                               Taints& taints) const {
  for (const Scope* at = &scope; at != end && at != nullptr; at = at->outer)
    for (const Binding& binding : InSight(*at)) AddUnlisted(binding, name, taints);
}

// What [table.]column means in a table of `scope`; a table's name alone is its whole row.
void Analyzer::AddFromTables(const Scope& scope, const std::vector<query::Name>& names,
                             Taints& taints) {
  const bool may_be_row = names.size() == 1 && (is_postgres_ || is_duckdb_);
  for (const Binding& binding : InSight(scope)) {
    const bool is_row = may_be_row && Means(names.back(), binding.name, dialect_);
    if (names.size() > 1 && !Means(names.front(), binding.name, dialect_)) continue;
    for (const Info& info : binding.columns)
      if (is_row || Means(names.back(), info.name, dialect_)) Add(taints, info.taints);
    AddUnlisted(binding, names.back(), taints);
    if (binding.is_open) ForbidWithheld({binding}, is_row ? "" : names.back().text);
    Add(taints, binding.open_taints);
  }
}

// What it means in a table of `scope` whose columns are not known.
void Analyzer::AddOpen(const Scope& scope, const query::Name& name, Taints& taints) {
  for (const Binding& binding : InSight(scope)) {
    if (!binding.is_open) continue;
    ForbidWithheld({binding}, name.text);
    Add(taints, binding.open_taints);
  }
}

// To DuckDB a.b is a field of a column a too, wherever no table in sight is called a, or that one
// has no column b: a column of this select before a table of one around, and before a lambda's
// name.
void Analyzer::AddFieldsOf(const Scope& scope, const query::Name& name, Taints& taints) const {
  for (const Scope* at = &scope; is_duckdb_ && at != nullptr; at = at->outer)
    for (const Binding& binding : at->bindings)
      for (const Info& info : binding.columns)
        if (Means(name, info.name, dialect_)) Add(taints, info.taints);
}

// What it means in the selects around.
void Analyzer::AddFromAround(const Scope& scope, const std::vector<query::Name>& names,
                             Taints& taints) {
  for (const Scope* around = scope.outer; around != nullptr; around = around->outer)
    AddFromTables(*around, names, taints);
}

// A name of a select around: an aggregate of it alone is that select's, not this one's. DuckDB's
// tables in FROM see those before them, or not, as their join allows.
void Analyzer::AsFromAround(const Scope& at, const std::vector<query::Name>& names, Place& place,
                            Taints& taints) {
  place.in_statistic = false;
  for (auto& [scope, is_read] : beside_) is_read = is_read || scope == &at;
  if (is_duckdb_) AddFromAround(at, names, taints);
}

// Where a name is looked for further out, a table that is not bound yet could have it.
void Analyzer::PassBy(const Scope& scope, const std::vector<query::Name>& names,
                      const Place& place) {
  if (is_sqlite_ && scope.is_binding) passed_.push_back({&scope, names, place.where});
}

// To SQLite the tables of one FROM see one another in ON and in the arguments of functions, those
// behind a place too.
Status Analyzer::JudgePassed(Scope& scope) {
  scope.is_binding = false;
  const auto is_here = [&](const Passed& one) { return one.scope == &scope; };
  for (const Passed& one : passed_) {
    if (!is_here(one)) continue;
    Taints taints;
    AddFromTables(scope, one.names, taints);
    WARD_CHECK(Note(taints, scope, {.where = one.where}));
    for (Binding& binding : scope.bindings)
      if (binding.is_open) Add(binding.open_taints, taints);
  }
  std::erase_if(passed_, is_here);
  return Ok();
}

Result<Taints> Analyzer::Unqualified(query::ExpressionPtr& expression, Scope& scope,
                                     const Place& place) {
  query::Name& name = expression->names.front();
  for (const Scope* at = &scope; at != nullptr; at = at->outer) {
    const bool is_own = at == &scope;
    for (const std::string& lambda : at->lambdas)  // DuckDB tells X from x here
      if (lambda == name.text) return Taints();
    const Info* const alias =
        is_own && place.aliases != Aliases::Unseen ? AliasOf(*at, name) : nullptr;
    if (alias != nullptr && (place.aliases == Aliases::First || at->bindings.empty())) {
      name = {alias->name, true, false};
      WARD_CHECK(Note(alias->taints, scope, place));
      return alias->taints;
    }
    std::vector<const Visible*> found;
    for (const Visible& visible : at->visible)
      if (Means(name, InfoOf(*at, visible).name, dialect_)) found.push_back(&visible);
    if (found.size() > 1 && is_postgres_)
      std::erase_if(found, [&](const Visible* v) { return InfoOf(*at, *v).name.empty(); });
    if (found.size() > 1) {
      Error error(
          ErrorKind::SqlUnknownName,
          fmt::format("column \"{}\" is in several tables of the statement: say which", name.text));
      std::vector<std::string> choices;
      for (const Visible* v : found)
        if (!v->is_merged)
          choices.push_back(at->bindings[v->binding].name + "." + InfoOf(*at, *v).name);
      if (!choices.empty() && view_depth_ == 0)
        out_.corrections.push_back({expression->begin, expression->end, choices.front()});
      error.Near(std::move(choices));
      return error;
    }
    if (found.size() == 1) {
      if (MeansSystemColumn(scope, name, at)) return UnknownColumn(*expression, scope);
      const Info& info = InfoOf(*at, *found.front());
      name = {info.name, true, false};
      Place noted = place;
      if (!is_own || !info.is_base) noted.plain = nullptr;
      // MySQL's and DuckDB's HAVING may mean the output all the same: both are judged.
      Taints taints = info.taints;
      if (alias != nullptr && !is_postgres_) Add(taints, alias->taints);
      if (place.looks_around) AddFromAround(scope, {name}, taints);
      if (!is_own) AsFromAround(*at, {name}, noted, taints);
      AddUnlistedUpTo(at, scope, name, taints);
      WARD_CHECK(Note(taints, scope, noted));
      return taints;
    }
    // Where a select around has a column of that name, engines differ in which is meant.
    const auto has_column = [&](const Scope& around) {
      return std::any_of(around.visible.begin(), around.visible.end(), [&](const Visible& visible) {
        return Means(name, InfoOf(around, visible).name, dialect_);
      });
    };
    bool is_ambiguous = false;
    for (const Scope* around = at->outer; is_duckdb_ && around != nullptr; around = around->outer)
      is_ambiguous = is_ambiguous || has_column(*around);
    if (alias != nullptr && !is_ambiguous) {
      // A column that no catalog knows comes before the output all the same.
      if (MeansSystemColumn(*at, name)) return UnknownColumn(*expression, scope);
      Taints taints = alias->taints;
      // It comes behind these, and in DuckDB behind the row of a table of its name.
      AddUnlistedUpTo(at->outer, *at, name, taints);
      if (is_duckdb_)
        AddFromTables(*at, {name}, taints);
      else
        AddOpen(*at, name, taints);
      name = {alias->name, true, false};
      WARD_CHECK(Note(taints, scope, place));
      return taints;
    }
    for (const Binding& binding : InSight(*at))
      if (HasRowid(binding) && IsRowid(name.text, dialect_)) {
        Taints taints;  // not all of these tables need have one
        AddFromTables(*at, {name}, taints);
        AddFromAround(*at, {name}, taints);
        const auto sight = InSight(*at);
        if (std::next(sight.begin()) == sight.end()) NameRowid(*expression, binding);
        WARD_CHECK(Note(taints, scope, NotAlone(place)));
        return taints;
      }
    for (const Binding& binding : InSight(*at))
      if (binding.is_open) {
        if (MeansSystemColumn(scope, name)) return UnknownColumn(*expression, scope);
        if (CountOfRows(*at, {}, name, expression)) return Taints();
        // Whether it has the column is not known: where it does not, the row of a table here or a
        // select around is meant.
        Taints taints;
        AddFromTables(*at, {name}, taints);
        AddFromAround(*at, {name}, taints);
        WARD_CHECK(Note(taints, scope, NotAlone(place)));
        Canon(name);
        return taints;
      }
    // A table's name alone is its whole row.
    if (is_postgres_ || is_duckdb_)
      for (const Binding& binding : InSight(*at))
        if (Means(name, binding.name, dialect_)) {
          // To PostgreSQL a column of a select around comes before the row of a table here.
          Taints around;
          AddFromAround(*at, {name}, around);
          WARD_CHECK(Note(around, scope, NotAlone(place)));
          name = {binding.name, true, false};
          WARD_TRY(Taints taints, WholeRow(binding, place, scope));
          Add(taints, around);
          return taints;
        }
    PassBy(*at, {name}, place);
  }
  if (is_sqlite_ && name.maybe_text && !is_ours_) {
    auto literal = std::make_unique<query::Expression>();
    literal->form = "text";
    literal->value = name.text;
    expression = std::move(literal);
    return Taints();
  }
  return UnknownColumn(*expression, scope);
}

bool Analyzer::HasRowid(const Binding& binding) const {
  if (binding.table == nullptr) return false;
  return is_sqlite_ || (is_duckdb_ && binding.table->kind == catalog::TableKind::Table);
}

void Analyzer::NameRowid(query::Expression& expression, const Binding& binding) {
  const Taints key = RowidOf(*binding.table, dialect_);
  query::Name column = expression.names.back();
  if (!key.empty()) {
    column = {key.front().column->name, true, false};
  } else {
    column.text = *std::find_if(kRowids.begin(), kRowids.end(), [&](std::string_view rowid) {
      return FoldsTo(rowid, column.text);
    });
    out_.rowids.insert({binding.table, column.text});
  }
  expression.names = {{binding.name, true, false}, std::move(column)};
}

Result<Taints> Analyzer::Qualified(query::ExpressionPtr& expression, Scope& scope,
                                   const Place& place) {
  std::vector<query::Name>& names = expression->names;
  const query::Name qualifier = names[names.size() - 2];
  for (const Scope* at = &scope; at != nullptr; at = at->outer) {
    for (const Binding& binding : InSight(*at)) {
      const bool in_schema =
          names.size() == 2 ||
          (binding.table != nullptr && Means(names.front(), binding.table->schema, dialect_));
      const bool by_table = names.size() == 3 && binding.table != nullptr &&
                            Means(qualifier, binding.table->name, dialect_);
      if (!in_schema || (!by_table && !Means(qualifier, binding.name, dialect_))) continue;
      for (const Info& info : binding.columns) {
        if (!Means(names.back(), info.name, dialect_)) continue;
        names = {{binding.name, true, false}, {info.name, true, false}};
        Place noted = place;
        if (at != &scope || !info.is_base) noted.plain = nullptr;
        Taints taints = info.taints;
        if (place.looks_around) AddFromAround(scope, names, taints);
        if (at != &scope) {
          AsFromAround(*at, names, noted, taints);
          AddFieldsOf(scope, names.front(), taints);
        }
        WARD_CHECK(Note(taints, scope, noted));
        return taints;
      }
      const bool is_rowid = HasRowid(binding) && IsRowid(names.back().text, dialect_);
      if (binding.is_open || is_rowid) {
        query::Name column = names.back();
        if (!MayBeColumn(binding, column)) return UnknownColumn(*expression, scope);
        if (CountOfRows(*at, binding.name, column, expression)) return Taints();
        if (binding.is_open) ForbidWithheld({binding}, column.text);
        Canon(column);
        names = {{binding.name, true, false}, column};
        Taints taints = is_rowid ? RowidOf(*binding.table, dialect_) : binding.open_taints;
        AddFromAround(*at, names, taints);
        if (is_rowid) NameRowid(*expression, binding);
        AddFieldsOf(scope, names.front(), taints);
        WARD_CHECK(Note(taints, scope, NotAlone(place)));
        return taints;
      }
      return UnknownColumn(*expression, scope);
    }
    PassBy(*at, {qualifier, names.back()}, place);
  }
  // A field of a struct column, in DuckDB.
  if (is_duckdb_ && names.size() == 2) {
    auto column = std::make_unique<query::Expression>();
    column->kind = query::ExpressionKind::Column;
    column->names = {names.front()};
    column->begin = expression->begin;
    column->end = expression->end;
    const std::size_t corrections = out_.corrections.size();
    Place noted = NotAlone(place);
    if (noted.aliases == Aliases::First) noted.aliases = Aliases::Behind;  // no name alone
    auto taints = Unqualified(column, scope, noted);
    // The row's number has no fields, and is called by its table's name now.
    if (taints && column->names.size() == 1) {
      Taints fields;
      AddFieldsOf(scope, names.front(), fields);
      WARD_CHECK(Note(fields, scope, noted));
      Add(*taints, fields);
      names.front() = column->names.front();
      return taints;
    }
    out_.corrections.resize(corrections);
  }
  return UnknownColumn(*expression, scope);
}

bool Analyzer::IsHidden(const Info& info) const {
  return out_.hides != nullptr &&
         std::any_of(info.taints.begin(), info.taints.end(), [&](const Taint& taint) {
           return taint.table != nullptr &&
                  out_.hides->RuleOf(*taint.table, *taint.column).IsBlocked();
         });
}

Error Analyzer::UnknownColumn(const query::Expression& expression, const Scope& scope) {
  std::string shown;
  for (const query::Name& name : expression.names) shown += (shown.empty() ? "" : ".") + name.text;
  if (expression.kind == query::ExpressionKind::Star) shown += ".*";
  Error error(ErrorKind::SqlUnknownName,
              fmt::format("the statement reads column \"{}\", which is not there", shown));
  std::vector<std::string> names;
  std::string qualifier;
  if (expression.names.size() > 1) qualifier = expression.names[expression.names.size() - 2].text;
  for (const Scope* at = &scope; at != nullptr; at = at->outer)
    for (const Binding& binding : InSight(*at))
      if (qualifier.empty() || FoldsTo(binding.name, qualifier))
        for (const Info& info : binding.columns)
          if (!info.name.empty() && !IsHidden(info)) names.push_back(info.name);
  auto near = NearestOf(expression.names.empty() ? "" : expression.names.back().text, names);
  if (!qualifier.empty())
    for (std::string& name : near)
      name = catalog::QuoteName(qualifier) + "." + catalog::QuoteName(name);
  if (!near.empty() && view_depth_ == 0)
    out_.corrections.push_back({expression.begin, expression.end, near.front()});
  error.Near(std::move(near));
  return error;
}

}  // namespace schemaward::guard
