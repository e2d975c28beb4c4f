#include "explore/sql_words.h"

#include <algorithm>

#include "base/ascii.h"

namespace schemaward::explore {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsLetter(char c) {
  const char lower = LowerAscii(c);
  return (lower >= 'a' && lower <= 'z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool IsNumberPart(char c) { return IsDigit(c) || c == '.' || c == '_'; }

}  // namespace

void SqlWords::PassOver() {
  while (at_ < sql_.size()) {
    const std::string_view rest = sql_.substr(at_);
    std::size_t end = 1;
    if (rest.substr(0, 2) == "--") {
      end = rest.find('\n');
    } else if (rest.substr(0, 2) == "/*") {
      end = rest.find("*/", 2);
      if (end != std::string_view::npos) end += 2;
    } else if (static_cast<unsigned char>(rest.front()) > ' ') {
      return;
    }
    at_ = end == std::string_view::npos ? sql_.size() : at_ + end;
  }
}

// Doubled quotes stand for one.
SqlWord SqlWords::Quoted(char end, SqlWordKind kind) {
  SqlWord word{kind, {}};
  for (++at_; at_ < sql_.size(); ++at_) {
    if (sql_[at_] != end) {
      word.text += sql_[at_];
      continue;
    }
    ++at_;
    if (at_ >= sql_.size() || sql_[at_] != end) return word;
    word.text += end;
  }
  return word;
}

std::optional<SqlWord> SqlWords::Next() {
  PassOver();
  if (at_ >= sql_.size()) return std::nullopt;
  const char c = sql_[at_];
  if (c == '\'') return Quoted('\'', SqlWordKind::Text);
  if (c == '"' || c == '`') return Quoted(c, SqlWordKind::QuotedName);
  if (c == '[') return Quoted(']', SqlWordKind::QuotedName);
  const std::size_t begin = at_;
  const bool is_fraction = c == '.' && at_ + 1 < sql_.size() && IsDigit(sql_[at_ + 1]);
  if (IsDigit(c) || is_fraction) {
    while (at_ < sql_.size() && IsNumberPart(sql_[at_])) ++at_;
    return SqlWord{SqlWordKind::Number, std::string(sql_.substr(begin, at_ - begin))};
  }
  if (!IsLetter(c)) return SqlWord{SqlWordKind::Sign, std::string(1, sql_[at_++])};
  while (at_ < sql_.size() && (IsLetter(sql_[at_]) || IsDigit(sql_[at_]) || sql_[at_] == '$'))
    ++at_;
  return SqlWord{SqlWordKind::Name, std::string(sql_.substr(begin, at_ - begin))};
}

bool IsWord(const SqlWord& word, std::string_view keyword) {
  return word.kind == SqlWordKind::Name && EqualsIgnoringAsciiCase(word.text, keyword);
}

bool IsSign(const SqlWord& word, char sign) {
  return word.kind == SqlWordKind::Sign && word.text.front() == sign;
}

}  // namespace schemaward::explore
