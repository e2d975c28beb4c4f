// Statements of a script that define: CREATE TABLE, INDEX, VIEW and routines. What a definition
// says beyond what rules ask is skipped, bracket by bracket.
#include <algorithm>
#include <array>
#include <utility>

#include "sql/query/parser.h"

namespace schemaward::sql::query {
namespace {

constexpr std::size_t kOptionWordsMax = 40;

bool IsOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string Upper(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return out;
}

}  // namespace

// True at the comma or bracket that ends a definition.
bool Parser::EndsElement() const {
  return Now().kind == TokenKind::End || IsSymbol(",") || IsSymbol(")");
}

// Takes "(...)", "[...]" or "{...}".
void Parser::SkipBalanced() {
  std::size_t depth = 0;
  while (Now().kind != TokenKind::End) {
    if (IsSymbol("(") || IsSymbol("[") || IsSymbol("{")) ++depth;
    const bool closes = IsSymbol(")") || IsSymbol("]") || IsSymbol("}");
    Skip();
    if (closes && --depth == 0) return;
  }
}

void Parser::SkipElement() {
  while (!EndsElement())
    if (IsSymbol("("))
      SkipBalanced();
    else
      Skip();
}

bool Parser::IsStatementWord() const {
  // Of a client's own, or of one engine: lock files and read logs, no rows of tables.
  static constexpr auto kMySqlWords = std::to_array<std::string_view>(
      {"BINLOG", "CACHE",  "CHANGE",   "CHECK",   "CHECKSUM", "CLONE", "GET",       "HELP",
       "PURGE",  "REPAIR", "RESIGNAL", "RESTART", "SIGNAL",   "STOP",  "UNINSTALL", "IF",
       "WHILE",  "LOOP",   "REPEAT",   "LEAVE",   "ITERATE",  "OPEN",  "RETURN",    "DELIMITER"});
  if (is_mysql_ &&
      std::find(kMySqlWords.begin(), kMySqlWords.end(), Now().upper) != kMySqlWords.end())
    return true;
  if (is_duckdb_ && (IsWord("FORCE") || IsWord("PIVOT_WIDER") || IsWord("PIVOT_LONGER")))
    return true;
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"ANALYZE", "ATTACH",     "CALL",    "CHECKPOINT", "CLOSE",    "CLUSTER", "COMMENT",
       "COPY",    "DEALLOCATE", "DECLARE", "DELIMITER",  "DETACH",   "DISCARD", "DO",
       "EXECUTE", "EXPLAIN",    "EXPORT",  "FETCH",      "FLUSH",    "HANDLER", "IMPORT",
       "INSTALL", "KILL",       "LISTEN",  "LOAD",       "LOCK",     "MERGE",   "MOVE",
       "NOTIFY",  "OPTIMIZE",   "PREPARE", "REASSIGN",   "REFRESH",  "REINDEX", "RELEASE",
       "RENAME",  "RESET",      "REVOKE",  "SAVEPOINT",  "SECURITY", "SET",     "SHUTDOWN",
       "START",   "UNLISTEN",   "UNLOCK",  "USE",        "VACUUM",   "XA",      "PIVOT",
       "UNPIVOT"});
  return std::find(kWords.begin(), kWords.end(), Now().upper) != kWords.end();
}

Status Parser::Create(Change& change) {
  Skip();
  while (Now().kind == TokenKind::Word) {
    if (IsWord("TABLE")) return CreateTable(change);
    if (IsWord("INDEX")) return CreateIndex(change);
    if (IsWord("VIEW")) return CreateView(change);
    if (IsWord("FUNCTION") || IsWord("PROCEDURE")) {
      CreateRoutine(change);
      return Ok();
    }
    if (IsWord("TEMP") || IsWord("TEMPORARY")) change.is_temporary = true;
    if (IsWord("UNIQUE")) change.is_unique = true;
    if (IsWord("REPLACE")) change.is_replacing = true;
    if (!IsOneOf(Now().upper, {"OR", "REPLACE", "TEMP", "TEMPORARY", "UNIQUE", "UNLOGGED", "GLOBAL",
                               "LOCAL", "MATERIALIZED", "RECURSIVE", "FULLTEXT", "SPATIAL",
                               "ALGORITHM", "DEFINER", "SQL", "SECURITY", "INVOKER"}))
      break;
    Skip();
    if (TakeSymbol("=")) Skip();
    if (TakeSymbol("@")) Skip();
  }
  TakeRest();
  return Ok();
}

Status Parser::CreateTable(Change& change) {
  change.kind = ChangeKind::CreateTable;
  Skip();
  change.if_exists = TakeWords({"IF", "NOT", "EXISTS"});
  change.target = std::make_unique<TableExpression>();
  change.target->begin = Now().begin;
  WARD_TRY(change.target->names, DottedName("a table's name"));
  change.target->end = tokens_[at_ - 1].end;
  // PARTITION OF parent [(...)] FOR VALUES ...; OF type [(...)]; and AS with names alone.
  const bool is_part = IsWord("PARTITION") && IsWordAt(1, "OF");
  if (is_postgres_ && (is_part || IsWord("OF"))) {
    TakeRest();
    return Ok();
  }
  if (is_postgres_ && IsSymbol("(") && IsSymbolAt(1, ")")) {
    Skip(2);
  } else if (IsSymbol("(") && !BeginsQuery() && !(is_mysql_ && IsWordAt(1, "LIKE"))) {
    Skip();
    do {
      WARD_CHECK(TableElement(change));
    } while (TakeSymbol(","));
    WARD_CHECK(NeedSymbol(")"));
  }
  const auto begins_query = [&] { return IsWord("SELECT") || (IsSymbol("(") && BeginsQuery()); };
  while (Now().kind != TokenKind::End && !IsWord("AS") && !begins_query()) {
    if (IsSymbol("(")) {
      SkipBalanced();
      continue;
    }
    if (Now().kind != TokenKind::Symbol && change.options.size() < kOptionWordsMax)
      change.options.push_back(Upper(Now().value));
    Skip();
  }
  if (TakeWord("AS") ? BeginsQuery() : begins_query()) {
    WARD_TRY(change.query, ReadQuery());
  }
  TakeRest();  // WITH NO DATA
  return Ok();
}

Status Parser::TableElement(Change& change) {
  WARD_TRY(auto constraint, Constraint());
  if (constraint) {
    change.constraints.push_back(*std::move(constraint));
    return Ok();
  }
  if (IsWord("LIKE") || IsWord("EXCLUDE") || IsWord("PERIOD")) {
    SkipElement();
    return Ok();
  }
  WARD_TRY(ColumnDefinition column, ReadColumn());
  change.definitions.push_back(std::move(column));
  return Ok();
}

Status Parser::CreateIndex(Change& change) {
  change.kind = ChangeKind::CreateIndex;
  Skip();
  change.is_concurrent = TakeWord("CONCURRENTLY");
  change.if_exists = TakeWords({"IF", "NOT", "EXISTS"});
  if (!IsWord("ON")) {
    WARD_TRY(auto name, DottedName("an index's name"));
    change.objects.push_back(std::move(name));
  }
  if (is_mysql_ && TakeWord("USING")) Skip();
  WARD_CHECK(NeedWord("ON"));
  TakeWord("ONLY");
  change.target = std::make_unique<TableExpression>();
  change.target->begin = Now().begin;
  WARD_TRY(change.target->names, DottedName("a table's name"));
  change.target->end = tokens_[at_ - 1].end;
  if (TakeWord("USING")) Skip();
  WARD_TRY(change.columns, KeyColumns());
  while (Now().kind != TokenKind::End && !IsWord("WHERE")) Skip();
  if (TakeWord("WHERE")) {
    WARD_TRY(change.where, Value());
  }
  TakeRest();
  return Ok();
}

Status Parser::CreateView(Change& change) {
  change.kind = ChangeKind::CreateView;
  Skip();
  change.if_exists = TakeWords({"IF", "NOT", "EXISTS"});
  change.target = std::make_unique<TableExpression>();
  change.target->begin = Now().begin;
  WARD_TRY(change.target->names, DottedName("a view's name"));
  change.target->end = tokens_[at_ - 1].end;
  if (IsSymbol("(")) {
    WARD_TRY(change.columns, KeyColumns());
  }
  while (Now().kind != TokenKind::End && !IsWord("AS"))
    if (IsSymbol("("))
      SkipBalanced();
    else
      Skip();
  WARD_CHECK(NeedWord("AS"));
  WARD_TRY(change.query, ReadQuery());
  TakeRest();
  return Ok();
}

void Parser::CreateRoutine(Change& change) {
  change.kind = ChangeKind::CreateRoutine;
  for (; Now().kind != TokenKind::End; Skip()) {
    if (IsWord("SECURITY") && IsWordAt(1, "DEFINER")) change.is_security_definer = true;
    if (IsWord("SET") && IsWordAt(1, "SEARCH_PATH")) change.sets_search_path = true;
  }
}

}  // namespace schemaward::sql::query
