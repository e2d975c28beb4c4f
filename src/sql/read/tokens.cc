#include "sql/read/tokens.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/ascii.h"
#include "sql/read/expression.h"
#include "sql/read/words.h"

namespace schemaward::sql {
namespace {

constexpr std::size_t kShownMax = 40;  // bytes of the expression in a message

// Longest first, so that <= is not read as <.
constexpr auto kSymbols =
    std::to_array<std::string_view>({"<>", "!=", "<=", ">=", "==", "||", "::", "=", "<", ">", "+",
                                     "-", "*", "/", "(", ")", ",", "."});

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Bytes of UTF-8 beyond ASCII are letters.
bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  Result<std::vector<Token>> Run() {
    std::vector<Token> tokens;
    while (true) {
      while (at_ < text_.size() && IsBlank(text_[at_])) ++at_;
      WARD_TRY(Token token, Next());
      const bool is_end = token.kind == TokenKind::End;
      tokens.push_back(std::move(token));
      if (is_end) return tokens;
    }
  }

 private:
  char At(std::size_t index) const { return index < text_.size() ? text_[index] : '\0'; }

  Result<Token> Next() {
    if (at_ >= text_.size()) return Token{TokenKind::End, "", "", at_, at_};
    const char c = text_[at_];
    if (c == '\'') return Quoted(TokenKind::Text, c);
    if (c == '"') return Quoted(TokenKind::QuotedName, c);
    if (IsDigit(c) || (c == '.' && IsDigit(At(at_ + 1)))) return Number();
    if (IsLetter(c)) return Word();
    if (text_.substr(at_, 2) == "--" || text_.substr(at_, 2) == "/*")
      return SyntaxError(at_, at_ + 2, "an expression without comments", text_.substr(at_, 2));
    for (const std::string_view symbol : kSymbols)
      if (text_.substr(at_, symbol.size()) == symbol)
        return Taken(TokenKind::Symbol, symbol.size());
    return SyntaxError(at_, at_ + 1, "a name, a value or an operator", text_.substr(at_, 1));
  }

  Token Taken(TokenKind kind, std::size_t size) {
    Token token{kind, std::string(text_.substr(at_, size)), "", at_, at_ + size};
    at_ += size;
    return token;
  }

  Token Word() {
    std::size_t end = at_;
    while (end < text_.size() && (IsLetter(text_[end]) || IsDigit(text_[end]))) ++end;
    Token token = Taken(TokenKind::Word, end - at_);
    token.lowered = LowerAscii(token.value);
    return token;
  }

  Result<Token> Number() {
    std::size_t end = at_;
    bool is_integer = true;
    while (IsDigit(At(end))) ++end;
    if (At(end) == '.') {
      is_integer = false;
      ++end;
      while (IsDigit(At(end))) ++end;
    }
    if (At(end) == 'e' || At(end) == 'E') {
      const std::size_t sign = At(end + 1) == '+' || At(end + 1) == '-' ? 1 : 0;
      if (IsDigit(At(end + 1 + sign))) {
        is_integer = false;
        end += 1 + sign;
        while (IsDigit(At(end))) ++end;
      }
    }
    if (IsLetter(At(end)))
      return SyntaxError(at_, end + 1, "a number", text_.substr(at_, end + 1 - at_));
    return Taken(is_integer ? TokenKind::Integer : TokenKind::Decimal, end - at_);
  }

  // A quote inside is written twice.
  Result<Token> Quoted(TokenKind kind, char quote) {
    Token token{kind, "", "", at_, at_};
    for (std::size_t i = at_ + 1; i < text_.size(); ++i) {
      if (text_[i] == '\0') break;
      if (text_[i] == quote && At(i + 1) != quote) {
        at_ = token.end = i + 1;
        return token;
      }
      if (text_[i] == quote) ++i;
      token.value += text_[i];
    }
    return SyntaxError(token.begin, text_.size(), "a closing quote", text_.substr(token.begin));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Error SyntaxError(std::size_t begin, std::size_t end, std::string_view expected,
                  std::string_view found) {
  std::string shown(found.substr(0, kShownMax));
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  if (found.empty()) shown = "the end";
  return std::move(
      Error(ErrorKind::SqlSyntax,
            fmt::format("the expression cannot be read at byte {}: expected {}, found {}", begin,
                        expected, found.empty() ? shown : "\"" + shown + "\""))
          .Detail(fmt::format("It is about bytes {} to {} of the expression.", begin,
                              std::max(begin, end))));
}

Result<std::vector<Token>> Tokenize(std::string_view text) {
  if (text.size() > kExpressionTextMax)
    return SyntaxError(kExpressionTextMax, text.size(),
                       fmt::format("at most {} bytes", kExpressionTextMax), "more");
  return Scanner(text).Run();
}

}  // namespace schemaward::sql
