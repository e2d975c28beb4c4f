// Expressions that one engine has alone: those that leaked when people wrote them.
#include "oracle/maker.h"

namespace schemaward::oracle {

std::string Maker::Own(Kind kind, int depth) {
  if (keys_ != nullptr) return {};  // most of it would stand beside the keys of a grouped select
  switch (engine_) {
    case Engine::Sqlite:
      return OwnOfSqlite(kind, depth);
    case Engine::DuckDb:
      return OwnOfDuckDb(kind, depth);
    case Engine::Postgres:
      return OwnOfPostgres(kind, depth);
    case Engine::MySql:
      break;
  }
  return OwnOfMySql(kind, depth);
}

// An item of FROM, mostly of the select itself; null where there is none.
const Maker::Bound* Maker::AnyBound() {
  if (scopes_.empty()) return nullptr;
  const std::size_t level = OneIn(4) ? Below(scopes_.size()) : scopes_.size() - 1;
  const Scope& scope = scopes_[level];
  return scope.empty() ? nullptr : &scope[Below(scope.size())];
}

// A column that no catalog lists, of an item or of whichever has it.
std::string Maker::HiddenColumn() {
  const Bound* bound = AnyBound();
  if (bound == nullptr) return {};
  std::string name = Is(Engine::Postgres) ? Pick("ctid", "tableoid", "xmin")
                     : Is(Engine::MySql)  ? "_rowid"
                     : Is(Engine::DuckDb) ? Pick("rowid", "ROWID", "\"rowid\"")
                                          : Pick("rowid", "oid", "_rowid_", "\"rowid\"", "[OID]");
  if (!OneIn(3)) name.insert(0, bound->alias + ".");
  return Marked("hidden_column", name);
}

// A field of a column that has some, or of whatever has the name of one.
std::string Maker::FieldOf() {
  const Bound* bound = AnyBound();
  if (bound == nullptr) return {};
  std::string name;
  for (const Column& column : bound->columns)
    if (column.kind == Kind::Row && (!column.is_blocked || (is_daring_ && OneIn(3))))
      name = column.name;
  if (name.empty()) {
    if (!OneIn(6)) return {};
    name = Pick("email", "place", "phone");
  }
  if (Is(Engine::Postgres)) {
    const std::string field = Pick("city", "email", "city", "id", "body", "upper");
    if (OneIn(6)) name = OneIn(2) ? bound->alias : bound->alias + "." + bound->alias;
    if (name.find('.') == std::string::npos && OneIn(2)) name.insert(0, bound->alias + ".");
    return Marked("field", "(" + name + ")." + field);
  }
  const std::string field = Pick("email", "country", "city", "home.phone", "home.city",
                                 "home.street", "home['city']", "id");
  if (OneIn(2)) name.insert(0, OneIn(8) ? "main." + bound->alias + "." : bound->alias + ".");
  if (OneIn(8)) return Marked("field", "struct_extract(" + name + ", 'country')");
  if (OneIn(8)) return Marked("field", "(" + name + ")." + field);
  if (OneIn(8)) return Marked("field", name + "['email']");
  return Marked("field", name + "." + field);
}

std::string Maker::OwnOfSqlite(Kind kind, int depth) {
  const auto number = [&] { return Value(Kind::Number, depth + 1); };
  const std::size_t form = Below(5);
  if (kind == Kind::Number) {
    if (form < 2) return HiddenColumn();
    if (form == 2) return Marked("unary", "(" + Pick("~", "+", "-") + " " + number() + ")");
    return Marked("bits",
                  "(" + number() + Pick(" | ", " & ", " << ", " >> ") + Pick("1", number()) + ")");
  }
  if (kind == Kind::Text) {
    if (form == 0) return Marked("quoted", Pick("\"nosuch\"", "\"email\"", "\"b3\"", "\"docs\""));
    if (form == 1) return Marked("unary", "(+ " + Value(Kind::Text, depth + 1) + ")");
    if (form == 2) return Marked("hidden_column", "typeof(" + Pick("docs", "rank", "rowid") + ")");
    return {};
  }
  if (kind != Kind::Flag) return {};
  const Kind of = AnyKind();
  const std::string value = Value(of, depth + 1);
  if (form == 0)
    return Marked("unary", "(+ " + value + Pick(" = ", " < ", " IS ") + Value(of, depth + 1) + ")");
  if (form == 1) return Marked("is", "(" + value + Pick(" IS NOT ", " IS ") + "TRUE)");
  if (form == 2) return Marked("hidden_column", "(" + Pick("docs", "rank") + " = " + value + ")");
  if (form == 3 && !commons_.empty() && commons_.front().columns.size() == 1)
    return Marked("in_table", "(" + value + " IN " + commons_.front().name + ")");
  return {};
}

std::string Maker::OwnOfDuckDb(Kind kind, int depth) {
  const auto text = [&] { return Value(Kind::Text, depth + 1); };
  if (kind == Kind::Number) return OneIn(2) ? HiddenColumn() : std::string();
  if (kind == Kind::Text) {
    if (!OneIn(3)) return FieldOf();
    const std::string name = Pick("email", "plan", "place", "x");
    const std::string list = "[" + text() + "]";
    switch (Below(4)) {
      case 0:
        return Marked("lambda", "list_transform(" + list + ", " + name + " -> " +
                                    Pick("max(", "min(", "count(") + name + "))[1]::VARCHAR");
      case 1:
        return Marked("lambda", "list_transform([{'email': " + text() + ", 'country': 'x'}], " +
                                    name + " -> " + name + Pick(".email", ".country") + ")[1]");
      case 2:
        return Marked("comprehension", "[" + text() + " FOR " + name + " IN " + list + " IF " +
                                           name + " <> 'a'][1]");
      default:
        return Marked("lambda", "list_reduce(" + list + ", lambda " + name + ", y: " + name +
                                    " || y || " + text() + ")");
    }
  }
  if (kind != Kind::Flag) return {};
  const Kind of = AnyKind();
  const std::string value = Value(of, depth + 1);
  if (OneIn(2))
    return Marked("in_list", "(" + value + Pick(" IN [", " NOT IN [") + Literal(of) + ", " +
                                 Value(of, depth + 1) + "])");
  return Marked("in_list", "list_contains([" + Value(of, depth + 1) + ", " + Literal(of) + "], " +
                               value + ")");
}

std::string Maker::OwnOfPostgres(Kind kind, int depth) {
  const Bound* bound = AnyBound();
  if (bound == nullptr || !has_rows_) return {};
  const std::string row = OneIn(8) ? bound->alias + "." + bound->alias : bound->alias;
  if (kind == Kind::Number) {
    if (OneIn(3)) return Marked("whole_row", "length((" + row + ")::text)");
    return {};
  }
  if (kind == Kind::Text) {
    switch (Below(5)) {
      case 0:
        return Marked("whole_row", Pick("(" + row + ")::text", "row_to_json(" + row + ")::text",
                                        "to_jsonb(" + row + ")->>'id'"));
      case 1: {
        const std::string column = HiddenColumn();
        return column.empty() ? column : column + "::text";
      }
      case 2:
        return Marked(
            "attribute",
            "(" + row + ")." + Named(bound->columns[Below(bound->columns.size())].name) + "::text");
      default:
        return FieldOf();
    }
  }
  if (kind != Kind::Flag) return {};
  const Kind of = AnyKind();
  const auto value = [&] { return Value(of, depth + 1); };
  switch (Below(5)) {
    case 0:
      return Marked("whole_row", "(" + row + Pick(" IS NULL)", " IS NOT NULL)"));
    case 1:
      return Marked("whole_row",
                    "(" + row + Pick(" = ", " < ", " IS DISTINCT FROM ") + bound->alias + ")");
    case 2:
      return Marked("array", "(" + value() + Pick(" = ANY (ARRAY[", " <> ALL (ARRAY[") +
                                 Literal(of) + ", " + value() + "]))");
    default: {
      std::vector<Column> outputs;
      Ask ask;
      ask.kinds = {of, Kind::Number};
      ask.is_part = true;
      const std::string left = "((" + value() + ", " + Value(Kind::Number, depth + 1) + ")";
      return Marked("rows", left + Pick(" IN (", " = ANY (", " NOT IN (") +
                                Query(depth + 2, ask, outputs) + "))");
    }
  }
}

std::string Maker::OwnOfMySql(Kind kind, int depth) {
  const auto number = [&] { return Value(Kind::Number, depth + 1); };
  if (kind == Kind::Number) {
    if (OneIn(2)) return HiddenColumn();
    return Marked("bits", "(" + number() + Pick(" | ", " & ", " DIV ", " ^ ") + "2)");
  }
  if (kind == Kind::Text) {
    const Bound* bound = AnyBound();
    if (bound == nullptr || bound->columns.empty()) return {};
    const Column& column = bound->columns[Below(bound->columns.size())];
    if (OneIn(2))
      return Marked("default",
                    Pick("DEFAULT(", "VALUES(", "VALUE(") + bound->alias + "." + column.name + ")");
    return Marked("typed", "(BINARY " + Value(Kind::Text, depth + 1) + ")");
  }
  if (kind != Kind::Flag) return {};
  const std::string value = Value(Kind::Text, depth + 1);
  switch (Below(4)) {
    case 0:
      return Marked(
          "xor", "(" + Value(Kind::Flag, depth + 1) + " XOR " + Value(Kind::Flag, depth + 1) + ")");
    case 1:
      return Marked("regexp",
                    "(" + value + Pick(" REGEXP ", " RLIKE ") + Pick("'o'", "'^b'") + ")");
    default: {
      std::vector<Column> outputs;
      Ask ask;
      ask.kinds = {Kind::Text, Kind::Number};
      ask.is_part = true;
      const std::string left = "((" + value + ", " + number() + ")";
      return Marked("rows",
                    left + Pick(" IN (", " NOT IN (") + Query(depth + 2, ask, outputs) + "))");
    }
  }
}

}  // namespace schemaward::oracle
