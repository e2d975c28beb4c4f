// What a check condition allows.

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "connect/sqlite/schema_text.h"
#include "connect/sqlite/token_walk.h"

namespace schemaward::connect::sqlite_engine {
namespace {

// Each pair is found by a walk over all tokens; SQLite's own parser takes no more of them.
constexpr int kBracketsMax = 100;

Tokens WithoutBrackets(Tokens tokens) {
  for (int i = 0; i < kBracketsMax; ++i) {
    if (tokens.size() < 2 || !IsSymbol(tokens.front(), '(')) return tokens;
    if (ClosingOf(tokens, 0) != tokens.size() - 1) return tokens;
    tokens = tokens.subspan(1, tokens.size() - 2);
  }
  return tokens;
}

// An operand of a check that names a column, bare or in brackets.
std::optional<std::string> ColumnIn(Tokens tokens) {
  tokens = WithoutBrackets(tokens);
  if (tokens.size() != 1) return std::nullopt;
  if (tokens[0].kind != TokenKind::Word && tokens[0].kind != TokenKind::QuotedName)
    return std::nullopt;
  return NameOf(tokens[0]);
}

// A literal: a string, a number, or a signed number.
std::optional<std::string> LiteralIn(Tokens tokens) {
  if (tokens.size() == 1 && tokens[0].kind == TokenKind::String) return NameOf(tokens[0]);
  if (tokens.size() == 1 && tokens[0].kind == TokenKind::Number) return std::string(tokens[0].text);
  if (tokens.size() == 2 && IsSymbol(tokens[0], '-') && tokens[1].kind == TokenKind::Number)
    return "-" + std::string(tokens[1].text);
  return std::nullopt;
}

// column IN (literal, ...)
std::optional<Labels> InList(Tokens tokens) {
  for (std::size_t i = 1; i + 2 < tokens.size(); ++i) {
    if (!IsKeyword(tokens[i], "IN") || !IsSymbol(tokens[i + 1], '(')) continue;
    const auto column = ColumnIn(tokens.subspan(0, i));
    if (!column || ClosingOf(tokens, i + 1) != tokens.size() - 1) return std::nullopt;
    Labels labels{*column, {}};
    for (const Tokens& item : SplitCommas(tokens.subspan(i + 2, tokens.size() - i - 3))) {
      if (item.size() == 1 && IsKeyword(item[0], "NULL")) continue;
      auto literal = LiteralIn(item);
      if (!literal || labels.values.size() >= kLabelsMax) return std::nullopt;
      labels.values.push_back(std::move(*literal));
    }
    if (labels.values.empty()) return std::nullopt;
    return labels;
  }
  return std::nullopt;
}

// column = literal, written with = or ==.
std::optional<Labels> Equality(Tokens tokens) {
  const std::size_t at = FindSymbol(tokens, '=');
  if (at == 0 || at >= tokens.size()) return std::nullopt;
  const std::size_t after =
      at + 1 < tokens.size() && IsSymbol(tokens[at + 1], '=') ? at + 2 : at + 1;
  if (tokens[at - 1].kind == TokenKind::Symbol && !IsSymbol(tokens[at - 1], ')'))
    return std::nullopt;  // <=, >=, !=
  const auto column = ColumnIn(tokens.subspan(0, at));
  const auto literal = LiteralIn(tokens.subspan(after));
  if (!column || !literal) return std::nullopt;
  return Labels{*column, {*literal}};
}

// column IS NULL
std::optional<std::string> NullTest(Tokens tokens) {
  if (tokens.size() < 3 || !IsKeyword(tokens[tokens.size() - 2], "IS") ||
      !IsKeyword(tokens.back(), "NULL"))
    return std::nullopt;
  return ColumnIn(tokens.subspan(0, tokens.size() - 2));
}

// Every alternative must be a list, an equality or a null test of one column.
std::optional<Labels> Alternatives(const std::vector<Tokens>& parts) {
  std::optional<Labels> labels;
  for (const Tokens& part : parts) {
    const Tokens inner = WithoutBrackets(part);
    std::optional<Labels> found = InList(inner);
    if (!found) found = Equality(inner);
    if (!found) {
      const auto null_of = NullTest(inner);
      if (!null_of) return std::nullopt;
      found = Labels{*null_of, {}};
    }
    if (!labels) {
      labels = std::move(found);
    } else {
      if (!EqualsIgnoringAsciiCase(labels->column, found->column)) return std::nullopt;
      labels->values.insert(labels->values.end(), found->values.begin(), found->values.end());
    }
  }
  if (!labels || labels->values.empty() || labels->values.size() > kLabelsMax) return std::nullopt;
  return labels;
}

std::optional<Labels> LabelsIn(Tokens tokens) {
  tokens = WithoutBrackets(tokens);
  const auto by_or = SplitTop(tokens, [](const Token& token) { return IsKeyword(token, "OR"); });
  if (by_or.size() > 1) return Alternatives(by_or);
  for (const Tokens& part :
       SplitTop(tokens, [](const Token& token) { return IsKeyword(token, "AND"); })) {
    const Tokens inner = WithoutBrackets(part);
    const auto nested = SplitTop(inner, [](const Token& token) { return IsKeyword(token, "OR"); });
    if (auto labels = Alternatives(nested)) return labels;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Labels> ReadLabels(std::string_view expression) {
  const std::vector<Token> tokens = WithoutComments(Tokenize(expression));
  return LabelsIn(tokens);
}

}  // namespace schemaward::connect::sqlite_engine
