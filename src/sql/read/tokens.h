#pragma once

// The tokens of the expression language.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace schemaward::sql {

enum class TokenKind : std::uint8_t { Word, QuotedName, Text, Integer, Decimal, Symbol, End };

struct Token {
  TokenKind kind = TokenKind::End;
  std::string value;      ///< of a name or text: without its quotes; of a symbol: its characters
  std::string lowered;    ///< of a word
  std::size_t begin = 0;  ///< bytes of the text
  std::size_t end = 0;
};

/// Returns the tokens of `text`, the last one End. Errors: SqlSyntax for a quote that is not
/// closed, a character that begins nothing, and a text longer than kExpressionTextMax.
Result<std::vector<Token>> Tokenize(std::string_view text);

/// The error that every part of the reader makes: `expected` at the bytes [begin, end) of the
/// expression.
Error SyntaxError(std::size_t begin, std::size_t end, std::string_view expected,
                  std::string_view found);

}  // namespace schemaward::sql
