// What a select reads: tables, selects, functions, and how they are joined.
#include <algorithm>

#include "oracle/maker.h"

namespace schemaward::oracle {
namespace {

constexpr int kDepthMax = 3;

const std::vector<Column> kPairs = {{"key", Kind::Text, false}, {"value", Kind::Text, false}};

}  // namespace

// Few names, so that one hides another: those of tables and of columns among them.
std::string Maker::FreeAlias(const Scope& scope) {
  while (true) {
    std::string alias = Pick("a", "b", "c", "d", "account", "payment", "note", "tier", "email",
                             "place", "phone", "docs");
    if (std::none_of(scope.begin(), scope.end(),
                     [&](const Bound& bound) { return bound.alias == alias; }))
      return alias;
  }
}

std::string Maker::Common(int depth) {
  std::string name = Pick("c", "account", "payment", "recent", "email");
  for (const Relation& other : commons_)
    if (other.name == name) name = "again";
  if (OneIn(4)) return Recursive(depth, name);
  std::vector<Column> outputs;
  Ask ask;
  const std::size_t count = 1 + Below(3);
  for (std::size_t i = 0; i < count; ++i) ask.kinds.push_back(AnyKind());
  std::string query = Query(depth, ask, outputs);
  std::string columns;
  if (OneIn(3)) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      outputs[i].name = std::string(1, static_cast<char>('p' + i));
      columns += (i == 0 ? "(" : ", ") + outputs[i].name;
    }
    columns += ")";
  }
  commons_.push_back({name, outputs});
  return name + columns + " AS (" + query + ")";
}

// Counts up, beside a text that starts anywhere and that a table may give anew in each step.
std::string Maker::Recursive(int depth, const std::string& name) {
  is_recursive_ = true;
  const Column text = {Pick("email", "plan", "t"), Kind::Text, false};
  const auto cast = [&](const std::string& value) { return CastTo(Kind::Text, value); };
  std::vector<Column> outputs;
  Ask ask;
  ask.kinds = {Kind::Text};
  ask.is_one_row = OneIn(2);
  std::string first = "SELECT 1, " + cast(Literal(Kind::Text));
  if (OneIn(2)) {
    first = Query(depth + 1, ask, outputs);
    first = "SELECT 1, " + cast("y." + outputs.front().name) + " FROM (" + first + ") AS y";
  }
  scopes_.push_back({{"r", {{"n", Kind::Number, false}, text}}});
  std::string from = name + " AS r";
  if (OneIn(2)) {
    const std::string item = Stored(scopes_.back(), "x");
    from += " JOIN " + item + " ON " + ColumnOf(Kind::Number) + " = r.n";
  }
  const std::string step = "SELECT r.n + 1, " + cast(Value(Kind::Text, depth + 2)) + " FROM " +
                           from + " WHERE r.n < " + Pick("2", "3");
  scopes_.pop_back();
  commons_.push_back({name, {{"n", Kind::Number, false}, text}});
  return Marked("recursive", name + "(n, " + text.name + ") AS (" + first +
                                 Pick(" UNION ALL ", " UNION ") + step + ")");
}

std::string Maker::Derived(int depth, Scope& scope, const std::string& alias) {
  std::vector<Column> outputs;
  Ask ask;
  for (std::size_t i = 1 + Below(2); i > 0; --i) ask.kinds.push_back(AnyKind());
  const bool is_lateral =
      !scope.empty() && OneIn(3) && (Is(Engine::Postgres) || Is(Engine::DuckDb));
  const Scope hidden = scopes_.back();
  scopes_.back() = is_lateral ? scope : Scope();
  std::string text = Query(depth + 1, ask, outputs);
  scopes_.back() = hidden;
  std::string columns;
  if (OneIn(4) && (Is(Engine::Postgres) || Is(Engine::DuckDb)))
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      outputs[i].name = i == 0 ? Pick("plan", "email", "id") : "y";
      columns += (i == 0 ? "(" : ", ") + outputs[i].name + (i + 1 == outputs.size() ? ")" : "");
    }
  scope.push_back({alias, outputs});
  if (is_lateral) return Marked("lateral", "LATERAL (" + text + ") AS " + alias + columns);
  return "(" + text + ") AS " + alias + columns;
}

std::string Maker::DuckItem(Scope& scope, const std::string& alias) {
  // Mostly without the blocked columns: what is not named in a pivot groups it.
  const std::string of =
      Pick("account", "(SELECT id, plan, country FROM account)",
           "(SELECT plan, country, id FROM account)", "(SELECT plan, country FROM account)");
  switch (Below(5)) {
    case 0: {
      scope.push_back({alias, {{"country", Kind::Text, false}, {"gold", Kind::Number, false}}});
      const std::string by = OneIn(3) ? "" : " GROUP BY country";
      return Marked("pivot", "(PIVOT " + of + " ON " + Pick("plan", "plan", "email", "country") +
                                 " USING " + Pick("count(*)", "max(id)", "max(email)") + by +
                                 ") AS " + alias);
    }
    case 1:
      scope.push_back({alias, {{"country", Kind::Text, false}, {"gold", Kind::Number, false}}});
      return Marked("pivot", of + " PIVOT (" + Pick("count(*)", "max(id)", "max(phone)") + " FOR " +
                                 Pick("plan", "plan", "email", "country") + " IN ('gold', 'free')" +
                                 Pick("", " GROUP BY country") + ") AS " + alias);
    case 2:
      scope.push_back({alias, {{"id", Kind::Number, false}, {"value", Kind::Text, false}}});
      return Marked("pivot", "(UNPIVOT (SELECT " + Pick("id, plan, country", "*", "id, email") +
                                 " FROM account) ON " + Pick("plan, country", "plan", "email") +
                                 " INTO NAME name VALUE value) AS " + alias);
    case 3:
      scope.push_back({alias, {{"column_name", Kind::Text, false}, {"max", Kind::Text, false}}});
      return Marked("summarize",
                    "(SUMMARIZE " + Pick("note", "tier", "account", "profile") + ") AS " + alias);
    default:
      scope.push_back({alias, {{"unnest", Kind::Text, false}}});
      return Marked("function", "unnest(['a', 'gold']) AS " + alias);
  }
}

// What no table is; often under the name of a column.
std::string Maker::OwnItem(int depth, Scope& scope, const std::string& alias) {
  if (OneIn(3)) {
    scope.push_back({alias, {{"p", Kind::Number, false}, {"q", Kind::Text, false}}});
    if (Is(Engine::Postgres) || Is(Engine::DuckDb))
      return Marked("values", "(VALUES (1, 'gold'), (2, " + Literal(Kind::Text) + ")) AS " + alias +
                                  "(p, q)");
    scope.back().columns = {{Is(Engine::MySql) ? "`1`" : "column1", Kind::Number, false},
                            {Is(Engine::MySql) ? "gold" : "column2", Kind::Text, false}};
    return Marked("values", "(VALUES (1, 'gold'), (2, " + Literal(Kind::Text) + ")) AS " + alias);
  }
  // What may have any column is read as if it had a table's: where it has not, a select around
  // does.
  if (OneIn(2)) {
    if (depth == 0) return {};
    scope.push_back({alias, relations_.front().columns});
    return Marked("function", (Is(Engine::Postgres) ? "generate_series(1, 2) AS "
                               : Is(Engine::DuckDb) ? "range(2) AS "
                               : Is(Engine::Sqlite) ? "json_each('[1, 2]') AS "
                                                    : "information_schema.schemata AS ") +
                                  alias);
  }
  if (Is(Engine::DuckDb)) return DuckItem(scope, alias);
  if (Is(Engine::MySql)) return {};
  if (Is(Engine::Postgres) && OneIn(2)) {
    scope.push_back({alias, {{alias, Kind::Text, false}, {"ordinality", Kind::Number, false}}});
    return Marked("function", "unnest(ARRAY['a', 'gold']) WITH ORDINALITY AS " + alias);
  }
  std::string argument = Pick("'{\"email\": \"a\", \"id\": \"gold\"}'", "'{}'");
  if (Is(Engine::Sqlite) && !scope.empty() && OneIn(2)) {
    const Scope hidden = scopes_.back();
    scopes_.back() = scope;
    argument = "json_array(" + ColumnOf(Kind::Text) + ", " + ColumnOf(Kind::Number) + ")";
    scopes_.back() = hidden;
  }
  scope.push_back({alias, kPairs});
  if (Is(Engine::Postgres))
    return Marked("function", "json_each_text(" + argument + ") AS " + alias);
  scope.back().columns.push_back({"atom", Kind::Text, false});
  scope.back().columns.push_back({"id", Kind::Number, false});
  return Marked("json_each", "json_each(" + argument + ") AS " + alias);
}

// A table, a view or a common table.
std::string Maker::Stored(Scope& scope, const std::string& alias) {
  const bool is_common = !commons_.empty() && OneIn(2);
  std::size_t at = Below(relations_.size());
  const auto is_apart = [&](const Relation& one) {
    return std::any_of(one.columns.begin(), one.columns.end(),
                       [](const Column& column) { return column.kind == Kind::Row; });
  };
  if (OneIn(6))
    for (std::size_t i = 0; i < relations_.size(); ++i)
      if (is_apart(relations_[i])) at = i;
  if (relations_[at].name == "ranked" && !OneIn(4)) at = 0;  // is refused as a whole
  const Relation& relation = is_common ? commons_[Below(commons_.size())] : relations_[at];
  const bool hides = std::any_of(commons_.begin(), commons_.end(),
                                 [&](const Relation& one) { return one.name == relation.name; });
  std::string schema;
  if (!is_common && (hides || OneIn(6)))
    schema = Is(Engine::Postgres) ? "public." : Is(Engine::MySql) ? "" : "main.";
  scope.push_back({alias, relation.columns});
  std::string text = schema + Named(relation.name);
  if (Is(Engine::Postgres) && !is_common && OneIn(15)) text = Marked("only", "ONLY " + text);
  if (OneIn(5) && std::none_of(scope.begin(), scope.end() - 1,
                               [&](const Bound& b) { return b.alias == relation.name; })) {
    scope.back().alias = relation.name;
    return text;
  }
  text += " AS " + alias;
  if (OneIn(relation.name == "event" ? 2 : 12) && (Is(Engine::Postgres) || Is(Engine::DuckDb))) {
    // The columns change their names: what is called id may be another.
    for (std::size_t i = 0; i < relation.columns.size(); ++i)
      scope.back().columns[i].name = relation.columns[relation.columns.size() - 1 - i].name;
    for (std::size_t i = 0; i < relation.columns.size(); ++i)
      text += (i == 0 ? "(" : ", ") + scope.back().columns[i].name;
    text += ")";
  }
  return text;
}

std::string Maker::Item(int depth, Scope& scope) {
  const std::string alias = FreeAlias(scope);
  if (depth < kDepthMax && OneIn(5)) return Derived(depth, scope, alias);
  if (OneIn(8))
    if (std::string own = OwnItem(depth, scope, alias); !own.empty()) return own;
  return Stored(scope, alias);
}

// By a column that both sides have, or else one that a side has and no catalog lists.
std::string Maker::Using(const Scope& scope) {
  std::vector<std::string> both;
  for (const Column& column : scope.back().columns)
    for (const Column& other : scope.front().columns)
      if (column.name == other.name && column.name != "?") both.push_back(column.name);
  const std::string name =
      both.empty() || OneIn(8) ? Pick("docs", "rowid", "email", "id") : both[Below(both.size())];
  return " USING (" + Named(name) + ")";
}

// Joins whose right side is out of sight behind them, and those of positions and of what is next.
std::string Maker::DuckJoin(int depth, Scope& scope, const std::string& left) {
  const std::string kind = Pick(" SEMI JOIN ", " ANTI JOIN ", " ASOF JOIN ", " POSITIONAL JOIN ");
  const Scope before = scope;
  Scope after = scope;
  const std::string right = Item(depth, after);
  scope = after;
  std::string text = left + kind + right;
  if (kind == " ASOF JOIN ") {
    text += " ON " + ColumnOf(Kind::Number) + " = " + ColumnOf(Kind::Number) + " AND " +
            after[0].alias + "." + Pick("id", "account_id") + " >= " + after.back().alias + "." +
            Pick("id", "account_id");
  } else if (kind != " POSITIONAL JOIN ") {
    text +=
        OneIn(3) ? Using(after) : " ON " + ColumnOf(Kind::Number) + " = " + ColumnOf(Kind::Number);
    if (!OneIn(4)) scope = before;  // else it is named behind the join: a select around has it
  }
  return Marked("duckdb_join", text);
}

std::string Maker::Join(int depth, Scope& scope, std::string left) {
  if (Is(Engine::DuckDb) && OneIn(5)) return DuckJoin(depth, scope, left);
  std::string kind = Pick(" JOIN ", " LEFT JOIN ", " NATURAL JOIN ", ", ", " CROSS JOIN ",
                          " RIGHT JOIN ", " FULL JOIN ");
  if (Is(Engine::MySql) && kind == " FULL JOIN ") kind = Pick(" JOIN ", " NATURAL LEFT JOIN ");
  if (Is(Engine::Sqlite) && (kind == " RIGHT JOIN " || kind == " FULL JOIN ")) kind = " LEFT JOIN ";
  Scope after = scope;
  const std::string right = Item(depth, after);
  scope = after;
  left += kind + right;
  if (kind.starts_with(" NATURAL")) return Marked("natural", left);
  if (kind == ", " || kind == " CROSS JOIN ") return left;
  if (OneIn(3))
    return left + Marked("using", " USING (" +
                                      Pick("id", "account_id", "country", "plan", "email", "docs",
                                           "national_id") +
                                      ")");
  if (OneIn(2)) return left + " ON " + ColumnOf(Kind::Number) + " = " + ColumnOf(Kind::Number);
  return left + " ON " + Value(Kind::Flag, depth + 1);
}

}  // namespace schemaward::oracle
