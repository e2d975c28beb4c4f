// The printer: the inverse of the reader.

#include <array>
#include <string>

#include <fmt/format.h>

#include "base/ascii.h"
#include "sql/read/expression.h"
#include "sql/read/words.h"
#include "sql/render.h"

namespace schemaward::sql {
namespace {

struct OpWord {
  std::string_view op;
  std::string_view word;
  Binding binding;
};

constexpr auto kOpWords =
    std::to_array<OpWord>({{"or", "or", Binding::Or},
                           {"and", "and", Binding::And},
                           {"=", "=", Binding::Comparison},
                           {"<>", "<>", Binding::Comparison},
                           {"<", "<", Binding::Comparison},
                           {"<=", "<=", Binding::Comparison},
                           {">", ">", Binding::Comparison},
                           {">=", ">=", Binding::Comparison},
                           {"like", "like", Binding::Comparison},
                           {"is", "is not distinct from", Binding::Comparison},
                           {"is not", "is distinct from", Binding::Comparison},
                           {"||", "||", Binding::Concat},
                           {"+", "+", Binding::Sum},
                           {"-", "-", Binding::Sum},
                           {"*", "*", Binding::Product},
                           {"/", "/", Binding::Product}});

Binding Above(Binding binding) {
  return static_cast<Binding>(static_cast<std::uint8_t>(binding) + 1);
}

std::string Quoted(std::string_view text, char quote) {
  std::string quoted(1, quote);
  for (const char c : text) {
    if (c == quote) quoted += c;
    quoted += c;
  }
  return quoted + quote;
}

std::string NameText(const std::string& name) {
  bool is_plain = !name.empty() && !(name.front() >= '0' && name.front() <= '9');
  for (const char c : name)
    is_plain = is_plain && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                            (c >= '0' && c <= '9') || c == '_');
  return is_plain && !IsReserved(LowerAscii(name)) ? name : Quoted(name, '"');
}

struct LiteralText {
  std::string operator()(std::monostate /*null*/) const { return "null"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const {
    std::string text = fmt::format("{}", value);
    return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
  }
  std::string operator()(const std::string& value) const { return Quoted(value, '\''); }
};

// What a node is printed as, and how strongly that binds.
struct Printed {
  std::string text;
  Binding binding = Binding::Operand;
};

class Printer {
 public:
  // The text of `expression` where operands must bind at least as `least`.
  std::string At(const ExpressionPtr& expression, Binding least) {
    if (expression == nullptr) return "<nothing>";
    if (depth_ >= kExpressionDepthMax) return "<too deep>";
    ++depth_;
    Printed printed = std::visit([&](const auto& node) { return Of(node); }, expression->node);
    --depth_;
    return printed.binding < least ? "(" + printed.text + ")" : std::move(printed.text);
  }

 private:
  Printed Of(const ColumnRef& column) {
    const std::string name = NameText(column.column);
    return {column.qualifier.empty() ? name : NameText(column.qualifier) + "." + name};
  }

  Printed Of(const Literal& literal) {
    std::string text = std::visit(LiteralText(), literal.value);
    const Binding binding = text.starts_with('-') ? Binding::Sign : Binding::Operand;
    return {std::move(text), binding};
  }

  Printed Of(const Call& call) {
    std::string text = call.function + (call.star ? "(*" : "(");
    if (call.distinct) text += "distinct ";
    return {text + List(call.arguments) + ")"};
  }

  Printed Of(const Binary& binary) {
    for (const OpWord& row : kOpWords)
      if (row.op == binary.op) return Infix(binary.left, row.word, binary.right, row.binding);
    return {"<" + binary.op + ">"};
  }

  Printed Of(const Ratio& ratio) {
    return Infix(ratio.numerator, "/", ratio.denominator, Binding::Product);
  }

  // The left operand may bind alike, since operators are read from the left; comparisons do not
  // follow one another.
  Printed Infix(const ExpressionPtr& left, std::string_view word, const ExpressionPtr& right,
                Binding binding) {
    const Binding left_least = binding == Binding::Comparison ? Above(binding) : binding;
    return {fmt::format("{} {} {}", At(left, left_least), word, At(right, Above(binding))),
            binding};
  }

  Printed Of(const Unary& unary) {
    if (unary.op == "not") return {"not " + At(unary.operand, Binding::Comparison), Binding::Not};
    if (unary.op == "-") return {"-" + Negated(unary.operand), Binding::Sign};
    return {At(unary.operand, Binding::Concat) + " " + unary.op, Binding::Comparison};
  }

  // A number after the sign would be read as one negative number.
  std::string Negated(const ExpressionPtr& operand) {
    std::string text = At(operand, Binding::Operand);
    const bool is_number = !text.empty() && ((text.front() >= '0' && text.front() <= '9'));
    return is_number ? "(" + text + ")" : text;
  }

  Printed Of(const InList& in) {
    return {fmt::format("{}{} in ({})", At(in.operand, Binding::Concat), in.negated ? " not" : "",
                        List(in.items)),
            Binding::Comparison};
  }

  Printed Of(const Case& node) {
    std::string text = "case";
    for (const Case::Branch& branch : node.branches)
      text += fmt::format(" when {} then {}", At(branch.when, Binding::Or),
                          At(branch.then, Binding::Or));
    if (node.otherwise != nullptr) text += " else " + At(node.otherwise, Binding::Or);
    return {text + " end"};
  }

  Printed Of(const Cast& cast) {
    return {fmt::format("cast({} as {})", At(cast.operand, Binding::Or), WordOf(cast.type))};
  }

  Printed Of(const Exists& /*node*/) { return {"<exists>"}; }
  Printed Of(const Window& /*node*/) { return {"<window>"}; }
  Printed Of(const Percentile& /*node*/) { return {"<percentile>"}; }
  Printed Of(const TextMatch& /*node*/) { return {"<text match>"}; }
  Printed Of(const TimeBucket& /*node*/) { return {"<time bucket>"}; }
  Printed Of(const Comparable& /*node*/) { return {"<comparable>"}; }
  Printed Of(const Moment& /*node*/) { return {"<moment>"}; }
  Printed Of(const Shifted& /*node*/) { return {"<shifted>"}; }

  std::string List(const std::vector<ExpressionPtr>& items) {
    std::string text;
    for (const ExpressionPtr& item : items) {
      if (!text.empty()) text += ", ";
      text += At(item, Binding::Or);
    }
    return text;
  }

  int depth_ = 0;
};

}  // namespace

std::string PrintExpression(const ExpressionPtr& expression) {
  return Printer().At(expression, Binding::Or);
}

}  // namespace schemaward::sql
