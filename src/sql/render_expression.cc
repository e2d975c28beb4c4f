// Expressions of every kind but those that mean time.
#include <array>
#include <utility>

#include <fmt/format.h>

#include "sql/printer.h"

namespace schemaward::sql {
namespace {

// An operator that every dialect spells alike.
struct Spelling {
  std::string_view op;
  std::string_view text;
};

constexpr std::array<Spelling, 13> kBinary = {{{"=", " = "},
                                               {"<>", " <> "},
                                               {"<", " < "},
                                               {"<=", " <= "},
                                               {">", " > "},
                                               {">=", " >= "},
                                               {"and", " AND "},
                                               {"or", " OR "},
                                               {"+", " + "},
                                               {"-", " - "},
                                               {"*", " * "},
                                               {"/", " / "},
                                               {"like", " LIKE "}}};

struct UnarySpelling {
  std::string_view op;
  std::string_view before;
  std::string_view after;
};

constexpr std::array<UnarySpelling, 4> kUnary = {{{"not", "NOT ", ""},
                                                  {"-", "-", ""},
                                                  {"is null", "", " IS NULL"},
                                                  {"is not null", "", " IS NOT NULL"}}};

// What stands before, between and after two operands.
struct Infix {
  std::string_view before;
  std::string_view between;
  std::string_view after;
};

bool IsPlainFunction(std::string_view name) {
  if (name.empty() || (name.front() >= '0' && name.front() <= '9')) return false;
  for (char c : name)
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_')) return false;
  return true;
}

Result<Infix> InfixOf(std::string_view op, const Dialect& dialect) {
  for (const Spelling& spelling : kBinary)
    if (spelling.op == op) return Infix{"(", spelling.text, ")"};
  if (op == "||")
    return dialect.pipes_concatenate ? Infix{"(", " || ", ")"} : Infix{"concat(", ", ", ")"};
  if (op == "is") return Infix{"(", dialect.null_safe_equal, ")"};
  if (op == "is not") return Infix{"(NOT (", dialect.null_safe_equal, "))"};
  return Unprintable("an operator is not on the list");
}

// SQLite has no types for time: such values stay the texts that they are.
std::string_view TypeIn(const Dialect& dialect, CastType type) {
  constexpr std::array<std::string_view, 8> kStandard = {
      "text",    "bigint", "double precision", "numeric",
      "boolean", "date",   "timestamp",        "timestamp with time zone"};
  constexpr std::array<std::string_view, 8> kSqlite = {"TEXT",    "INTEGER", "REAL", "NUMERIC",
                                                       "INTEGER", "TEXT",    "TEXT", "TEXT"};
  constexpr std::array<std::string_view, 8> kMySql = {
      "char",   "signed", "double",      "decimal(38, 10)",
      "signed", "date",   "datetime(6)", "datetime(6)"};
  const auto at = static_cast<std::size_t>(type);
  if (dialect.name == Sqlite().name) return kSqlite[at];
  if (dialect.name == MySql().name) return kMySql[at];
  // "numeric" alone has three digits after the point there.
  if (dialect.name == DuckDb().name && type == CastType::Decimal) return "decimal(38, 10)";
  return kStandard[at];
}

std::optional<CastType> TypeOf(const Literal& literal) {
  if (std::holds_alternative<bool>(literal.value)) return CastType::Boolean;
  if (std::holds_alternative<std::int64_t>(literal.value)) return CastType::Integer;
  if (std::holds_alternative<double>(literal.value)) return CastType::Double;
  if (std::holds_alternative<std::string>(literal.value)) return CastType::Text;
  return std::nullopt;
}

// The pattern that matches `text` itself; '!' is the escape, since a backslash is read differently
// by every dialect.
std::string PatternOf(const TextMatch& match) {
  std::string pattern = match.at_start ? "" : "%";
  for (const char c : match.text) {
    if (c == '%' || c == '_' || c == '!') pattern += '!';
    pattern += c;
  }
  return pattern + '%';
}

}  // namespace

Status Printer::Value(const ExpressionPtr& expression, int depth) {
  if (expression == nullptr) return Unprintable("an operand is absent");
  if (depth >= kExpressionDepthMax) return Unprintable("it is nested too deeply");
  if (++nodes_ > kExpressionNodesMax) return Unprintable("it is too large");
  return std::visit([&](const auto& node) { return Node(node, depth + 1); }, expression->node);
}

Status Printer::Typed(const ExpressionPtr& expression, int depth) {
  const auto* literal = expression == nullptr ? nullptr : std::get_if<Literal>(&expression->node);
  const auto type = literal == nullptr ? std::nullopt : TypeOf(*literal);
  // In MySQL a fraction is cast anyway, and a cast text would insist on its collation beside a
  // column's.
  const bool says_itself =
      Is(Sqlite()) || (Is(MySql()) && (type == CastType::Text || type == CastType::Double));
  if (!type || says_itself) return Value(expression, depth);
  return Node(Cast{expression, *type}, depth);
}

Status Printer::List(const std::vector<ExpressionPtr>& values, int depth) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out_.text += ", ";
    WARD_CHECK(Value(values[i], depth));
  }
  return Ok();
}

void Printer::Bind(Literal literal) {
  out_.parameters.push_back(std::move(literal));
  if (dialect_.parameters == ParameterStyle::Question)
    out_.text += '?';
  else
    out_.text += fmt::format("${}", out_.parameters.size());
}

Status Printer::Node(const ColumnRef& column, int /*depth*/) {
  if (!column.qualifier.empty()) {
    WARD_CHECK(Name(column.qualifier));
    out_.text += '.';
  }
  return Name(column.column);
}

// PostgreSQL and MySQL 8 give a parameter the type of what it stands beside: a fraction beside an
// integer column would be refused or rounded, and PostgreSQL refuses a number that the column's
// type cannot hold.
Status Printer::Node(const Literal& literal, int /*depth*/) {
  const auto* integer = std::get_if<std::int64_t>(&literal.value);
  const bool is_wide =
      Is(Postgres()) && integer != nullptr && !std::in_range<std::int32_t>(*integer);
  const bool is_double =
      (Is(Postgres()) || Is(MySql())) && std::holds_alternative<double>(literal.value);
  if (!is_wide && !is_double) {
    Bind(literal);
    return Ok();
  }
  out_.text += "CAST(";
  Bind(literal);
  const CastType type = is_wide          ? CastType::Integer
                        : Is(Postgres()) ? CastType::Decimal
                                         : CastType::Double;
  out_.text += fmt::format(" AS {})", TypeIn(dialect_, type));
  return Ok();
}

Status Printer::Node(const Call& call, int depth) {
  if (!IsPlainFunction(call.function)) return Unprintable("a function's name is not a plain word");
  if (call.star && (!call.arguments.empty() || call.distinct))
    return Unprintable("a star has company");
  // MySQL's length counts bytes.
  out_.text += Is(MySql()) && call.function == "length" ? "char_length" : call.function;
  out_.text += call.star ? "(*" : "(";
  if (call.distinct) out_.text += "DISTINCT ";
  WARD_CHECK(List(call.arguments, depth));
  out_.text += ')';
  return Ok();
}

Status Printer::Node(const Binary& binary, int depth) {
  WARD_TRY(const Infix infix, InfixOf(binary.op, dialect_));
  out_.text += infix.before;
  WARD_CHECK(Value(binary.left, depth));
  out_.text += infix.between;
  WARD_CHECK(Value(binary.right, depth));
  out_.text += infix.after;
  return Ok();
}

Status Printer::Node(const Unary& unary, int depth) {
  for (const UnarySpelling& spelling : kUnary) {
    if (spelling.op != unary.op) continue;
    out_.text += '(';
    out_.text += spelling.before;
    WARD_CHECK(Value(unary.operand, depth));
    out_.text += spelling.after;
    out_.text += ')';
    return Ok();
  }
  return Unprintable("an operator is not on the list");
}

Status Printer::Node(const Case& node, int depth) {
  if (node.branches.empty()) return Unprintable("a CASE has no branches");
  out_.text += "CASE";
  for (const Case::Branch& branch : node.branches) {
    out_.text += " WHEN ";
    WARD_CHECK(Value(branch.when, depth));
    out_.text += " THEN ";
    WARD_CHECK(Typed(branch.then, depth));
  }
  if (node.otherwise != nullptr) {
    out_.text += " ELSE ";
    WARD_CHECK(Typed(node.otherwise, depth));
  }
  out_.text += " END";
  return Ok();
}

Status Printer::Node(const InList& node, int depth) {
  if (node.items.empty()) return Unprintable("an IN has no items");
  out_.text += '(';
  WARD_CHECK(Value(node.operand, depth));
  out_.text += node.negated ? " NOT IN (" : " IN (";
  WARD_CHECK(List(node.items, depth));
  out_.text += "))";
  return Ok();
}

Status Printer::Node(const Exists& node, int depth) {
  if (node.select == nullptr) return Unprintable("an EXISTS has no select");
  out_.text += node.negated ? "(NOT EXISTS (" : "(EXISTS (";
  WARD_CHECK(Statement(*node.select, depth + 1));
  out_.text += "))";
  return Ok();
}

Status Printer::Node(const Cast& node, int depth) {
  const auto* literal =
      node.operand == nullptr ? nullptr : std::get_if<Literal>(&node.operand->node);
  out_.text += "CAST(";
  if (Is(MySql()) && node.type == CastType::TimestampTz && literal != nullptr)
    Bind(WithoutOffset(*literal));
  else
    WARD_CHECK(Value(node.operand, depth));
  out_.text += fmt::format(" AS {})", TypeIn(dialect_, node.type));
  return Ok();
}

Status Printer::Node(const Ratio& node, int depth) {
  // Decimal where there is a decimal type that keeps every digit, else binary.
  const CastType type = Is(Postgres()) ? CastType::Decimal : CastType::Double;
  out_.text += fmt::format("(CAST(");
  WARD_CHECK(Value(node.numerator, depth));
  out_.text += fmt::format(" AS {}) / nullif(", TypeIn(dialect_, type));
  WARD_CHECK(Value(node.denominator, depth));
  out_.text += ", 0))";
  return Ok();
}

Status Printer::Node(const Window& node, int depth) {
  WARD_CHECK(Node(node.call, depth));
  out_.text += " OVER (";
  for (std::size_t i = 0; i < node.partition_by.size(); ++i) {
    out_.text += i == 0 ? "PARTITION BY " : ", ";
    WARD_CHECK(Value(node.partition_by[i], depth));
  }
  for (std::size_t i = 0; i < node.order_by.size(); ++i) {
    out_.text += i == 0 ? (node.partition_by.empty() ? "ORDER BY " : " ORDER BY ") : ", ";
    WARD_CHECK(Order(node.order_by[i], depth));
  }
  out_.text += ')';
  return Ok();
}

Status Printer::Node(const Percentile& node, int depth) {
  if (!(node.fraction >= 0 && node.fraction <= 1))
    return Unprintable("a percentile is not between 0 and 1");
  // A select that holds one was lowered before, and none may stand elsewhere.
  if (Is(MySql())) return Unprintable("a percentile stands where the dialect cannot compute it");
  // The fraction is our own number, printed plainly: engines want a constant there.
  const std::string fraction = fmt::format("{}", node.fraction);
  if (Is(Sqlite())) {
    out_.text += "ward_percentile(";
    WARD_CHECK(Value(node.operand, depth));
    out_.text += ", " + fraction + ")";
    return Ok();
  }
  out_.text += "percentile_cont(" + fraction + ") WITHIN GROUP (ORDER BY ";
  // DuckDB would round what lies between two decimals to their scale.
  const Cast as_double{node.operand, CastType::Double};
  WARD_CHECK(Is(DuckDb()) ? Node(as_double, depth) : Value(node.operand, depth));
  out_.text += ')';
  return Ok();
}

Status Printer::Node(const TextMatch& node, int depth) {
  const char* lower = Is(Sqlite()) ? "ward_fold" : "lower";
  out_.text += fmt::format("({}(CAST(", lower);
  WARD_CHECK(Value(node.operand, depth));
  // By code points: MySQL's own collations also take accents for nothing.
  const char* by = Is(MySql()) ? " COLLATE utf8mb4_bin" : "";
  out_.text += fmt::format(" AS {})){} LIKE {}(", TypeIn(dialect_, CastType::Text), by, lower);
  Bind({PatternOf(node)});
  out_.text += ") ESCAPE '!')";
  return Ok();
}

}  // namespace schemaward::sql
