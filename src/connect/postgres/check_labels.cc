#include "connect/postgres/check_labels.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "connect/postgres/catalog_queries.h"

namespace schemaward::connect::postgres {
namespace {

constexpr std::size_t kTokensMax = 4096;  // longer conditions list no labels

enum class TokenKind : std::uint8_t { Word, Value, Mark };
struct Token {
  TokenKind kind;
  std::string text;  // of a Value its meaning, of a Mark one character
};

bool IsWordStart(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' ||
         (static_cast<unsigned char>(c) & 0x80) != 0;
}
bool IsWordPart(char c) {
  return IsWordStart(c) || std::isdigit(static_cast<unsigned char>(c)) || c == '$';
}

// Reads the tokens that count: round brackets and casts only say what the server already knows.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {}

  std::vector<Token> Read() {
    while (Skip(), at_ < text_.size() && tokens_.size() < kTokensMax) {
      if (text_.substr(at_, 2) == "::") {
        at_ += 2;
        SkipType();
      } else if (text_[at_] == '(' || text_[at_] == ')') {
        ++at_;
      } else {
        tokens_.push_back(Next());
      }
    }
    if (at_ < text_.size() || broken_) tokens_.clear();
    return std::move(tokens_);
  }

 private:
  void Skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  Token Next() {
    const char c = text_[at_];
    if (c == 'E' && at_ + 1 < text_.size() && text_[at_ + 1] == '\'') {
      ++at_;
      return {TokenKind::Value, Quoted('\'', true)};
    }
    if (c == '\'') return {TokenKind::Value, Quoted('\'', false)};
    if (c == '"') return {TokenKind::Word, '"' + Quoted('"', false)};
    const bool negative = c == '-' && !tokens_.empty() && tokens_.back().kind == TokenKind::Mark;
    if (std::isdigit(static_cast<unsigned char>(c)) || negative)
      return {TokenKind::Value, Number()};
    if (!IsWordStart(c)) return {TokenKind::Mark, std::string(1, text_[at_++])};
    const std::size_t begin = at_;
    while (at_ < text_.size() && IsWordPart(text_[at_])) ++at_;
    return {TokenKind::Word, std::string(text_.substr(begin, at_ - begin))};
  }

  std::string Number() {
    std::string number(1, text_[at_++]);
    Skip();
    while (at_ < text_.size() &&
           (std::isdigit(static_cast<unsigned char>(text_[at_])) || text_[at_] == '.'))
      number += text_[at_++];
    return number;
  }

  std::string Quoted(char quote, bool escapes) {
    std::string text;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == quote) {
        if (at_ + 1 >= text_.size() || text_[at_ + 1] != quote) break;
        ++at_;
      } else if (escapes && text_[at_] == '\\' && at_ + 1 < text_.size()) {
        ++at_;
      }
      text += text_[at_];
    }
    broken_ = broken_ || at_ >= text_.size();
    at_ = std::min(at_ + 1, text_.size());
    return text;
  }

  // After "::": words and dots, then a modifier in brackets, then [].
  void SkipType() {
    while (Skip(), at_ < text_.size() &&
                       (IsWordStart(text_[at_]) || text_[at_] == '"' || text_[at_] == '.')) {
      if (text_[at_] == '.') {
        ++at_;
        continue;
      }
      const std::size_t begin = at_;
      const Token word = Next();
      if (word.text != "OR" && word.text != "AND") continue;
      at_ = begin;
      return;
    }
    if (at_ + 1 < text_.size() && text_[at_] == '(' &&
        std::isdigit(static_cast<unsigned char>(text_[at_ + 1])))
      at_ = std::min(text_.find(')', at_), text_.size() - 1) + 1;
    while (text_.substr(at_, 2) == "[]") at_ += 2;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool broken_ = false;  // a quote is not closed
  std::vector<Token> tokens_;
};

bool Is(const std::vector<Token>& tokens, std::size_t i, TokenKind kind,
        std::string_view text = {}) {
  return i < tokens.size() && tokens[i].kind == kind && (text.empty() || tokens[i].text == text);
}

// v , v , ... ]  from `i` to the end.
std::vector<std::string> ListFrom(const std::vector<Token>& tokens, std::size_t i) {
  std::vector<std::string> values;
  for (; Is(tokens, i, TokenKind::Value); i += 2) {
    values.push_back(tokens[i].text);
    if (Is(tokens, i + 1, TokenKind::Mark, "]") && i + 2 == tokens.size()) return values;
    if (!Is(tokens, i + 1, TokenKind::Mark, ",")) return {};
  }
  return {};
}

// column = v OR column = w ...
std::vector<std::string> ChainOf(const std::vector<Token>& tokens) {
  constexpr std::size_t kStep = 4;
  std::vector<std::string> values;
  for (std::size_t i = 0; i < tokens.size(); i += kStep) {
    const bool fits = Is(tokens, i, TokenKind::Word, tokens[0].text) &&
                      Is(tokens, i + 1, TokenKind::Mark, "=") &&
                      Is(tokens, i + 2, TokenKind::Value) &&
                      (i + 3 == tokens.size() || Is(tokens, i + 3, TokenKind::Word, "OR"));
    if (!fits) return {};
    values.push_back(tokens[i + 2].text);
  }
  return values;
}

// column IS NULL OR ..., or ... OR column IS NULL: a check passes on null anyway.
void DropNullTest(std::vector<Token>& tokens) {
  constexpr std::size_t kTest = 3;  // column IS NULL
  const auto tests = [&](std::size_t i) {
    return Is(tokens, i, TokenKind::Word) && Is(tokens, i + 1, TokenKind::Word, "IS") &&
           Is(tokens, i + 2, TokenKind::Word, "NULL");
  };
  if (tests(0) && Is(tokens, kTest, TokenKind::Word, "OR") &&
      Is(tokens, kTest + 1, TokenKind::Word, tokens[0].text)) {
    tokens.erase(tokens.begin(), tokens.begin() + kTest + 1);
    return;
  }
  const std::size_t at = tokens.size() > kTest ? tokens.size() - kTest : 0;
  if (at > 0 && tests(at) && tokens[at].text == tokens[0].text &&
      Is(tokens, at - 1, TokenKind::Word, "OR"))
    tokens.resize(at - 1);
}

}  // namespace

std::vector<std::string> LabelsOfCheck(std::string_view expression) {
  std::vector<Token> tokens = Tokens(expression).Read();
  DropNullTest(tokens);
  if (!Is(tokens, 0, TokenKind::Word) || !Is(tokens, 1, TokenKind::Mark, "=")) return {};
  if (!Is(tokens, 2, TokenKind::Word, "ANY")) return ChainOf(tokens);
  if (Is(tokens, 3, TokenKind::Word, "ARRAY") && Is(tokens, 4, TokenKind::Mark, "["))
    return ListFrom(tokens, 5);
  if (tokens.size() == 4 && Is(tokens, 3, TokenKind::Value) && tokens[3].text.starts_with('{'))
    return ParseArray(tokens[3].text);
  return {};
}

}  // namespace schemaward::connect::postgres
