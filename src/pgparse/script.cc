#include "pgparse/script.h"

#include <algorithm>

#include "base/ascii.h"

namespace schemaward::pgparse {
namespace {

bool IsSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}
bool IsWordStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsWord(char c) { return IsWordStart(c) || IsDigit(c) || c == '$'; }

/// The words of a meta-command line, in lower case; at most `count`.
std::vector<std::string> LineWords(std::string_view line, std::size_t count) {
  std::vector<std::string> words;
  std::size_t i = 0;
  while (i < line.size() && words.size() < count) {
    while (i < line.size() && IsSpace(line[i])) ++i;
    const std::size_t start = i;
    while (i < line.size() && !IsSpace(line[i])) ++i;
    if (i > start) words.push_back(LowerAscii(line.substr(start, i - start)));
  }
  return words;
}

/// Words looked at in a \copy line for its source.
constexpr std::size_t kCopyWordsMax = 64;

bool CopiesFromStdin(std::string_view line) {
  const std::vector<std::string> words = LineWords(line, kCopyWordsMax);
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    if (words[i] == "from" && (words[i + 1] == "stdin" || words[i + 1] == "pstdin" ||
                               words[i + 1] == "stdin;" || words[i + 1] == "pstdin;"))
      return true;
  }
  return false;
}

}  // namespace

ScriptReader::ScriptReader(std::string_view script) : in_(script) {
  if (in_.starts_with("\xEF\xBB\xBF")) pos_ = line_pos_ = 3;
}

std::int64_t ScriptReader::LineAt(std::size_t position) {
  line_ += std::count(in_.begin() + static_cast<std::ptrdiff_t>(line_pos_),
                      in_.begin() + static_cast<std::ptrdiff_t>(position), '\n');
  line_pos_ = position;
  return line_;
}

void ScriptReader::Begin(Statement& out) {
  out.origin = StatementOrigin::Sql;
  out.text.clear();
  out.head.clear();
  out.line = 0;
  out.tokens = 0;
  out.depth = 0;
  out.truncated = false;
  out.has_backquote = false;
  started_ = is_routine_ = is_rule_ = from_stdin_ = false;
  parens_ = blocks_ = 0;
  previous_word_.clear();
}

bool ScriptReader::Next(Statement& out) {
  Begin(out);
  while (pos_ < in_.size()) {
    if (Read(out) == Step::Go) continue;
    if (started_ || out.origin == StatementOrigin::Include) return true;
    Begin(out);
  }
  AppendUpTo(in_.size(), out);
  return started_;
}

void ScriptReader::AppendUpTo(std::size_t end, Statement& out) {
  if (!started_ || end <= copied_to_) return;
  const std::size_t room = kStatementBytesMax - std::min(kStatementBytesMax, out.text.size());
  const std::size_t wanted = end - copied_to_;
  out.text.append(in_.substr(copied_to_, std::min(room, wanted)));
  out.truncated = out.truncated || wanted > room;
  copied_to_ = end;
}

/// Reads one lexical item.
ScriptReader::Step ScriptReader::Read(Statement& out) {
  const char c = in_[pos_];
  if (IsSpace(c)) {
    ++pos_;
    return Step::Go;
  }
  if (c == '-' && At(pos_ + 1) == '-') {
    SkipLine();
    return Step::Go;
  }
  if (c == '/' && At(pos_ + 1) == '*') {
    SkipBlockComment();
    return Step::Go;
  }
  if (c == '\\') return ReadBackslash(out);
  if (c == ';') {
    const std::size_t end = pos_++;
    if (ReadSemicolon() == Step::Go) return Step::Go;
    AppendUpTo(end, out);
    FollowSettings(out);
    if (from_stdin_) {
      SkipLine();
      SkipCopyData();
    }
    return Step::Cut;
  }
  if (!started_) {
    started_ = true;
    copied_to_ = pos_;
    out.line = LineAt(pos_);
  }
  ++out.tokens;
  if (IsWordStart(c)) {
    ReadWord(out);
  } else if (IsDigit(c)) {
    while (IsWord(At(pos_)) || At(pos_) == '.') ++pos_;
  } else if (c == '\'') {
    ReadPlainQuote(out);
  } else if (c == '"') {
    SkipQuoted('"', false);
    NoteWord(out, {});
  } else if (c != '$' || !SkipDollarQuote()) {
    if (c == '(' || c == '[') out.depth = std::max(out.depth, ++parens_);
    if (c == ')' || c == ']') --parens_;
    if (c == '`') out.has_backquote = true;
    ++pos_;
  }
  return Step::Go;
}

/// A semicolon ends the statement, but for those inside a BEGIN ATOMIC body and between the
/// commands of CREATE RULE ... DO (...; ...). Elsewhere parentheses do not protect it: one that was
/// never closed must not swallow the rest of the script.
ScriptReader::Step ScriptReader::ReadSemicolon() {
  if (!started_) return Step::Go;
  if (blocks_ > 0 || (is_rule_ && parens_ > 0)) return Step::Go;
  return Step::Cut;
}

void ScriptReader::ReadWord(Statement& out) {
  const std::size_t start = pos_;
  while (pos_ < in_.size() && IsWord(in_[pos_])) ++pos_;
  const std::string_view word = in_.substr(start, pos_ - start);
  if (At(pos_) == '\'' && word.size() == 1) {
    if (LowerAscii(word[0]) == 'e') {
      SkipQuoted('\'', true);
      return;
    }
    const char kind = LowerAscii(word[0]);
    if (kind == 'b' || kind == 'x' || kind == 'n') {
      SkipQuoted('\'', false);
      return;
    }
  }
  if ((word == "u" || word == "U") && At(pos_) == '&' &&
      (At(pos_ + 1) == '\'' || At(pos_ + 1) == '"')) {
    ++pos_;
    SkipQuoted(in_[pos_], false);
    return;
  }
  NoteWord(out, word);
}

/// Follows what words mean for where the statement ends. `word` is empty for a quoted name.
void ScriptReader::NoteWord(Statement& out, std::string_view word) {
  const bool in_head = out.head.size() < kHeadWordsMax;
  const bool matters = in_head || is_routine_ || (out.head[0] == "copy" && parens_ == 0);
  if (!matters) return;
  std::string lower = word.size() <= 64 ? LowerAscii(word) : std::string();
  if (in_head) {
    out.head.push_back(lower);
    const std::size_t kind = out.head.size() >= 3 && out.head[1] == "or" ? 3 : 1;
    if (out.head[0] == "create" && out.head.size() == kind + 1) {
      is_routine_ = lower == "function" || lower == "procedure";
      is_rule_ = lower == "rule";
    }
  }
  if (is_routine_ && parens_ == 0) {
    if (lower == "atomic" && previous_word_ == "begin" && blocks_ == 0) ++blocks_;
    if (blocks_ > 0 && lower == "case") ++blocks_;
    if (blocks_ > 0 && lower == "end") --blocks_;
  }
  if (out.head[0] == "copy" && parens_ == 0 && previous_word_ == "from" && lower == "stdin")
    from_stdin_ = true;
  previous_word_ = std::move(lower);
}

/// A '...' literal without a prefix. Where backslashes escape in it, the text gets an E before the
/// quote, since the parser knows conforming strings only.
void ScriptReader::ReadPlainQuote(Statement& out) {
  const std::size_t start = pos_;
  SkipQuoted('\'', !conforming_strings_);
  if (conforming_strings_ || in_.substr(start, pos_ - start).find('\\') == std::string_view::npos)
    return;
  AppendUpTo(start, out);
  out.text += " E";
}

/// Moves past a quoted text that starts at pos_; an escape string goes on in the next literal when
/// only blanks with a line break stand between.
void ScriptReader::SkipQuoted(char quote, bool backslash) {
  while (true) {
    for (++pos_;; ++pos_) {
      if (pos_ >= in_.size()) return;
      if (backslash && in_[pos_] == '\\') {
        ++pos_;
      } else if (in_[pos_] == quote) {
        if (At(pos_ + 1) != quote) break;
        ++pos_;
      }
    }
    ++pos_;
    if (!backslash) return;
    std::size_t next = pos_;
    bool broken = false;
    while (next < in_.size() && IsSpace(in_[next])) broken = in_[next++] == '\n' || broken;
    if (!broken || At(next) != quote) return;
    pos_ = next;
  }
}

/// Moves past $tag$...$tag$ when one starts at pos_.
bool ScriptReader::SkipDollarQuote() {
  std::size_t end = pos_ + 1;
  while (end < in_.size() && in_[end] != '$' && IsWord(in_[end])) ++end;
  if (At(end) != '$' || IsDigit(At(pos_ + 1))) return false;
  const std::string_view tag = in_.substr(pos_, end + 1 - pos_);
  const std::size_t close = in_.find(tag, end + 1);
  pos_ = close == std::string_view::npos ? in_.size() : close + tag.size();
  return true;
}

void ScriptReader::SkipBlockComment() {
  int depth = 0;
  while (pos_ < in_.size()) {
    if (in_[pos_] == '/' && At(pos_ + 1) == '*') {
      ++depth;
      pos_ += 2;
    } else if (in_[pos_] == '*' && At(pos_ + 1) == '/') {
      pos_ += 2;
      if (--depth == 0) return;
    } else {
      ++pos_;
    }
  }
}

void ScriptReader::SkipLine() {
  const std::size_t end = in_.find('\n', pos_);
  pos_ = end == std::string_view::npos ? in_.size() : end + 1;
}

/// Moves past data lines and the line \. that ends them.
void ScriptReader::SkipCopyData() {
  while (pos_ < in_.size()) {
    const std::size_t end = std::min(in_.find('\n', pos_), in_.size());
    std::string_view line = in_.substr(pos_, end - pos_);
    if (line.ends_with('\r')) line.remove_suffix(1);
    pos_ = std::min(end + 1, in_.size());
    if (line == "\\.") return;
  }
}

/// A psql meta-command. Those that send the buffer end the statement; the rest of the line goes.
ScriptReader::Step ScriptReader::ReadBackslash(Statement& out) {
  const std::size_t start = pos_;
  const char next = At(pos_ + 1);
  AppendUpTo(start, out);
  if (next == ';' || next == '\\') {
    pos_ += 2;
    copied_to_ = pos_;
    return next == ';' ? Step::Cut : Step::Go;
  }
  const std::int64_t line = started_ ? out.line : LineAt(start);
  SkipLine();
  copied_to_ = pos_;
  std::string_view rest = in_.substr(start + 1, pos_ - start - 1);
  const std::vector<std::string> words = LineWords(rest, 1);
  if (words.empty()) return Step::Go;
  if (words[0] == "copy" && CopiesFromStdin(rest)) {
    SkipCopyData();
    copied_to_ = pos_;
  }
  if (!started_ && (words[0] == "i" || words[0] == "ir" || words[0] == "include" ||
                    words[0] == "include_relative")) {
    out.origin = StatementOrigin::Include;
    out.line = line;
    return Step::Cut;
  }
  if (words[0] == "r" || words[0] == "reset") {
    Begin(out);
    return Step::Go;
  }
  if (started_ && words[0][0] == 'g') {
    FollowSettings(out);
    return Step::Cut;
  }
  if (started_) out.text += '\n';
  return Step::Go;
}

/// SET standard_conforming_strings changes how the rest is read.
void ScriptReader::FollowSettings(const Statement& out) {
  if (out.head.empty() || out.head[0] != "set" || out.text.size() > 200) return;
  if (std::find(out.head.begin(), out.head.end(), "standard_conforming_strings") == out.head.end())
    return;
  const std::string text = LowerAscii(out.text);
  conforming_strings_ =
      text.find("off") == std::string::npos && text.find("false") == std::string::npos;
}

}  // namespace schemaward::pgparse
