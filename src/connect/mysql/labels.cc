#include "connect/mysql/labels.h"

#include <cctype>
#include <optional>
#include <utility>

namespace schemaward::connect::mysql {
namespace {

constexpr std::size_t kLabelsMax = 10'000;

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// What a server prints of a condition, read from the left.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool AtEnd() {
    SkipBlanks();
    return at_ == text_.size();
  }

  bool Take(char c) {
    SkipBlanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool TakeWord(std::string_view word) {
    SkipBlanks();
    if (text_.size() - at_ < word.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i)
      if (std::tolower(static_cast<unsigned char>(text_[at_ + i])) != word[i]) return false;
    const std::size_t end = at_ + word.size();
    if (end < text_.size() && IsWordCharacter(text_[end])) return false;
    at_ = end;
    return true;
  }

  std::optional<std::string> Name() {
    if (!Take('`')) return std::nullopt;
    return Quoted('`', false);
  }

  // A text, maybe after its character set (_utf8mb4'a', and MySQL's _utf8mb4\'a\'), or a number.
  std::optional<std::string> Value() {
    SkipBlanks();
    if (at_ < text_.size() && text_[at_] == '_')
      while (at_ < text_.size() && IsWordCharacter(text_[at_])) ++at_;
    SkipBlanks();
    if (at_ + 1 < text_.size() && text_[at_] == '\\' && text_[at_ + 1] == '\'') {
      at_ += 2;
      return QuotedByBackslash();
    }
    if (Take('\'')) return Quoted('\'', true);
    std::string number;
    while (at_ < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 ||
                                  text_[at_] == '.' || (text_[at_] == '-' && number.empty())))
      number += text_[at_++];
    if (number.empty()) return std::nullopt;
    return number;
  }

 private:
  void SkipBlanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  std::optional<std::string> Quoted(char quote, bool has_backslashes) {
    std::string out;
    for (; at_ < text_.size(); ++at_) {
      char c = text_[at_];
      if (c == quote) {
        ++at_;
        if (at_ == text_.size() || text_[at_] != quote) return out;
      } else if (c == '\\' && has_backslashes && at_ + 1 < text_.size()) {
        c = text_[++at_];
        if (c == 'n') c = '\n';
        if (c == 't') c = '\t';
        if (c == '0') c = '\0';
      }
      out += c;
    }
    return std::nullopt;
  }

  // MySQL 8 prints a whole clause with its quotes escaped: \'it\\\'s\'.
  std::optional<std::string> QuotedByBackslash() {
    std::string out;
    while (at_ + 1 < text_.size()) {
      if (text_[at_] == '\\' && text_[at_ + 1] == '\'') {
        at_ += 2;
        return out;
      }
      if (text_.substr(at_).starts_with("\\\\\\'")) {
        out += '\'';
        at_ += 4;
      } else {
        out += text_[at_++];
      }
    }
    return std::nullopt;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// The values between brackets, the first of which has been taken.
std::optional<std::vector<std::string>> ValueList(Scanner& scanner) {
  std::vector<std::string> values;
  do {
    auto value = scanner.Value();
    if (!value || values.size() >= kLabelsMax) return std::nullopt;
    values.push_back(*std::move(value));
  } while (scanner.Take(','));
  if (!scanner.Take(')')) return std::nullopt;
  return values;
}

}  // namespace

std::vector<std::string> LabelsOfType(std::string_view type) {
  Scanner scanner(type);
  if (!scanner.TakeWord("enum") && !scanner.TakeWord("set")) return {};
  if (!scanner.Take('(')) return {};
  auto values = ValueList(scanner);
  return values ? *std::move(values) : std::vector<std::string>();
}

ListCheck LabelsOfCheck(std::string_view expression) {
  Scanner scanner(expression);
  int open = 0;
  while (scanner.Take('(')) ++open;
  auto column = scanner.Name();
  if (!column) return {};
  std::optional<std::vector<std::string>> values;
  if (scanner.TakeWord("in") && scanner.Take('(')) {
    values = ValueList(scanner);
  } else if (scanner.Take('=')) {
    if (auto value = scanner.Value()) values.emplace({*std::move(value)});
  }
  if (!values) return {};
  for (; open > 0 && scanner.Take(')'); --open) {
  }
  if (open > 0 || !scanner.AtEnd()) return {};
  return {*std::move(column), *std::move(values)};
}

}  // namespace schemaward::connect::mysql
