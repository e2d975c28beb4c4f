#include "connect/sqlite/tokens.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace schemaward::connect::sqlite_engine {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsWordChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}
char Upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

// Returns the end of what opens at `at` and closes with `close`, doubled inside where `doubles`.
std::size_t EndOfQuoted(std::string_view sql, std::size_t at, char close, bool doubles) {
  for (std::size_t i = at + 1; i < sql.size(); ++i) {
    if (sql[i] != close) continue;
    if (!doubles || i + 1 >= sql.size() || sql[i + 1] != close) return i + 1;
    ++i;
  }
  return sql.size();
}

std::size_t EndOf(std::string_view sql, std::string_view mark, std::size_t from,
                  std::size_t mark_size) {
  const std::size_t found = sql.find(mark, from);
  return found == std::string_view::npos ? sql.size() : found + mark_size;
}

struct Piece {
  TokenKind kind;
  std::size_t end;
};

template <class Test>
std::size_t EndWhile(std::string_view sql, std::size_t at, Test test) {
  while (at < sql.size() && test(sql[at])) ++at;
  return at;
}

Piece PieceAt(std::string_view sql, std::size_t at) {
  const char c = sql[at];
  const std::string_view rest = sql.substr(at);
  if (rest.substr(0, 2) == "--") return {TokenKind::Comment, EndOf(sql, "\n", at, 0)};
  if (rest.substr(0, 2) == "/*") return {TokenKind::Comment, EndOf(sql, "*/", at + 2, 2)};
  if (c == '\'') return {TokenKind::String, EndOfQuoted(sql, at, '\'', true)};
  if (c == '"' || c == '`') return {TokenKind::QuotedName, EndOfQuoted(sql, at, c, true)};
  if (c == '[') return {TokenKind::QuotedName, EndOfQuoted(sql, at, ']', false)};
  if (IsDigit(c))
    return {TokenKind::Number, EndWhile(sql, at, [](char d) { return IsWordChar(d) || d == '.'; })};
  if (IsWordChar(c)) return {TokenKind::Word, EndWhile(sql, at, IsWordChar)};
  return {TokenKind::Symbol, at + 1};
}

// Code points that reorder, hide or break a line of text. Source: Unicode 15, Bidi_Control and the
// zero-width and separator marks.
bool IsDeceptive(char32_t c) {
  return c == 0x061C || (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x2069) || c == 0xFEFF || (c >= 0xE0000 && c <= 0xE007F);
}

// A character of UTF-8: its code point and bytes; size 0 where the bytes are not UTF-8.
struct Character {
  char32_t code;
  std::size_t size;
};

Character Decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
  if (size == 0 || lead > 0xF4 || text.size() < size) return {0, 0};
  char32_t code = lead & (0xFFu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {0, 0};
    code = (code << 6) | (byte(i) & 0x3Fu);
  }
  return {code, size};
}

std::string_view WithoutMarks(std::string_view comment) {
  if (comment.substr(0, 2) == "--")
    return comment.substr(std::min(comment.find_first_not_of('-'), comment.size()));
  if (comment.substr(0, 2) != "/*") return comment;
  comment.remove_prefix(2);
  if (comment.size() >= 2 && comment.substr(comment.size() - 2) == "*/") comment.remove_suffix(2);
  return comment;
}

}  // namespace

std::vector<Token> Tokenize(std::string_view sql) {
  sql = sql.substr(0, kStatementBytesMax);
  std::vector<Token> tokens;
  std::size_t line = 0;
  for (std::size_t at = 0; at < sql.size();) {
    if (IsSpace(sql[at])) {
      line += sql[at++] == '\n' ? 1 : 0;
      continue;
    }
    const Piece piece = PieceAt(sql, at);
    const std::string_view text = sql.substr(at, piece.end - at);
    tokens.push_back({piece.kind, text, at, line});
    line += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    at = piece.end;
  }
  return tokens;
}

bool IsKeyword(const Token& token, std::string_view keyword) {
  return token.kind == TokenKind::Word &&
         std::equal(token.text.begin(), token.text.end(), keyword.begin(), keyword.end(),
                    [](char a, char b) { return Upper(a) == b; });
}

bool IsSymbol(const Token& token, char symbol) {
  return token.kind == TokenKind::Symbol && token.text.front() == symbol;
}

std::string NameOf(const Token& token) {
  if (token.kind != TokenKind::QuotedName && token.kind != TokenKind::String)
    return std::string(token.text);
  const char close = token.text.front() == '[' ? ']' : token.text.front();
  std::string name;
  for (std::size_t i = 1; i < token.text.size(); ++i) {
    if (token.text[i] != close) {
      name += token.text[i];
      continue;
    }
    if (i + 1 >= token.text.size()) break;
    name += token.text[i++];
  }
  return name;
}

std::string CleanComment(std::string_view comment) {
  std::string clean;
  std::string_view rest = WithoutMarks(comment);
  bool gap = false;
  while (!rest.empty()) {
    const Character character = Decode(rest);
    const std::string_view bytes = rest.substr(0, std::max<std::size_t>(character.size, 1));
    rest.remove_prefix(bytes.size());
    const bool is_control =
        character.code < 0x20 || (character.code >= 0x7F && character.code < 0xA0);
    if (character.size == 0 || IsDeceptive(character.code)) continue;
    if (character.code == ' ' || is_control) {
      gap = true;
      continue;
    }
    if (clean.size() + bytes.size() + 1 > kCommentBytesMax) break;
    if (gap && !clean.empty()) clean += ' ';
    gap = false;
    clean += bytes;
  }
  return clean;
}

}  // namespace schemaward::connect::sqlite_engine
