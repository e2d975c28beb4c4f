#include "review/certain.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/contains.h"
#include "review/words.h"
#include "sql/query/lexer.h"

namespace schemaward::review {
namespace {

using sql::query::Token;
using sql::query::TokenKind;

bool IsSymbol(const Token& token, std::string_view symbol) {
  return token.kind == TokenKind::Symbol && token.value == symbol;
}

bool IsWord(const Token& token, std::string_view upper) {
  return token.kind == TokenKind::Word && token.upper == upper;
}

// Words and symbols behind which an operand stands.
bool WantsMore(const Token& token) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"AND", "BY", "FROM", "HAVING", "INTO", "JOIN", "OR", "SELECT", "SET", "WHERE"});
  static constexpr auto kSymbols =
      std::to_array<std::string_view>({"=", "<>", "!=", "<", "<=", ">", ">=", "+", "-", "/", "||"});
  return token.kind == TokenKind::Word
             ? Contains(kWords, token.upper)
             : token.kind == TokenKind::Symbol && Contains(kSymbols, token.value);
}

// What no operand begins with: the end, what closes, what separates, the next clause.
bool BeginsNoOperand(const Token& token) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"AND", "FROM", "GROUP", "HAVING", "LIMIT", "OR", "ORDER", "UNION", "WHERE"});
  static constexpr auto kSymbols = std::to_array<std::string_view>({")", "]", "}", ","});
  if (token.kind == TokenKind::End) return true;
  return token.kind == TokenKind::Word
             ? Contains(kWords, token.upper)
             : token.kind == TokenKind::Symbol && Contains(kSymbols, token.value);
}

// A word that is nothing but somebody's name, or a value.
bool IsPlain(const Token& token) {
  switch (token.kind) {
    case TokenKind::Word:
      return !IsWordOfAGrammar(token.upper);
    case TokenKind::Name:
    case TokenKind::Integer:
    case TokenKind::Decimal:
      return true;
    default:
      return false;
  }
}

bool IsColumnType(const Token& token) {
  static constexpr auto kTypes = std::to_array<std::string_view>(
      {"BIGINT", "BOOLEAN", "DATE", "DECIMAL", "DOUBLE", "INT", "INTEGER", "NUMERIC", "SMALLINT",
       "TEXT", "TIMESTAMP", "VARCHAR"});
  return token.kind == TokenKind::Word && Contains(kTypes, token.upper);
}

// A name behind a name, a type or a bracket: what stands between them is missing.
bool LacksSomethingBetween(const Token& before, const Token& stop) {
  if (!IsPlain(stop)) return false;
  return IsPlain(before) || IsColumnType(before) || IsSymbol(before, ")") || IsSymbol(before, "*");
}

bool IsUnbalanced(const std::vector<Token>& tokens) {
  std::vector<char> open;
  for (const Token& token : tokens) {
    if (token.kind != TokenKind::Symbol || token.value.size() != 1) continue;
    const char c = token.value.front();
    if (c == '(' || c == '[' || c == '{') open.push_back(c);
    if (c != ')' && c != ']' && c != '}') continue;
    const char opens = c == ')' ? '(' : c == ']' ? '[' : '{';
    if (open.empty() || open.back() != opens) return true;
    open.pop_back();
  }
  return !open.empty();
}

bool IsWrongPair(const Token& before, const Token& stop, bool takes_last_comma) {
  if ((IsWord(before, "ORDER") || IsWord(before, "GROUP")) && !IsWord(stop, "BY"))
    return IsPlain(stop) || stop.kind == TokenKind::End;
  if (IsSymbol(before, ",") && IsSymbol(stop, ",")) return true;
  if (IsSymbol(before, ",") && !takes_last_comma && BeginsNoOperand(stop)) return true;
  if (IsSymbol(before, ":") && IsSymbol(stop, "}")) return true;
  return (WantsMore(before) && BeginsNoOperand(stop)) || LacksSomethingBetween(before, stop);
}

// DELETE t WHERE ... of another engine.
bool LacksFrom(const std::vector<Token>& tokens) {
  return IsWord(tokens.front(), "DELETE") &&
         std::none_of(tokens.begin(), tokens.end(),
                      [](const Token& t) { return IsWord(t, "FROM"); });
}

}  // namespace

bool IsSurelyWrong(std::string_view statement, std::size_t at, const sql::Dialect& dialect) {
  constexpr std::string_view kOpening = "'\"`/$";
  const auto scanned = sql::query::ScanScript(statement, dialect);
  const std::vector<Token>& tokens = scanned.tokens;
  const auto stop = std::find_if(tokens.begin(), tokens.end(),
                                 [&](const Token& token) { return token.begin >= at; });
  if (scanned.failure || tokens.size() < 2 || stop == tokens.end())
    return kOpening.find(statement[std::min(at, statement.size() - 1)]) != std::string_view::npos;
  if (stop == tokens.begin()) return IsPlain(*stop) && !IsSymbol(tokens[1], ":");  // a label
  return IsUnbalanced(tokens) || LacksFrom(tokens) ||
         IsWrongPair(*(stop - 1), *stop, dialect.name == sql::DuckDb().name);
}

}  // namespace schemaward::review
