#pragma once

// Cuts a psql script into SQL statements: meta-commands, COPY data and comments between statements
// are taken out; quotes, dollar quotes, nested comments and BEGIN ATOMIC bodies are followed as
// psql and PostgreSQL's lexer follow them. One pass, linear in the script.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace schemaward::pgparse {

/// Bounds on one statement. Text past the first is dropped, the statement marked.
inline constexpr std::size_t kStatementBytesMax = 4u << 20;
/// Words kept of a statement's beginning.
inline constexpr std::size_t kHeadWordsMax = 8;

enum class StatementOrigin : std::uint8_t {
  Sql,
  Include,  ///< psql's \i or \ir: another file, which is not read
};

/// One statement, without its semicolon.
struct Statement {
  StatementOrigin origin = StatementOrigin::Sql;
  std::string text;
  std::vector<std::string> head;  ///< first words in lower case; empty strings for quoted names
  std::int64_t line = 0;          ///< of its first token, from 1
  std::int64_t tokens = 0;        ///< at least the number the lexer sees in operators and words
  int depth = 0;                  ///< deepest nesting of ( and [
  bool truncated = false;         ///< longer than kStatementBytesMax
  bool has_backquote = false;     ///< outside quotes and comments: not PostgreSQL
};

/// Reads statements in order. Thread: one. Lifetime: keeps a view of the script.
class ScriptReader {
 public:
  explicit ScriptReader(std::string_view script);

  /// Fills `out` with the next statement that has a token; false at the end of the script.
  bool Next(Statement& out);

  /// Bytes read so far.
  std::size_t position() const { return pos_; }

 private:
  enum class Step : std::uint8_t { Go, Cut };

  void Begin(Statement& out);
  Step Read(Statement& out);
  Step ReadBackslash(Statement& out);
  Step ReadSemicolon();
  void ReadWord(Statement& out);
  void NoteWord(Statement& out, std::string_view word);
  void ReadPlainQuote(Statement& out);
  void SkipQuoted(char quote, bool backslash);
  bool SkipDollarQuote();
  void SkipBlockComment();
  void SkipLine();
  void SkipCopyData();
  void AppendUpTo(std::size_t end, Statement& out);
  void FollowSettings(const Statement& out);
  std::int64_t LineAt(std::size_t position);
  char At(std::size_t index) const { return index < in_.size() ? in_[index] : '\0'; }

  std::string_view in_;
  std::size_t pos_ = 0;
  std::size_t line_pos_ = 0;
  std::int64_t line_ = 1;
  bool conforming_strings_ = true;  ///< false: a backslash escapes in '...' too

  // Of the statement being read.
  std::size_t copied_to_ = 0;  ///< script bytes before this are in the text
  bool started_ = false;
  int parens_ = 0;
  int blocks_ = 0;  ///< open BEGIN and CASE of a BEGIN ATOMIC body
  bool is_routine_ = false;
  bool is_rule_ = false;
  bool from_stdin_ = false;
  std::string previous_word_;
};

}  // namespace schemaward::pgparse
