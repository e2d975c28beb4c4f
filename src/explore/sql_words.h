#pragma once

// SQL as words and signs, without a grammar: for texts that need not parse.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace schemaward::explore {

enum class SqlWordKind : std::uint8_t { Name, QuotedName, Number, Text, Sign };

struct SqlWord {
  SqlWordKind kind = SqlWordKind::Sign;
  std::string text;  ///< names without their quotes; a sign is one character
};

/// Walks a statement word by word; comments and blanks are passed over. Quotes of names: "x", `x`
/// and [x]. Thread: owner. Lifetime: of the text.
class SqlWords {
 public:
  explicit SqlWords(std::string_view sql) : sql_(sql) {}
  /// Nothing at the end; a quote or comment that does not end reaches to it.
  std::optional<SqlWord> Next();

 private:
  void PassOver();
  SqlWord Quoted(char end, SqlWordKind kind);

  std::string_view sql_;
  std::size_t at_ = 0;
};

/// True where the word is this keyword, in any case.
bool IsWord(const SqlWord& word, std::string_view keyword);

/// True where the word is this one sign.
bool IsSign(const SqlWord& word, char sign);

}  // namespace schemaward::explore
