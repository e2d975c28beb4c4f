#pragma once

// Walking over tokens: brackets, lists, the text between.

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "connect/sqlite/tokens.h"

namespace schemaward::connect::sqlite_engine {

using Tokens = std::span<const Token>;

// Returns the offset of the bracket that closes the one at `open`, or the size.
inline std::size_t ClosingOf(Tokens tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (IsSymbol(tokens[i], '(')) ++depth;
    if (IsSymbol(tokens[i], ')') && --depth == 0) return i;
  }
  return tokens.size();
}

inline std::size_t FindSymbol(Tokens tokens, char symbol, std::size_t from = 0) {
  for (std::size_t i = from; i < tokens.size(); ++i)
    if (IsSymbol(tokens[i], symbol)) return i;
  return tokens.size();
}

// The statement's text from the first to the last of the tokens, as it was written.
inline std::string TextOf(std::string_view sql, Tokens tokens) {
  if (tokens.empty()) return "";
  const std::size_t end = tokens.back().begin + tokens.back().text.size();
  return std::string(sql.substr(tokens.front().begin, end - tokens.front().begin));
}

// Splits at symbols (or a keyword) that stand outside brackets.
template <class IsSeparator>
std::vector<Tokens> SplitTop(Tokens tokens, IsSeparator is_separator) {
  std::vector<Tokens> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (IsSymbol(tokens[i], '(')) ++depth;
    if (IsSymbol(tokens[i], ')')) --depth;
    if (depth != 0 || !is_separator(tokens[i])) continue;
    parts.push_back(tokens.subspan(begin, i - begin));
    begin = i + 1;
  }
  parts.push_back(tokens.subspan(begin));
  return parts;
}

inline std::vector<Tokens> SplitCommas(Tokens tokens) {
  return SplitTop(tokens, [](const Token& token) { return IsSymbol(token, ','); });
}

inline std::vector<Token> WithoutComments(Tokens tokens) {
  std::vector<Token> kept;
  std::copy_if(tokens.begin(), tokens.end(), std::back_inserter(kept),
               [](const Token& token) { return token.kind != TokenKind::Comment; });
  return kept;
}

}  // namespace schemaward::connect::sqlite_engine
