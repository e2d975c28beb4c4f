// Tokens and names: what all parts of the reader share.
#include "sql/query/parser.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/ascii.h"

namespace schemaward::sql::query {
namespace {

// Words that are no name and no alias unless quoted, in any dialect: those that can follow a name.
// Sorted.
constexpr auto kReserved = std::to_array<std::string_view>(
    {"ALL",         "AND",      "ANTI",      "ARRAY",     "AS",
     "ASC",         "ASOF",     "BETWEEN",   "BY",        "CASE",
     "CAST",        "COLLATE",  "CROSS",     "DESC",      "DISTINCT",
     "ELSE",        "END",      "EXCEPT",    "EXISTS",    "FETCH",
     "FILTER",      "FOR",      "FROM",      "FULL",      "GLOB",
     "GROUP",       "HAVING",   "ILIKE",     "IN",        "INNER",
     "INTERSECT",   "INTO",     "IS",        "ISNULL",    "JOIN",
     "LATERAL",     "LEFT",     "LIKE",      "LIMIT",     "LOCK",
     "MINUS",       "NATURAL",  "NOT",       "NOTNULL",   "NULL",
     "OFFSET",      "ON",       "OR",        "ORDER",     "OUTER",
     "OVER",        "OVERLAPS", "PARTITION", "PIVOT",     "POSITIONAL",
     "PROCEDURE",   "QUALIFY",  "REGEXP",    "RETURNING", "RIGHT",
     "RLIKE",       "SELECT",   "SEMI",      "SIMILAR",   "STRAIGHT_JOIN",
     "TABLESAMPLE", "THEN",     "UNION",     "UNPIVOT",   "USING",
     "VALUES",      "WHEN",     "WHERE",     "WINDOW",    "WITH",
     "WITHIN"});
static_assert(std::is_sorted(kReserved.begin(), kReserved.end()), "the list is searched by halves");

constexpr std::string_view kMySqlAfterTable[] = {"USE", "FORCE", "IGNORE"};

}  // namespace

Parser::Parser(std::vector<Token> tokens, const Dialect& dialect, int depth_max, Mode mode)
    : tokens_(std::move(tokens)),
      depth_max_(depth_max),
      reads_script_(mode == Mode::Script),
      takes_any_type_(mode != Mode::Statement),
      dialect_(dialect),
      is_postgres_(dialect.name == Postgres().name),
      is_mysql_(dialect.name == MySql().name),
      is_sqlite_(dialect.name == Sqlite().name),
      is_duckdb_(dialect.name == DuckDb().name) {}

void Parser::GoBack(std::size_t at, std::size_t questions) {
  at_ = at;
  questions_ = questions;
  failed_.resize(tokens_.size());
  failed_[at] = true;
}

QueryPtr Parser::QueryInBrackets() {
  if (FailedHere()) return nullptr;
  const std::size_t at = at_;
  const std::size_t questions = questions_;
  auto query = ReadQuery();
  if (query && TakeSymbol(")")) return *std::move(query);
  GoBack(at, questions);
  return nullptr;
}

Status Parser::Deeper::Check() const {
  if (parser_.depth_ > parser_.depth_max_)
    return SyntaxAt(parser_.Now().begin, parser_.Now().end,
                    fmt::format("at most {} levels of nesting", parser_.depth_max_), "more");
  return Ok();
}

bool Parser::IsWord(std::string_view upper) const { return IsWordAt(0, upper); }

bool Parser::IsWordAt(std::size_t ahead, std::string_view upper) const {
  const Token& token = Ahead(ahead);
  return token.kind == TokenKind::Word && token.upper == upper;
}

bool Parser::IsSymbol(std::string_view symbol) const { return IsSymbolAt(0, symbol); }

bool Parser::IsSymbolAt(std::size_t ahead, std::string_view symbol) const {
  const Token& token = Ahead(ahead);
  return token.kind == TokenKind::Symbol && token.value == symbol;
}

bool Parser::TakeWord(std::string_view upper) {
  if (!IsWord(upper)) return false;
  ++at_;
  return true;
}

bool Parser::TakeWords(std::initializer_list<std::string_view> uppers) {
  std::size_t ahead = 0;
  for (const std::string_view upper : uppers)
    if (!IsWordAt(ahead++, upper)) return false;
  at_ += uppers.size();
  return true;
}

bool Parser::TakeSymbol(std::string_view symbol) {
  if (!IsSymbol(symbol)) return false;
  ++at_;
  return true;
}

Status Parser::NeedWord(std::string_view upper) {
  if (TakeWord(upper)) return Ok();
  return Expected(upper);
}

Status Parser::NeedSymbol(std::string_view symbol) {
  if (TakeSymbol(symbol)) return Ok();
  return Expected(fmt::format("\"{}\"", symbol));
}

Error Parser::Expected(std::string_view what) const {
  const Token& token = Now();
  return SyntaxAt(token.begin, token.end, what, token.value);
}

Error Parser::NotRead(std::string_view what) const {
  return {ErrorKind::NotARead, fmt::format("the statement {}", what)};
}

Error Parser::NotListed(std::string_view what) const {
  return std::move(NotRead(what).Hint(kWriteWithout));
}

Error Parser::OfCatalog(std::string_view what) const {
  return std::move(
      NotRead(what).Hint("A select over the engine's own views can tell the same; what sets "
                         "something is for the user to "
                         "run."));
}

Result<std::string> Parser::Integer() {
  if (Now().kind != TokenKind::Integer) return Expected("a whole number");
  return tokens_[at_++].value;
}

bool Parser::IsReserved(const Token& token) const {
  return std::binary_search(kReserved.begin(), kReserved.end(), token.upper);
}

bool Parser::IsReserved(std::string_view word) const {
  return std::any_of(kReserved.begin(), kReserved.end(), [word](std::string_view reserved) {
    return LowerAscii(reserved) == LowerAscii(word);
  });
}

bool Parser::IsName(std::size_t ahead) const {
  const Token& token = Ahead(ahead);
  return token.kind == TokenKind::Name || (token.kind == TokenKind::Word && !IsReserved(token));
}

Result<Name> Parser::ReadName(std::string_view what) {
  if (!IsName() && !IsSoftWord()) return Expected(what);
  const Token& token = tokens_[at_++];
  if (token.value.empty()) return SyntaxAt(token.begin, token.end, what, "\"\"");
  return Name{token.value, token.kind == TokenKind::Name, token.maybe_text};
}

Result<std::vector<Name>> Parser::NameList() {
  WARD_CHECK(NeedSymbol("("));
  std::vector<Name> names;
  do {
    WARD_TRY(Name name, ReadName("a column's name"));
    names.push_back(std::move(name));
  } while (TakeSymbol(","));
  WARD_CHECK(NeedSymbol(")"));
  return names;
}

// After a dot any word is a name.
Result<std::vector<Name>> Parser::DottedName(std::string_view what) {
  std::vector<Name> names;
  do {
    if (!names.empty() && Now().kind == TokenKind::Word) {
      names.push_back({tokens_[at_++].value, false, false});
      continue;
    }
    WARD_TRY(Name name, ReadName(what));
    names.push_back(std::move(name));
  } while (TakeSymbol("."));
  return names;
}

// [AS] alias; SQLite and MySQL take a string too.
std::optional<Name> Parser::Alias() {
  const bool has_as = IsWord("AS");
  const Token& token = Ahead(has_as ? 1 : 0);
  const bool is_text = token.kind == TokenKind::Text &&
                       (is_sqlite_ || is_mysql_ || (is_duckdb_ && has_as && reads_script_));
  const bool is_any_word = has_as && token.kind == TokenKind::Word;
  if (!is_text && !is_any_word && !IsName(has_as ? 1 : 0)) return std::nullopt;
  if (!has_as && reads_script_ && token.upper == "SET") return std::nullopt;  // UPDATE t SET
  if (!has_as && is_mysql_)
    for (const std::string_view word : kMySqlAfterTable)
      if (token.upper == word && (IsWordAt(1, "INDEX") || IsWordAt(1, "KEY"))) return std::nullopt;
  if (token.value.empty()) return std::nullopt;
  Name name{token.value, token.kind != TokenKind::Word, false};
  at_ += has_as ? 2 : 1;
  return name;
}

Result<Statement> Read(std::string_view text, const Dialect& dialect, int depth_max) {
  WARD_TRY(auto tokens, Scan(text, dialect));
  return Parser(std::move(tokens), dialect, depth_max).One();
}

Result<Statement> ReadView(std::string_view text, const Dialect& dialect) {
  WARD_TRY(auto tokens, Scan(text, dialect));
  return Parser(std::move(tokens), dialect, kReadDepthMax, Mode::View).One();
}

Result<ExpressionPtr> ReadCondition(std::string_view text, const Dialect& dialect) {
  WARD_TRY(auto tokens, Scan(text, dialect));
  return Parser(std::move(tokens), dialect, kReadDepthMax).Condition();
}

}  // namespace schemaward::sql::query
