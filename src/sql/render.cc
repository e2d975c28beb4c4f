#include "sql/render.h"

#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

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

Error Unprintable(std::string_view what) {
  return {ErrorKind::Internal, fmt::format("a statement cannot be printed: {}", what)};
}

class Renderer {
 public:
  explicit Renderer(const Dialect& dialect) : dialect_(dialect) {}

  Status Print(const Select& select) {
    out_.text = select.distinct ? "SELECT DISTINCT " : "SELECT ";
    WARD_CHECK(Columns(select.columns));
    out_.text += " FROM ";
    WARD_CHECK(From(select.from));
    for (const Join& join : select.joins) WARD_CHECK(JoinClause(join));
    if (select.where != nullptr) {
      out_.text += " WHERE ";
      WARD_CHECK(Value(select.where, 0));
    }
    for (std::size_t i = 0; i < select.group_by.size(); ++i) {
      out_.text += i == 0 ? " GROUP BY " : ", ";
      WARD_CHECK(Value(select.group_by[i], 0));
    }
    for (std::size_t i = 0; i < select.order_by.size(); ++i) {
      out_.text += i == 0 ? " ORDER BY " : ", ";
      WARD_CHECK(Value(select.order_by[i].expression, 0));
      if (select.order_by[i].descending) out_.text += " DESC";
    }
    return Limit(select.limit);
  }

  Rendered Take() { return std::move(out_); }

 private:
  Status Columns(const std::vector<OutputColumn>& columns) {
    if (columns.empty()) return Unprintable("it has no columns");
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i > 0) out_.text += ", ";
      WARD_CHECK(Value(columns[i].expression, 0));
      if (columns[i].alias.empty()) continue;
      out_.text += " AS ";
      WARD_CHECK(Name(columns[i].alias));
    }
    return Ok();
  }

  Status From(const Relation& relation) {
    if (const auto* table = std::get_if<TableRef>(&relation)) return Table(*table);
    return Unprintable("it reads a relation that this version does not print");
  }

  Status Table(const TableRef& table) {
    if (!table.schema.empty()) {
      WARD_CHECK(Name(table.schema));
      out_.text += '.';
    }
    WARD_CHECK(Name(table.table));
    if (table.alias.empty()) return Ok();
    out_.text += " AS ";
    return Name(table.alias);
  }

  Status JoinClause(const Join& join) {
    out_.text += join.kind == JoinKind::Left ? " LEFT JOIN " : " JOIN ";
    WARD_CHECK(From(join.table));
    out_.text += " ON ";
    return Value(join.on, 0);
  }

  Status Limit(const std::optional<std::int64_t>& limit) {
    if (!limit) return Ok();
    if (*limit < 0) return Unprintable("its limit is negative");
    out_.text += fmt::format(" LIMIT {}", *limit);
    return Ok();
  }

  Status Name(std::string_view name) {
    if (name.empty()) return Unprintable("a name is empty");
    if (name.find('\0') != std::string_view::npos) return Unprintable("a name holds a zero byte");
    out_.text += QuoteIdentifier(dialect_, name);
    return Ok();
  }

  Status Value(const ExpressionPtr& expression, int depth) {
    if (expression == nullptr) return Unprintable("an operand is absent");
    if (depth >= kExpressionDepthMax) return Unprintable("it is nested too deeply");
    if (++nodes_ > kExpressionNodesMax) return Unprintable("it is too large");
    return std::visit([&](const auto& node) { return Node(node, depth + 1); }, expression->node);
  }

  template <class Other>
  Status Node(const Other& /*node*/, int /*depth*/) {
    return Unprintable("it holds a node that this version does not print");
  }

  Status Node(const ColumnRef& column, int /*depth*/) {
    if (!column.qualifier.empty()) {
      WARD_CHECK(Name(column.qualifier));
      out_.text += '.';
    }
    return Name(column.column);
  }

  Status Node(const Literal& literal, int /*depth*/) {
    out_.parameters.push_back(literal);
    if (dialect_.parameters == ParameterStyle::Question)
      out_.text += '?';
    else
      out_.text += fmt::format("${}", out_.parameters.size());
    return Ok();
  }

  Status Node(const Call& call, int depth) {
    if (!IsPlainFunction(call.function))
      return Unprintable("a function's name is not a plain word");
    if (call.star && (!call.arguments.empty() || call.distinct))
      return Unprintable("a star has company");
    out_.text += call.function;
    out_.text += call.star ? "(*" : "(";
    if (call.distinct) out_.text += "DISTINCT ";
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      if (i > 0) out_.text += ", ";
      WARD_CHECK(Value(call.arguments[i], depth));
    }
    out_.text += ')';
    return Ok();
  }

  Status Node(const Binary& binary, int depth) {
    WARD_TRY(const Infix infix, InfixOf(binary.op));
    out_.text += infix.before;
    WARD_CHECK(Value(binary.left, depth));
    out_.text += infix.between;
    WARD_CHECK(Value(binary.right, depth));
    out_.text += infix.after;
    return Ok();
  }

  Status Node(const Unary& unary, int depth) {
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

  Result<Infix> InfixOf(std::string_view op) const {
    for (const Spelling& spelling : kBinary)
      if (spelling.op == op) return Infix{"(", spelling.text, ")"};
    if (op == "||")
      return dialect_.pipes_concatenate ? Infix{"(", " || ", ")"} : Infix{"concat(", ", ", ")"};
    if (op == "is") return Infix{"(", dialect_.null_safe_equal, ")"};
    if (op == "is not") return Infix{"(NOT (", dialect_.null_safe_equal, "))"};
    return Unprintable("an operator is not on the list");
  }

  const Dialect& dialect_;
  Rendered out_;
  std::size_t nodes_ = 0;
};

}  // namespace

Result<Rendered> Render(const Select& select, const Dialect& dialect) {
  Renderer renderer(dialect);
  WARD_CHECK(renderer.Print(select));
  return renderer.Take();
}

}  // namespace schemaward::sql
