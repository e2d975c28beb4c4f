// Expressions, by the kind of their value.
#include "oracle/maker.h"

namespace schemaward::oracle {
namespace {

constexpr int kDepthMax = 4;

}  // namespace

std::string Maker::Value(Kind kind, int depth) {
  if (OneIn(60)) kind = static_cast<Kind>(Below(4));  // what an engine thinks of it is its own
  if (depth >= kDepthMax || OneIn(3)) return OneIn(4) ? Literal(kind) : ColumnOf(kind);
  if (may_aggregate_ && OneIn(2)) return Aggregate(kind, depth);
  if (may_window_ && OneIn(7)) return Window(kind, depth);
  if (OneIn(4)) return Shared(kind, depth);
  if (OneIn(5))
    if (std::string own = Own(kind, depth); !own.empty()) return own;
  switch (kind) {
    case Kind::Number:
      return NumberOf(depth);
    case Kind::Text:
      return TextOf(depth);
    case Kind::Flag:
      return FlagOf(depth);
    case Kind::Time:
    case Kind::Row:
      break;
  }
  return TimeOf(depth);
}

// A plain column of that kind; a literal where none was found.
std::string Maker::ColumnOf(Kind kind) {
  const std::string column = TryColumn(kind);
  return column.empty() ? Literal(kind) : column;
}

// The name of an output of the select, which a column of its tables or of a select around may have
// too; empty where none was found.
std::string Maker::TryName(Kind kind) {
  if (names_.empty() || names_.back().empty()) return {};
  const Column& output = names_.back()[Below(names_.back().size())];
  if (output.name == "?" || output.kind != kind) return {};
  return Named(output.name);
}

std::string Maker::TryColumn(Kind kind) {
  if (OneIn(one_name_in_))
    if (std::string name = TryName(kind); !name.empty()) return name;
  if (keys_ != nullptr && !OneIn(40)) {
    for (int tries = 0; tries < 4 && !keys_->empty(); ++tries) {
      const auto& [text, its] = (*keys_)[Below(keys_->size())];
      if (its == kind) return text;
    }
    return {};
  }
  if (scopes_.empty()) return {};
  const std::size_t level =
      scopes_.size() > 1 && OneIn(5) ? Below(scopes_.size()) : scopes_.size() - 1;
  const Scope& scope = scopes_[level];
  if (scope.empty()) return {};
  const bool is_daring = is_daring_ && OneIn(9);
  constexpr int kTries = 12;
  for (int tries = 0; tries < kTries; ++tries) {
    const Bound& bound = scope[Below(scope.size())];
    const Column& column = bound.columns[Below(bound.columns.size())];
    if (column.name == "?" || column.kind != kind || (column.is_blocked && !is_daring)) continue;
    touched_ = touched_ || column.is_blocked;
    return OneIn(3) ? Named(column.name) : bound.alias + "." + Named(column.name);
  }
  return {};
}

std::string Maker::Literal(Kind kind) {
  std::string literal = PlainLiteral(kind);
  // Where a bare NULL has no type, most calls of it are ambiguous.
  const bool is_typed = Is(Engine::Postgres) || Is(Engine::DuckDb);
  if (literal != "NULL" || !is_typed || kind == Kind::Flag) return literal;
  return CastTo(kind, literal);
}

std::string Maker::PlainLiteral(Kind kind) {
  switch (kind) {
    case Kind::Number:
      return Pick("1", "0", "2.5", "3", "7", "100", "NULL");
    case Kind::Text:
      return Pick("'a'", "'NO'", "'gold'", "''", "'%o%'", "'b3'", "NULL");
    case Kind::Flag:
      return Is(Engine::Sqlite) ? Pick("1", "0", "NULL") : Pick("TRUE", "FALSE", "NULL");
    case Kind::Time:
    case Kind::Row:
      break;
  }
  if (Is(Engine::Sqlite)) return Pick("'2024-01-03 10:00:00'", "'2024-01-07'");
  return Pick("TIMESTAMP '2024-01-03 10:00:00'", "TIMESTAMP '2024-01-07 00:00:00'", "NULL");
}

std::string Maker::CastTo(Kind kind, const std::string& value) {
  const char* type = "VARCHAR(20)";
  if (kind == Kind::Number) type = Is(Engine::MySql) ? "SIGNED" : "INTEGER";
  if (kind == Kind::Time) type = Is(Engine::MySql) ? "DATETIME" : "TIMESTAMP";
  if (kind == Kind::Text) type = Is(Engine::MySql) ? "CHAR(20)" : "VARCHAR(20)";
  if (kind == Kind::Flag) return "(" + value + " IS NOT NULL)";
  if (Is(Engine::Sqlite)) type = kind == Kind::Number ? "INTEGER" : "TEXT";
  if (OneIn(3) && (Is(Engine::Postgres) || Is(Engine::DuckDb))) return "(" + value + ")::" + type;
  return "cast(" + value + " AS " + type + ")";
}

std::string Maker::Subquery(Kind kind, int depth, bool is_one_row) {
  std::vector<Column> outputs;
  Ask ask;
  ask.kinds = {kind};
  ask.is_one_row = is_one_row;
  ask.is_part = !is_one_row;
  return "(" + Query(depth + 2, ask, outputs) + ")";
}

// What every kind has.
std::string Maker::Shared(Kind kind, int depth) {
  switch (Below(6)) {
    case 0:
      return "CASE WHEN " + Value(Kind::Flag, depth + 1) + " THEN " + Value(kind, depth + 1) +
             " ELSE " + Value(kind, depth + 1) + " END";
    case 1: {
      const Kind by = AnyKind();
      return "CASE " + Value(by, depth + 1) + " WHEN " + Value(by, depth + 1) + " THEN " +
             Value(kind, depth + 1) + " END";
    }
    case 2:
      return "coalesce(" + Value(kind, depth + 1) + ", " + Value(kind, depth + 1) + ")";
    case 3:
      return "nullif(" + Value(kind, depth + 1) + ", " + Value(kind, depth + 1) + ")";
    case 4:
      return CastTo(kind, Value(OneIn(5) ? AnyKind() : kind, depth + 1));
    default:
      return Subquery(kind, depth, true);
  }
}

std::string Maker::Aggregate(Kind kind, int depth) {
  may_aggregate_ = false;
  auto* const keys = keys_;
  keys_ = nullptr;
  std::string text;
  const bool filters = !Is(Engine::MySql);
  if (kind == Kind::Number && OneIn(4)) {
    text = "count(*)";
  } else if (kind == Kind::Number && OneIn(2)) {
    text = Pick("count(", "count(DISTINCT ") + Value(AnyKind(), depth + 1) + ")";
  } else if (kind == Kind::Number) {
    text = Pick("sum(", "avg(", "min(", "max(", "sum(DISTINCT ") + Value(kind, depth + 1) + ")";
  } else if (kind == Kind::Text && OneIn(2)) {
    const std::string of = Value(kind, depth + 1);
    const std::string by = ColumnOf(Kind::Number);
    text = Is(Engine::MySql)    ? "group_concat(" + of + " ORDER BY " + by + ")"
           : Is(Engine::Sqlite) ? "group_concat(" + of + ", ',')"
                                : "string_agg(" + of + ", ',' ORDER BY " + by + ")";
  } else if (kind == Kind::Flag) {
    text = Is(Engine::Postgres) || Is(Engine::DuckDb)
               ? Pick("bool_and(", "bool_or(") + Value(kind, depth + 1) + ")"
               : "(max(" + Value(Kind::Number, depth + 1) + ") > 2)";
  } else {
    text = Pick("min(", "max(") + Value(kind, depth + 1) + ")";
  }
  if (filters && text.back() == ')' && text.front() != '(' && OneIn(8))
    text += " FILTER (WHERE " + Value(Kind::Flag, depth + 1) + ")";
  keys_ = keys;
  may_aggregate_ = true;
  return text;
}

std::string Maker::Over(int depth) {
  const std::string order = "ORDER BY " + Value(AnyKind(), depth + 1);
  const std::string window =
      (OneIn(2) ? "PARTITION BY " + Value(AnyKind(), depth + 1) + " " : "") + order;
  const std::string frame = OneIn(5) ? " ROWS BETWEEN 1 PRECEDING AND CURRENT ROW" : "";
  if (!OneIn(4)) return " OVER (" + window + frame + ")";
  std::string& named = windows_.back();
  const std::string name =
      (named.empty() ? Pick("email", "w") : "w") + std::to_string(named.size());
  named += (named.empty() ? " WINDOW " : ", ") + name + " AS (" + window + ")";
  return Marked("named_window", frame.empty() ? " OVER " + name : " OVER (" + name + frame + ")");
}

std::string Maker::Window(Kind kind, int depth) {
  may_window_ = false;
  const std::string call =
      kind == Kind::Number && OneIn(2) ? Pick("row_number()", "rank()", "dense_rank()", "count(*)")
      : kind == Kind::Number && OneIn(2) ? Pick("sum(", "avg(") + Value(kind, depth + 1) + ")"
      : kind == Kind::Flag
          ? "lag(" + ColumnOf(Kind::Flag) + ")"
          : Pick("lag(", "lead(", "first_value(", "last_value(") + Value(kind, depth + 1) + ")";
  std::string over = Over(depth);
  if (call == "row_number()" || call == "rank()" || call == "dense_rank()" ||
      call.starts_with("lag(") || call.starts_with("lead("))
    if (const std::size_t frame = over.find(" ROWS "); frame != std::string::npos)
      over.replace(frame, over.size() - frame, ")");
  may_window_ = true;
  return call + over;
}

std::string Maker::NumberOf(int depth) {
  switch (Below(6)) {
    case 0:
      return Pick("abs(", "round(", "ceil(", "floor(") + Value(Kind::Number, depth + 1) + ")";
    case 1:
      return "length(" + Value(Kind::Text, depth + 1) + ")";
    case 2:
      if (Is(Engine::Sqlite)) return "instr(" + Value(Kind::Text, depth + 1) + ", 'o')";
      return "extract(" + Pick("year", "day", "hour") + " FROM " + Value(Kind::Time, depth + 1) +
             ")";
    case 3:
      return "(" + Value(Kind::Number, depth + 1) + Pick(" / ", " % ") + Pick("2", "3") + ")";
    default:
      return "(" + Value(Kind::Number, depth + 1) + Pick(" + ", " - ", " * ") +
             Value(Kind::Number, depth + 1) + ")";
  }
}

// Forms that stand for calls, and lambdas whose parameters have names that columns have too.
std::string Maker::DuckTextOf(int depth) {
  const auto name = [&] { return Pick("email", "EMAIL", "plan", "x", "label", "a"); };
  const std::string list = "[" + Value(Kind::Text, depth + 1) + "]";
  const std::string parameter = name();
  const std::string body = (OneIn(3) ? name() : parameter) + " || " + Value(Kind::Text, depth + 1);
  switch (Below(5)) {
    case 0:
      return "list_transform(" + list + ", " + parameter + " -> " + body + ")[1]";
    case 1:
      return "list_filter(" + list + ", lambda " + parameter + ": (" + body + ") <> 'a')[1]";
    case 2:
      return "[" + body + " FOR " + parameter + " IN " + list + "][1]";
    case 3:
      return "{'x': " + Value(Kind::Text, depth + 1) + "}.x";
    default:
      return "(" + Value(Kind::Text, depth + 1) + ")" + Pick(".upper()", ".left(2)", ".trim()");
  }
}

std::string Maker::TextOf(int depth) {
  if (Is(Engine::DuckDb) && OneIn(5)) return DuckTextOf(depth);
  switch (Below(4)) {
    case 0:
      return Pick("upper(", "lower(", "trim(") + Value(Kind::Text, depth + 1) + ")";
    case 1:
      return "replace(" + Value(Kind::Text, depth + 1) + ", 'o', 'x')";
    case 2:
      return "substr(" + Value(Kind::Text, depth + 1) + ", 1, 2)";
    default:
      if (Is(Engine::MySql))
        return "concat(" + Value(Kind::Text, depth + 1) + ", " + Value(Kind::Text, depth + 1) + ")";
      return "(" + Value(Kind::Text, depth + 1) + " || " + Value(Kind::Text, depth + 1) + ")";
  }
}

std::string Maker::FlagOf(int depth) {
  const Kind kind = AnyKind();
  const auto value = [&] { return Value(kind, depth + 1); };
  switch (Below(13)) {
    case 0:
      return value() + Pick(" IS NULL", " IS NOT NULL");
    case 1:
      return "(" + value() + Pick(" IN (", " NOT IN (") + Literal(kind) + ", " + value() + "))";
    case 2:
      return "(" + value() + Pick(" IN ", " NOT IN ") + Subquery(kind, depth, false) + ")";
    case 3:
      return Pick("EXISTS ", "NOT EXISTS ") + Subquery(kind, depth, false);
    case 4:
      return "(" + value() + " BETWEEN " + value() + " AND " + value() + ")";
    case 5:
      return "(" + Value(Kind::Text, depth + 1) + Pick(" LIKE ", " NOT LIKE ") +
             Pick("'%o%'", "'N_'", "'b%'") + ")";
    case 6:
      return "(NOT " + Value(Kind::Flag, depth + 1) + ")";
    case 7:
      if (Is(Engine::Sqlite)) return "(" + value() + " IS " + value() + ")";
      return "(" + value() + Pick(" = ANY ", " < ALL ", " <> ALL ") + Subquery(kind, depth, false) +
             ")";
    case 8:
      return "((" + value() + ", " + Value(Kind::Number, depth + 1) + ")" + Pick(" = (", " < (") +
             value() + ", " + Value(Kind::Number, depth + 1) + "))";
    case 9:
      if (Is(Engine::Postgres) || Is(Engine::DuckDb))
        return "(" + value() + Pick(" IS DISTINCT FROM ", " IS NOT DISTINCT FROM ") + value() + ")";
      return "(" + value() + (Is(Engine::MySql) ? " <=> " : " IS NOT ") + value() + ")";
    case 10:
      return "(" + Value(Kind::Flag, depth + 1) + Pick(" AND ", " OR ") +
             Value(Kind::Flag, depth + 1) + ")";
    default:
      return "(" + value() + Pick(" = ", " <> ", " < ", " >= ") + value() + ")";
  }
}

std::string Maker::TimeOf(int depth) {
  if (Is(Engine::Postgres) || Is(Engine::DuckDb))
    return "date_trunc(" + Pick("'month'", "'week'") + ", " + Value(Kind::Time, depth + 1) + ")";
  if (Is(Engine::Sqlite)) return "date(" + Value(Kind::Time, depth + 1) + ")";
  return "date(" + Value(Kind::Time, depth + 1) + ")";
}

}  // namespace schemaward::oracle
