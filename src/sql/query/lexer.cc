#include "sql/query/lexer.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/cut.h"

namespace schemaward::sql::query {
namespace {

constexpr std::size_t kShownMax = 40;
constexpr std::size_t kPostgresNameBytes = 63;  // NAMEDATALEN - 1

// Longest first, so that <= is not read as <.
constexpr auto kSymbols = std::to_array<std::string_view>(
    {"!~~*", "<=>", "->>", "#>>", "!~*", "~~*", "!~~", "~~~", "<>", "!=", "<=", ">=",
     "==",   "||",  "&&",  "::",  "->",  "#>",  "@>",  "<@",  "~~", "~*", "!~", "<<",
     ">>",   ":=",  "=>",  "?|",  "?&",  "@@",  "**",  "//",  "^@", "=",  "<",  ">",
     "+",    "-",   "*",   "/",   "%",   "(",   ")",   ",",   ".",  ";",  "[",  "]",
     "{",    "}",   ":",   "~",   "^",   "&",   "|",   "!",   "#",  "@",  "?"});

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHex(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
// Bytes of UTF-8 beyond ASCII are letters.
bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool IsBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

std::string Uppered(std::string_view word) {
  std::string out(word);
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return out;
}

// Appends a code point as UTF-8. Returns false for what is none.
bool AppendCodePoint(std::string& out, std::uint32_t c) {
  if (c == 0 || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) return false;
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0U | (c >> 6U));
    out += static_cast<char>(0x80U | (c & 0x3FU));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0U | (c >> 12U));
    out += static_cast<char>(0x80U | ((c >> 6U) & 0x3FU));
    out += static_cast<char>(0x80U | (c & 0x3FU));
  } else {
    out += static_cast<char>(0xF0U | (c >> 18U));
    out += static_cast<char>(0x80U | ((c >> 12U) & 0x3FU));
    out += static_cast<char>(0x80U | ((c >> 6U) & 0x3FU));
    out += static_cast<char>(0x80U | (c & 0x3FU));
  }
  return true;
}

class Scanner {
 public:
  Scanner(std::string_view text, const Dialect& dialect, bool is_script)
      : text_(text),
        is_script_(is_script),
        is_postgres_(dialect.name == Postgres().name),
        is_mysql_(dialect.name == MySql().name),
        is_sqlite_(dialect.name == Sqlite().name),
        is_duckdb_(dialect.name == DuckDb().name) {}

  Status Run(std::vector<Token>& tokens, std::size_t tokens_max) {
    while (true) {
      WARD_CHECK(SkipBlanks());
      if (tokens.size() >= tokens_max)
        return SyntaxAt(at_, at_, fmt::format("at most {} words", tokens_max), "more");
      WARD_TRY(Token token, Next());
      // PostgreSQL reads the head of a longer name: it must be found as that here too.
      const bool is_name = token.kind == TokenKind::Word || token.kind == TokenKind::Name;
      if (is_postgres_ && is_name && token.value.size() > kPostgresNameBytes) {
        token.value = std::string(HeadOf(token.value, kPostgresNameBytes));
        token.upper = token.kind == TokenKind::Word ? Uppered(token.value) : "";
      }
      const bool is_end = token.kind == TokenKind::End;
      tokens.push_back(std::move(token));
      if (is_end) return Ok();
      if (is_script_ && is_postgres_ && tokens.back().value == ";") SkipCopied(tokens);
    }
  }

  std::size_t at() const { return at_; }

 private:
  char At(std::size_t index) const { return index < text_.size() ? text_[index] : '\0'; }
  bool Begins(std::string_view with) const { return text_.substr(at_, with.size()) == with; }

  Status SkipBlanks() {
    while (at_ < text_.size()) {
      if (IsBlank(text_[at_])) {
        ++at_;
      } else if (IsLineComment()) {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (Begins("/*")) {
        WARD_CHECK(SkipComment());
      } else if (!is_script_ || !SkipOfScript()) {
        return Ok();
      }
    }
    return Ok();
  }

  // What only a script has between its words. Returns false, and moves nothing, where none is here.
  bool SkipOfScript() {
    if (is_in_run_comment_ && Begins("*/")) {
      is_in_run_comment_ = false;
      at_ += 2;
      return true;
    }
    if (is_postgres_ && text_[at_] == '\\' && IsAtLineStart()) {  // a command of psql
      at_ = LineEnd();
      return true;
    }
    return is_mysql_ && TakeDelimiter();
  }

  bool IsAtLineStart() const {
    std::size_t i = at_;
    while (i > 0 && IsBlank(text_[i - 1]) && text_[i - 1] != '\n') --i;
    return i == 0 || text_[i - 1] == '\n';
  }

  std::size_t LineEnd() const { return std::min(text_.find('\n', at_), text_.size()); }

  // DELIMITER //: the client's own command, which says what ends statements from here on.
  bool TakeDelimiter() {
    constexpr std::string_view kCommand = "DELIMITER";
    if (!IsBlank(At(at_ + kCommand.size())) || !IsAtLineStart() ||
        Uppered(text_.substr(at_, kCommand.size())) != kCommand)
      return false;
    std::size_t from = at_ + kCommand.size(), end = LineEnd();
    while (from < end && IsBlank(text_[from])) ++from;
    while (end > from && IsBlank(text_[end - 1])) --end;
    delimiter_ = text_.substr(from, end - from);
    if (delimiter_ == ";") delimiter_ = {};
    at_ = LineEnd();
    return true;
  }

  // The rows behind COPY ... FROM STDIN; are data, up to a line of \. alone.
  void SkipCopied(const std::vector<Token>& tokens) {
    bool is_from_stdin = false;
    std::size_t i = tokens.size() - 1;
    for (; i > 0 && tokens[i - 1].value != ";"; --i)
      is_from_stdin =
          is_from_stdin || (tokens[i].upper == "STDIN" && tokens[i - 1].upper == "FROM");
    if (!is_from_stdin || tokens[i].upper != "COPY") return;
    constexpr std::string_view kEnd = "\n\\.";
    const std::size_t end = text_.find(kEnd, at_);
    if (end != std::string_view::npos) at_ = end + kEnd.size();
  }

  // MySQL reads -- as a comment only before a blank.
  bool IsLineComment() const {
    if (is_mysql_ && At(at_) == '#') return true;
    if (!Begins("--")) return false;
    return !is_mysql_ || at_ + 2 >= text_.size() || IsBlank(At(at_ + 2)) ||
           static_cast<unsigned char>(At(at_ + 2)) < 0x20;
  }

  Status SkipComment() {
    const std::size_t begin = at_;
    const bool is_run = At(at_ + 2) == '!' || (At(at_ + 2) == 'M' && At(at_ + 3) == '!');
    if (is_mysql_ && is_run && is_script_) {  // its words are the script's
      at_ += At(at_ + 2) == '!' ? 3 : 4;
      while (IsDigit(At(at_))) ++at_;
      is_in_run_comment_ = true;
      return Ok();
    }
    for (const std::string_view nowhere : {kNowhereInMariaDb, kNowhereInMySql}) {
      if (!is_mysql_ || !Begins(nowhere)) continue;  // else as we print it
      at_ += nowhere.size();
      return Ok();
    }
    if (is_mysql_ && is_run)
      return Error(ErrorKind::NotARead, "the statement holds a comment that the server would run");
    int depth = 0;
    while (at_ < text_.size()) {
      if (Begins("/*") && (depth == 0 || is_postgres_)) {
        ++depth;
        at_ += 2;
      } else if (Begins("*/")) {
        at_ += 2;
        if (--depth == 0) return Ok();
      } else {
        ++at_;
      }
    }
    if (is_sqlite_) return Ok();  // SQLite lets the end of the text close a comment
    return SyntaxAt(begin, text_.size(), "the end of the comment", "");
  }

  Result<Token> Next() {
    if (at_ >= text_.size()) return Token{TokenKind::End, "", "", false, at_, at_};
    const char c = text_[at_];
    if (c == '\0') return SyntaxAt(at_, at_ + 1, "text without a zero byte", "\\0");
    if (!delimiter_.empty() && (c == ';' || Begins(delimiter_))) return Delimited();
    if (c == '\'') return Text(at_ + 1, is_mysql_);
    if (c == '"') return is_mysql_ ? Text(at_ + 1, true) : QuotedName('"', true);
    if (c == '`' && (is_mysql_ || is_sqlite_)) return QuotedName('`', false);
    if (c == '[' && is_sqlite_) return QuotedName(']', false);
    if (IsDigit(c) || (c == '.' && IsDigit(At(at_ + 1)))) return Number();
    if (is_script_ && NamesParameter()) return NamedParameter();
    if (c == '$') return Dollar();
    if (c == '?' && IsQuestionParameter()) return Question();
    if ((c == ':' || c == '@') && is_sqlite_ && IsLetter(At(at_ + 1)))
      return SyntaxAt(at_, at_ + 2, "? for a value", text_.substr(at_, 12));
    if (IsLetter(c)) return WordOrPrefixed();
    if (is_script_ && (is_postgres_ || is_duckdb_))
      if (const std::size_t size = OperatorSize(); size > 0) return Taken(TokenKind::Symbol, size);
    for (const std::string_view symbol : kSymbols)
      if (Begins(symbol) && (is_postgres_ || symbol != "@@") && (is_duckdb_ || symbol != "^@"))
        return Taken(TokenKind::Symbol, symbol.size());
    return SyntaxAt(at_, at_ + 1, "a name, a value or an operator", text_.substr(at_, 1));
  }

  Token Delimited() {
    const bool is_end = Begins(delimiter_);
    Token token = Taken(TokenKind::Symbol, is_end ? delimiter_.size() : 1);
    token.value = ";";
    token.is_inner = !is_end;
    return token;
  }

  // :name, @name and $name of SQLite, $name of DuckDB.
  bool NamesParameter() const {
    const char c = text_[at_];
    if (!IsLetter(At(at_ + 1))) return false;
    if (is_sqlite_) return c == ':' || c == '@' || c == '$';
    if (!is_duckdb_ || c != '$') return false;
    std::size_t end = at_ + 1;
    while (IsLetter(At(end)) || IsDigit(At(end))) ++end;
    return At(end) != '$';
  }

  Token NamedParameter() {
    std::size_t end = at_ + 1;
    while (IsLetter(At(end)) || IsDigit(At(end))) ++end;
    Token token = Taken(TokenKind::Parameter, end - at_);
    token.value.clear();
    return token;
  }

  // How PostgreSQL ends an operator: the longest run of its alphabet, before a comment; a sign at
  // its end belongs to what follows, unless one of the rarer characters stands in front.
  // Source: PostgreSQL's documentation, 4.1.3.
  std::size_t OperatorSize() const {
    constexpr std::string_view kPlain = "+-*/<>=", kRare = "~!@#%^&|?";
    std::size_t size = 0;
    bool has_rare = false;
    for (; at_ + size < text_.size(); ++size) {
      const char c = text_[at_ + size];
      const bool is_rare = kRare.find(c) != std::string_view::npos && !(is_duckdb_ && c == '?');
      if (!is_rare && kPlain.find(c) == std::string_view::npos) break;
      const std::string_view rest = text_.substr(at_ + size, 2);
      if (rest == "--" || rest == "/*") break;
      has_rare = has_rare || is_rare;
    }
    const auto ends_in = [&](std::string_view any) {
      return size > 1 && any.find(text_[at_ + size - 1]) != std::string_view::npos;
    };
    while (!has_rare && ends_in("+-")) --size;
    // A question mark behind a comparison is a driver's parameter.
    if (ends_in("?") && kPlain.find(text_[at_ + size - 2]) != std::string_view::npos) --size;
    return size;
  }

  Token Taken(TokenKind kind, std::size_t size) {
    Token token{kind, std::string(text_.substr(at_, size)), "", false, at_, at_ + size};
    at_ += size;
    return token;
  }

  // In PostgreSQL ? is an operator of jsonb.
  bool IsQuestionParameter() const { return !is_postgres_; }

  Token Question() {
    Token token = Taken(TokenKind::Parameter, 1);
    while (IsDigit(At(at_))) {
      token.value += text_[at_++];
      token.end = at_;
    }
    token.value.erase(0, 1);
    return token;
  }

  Result<Token> Dollar() {
    if (IsDigit(At(at_ + 1)) && !is_mysql_) {
      Token token = Taken(TokenKind::Parameter, 1);
      token.value.clear();
      while (IsDigit(At(at_))) token.value += text_[at_++];
      token.end = at_;
      return token;
    }
    if (!is_postgres_ && !is_duckdb_)
      return SyntaxAt(at_, at_ + 1, "a name, a value or an operator", "$");
    std::size_t end = at_ + 1;
    while (IsLetter(At(end)) || IsDigit(At(end))) ++end;
    if (At(end) != '$') return SyntaxAt(at_, end, "a quote that begins with $", text_.substr(at_));
    const std::string_view tag = text_.substr(at_, end + 1 - at_);
    const std::size_t close = text_.find(tag, end + 1);
    if (close == std::string_view::npos)
      return SyntaxAt(at_, text_.size(), fmt::format("a closing {}", tag), "");
    Token token{
        TokenKind::Text,   std::string(text_.substr(end + 1, close - end - 1)), "", false, at_,
        close + tag.size()};
    at_ = token.end;
    return Checked(std::move(token));
  }

  static Result<Token> Checked(Token token) {
    if (token.value.find('\0') != std::string::npos)
      return SyntaxAt(token.begin, token.end, "text without a zero byte", "\\0");
    return token;
  }

  Result<Token> WordOrPrefixed() {
    const char c = text_[at_];
    const bool quote_next = At(at_ + 1) == '\'';
    if (quote_next && (c == 'x' || c == 'X' || c == 'b' || c == 'B')) return Bits();
    if (quote_next && (c == 'e' || c == 'E') && (is_postgres_ || is_duckdb_)) {
      ++at_;
      return Text(at_ + 1, true);
    }
    if (quote_next && (c == 'n' || c == 'N')) {
      ++at_;
      return Text(at_ + 1, is_mysql_);
    }
    const bool is_unicode = (c == 'u' || c == 'U') && At(at_ + 1) == '&' && is_postgres_;
    if (is_unicode && (At(at_ + 2) == '"' || At(at_ + 2) == '\'')) return Unicode();
    std::size_t end = at_;
    while (IsLetter(At(end)) || IsDigit(At(end)) || (end > at_ && At(end) == '$')) {
      if (!delimiter_.empty() && text_.substr(end).starts_with(delimiter_)) break;  // END$$
      ++end;
    }
    Token token = Taken(TokenKind::Word, end - at_);
    token.upper = Uppered(token.value);
    return token;
  }

  Result<Token> Bits() {
    const std::size_t begin = at_;
    const bool is_hex = At(at_) == 'x' || At(at_) == 'X';
    std::size_t end = at_ + 2;
    while (is_hex ? IsHex(At(end)) : At(end) == '0' || At(end) == '1') ++end;
    if (At(end) != '\'') return SyntaxAt(begin, end, "digits and a closing quote", "");
    Token token = Taken(TokenKind::Bits, end + 1 - at_);
    token.value[0] = is_hex ? 'X' : 'B';
    return token;
  }

  // U&"..." and U&'...' with \XXXX and \+XXXXXX.
  Result<Token> Unicode() {
    const std::size_t begin = at_;
    at_ += 2;
    const bool is_name = At(at_) == '"';
    WARD_TRY(Token token, is_name ? QuotedName('"', false) : Text(at_ + 1, false));
    token.begin = begin;
    std::string out;
    const std::string& in = token.value;
    for (std::size_t i = 0; i < in.size();) {
      if (in[i] != '\\') {
        out += in[i++];
        continue;
      }
      if (i + 1 < in.size() && in[i + 1] == '\\') {
        out += '\\';
        i += 2;
        continue;
      }
      const bool is_long = i + 1 < in.size() && in[i + 1] == '+';
      const std::size_t digits = is_long ? 6 : 4, from = i + (is_long ? 2 : 1);
      std::uint32_t code = 0;
      for (std::size_t k = from; k < from + digits; ++k) {
        if (k >= in.size() || !IsHex(in[k]))
          return SyntaxAt(begin, token.end, "four hexadecimal digits after \\", in.substr(i));
        code = code * 16 + HexValue(in[k]);
      }
      if (!AppendCodePoint(out, code))
        return SyntaxAt(begin, token.end, "a character", in.substr(i));
      i = from + digits;
    }
    token.value = std::move(out);
    if (Begins("UESCAPE") || Begins("uescape"))
      return SyntaxAt(at_, at_ + 7, "no UESCAPE", "UESCAPE");
    return token;
  }

  static std::uint32_t HexValue(char c) {
    if (IsDigit(c)) return static_cast<std::uint32_t>(c - '0');
    return static_cast<std::uint32_t>((c | 0x20) - 'a' + 10);
  }

  // From the byte after the opening quote; text_[body - 1] is the quote.
  Result<Token> Text(std::size_t body, bool backslashes) {
    const char quote = text_[body - 1];
    Token token{TokenKind::Text, "", "", false, at_, at_};
    for (std::size_t i = body; i < text_.size(); ++i) {
      const char c = text_[i];
      if (c == '\0') return SyntaxAt(i, i + 1, "text without a zero byte", "\\0");
      if (c == quote) {
        if (At(i + 1) != quote) {
          at_ = token.end = i + 1;
          return Checked(std::move(token));
        }
        ++i;
        token.value += c;
      } else if (c == '\\' && backslashes) {
        WARD_CHECK(Escape(i, token.value));
      } else {
        token.value += c;
      }
    }
    return SyntaxAt(token.begin, text_.size(), "a closing quote", text_.substr(token.begin));
  }

  // A backslash at text_[i]; leaves i on the last byte that it takes.
  Status Escape(std::size_t& i, std::string& out) {
    const char c = At(++i);
    switch (c) {
      case 'n':
        out += '\n';
        return Ok();
      case 't':
        out += '\t';
        return Ok();
      case 'r':
        out += '\r';
        return Ok();
      case 'b':
        out += '\b';
        return Ok();
      case 'Z':
        out += is_mysql_ ? '\x1A' : c;
        return Ok();
      case 'f':
        out += is_mysql_ ? c : '\f';
        return Ok();
      case '%':
      case '_':
        // MySQL keeps the backslash: it escapes for LIKE.
        if (is_mysql_) out += '\\';
        out += c;
        return Ok();
      default:
        break;
    }
    if (is_mysql_) {
      if (c == '0') return SyntaxAt(i - 1, i + 1, "text without a zero byte", "\\0");
      out += c;
      return Ok();
    }
    if (c == 'x' || c == 'u' || c == 'U' || IsDigit(c)) return NumericEscape(i, out);
    out += c;
    return Ok();
  }

  Status NumericEscape(std::size_t& i, std::string& out) {
    const char c = At(i);
    const std::size_t begin = i - 1;
    std::uint32_t code = 0;
    if (IsDigit(c)) {
      std::size_t digits = 0;
      while (digits < 3 && At(i + digits) >= '0' && At(i + digits) <= '7')
        code = code * 8 + static_cast<std::uint32_t>(At(i + digits++) - '0');
      if (digits == 0) {
        out += c;
        return Ok();
      }
      i += digits - 1;
    } else {
      const std::size_t most = c == 'x' ? 2 : c == 'u' ? 4 : 8;
      std::size_t digits = 0;
      while (digits < most && IsHex(At(i + 1 + digits)))
        code = code * 16 + HexValue(At(i + 1 + digits++));
      if (digits == 0 || (c != 'x' && digits != most))
        return SyntaxAt(begin, i + 1, "hexadecimal digits", text_.substr(begin, 8));
      i += digits;
    }
    // Bytes beyond ASCII could join to something that is no text.
    if (c != 'u' && c != 'U' && code >= 0x80)
      return SyntaxAt(begin, i + 1, "an escape below 128", text_.substr(begin, 8));
    if (!AppendCodePoint(out, code))
      return SyntaxAt(begin, i + 1, "a character", text_.substr(begin, 8));
    return Ok();
  }

  Result<Token> QuotedName(char close, bool maybe_text) {
    Token token{TokenKind::Name, "", "", maybe_text, at_, at_};
    for (std::size_t i = at_ + 1; i < text_.size(); ++i) {
      const char c = text_[i];
      if (c == '\0') return SyntaxAt(i, i + 1, "a name without a zero byte", "\\0");
      if (c == close) {
        if (close == ']' || At(i + 1) != close) {
          at_ = token.end = i + 1;
          if (token.value.empty() && !maybe_text)
            return SyntaxAt(token.begin, token.end, "a name", "\"\"");
          return token;
        }
        ++i;
      }
      token.value += c;
    }
    return SyntaxAt(token.begin, text_.size(), "a closing quote", text_.substr(token.begin));
  }

  Result<Token> Number() {
    std::size_t end = at_;
    if (is_script_)
      if (const std::size_t size = PrefixedNumberSize(); size > 0)
        return Taken(TokenKind::Bits, size);
    if (At(end) == '0' && (At(end + 1) == 'x' || At(end + 1) == 'X')) {
      end += 2;
      const std::size_t digits = end;
      while (IsHex(At(end))) ++end;
      if (end == digits || IsLetter(At(end)) || is_postgres_)
        return SyntaxAt(at_, end + 1, "a number", text_.substr(at_, end + 1 - at_));
      return Taken(TokenKind::Bits, end - at_);
    }
    bool is_integer = true;
    end = DigitsEnd(end);
    if (At(end) == '.' && !(At(end + 1) == '.')) {
      is_integer = false;
      end = DigitsEnd(end + 1);
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
      return SyntaxAt(at_, end + 1, "a number", text_.substr(at_, end + 1 - at_));
    Token token = Taken(is_integer ? TokenKind::Integer : TokenKind::Decimal, end - at_);
    std::erase(token.value, '_');
    return token;
  }

  // Behind the digits at `from`; 1_000 is digits too.
  std::size_t DigitsEnd(std::size_t from) const {
    while (IsDigit(At(from)) || (!is_mysql_ && from > at_ && At(from) == '_' &&
                                 IsDigit(At(from - 1)) && IsDigit(At(from + 1))))
      ++from;
    return from;
  }

  // Of 0xFF, 0b101 and 0o17; 0 where none is here.
  std::size_t PrefixedNumberSize() const {
    if (At(at_) != '0') return 0;
    const char base = static_cast<char>(At(at_ + 1) | 0x20);
    const auto is_digit = [&](char c) {
      if (c == '_') return !is_mysql_;
      if (base == 'x') return IsHex(c);
      return base == 'b' ? c == '0' || c == '1' : base == 'o' && c >= '0' && c <= '7';
    };
    std::size_t end = at_ + 2;
    while (is_digit(At(end))) ++end;
    return end > at_ + 2 && !IsLetter(At(end)) && !IsDigit(At(end)) ? end - at_ : 0;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  const bool is_script_;
  std::string_view delimiter_;      // of a script; empty: the semicolon
  bool is_in_run_comment_ = false;  // of a script: inside /*! ... */
  const bool is_postgres_, is_mysql_, is_sqlite_, is_duckdb_;
};

}  // namespace

Error SyntaxAt(std::size_t begin, std::size_t end, std::string_view expected,
               std::string_view found) {
  std::string shown(found.substr(0, kShownMax));
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  shown = found.empty() ? "the end" : "\"" + shown + "\"";
  Error error(ErrorKind::SqlSyntax,
              fmt::format("the statement cannot be read at byte {}: expected {}, found {}", begin,
                          expected, shown));
  error.Detail(fmt::format("It is about bytes {} to {}.", begin, std::max(begin, end)));
  return error;
}

Result<std::vector<Token>> Scan(std::string_view text, const Dialect& dialect) {
  if (text.size() > kTextMax)
    return SyntaxAt(kTextMax, text.size(), fmt::format("at most {} bytes", kTextMax), "more");
  std::vector<Token> tokens;
  WARD_CHECK(Scanner(text, dialect, false).Run(tokens, kTokensMax));
  return tokens;
}

Scanned ScanScript(std::string_view text, const Dialect& dialect) {
  Scanned scanned;
  if (text.size() > kScriptTextMax) {
    scanned.failure = SyntaxAt(kScriptTextMax, text.size(),
                               fmt::format("at most {} bytes", kScriptTextMax), "more");
    scanned.failed_at = kScriptTextMax;
    scanned.tokens.push_back({TokenKind::End, "", "", false, 0, 0});
    return scanned;
  }
  Scanner scanner(text, dialect, true);
  if (auto done = scanner.Run(scanned.tokens, kScriptTokensMax); !done) {
    scanned.failure = std::move(done).error();
    scanned.failed_at = std::min(scanner.at(), text.size());
    scanned.tokens.push_back({TokenKind::End, "", "", false, scanned.failed_at, scanned.failed_at});
  }
  return scanned;
}

}  // namespace schemaward::sql::query
