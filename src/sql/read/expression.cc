// The reader: one function a level of binding, weakest first.

#include "sql/read/expression.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "base/text_distance.h"
#include "sql/read/tokens.h"
#include "sql/read/words.h"

namespace schemaward::sql {
namespace {

// An expression and how many levels its tree has.
struct Part {
  ExpressionPtr tree;
  int levels = 1;
};

class Reader {
 public:
  explicit Reader(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  Result<ExpressionPtr> Run() {
    WARD_TRY(Part part, Any());
    if (Now().kind != TokenKind::End) return Expected("an operator or the end");
    return std::move(part.tree);
  }

 private:
  const Token& Now() const { return tokens_[at_]; }
  const Token& After() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }

  bool TakeSymbol(std::string_view symbol) {
    if (Now().kind != TokenKind::Symbol || Now().value != symbol) return false;
    ++at_;
    return true;
  }
  bool IsWord(std::string_view word) const {
    return Now().kind == TokenKind::Word && Now().lowered == word;
  }
  bool TakeWord(std::string_view word) {
    if (!IsWord(word)) return false;
    ++at_;
    return true;
  }
  Status NeedSymbol(std::string_view symbol) {
    return TakeSymbol(symbol) ? Ok() : Expected(fmt::format("\"{}\"", symbol));
  }
  Status NeedWord(std::string_view word) { return TakeWord(word) ? Ok() : Expected(word); }
  Error Expected(std::string_view what) const {
    return SyntaxError(Now().begin, Now().end, what, Now().value);
  }

  // Makes a node over operands, one level above the deepest of them.
  Result<Part> Over(ExpressionPtr tree, std::initializer_list<int> below) const {
    const int levels = std::max(below) + 1;
    if (levels > kReadDepthMax) return Expected("an expression that is nested less deeply");
    return Part{std::move(tree), levels};
  }
  Result<Part> Combine(std::string op, const Part& left, const Part& right) const {
    return Over(MakeBinary(std::move(op), left.tree, right.tree), {left.levels, right.levels});
  }
  Result<Part> Negate(const Part& part) const {
    return Over(MakeUnary("not", part.tree), {part.levels});
  }

  // Bounds the reader's own recursion: brackets make no level of the tree.
  Result<Part> Any() {
    if (nesting_ >= kReadDepthMax) return Expected("an expression that is nested less deeply");
    ++nesting_;
    auto part = Or();
    --nesting_;
    return part;
  }

  Result<Part> Or() {
    WARD_TRY(Part left, And());
    while (TakeWord("or")) {
      WARD_TRY(const Part right, And());
      WARD_TRY(left, Combine("or", left, right));
    }
    return left;
  }

  Result<Part> And() {
    WARD_TRY(Part left, Not());
    while (TakeWord("and")) {
      WARD_TRY(const Part right, Not());
      WARD_TRY(left, Combine("and", left, right));
    }
    return left;
  }

  Result<Part> Not() {
    int count = 0;
    while (TakeWord("not"))
      if (++count > kReadDepthMax) return Expected("an expression that is nested less deeply");
    WARD_TRY(Part part, Comparison());
    for (; count > 0; --count) {
      WARD_TRY(part, Negate(part));
    }
    return part;
  }

  Result<Part> Comparison() {
    WARD_TRY(Part left, Concat());
    for (const auto& [symbol, op] : kComparisons)
      if (TakeSymbol(symbol)) {
        WARD_TRY(const Part right, Concat());
        return Combine(std::string(op), left, right);
      }
    // IS NULL and the like may follow one another: x is null is true.
    for (int i = 0; i < kReadDepthMax && IsWord("is"); ++i) {
      WARD_TRY(left, Is(left));
    }
    const bool negated =
        IsWord("not") && After().kind == TokenKind::Word &&
        (After().lowered == "in" || After().lowered == "between" || After().lowered == "like");
    if (negated) ++at_;
    if (TakeWord("in")) return In(left, negated);
    if (TakeWord("between")) return Between(left, negated);
    if (TakeWord("like")) return Like(left, negated);
    return left;
  }

  Result<Part> Is(const Part& left) {
    ++at_;
    const bool negated = TakeWord("not");
    if (TakeWord("null"))
      return Over(MakeUnary(negated ? "is not null" : "is null", left.tree), {left.levels});
    if (TakeWord("distinct")) {
      WARD_CHECK(NeedWord("from"));
      WARD_TRY(const Part right, Concat());
      return Combine(negated ? "is" : "is not", left, right);
    }
    const bool is_true = IsWord("true");
    if (!is_true && !IsWord("false")) return Expected("null, true, false or distinct from");
    ++at_;
    return Combine(negated ? "is not" : "is", left, {MakeLiteral({is_true}), 1});
  }

  Result<Part> In(const Part& left, bool negated) {
    WARD_CHECK(NeedSymbol("("));
    WARD_TRY(auto list, ListUpTo(kReadItemsMax));
    return Over(Make({InList{left.tree, std::move(list.first), negated}}),
                {left.levels, list.second});
  }

  Result<Part> Between(const Part& left, bool negated) {
    WARD_TRY(const Part low, Concat());
    WARD_CHECK(NeedWord("and"));
    WARD_TRY(const Part high, Concat());
    WARD_TRY(const Part above, Combine(">=", left, low));
    WARD_TRY(const Part below, Combine("<=", left, high));
    WARD_TRY(Part both, Combine("and", above, below));
    return negated ? Negate(both) : Result<Part>(std::move(both));
  }

  Result<Part> Like(const Part& left, bool negated) {
    WARD_TRY(const Part right, Concat());
    WARD_TRY(Part like, Combine("like", left, right));
    return negated ? Negate(like) : Result<Part>(std::move(like));
  }

  Result<Part> Concat() {
    WARD_TRY(Part left, Sum());
    while (TakeSymbol("||")) {
      WARD_TRY(const Part right, Sum());
      WARD_TRY(left, Combine("||", left, right));
    }
    return left;
  }

  Result<Part> Sum() {
    WARD_TRY(Part left, Product());
    while (true) {
      const bool adds = TakeSymbol("+");
      if (!adds && !TakeSymbol("-")) return left;
      WARD_TRY(const Part right, Product());
      WARD_TRY(left, Combine(adds ? "+" : "-", left, right));
    }
  }

  Result<Part> Product() {
    WARD_TRY(Part left, Sign());
    while (true) {
      const bool multiplies = TakeSymbol("*");
      if (!multiplies && !TakeSymbol("/")) return left;
      WARD_TRY(const Part right, Sign());
      if (multiplies) {
        WARD_TRY(left, Combine("*", left, right));
      } else {
        WARD_TRY(left, Over(Make({Ratio{left.tree, right.tree}}), {left.levels, right.levels}));
      }
    }
  }

  // A sign before a number is part of it.
  Result<Part> Sign() {
    std::vector<bool> minus;
    while (Now().kind == TokenKind::Symbol && (Now().value == "-" || Now().value == "+")) {
      if (minus.size() >= kReadDepthMax)
        return Expected("an expression that is nested less deeply");
      minus.push_back(Now().value == "-");
      ++at_;
    }
    const bool is_number = Now().kind == TokenKind::Integer || Now().kind == TokenKind::Decimal;
    const bool into_number = is_number && !minus.empty() && minus.back();
    if (into_number) minus.pop_back();
    WARD_TRY(Part part, CastAfter(into_number));
    for (const bool negates : minus)
      if (negates) {
        WARD_TRY(part, Over(MakeUnary("-", part.tree), {part.levels}));
      }
    return part;
  }

  Result<Part> CastAfter(bool negative_number) {
    WARD_TRY(Part part, negative_number ? Number(true) : Operand());
    while (TakeSymbol("::")) {
      WARD_TRY(const CastType type, Type());
      WARD_TRY(part, Over(Make({Cast{part.tree, type}}), {part.levels}));
    }
    return part;
  }

  Result<Part> Operand() {
    switch (Now().kind) {
      case TokenKind::Integer:
      case TokenKind::Decimal:
        return Number(false);
      case TokenKind::Text:
        return Part{MakeLiteral({tokens_[at_++].value})};
      case TokenKind::QuotedName:
        return Column();
      case TokenKind::Word:
        return FromWord();
      default:
        break;
    }
    if (!TakeSymbol("(")) return Expected("a column, a value or a function");
    WARD_TRY(Part part, Any());
    WARD_CHECK(NeedSymbol(")"));
    return part;
  }

  Result<Part> Number(bool negative) {
    const Token& token = tokens_[at_++];
    const std::string digits = (negative ? "-" : "") + token.value;
    const char* const end = digits.data() + digits.size();
    if (token.kind == TokenKind::Integer) {
      std::int64_t value = 0;
      if (std::from_chars(digits.data(), end, value).ec == std::errc())
        return Part{MakeLiteral({value})};
    } else {
      double value = 0;
      if (std::from_chars(digits.data(), end, value).ec == std::errc())
        return Part{MakeLiteral({value})};
    }
    return SyntaxError(token.begin, token.end, "a number of 64 bits", token.value);
  }

  Result<Part> FromWord() {
    const bool is_call = After().kind == TokenKind::Symbol && After().value == "(";
    if (TakeWord("null")) return Part{MakeLiteral({})};
    if (TakeWord("true")) return Part{MakeLiteral({true})};
    if (TakeWord("false")) return Part{MakeLiteral({false})};
    if (TakeWord("case")) return CaseOf();
    if (IsWord("cast") && is_call) return CastOf();
    if (IsReserved(Now().lowered)) return Expected("a column, a value or a function");
    return is_call ? Function() : Column();
  }

  Result<std::string> Name() {
    const bool is_name = (Now().kind == TokenKind::Word && !IsReserved(Now().lowered)) ||
                         (Now().kind == TokenKind::QuotedName && !Now().value.empty());
    if (!is_name) return Expected("a name");
    return tokens_[at_++].value;
  }

  Result<Part> Column() {
    WARD_TRY(std::string first, Name());
    if (!TakeSymbol(".")) return Part{MakeColumn("", std::move(first))};
    WARD_TRY(std::string second, Name());
    if (Now().kind == TokenKind::Symbol && Now().value == ".")
      return Expected("a name of two parts, entity.column");
    return Part{MakeColumn(std::move(first), std::move(second))};
  }

  // Items up to the closing bracket, at least one, and the most levels among them.
  Result<std::pair<std::vector<ExpressionPtr>, int>> ListUpTo(std::size_t count_max) {
    std::pair<std::vector<ExpressionPtr>, int> list;
    do {
      if (list.first.size() >= count_max)
        return Expected(fmt::format("at most {} items", count_max));
      WARD_TRY(Part item, Any());
      list.second = std::max(list.second, item.levels);
      list.first.push_back(std::move(item.tree));
    } while (TakeSymbol(","));
    WARD_CHECK(NeedSymbol(")"));
    return list;
  }

  Result<Part> Function() {
    const Token token = tokens_[at_];
    const std::string word = token.lowered == "ceiling" ? "ceil" : token.lowered;
    const auto found = std::find_if(kFunctionWords.begin(), kFunctionWords.end(),
                                    [&](const FunctionWord& f) { return f.word == word; });
    if (found == kFunctionWords.end()) return UnlistedFunction(token);
    at_ += 2;  // the name and the bracket
    WARD_TRY(auto list, ListUpTo(found->arguments_max));
    if (list.first.size() < found->arguments_min)
      return SyntaxError(token.begin, token.end, fmt::format("{} arguments", found->arguments_min),
                         token.value);
    return Over(MakeCall({.function = word, .arguments = std::move(list.first)}), {list.second});
  }

  static Error UnlistedFunction(const Token& token) {
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const FunctionWord& function : kFunctionWords)
      near.emplace_back(EditDistance(token.lowered, function.word), function.word);
    std::sort(near.begin(), near.end());
    return std::move(
        SyntaxError(token.begin, token.end, "a function that expressions may call", token.value)
            .Near({near[0].second, near[1].second, near[2].second}));
  }

  Result<Part> CastOf() {
    at_ += 2;  // CAST and the bracket
    WARD_TRY(const Part part, Any());
    WARD_CHECK(NeedWord("as"));
    WARD_TRY(const CastType type, Type());
    WARD_CHECK(NeedSymbol(")"));
    return Over(Make({Cast{part.tree, type}}), {part.levels});
  }

  // One word, or DOUBLE PRECISION, or TIMESTAMP WITH[OUT] TIME ZONE.
  Result<CastType> Type() {
    const auto type = Now().kind == TokenKind::Word ? CastTypeOf(Now().lowered) : std::nullopt;
    if (!type) return Expected("a type: text, integer, double, decimal, boolean, date, timestamp");
    const bool is_timestamp = IsWord("timestamp");
    const bool is_double = IsWord("double");
    ++at_;
    if (is_double) TakeWord("precision");
    const bool with_zone = is_timestamp && TakeWord("with");
    if (with_zone || (is_timestamp && TakeWord("without"))) {
      WARD_CHECK(NeedWord("time"));
      WARD_CHECK(NeedWord("zone"));
    }
    if (Now().kind == TokenKind::Symbol && Now().value == "(")
      return Expected("a type without a length");
    return with_zone ? CastType::TimestampTz : *type;
  }

  Result<Part> CaseOf() {
    Part subject{nullptr, 0};
    if (!IsWord("when")) {
      WARD_TRY(subject, Any());
    }
    Case node;
    int levels = 0;
    while (TakeWord("when")) {
      if (node.branches.size() >= kReadItemsMax) return Expected("fewer branches");
      WARD_TRY(Part when, Any());
      if (subject.tree != nullptr) {
        WARD_TRY(when, Combine("=", subject, when));
      }
      WARD_CHECK(NeedWord("then"));
      WARD_TRY(const Part then, Any());
      levels = std::max({levels, when.levels, then.levels});
      node.branches.push_back({when.tree, then.tree});
    }
    if (node.branches.empty()) return Expected("when");
    if (TakeWord("else")) {
      WARD_TRY(const Part otherwise, Any());
      levels = std::max(levels, otherwise.levels);
      node.otherwise = otherwise.tree;
    }
    WARD_CHECK(NeedWord("end"));
    return Over(Make({std::move(node)}), {levels});
  }

  // As written, and as the tree spells it.
  static constexpr auto kComparisons =
      std::to_array<std::pair<std::string_view, std::string_view>>({{"=", "="},
                                                                    {"==", "="},
                                                                    {"<>", "<>"},
                                                                    {"!=", "<>"},
                                                                    {"<=", "<="},
                                                                    {">=", ">="},
                                                                    {"<", "<"},
                                                                    {">", ">"}});

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int nesting_ = 0;
};

}  // namespace

Result<ExpressionPtr> ReadExpression(std::string_view text) {
  WARD_TRY(std::vector<Token> tokens, Tokenize(text));
  return Reader(std::move(tokens)).Run();
}

}  // namespace schemaward::sql
