// Expressions: operators and predicates by how strongly they bind in the dialect. What stands
// between them is in read_primary.cc.
#include <array>

#include <fmt/format.h>

#include "base/ascii.h"
#include "sql/query/dialect_bits.h"
#include "sql/query/parser.h"

namespace schemaward::sql::query {
namespace {

// How strongly a form binds; an operand binds more strongly than the form around it.
constexpr int kOr = 1, kXor = 2, kAnd = 3, kNot = 4, kIs = 5, kCompare = 6, kRange = 7, kOther = 8,
              kBitOr = 9, kBitAnd = 10, kShift = 11, kSum = 12, kProduct = 13, kPower = 14,
              kConcat = 15, kZone = 16, kCollate = 17, kSign = 18;

struct Operator {
  std::string_view token;  ///< a symbol, or an upper-case word
  std::string_view text;   ///< as printed
  int level;
  unsigned dialects;
};

// The operators that are read; another is refused. Those of PostgreSQL are built in for built-in
// types; the guard pins the schema that operators are looked for in.
constexpr auto kOperators = std::to_array<Operator>({
    {"OR", " OR ", kOr, kEvery},
    {"||", " OR ", kOr, kMy},
    {"XOR", " XOR ", kXor, kMy},
    {"AND", " AND ", kAnd, kEvery},
    {"&&", " AND ", kAnd, kMy},
    {"=", " = ", kCompare, kEvery},
    {"==", " = ", kCompare, kLite},
    {"==", " = ", kOther, kDuck},
    {"<>", " <> ", kCompare, kEvery},
    {"!=", " <> ", kCompare, kEvery},
    {"<=>", " <=> ", kCompare, kMy},
    {"<", " < ", kCompare, kPg | kMy | kDuck},
    {"<=", " <= ", kCompare, kPg | kMy | kDuck},
    {">", " > ", kCompare, kPg | kMy | kDuck},
    {">=", " >= ", kCompare, kPg | kMy | kDuck},
    {"<", " < ", kRange, kLite},
    {"<=", " <= ", kRange, kLite},
    {">", " > ", kRange, kLite},
    {">=", " >= ", kRange, kLite},
    {"~", " ~ ", kOther, kPg | kDuck},
    {"~*", " ~* ", kOther, kPg},
    {"!~", " !~ ", kOther, kPg | kDuck},
    {"!~*", " !~* ", kOther, kPg},
    {"~~", " ~~ ", kOther, kPg | kDuck},
    {"~~*", " ~~* ", kOther, kPg | kDuck},
    {"!~~", " !~~ ", kOther, kPg | kDuck},
    {"!~~*", " !~~* ", kOther, kPg | kDuck},
    {"||", " || ", kOther, kPg | kDuck},
    {"||", " || ", kConcat, kLite},
    {"->", " -> ", kOther, kPg | kDuck},
    {"->>", " ->> ", kOther, kPg | kDuck},
    {"->", " -> ", kConcat, kLite | kMy},
    {"->>", " ->> ", kConcat, kLite | kMy},
    {"#>", " #> ", kOther, kPg},
    {"#>>", " #>> ", kOther, kPg},
    {"^@", " ^@ ", kOther, kDuck},
    {"@>", " @> ", kOther, kPg | kDuck},
    {"<@", " <@ ", kOther, kPg | kDuck},
    {"@@", " @@ ", kOther, kPg},
    {"#", " # ", kOther, kPg},
    {"?", " ? ", kOther, kPg},
    {"?|", " ?| ", kOther, kPg},
    {"?&", " ?& ", kOther, kPg},
    {"&&", " && ", kOther, kPg | kDuck},
    {"|", " | ", kBitOr, kMy},
    {"|", " | ", kShift, kLite},
    {"|", " | ", kOther, kPg | kDuck},
    {"&", " & ", kBitAnd, kMy},
    {"&", " & ", kShift, kLite},
    {"&", " & ", kOther, kPg | kDuck},
    {"<<", " << ", kShift, kMy},
    {"<<", " << ", kShift, kLite},
    {"<<", " << ", kOther, kPg | kDuck},
    {">>", " >> ", kShift, kMy},
    {">>", " >> ", kShift, kLite},
    {">>", " >> ", kOther, kPg | kDuck},
    {"+", " + ", kSum, kEvery},
    {"-", " - ", kSum, kEvery},
    {"*", " * ", kProduct, kEvery},
    {"/", " / ", kProduct, kEvery},
    {"//", " // ", kProduct, kDuck},
    {"%", " % ", kProduct, kEvery},
    {"DIV", " DIV ", kProduct, kMy},
    {"MOD", " % ", kProduct, kMy},
    {"^", " ^ ", kPower, kPg | kMy | kDuck},
    {"**", " ** ", kPower, kDuck},
});

ExpressionPtr Two(std::string_view text, ExpressionPtr left, ExpressionPtr right) {
  std::vector<Part> parts;
  parts.push_back(ValuePart("", std::move(left)));
  parts.push_back(ValuePart(std::string(text), std::move(right)));
  return MakeSyntax("operator", std::move(parts), true);
}

ExpressionPtr After(ExpressionPtr operand, std::string text) {
  std::vector<Part> parts;
  parts.push_back(ValuePart("", std::move(operand)));
  parts.push_back(TextPart(std::move(text)));
  return MakeSyntax("postfix", std::move(parts), true);
}

// Says where a node stands that does not know it yet.
void Place(Expression& expression, std::size_t begin, std::size_t end) {
  if (expression.end != 0) return;
  expression.begin = begin;
  expression.end = end;
}

ExpressionPtr Before(std::string text, ExpressionPtr operand) {
  std::vector<Part> parts;
  parts.push_back(ValuePart(std::move(text), std::move(operand)));
  return MakeSyntax("prefix", std::move(parts), true);
}

}  // namespace

Result<ExpressionPtr> Parser::Value(int level) {
  const Deeper deeper(*this);
  WARD_CHECK(deeper.Check());
  const std::size_t begin = Now().begin;
  WARD_TRY(auto left, Prefix(level));
  while (true) {
    WARD_TRY(const bool more, Infix(left, level));
    if (!more) break;
    left->begin = begin;
    left->end = tokens_[at_ - 1].end;
  }
  return left;
}

Result<ExpressionPtr> Parser::Prefix(int level) {
  const Deeper deeper(*this);
  WARD_CHECK(deeper.Check());
  const std::size_t begin = Now().begin;
  WARD_TRY(auto form, PrefixForm(level));
  Place(*form, begin, tokens_[at_ - 1].end);
  return form;
}

Result<ExpressionPtr> Parser::Signed() { return Prefix(kSign); }

Result<ExpressionPtr> Parser::PrefixForm(int level) {
  if (IsWord("NOT") && level <= kNot) {
    ++at_;
    WARD_TRY(auto operand, Value(kNot));
    return Before("NOT ", std::move(operand));
  }
  if (is_mysql_ && TakeSymbol("!")) {
    WARD_TRY(auto operand, Prefix(kSign));
    return Before("NOT ", std::move(operand));
  }
  for (const std::string_view sign : {"-", "+", "~"}) {
    if (!TakeSymbol(sign)) continue;
    const bool is_other = sign == "~" && (is_postgres_ || is_duckdb_);
    WARD_TRY(auto operand, is_other ? Value(kOther) : Prefix(kSign));
    // To SQLite +x has no affinity, and to all +1 is no place in the list of outputs.
    if (sign == "+" && !is_sqlite_ && operand->kind != ExpressionKind::Literal) return operand;
    return Before(std::string(sign) + ' ', std::move(operand));
  }
  if (is_duckdb_ && TakeSymbol("@")) return AbsoluteOf(kOther);
  // The word is reserved there: BINARY (x), as a CASE behind it is printed, is no call.
  if (is_mysql_ && IsWord("BINARY") &&
      (Ahead().kind != TokenKind::Symbol || Ahead().value == "(")) {
    ++at_;
    WARD_TRY(auto operand, Prefix(kSign));
    return Before("BINARY ", std::move(operand));
  }
  if (IsOperatorOfScript()) {  // @ -5, |/ 25, !! 'x'
    std::string text = Now().value + ' ';
    Skip();
    WARD_TRY(auto operand, Value(kOther));
    return Before(std::move(text), std::move(operand));
  }
  const std::size_t begin = Now().begin;
  WARD_TRY(auto primary, Primary());
  Place(*primary, begin, tokens_[at_ - 1].end);
  return Postfix(std::move(primary));
}

Result<bool> Parser::Infix(ExpressionPtr& left, int level) {
  const unsigned dialect = is_postgres_ ? kPg : is_sqlite_ ? kLite : is_mysql_ ? kMy : kDuck;
  const Token& token = Now();
  if (token.kind == TokenKind::Symbol || token.kind == TokenKind::Word) {
    const std::string_view spelled =
        token.kind == TokenKind::Word ? std::string_view(token.upper) : token.value;
    for (const Operator& op : kOperators) {
      if (op.token != spelled || (op.dialects & dialect) == 0) continue;
      if (op.level <= level) return false;
      ++at_;
      if (op.level == kCompare || op.level == kRange || op.token == "==") {
        WARD_TRY(left, Compared(std::move(left), std::string(op.text), op.level));
        return true;
      }
      WARD_TRY(auto right, Value(op.level));
      left = Two(op.text, std::move(left), std::move(right));
      return true;
    }
  }
  if (reads_script_) {
    WARD_TRY(const bool more, InfixOfScript(left, level));
    if (more) return true;
  }
  if ((is_postgres_ || is_duckdb_) && level < kZone && TakeWords({"AT", "TIME", "ZONE"})) {
    WARD_TRY(auto zone, Value(kZone));
    left = Two(" AT TIME ZONE ", std::move(left), std::move(zone));
    return true;
  }
  if (level < kCollate && TakeWord("COLLATE")) {
    WARD_TRY(const Name name, ReadName("a collation"));
    while (reads_script_ && TakeSymbol(".")) Skip();
    left = After(std::move(left),
                 " COLLATE " + (is_mysql_ ? name.text : QuoteIdentifier(dialect_, name.text)));
    if (is_mysql_)
      for (const char c : name.text)
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '_'))
          return Expected("a collation");
    return true;
  }
  return Predicate(left, level);
}

// a = ANY (...), or the plain comparison.
Result<ExpressionPtr> Parser::Compared(ExpressionPtr left, std::string text, int level) {
  const bool is_quantified =
      (IsWord("ANY") || IsWord("SOME") || IsWord("ALL")) && IsSymbolAt(1, "(");
  if (!is_quantified) {
    WARD_TRY(auto right, Value(level));
    return Two(text, std::move(left), std::move(right));
  }
  text += IsWord("ALL") ? "ALL (" : "ANY (";
  at_ += 2;
  std::vector<Part> parts;
  parts.push_back(ValuePart("", std::move(left)));
  if (BeginsQuery()) {
    WARD_TRY(auto query, ReadQuery());
    parts.push_back(QueryPart(std::move(text), std::move(query)));
  } else {
    WARD_TRY(auto list, Value());
    parts.push_back(ValuePart(std::move(text), std::move(list)));
  }
  WARD_CHECK(NeedSymbol(")"));
  parts.push_back(TextPart(")"));
  return MakeSyntax("quantified", std::move(parts), true);
}

Result<bool> Parser::Predicate(ExpressionPtr& left, int level) {
  const int is_level = is_postgres_ || is_duckdb_ ? kIs : kCompare;
  const int in_level = is_postgres_ || is_duckdb_ ? kRange : kCompare;
  if (level < is_level) {
    if (IsWord("IS")) {
      WARD_TRY(left, Is(std::move(left)));
      return true;
    }
    if (!is_mysql_ && TakeWord("ISNULL")) {
      left = After(std::move(left), " IS NULL");
      return true;
    }
    if (!is_mysql_ && (TakeWord("NOTNULL") || (is_sqlite_ && TakeWords({"NOT", "NULL"})))) {
      left = After(std::move(left), " IS NOT NULL");
      return true;
    }
  }
  if (level >= in_level) return false;
  const std::size_t not_at = IsWord("NOT") ? 1 : 0;
  const bool negated = not_at == 1;
  if (IsWordAt(not_at, "IN")) {
    at_ += not_at + 1;
    WARD_TRY(left, In(std::move(left), negated));
    return true;
  }
  if (IsWordAt(not_at, "BETWEEN")) {
    at_ += not_at + 1;
    WARD_TRY(left, Between(std::move(left), negated));
    return true;
  }
  for (const std::string_view word :
       {"LIKE", "ILIKE", "SIMILAR", "GLOB", "REGEXP", "RLIKE", "MATCH"})
    if (IsWordAt(not_at, word)) {
      at_ += not_at;
      WARD_TRY(left, Like(std::move(left), negated));
      return true;
    }
  if (!IsWord("OVERLAPS")) return false;
  if (!is_postgres_ || left->form != "row") return Expected("an operator");
  ++at_;
  WARD_TRY(auto right, Value(kOther));
  left = Two(" OVERLAPS ", std::move(left), std::move(right));
  return true;
}

Result<ExpressionPtr> Parser::Is(ExpressionPtr operand) {
  ++at_;
  const bool negated = TakeWord("NOT");
  const std::string_view is = negated ? " IS NOT " : " IS ";
  // To SQLite it is an operator like =, and x IS NULL + 1 compares with NULL + 1.
  for (const std::string_view word : {"NULL", "TRUE", "FALSE", "UNKNOWN"})
    if (!is_sqlite_ && TakeWord(word))
      return After(std::move(operand), std::string(is) + std::string(word));
  if (TakeWords({"DISTINCT", "FROM"})) {
    WARD_TRY(auto right, Value(is_sqlite_ ? kCompare : kIs));
    return Two(negated ? " IS NOT DISTINCT FROM " : " IS DISTINCT FROM ", std::move(operand),
               std::move(right));
  }
  if (reads_script_ && is_postgres_ && TakeIsForm())
    return After(std::move(operand), std::string(is) + "FORM");
  if (!is_sqlite_) return Expected("NULL, TRUE, FALSE or DISTINCT FROM");
  WARD_TRY(auto right, Value(kCompare));
  if (right->kind == ExpressionKind::Literal && right->form == "word")
    return After(std::move(operand), std::string(is) + right->text);
  return Two(is, std::move(operand), std::move(right));
}

Result<ExpressionPtr> Parser::In(ExpressionPtr operand, bool negated) {
  std::vector<Part> parts;
  parts.push_back(ValuePart("", std::move(operand)));
  const std::string in = negated ? " NOT IN (" : " IN (";
  if (reads_script_ && !IsSymbol("(") && (is_sqlite_ || is_duckdb_))
    return InOfScript(std::move(parts.front().expression));
  if (is_duckdb_ && IsSymbol("[")) {  // a list that is written out
    WARD_TRY(auto list, Value(kRange));
    if (!reads_script_ && list->form != "array")  // in brackets it would be one value of a list
      return Error(NotRead("compares by IN with a list that is not written out alone"));
    parts.push_back(ValuePart(negated ? " NOT IN " : " IN ", std::move(list)));
    return MakeSyntax("in_list", std::move(parts), true);
  }
  if (!IsSymbol("(")) return Expected("\"(\"");
  ++at_;
  if (BeginsQuery() && !IsSymbol("(")) {
    WARD_TRY(auto query, ReadQuery());
    parts.push_back(QueryPart(in, std::move(query)));
  } else {
    if (IsSymbol(")") && is_sqlite_) {
      ++at_;
      parts.push_back(TextPart(in + ")"));
      return MakeSyntax("in_list", std::move(parts), true);
    }
    WARD_TRY(auto values, Values(")"));
    for (std::size_t i = 0; i < values.size(); ++i)
      parts.push_back(ValuePart(i == 0 ? in : ", ", std::move(values[i])));
  }
  WARD_CHECK(NeedSymbol(")"));
  parts.push_back(TextPart(")"));
  return MakeSyntax("in_list", std::move(parts), true);
}

Result<ExpressionPtr> Parser::Between(ExpressionPtr operand, bool negated) {
  std::string text = negated ? " NOT BETWEEN " : " BETWEEN ";
  if (is_postgres_ && TakeWord("SYMMETRIC")) text += "SYMMETRIC ";
  const int level = is_postgres_ || is_duckdb_ ? kRange : kCompare;
  WARD_TRY(auto low, Value(level));
  WARD_CHECK(NeedWord("AND"));
  WARD_TRY(auto high, Value(level));
  std::vector<Part> parts;
  parts.push_back(ValuePart("", std::move(operand)));
  parts.push_back(ValuePart(std::move(text), std::move(low)));
  parts.push_back(ValuePart(" AND ", std::move(high)));
  return MakeSyntax("between", std::move(parts), true);
}

Result<ExpressionPtr> Parser::Like(ExpressionPtr operand, bool negated) {
  std::string word = Now().upper;
  ++at_;
  const bool known = word == "LIKE" ||
                     ((is_postgres_ || is_duckdb_) && (word == "ILIKE" || word == "SIMILAR")) ||
                     ((is_sqlite_ || is_duckdb_) && word == "GLOB") ||
                     (is_mysql_ && (word == "REGEXP" || word == "RLIKE"));
  if (!known && !reads_script_)
    return Error(NotListed("compares by " + word + ", which this dialect does not list"));
  if (word == "SIMILAR") {
    WARD_CHECK(NeedWord("TO"));
    word += " TO";
  }
  const int level = is_postgres_ || is_duckdb_ ? kRange : kCompare;
  const bool takes_many = reads_script_ || (is_postgres_ && word != "SIMILAR TO");
  if (takes_many && (IsWord("ANY") || IsWord("SOME") || IsWord("ALL")) && IsSymbolAt(1, "("))
    return Compared(std::move(operand), (negated ? " NOT " : " ") + word + ' ', level);
  WARD_TRY(auto pattern, Value(level));
  std::vector<Part> parts;
  parts.push_back(ValuePart("", std::move(operand)));
  parts.push_back(ValuePart((negated ? " NOT " : " ") + word + ' ', std::move(pattern)));
  if (TakeWord("ESCAPE")) {
    WARD_TRY(auto escape, Value(level));
    parts.push_back(ValuePart(" ESCAPE ", std::move(escape)));
  }
  return MakeSyntax("like", std::move(parts), true);
}

Result<ExpressionPtr> Parser::Postfix(ExpressionPtr operand) {
  const std::size_t begin = operand->begin;
  while (true) {
    Place(*operand, begin, tokens_[at_ - 1].end);
    if (!is_mysql_ && !is_sqlite_ && TakeSymbol("::")) {
      WARD_TRY(operand, CastTo("CAST(", std::move(operand)));
      continue;
    }
    if ((is_postgres_ || is_duckdb_) && IsSymbol("[")) {
      ++at_;
      std::vector<Part> parts;
      // PostgreSQL takes an element of a call's value in parentheses only.
      const bool is_call = is_postgres_ && operand->kind == ExpressionKind::Call;
      parts.push_back(ValuePart(is_call ? "(" : "", std::move(operand)));
      std::string before = is_call ? ")[" : "[";
      if (!IsSymbol(":")) {
        WARD_TRY(auto index, Value());
        parts.push_back(ValuePart(before, std::move(index)));
        before.clear();
      }
      if (TakeSymbol(":")) {
        before += ':';
        if (!IsSymbol("]") && !IsSymbol(":")) {
          WARD_TRY(auto last, Value());
          parts.push_back(ValuePart(before, std::move(last)));
          before.clear();
        }
        if (reads_script_ && is_duckdb_ && TakeSymbol(":")) {
          WARD_TRY(auto step, Value());
          parts.push_back(ValuePart(":", std::move(step)));
        }
      }
      WARD_CHECK(NeedSymbol("]"));
      parts.push_back(TextPart(before + "]"));
      operand = MakeSyntax("subscript", std::move(parts), true);
      continue;
    }
    // (row).field and struct.field; a column's own dots are part of its name.
    const bool has_fields = operand->kind != ExpressionKind::Column &&
                            (operand->kind != ExpressionKind::Literal || reads_script_ ||
                             (is_duckdb_ && operand->form == "text" && IsSymbolAt(2, "(")));
    if ((is_postgres_ || is_duckdb_) && IsSymbol(".") && has_fields) {
      ++at_;
      auto field = std::make_unique<Expression>();
      field->kind = ExpressionKind::Syntax;
      field->is_operator = false;
      if (TakeSymbol("*")) {
        field->form = "whole_row";
        field->parts.push_back(ValuePart("(", std::move(operand)));
        field->parts.push_back(TextPart(").*"));
      } else {
        Name name;
        if (is_duckdb_ && Now().kind == TokenKind::Word) {  // any word may follow a dot
          name.text = tokens_[at_++].value;
        } else {
          WARD_TRY(name, ReadName("a field"));
        }
        if (is_duckdb_ && IsSymbol("(")) {  // 'a'.concat('b')
          WARD_TRY(operand, MethodCall(std::move(operand), std::move(name)));
          continue;
        }
        field->form = "field";
        field->parts.push_back(ValuePart("(", std::move(operand)));
        field->parts.push_back(TextPart(")."));
        field->names.push_back(std::move(name));
      }
      operand = std::move(field);
      continue;
    }
    return operand;
  }
}

}  // namespace schemaward::sql::query
