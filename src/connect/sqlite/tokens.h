#pragma once

// Tokens of the text that SQLite keeps of a CREATE statement.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace schemaward::connect::sqlite_engine {

/// A statement longer than this is cut; SQLite's own limit is a million bytes unless it was raised.
inline constexpr std::size_t kStatementBytesMax = 1'000'000;

enum class TokenKind : std::uint8_t { Word, QuotedName, String, Number, Symbol, Comment };

/// A piece of the text. Lifetime: `text` views the statement.
struct Token {
  TokenKind kind;
  std::string_view text;  ///< with its quotes or comment marks
  std::size_t begin;      ///< offset of the first byte
  std::size_t line;       ///< of the first byte, counted from 0
};

/// Splits `sql`; whitespace is dropped, comments are kept, a part that is not closed runs to the
/// end. Thread: any.
std::vector<Token> Tokenize(std::string_view sql);

/// True when `token` is the bare word `keyword` (upper case), in any case.
bool IsKeyword(const Token& token, std::string_view keyword);

/// True when `token` is the symbol.
bool IsSymbol(const Token& token, char symbol);

/// Returns the name that a word, a quoted name or a string stands for, its quotes taken off.
std::string NameOf(const Token& token);

/// Returns the words of a comment: marks taken off, whitespace folded, control characters and those
/// that reorder or hide text dropped, at most kCommentBytesMax bytes of whole characters.
inline constexpr std::size_t kCommentBytesMax = 1'000;
std::string CleanComment(std::string_view comment);

}  // namespace schemaward::connect::sqlite_engine
