#include "review/opinion.h"

#include <algorithm>
#include <array>
#include <string>

#include <sqlite3.h>

#include "pgparse/parse.h"
#include "sql/query/lexer.h"
#include "sqlite/sqlite.h"

namespace schemaward::review {
namespace {

using sql::query::Token;
using sql::query::TokenKind;

// Words of forms that PostgreSQL has since 16: the grammar at hand is older, so its no says
// nothing.
constexpr auto kNewer = std::to_array<std::string_view>(
    {"ENFORCED", "EXPRESSION", "JSON_TABLE", "JSON_ARRAY", "JSON_OBJECT", "JSON_SCALAR",
     "JSON_SERIALIZE", "JSON_VALUE", "JSON_QUERY", "JSON_EXISTS", "MERGE", "OVERLAPS", "PERIOD",
     "SYSTEM_USER", "VIRTUAL"});

// Where the byte of the statement is that the grammar counts as its character `position`, from 1.
std::size_t ByteOf(std::string_view text, int position) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_start = (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U;
    if (is_start && ++characters >= static_cast<std::size_t>(std::max(position, 1))) return i;
  }
  return text.size();
}

int DepthOf(const std::vector<Token>& tokens) {
  int depth = 0, deepest = 0;
  for (const Token& token : tokens) {
    if (token.kind != TokenKind::Symbol) continue;
    if (token.value == "(" || token.value == "[") deepest = std::max(deepest, ++depth);
    if (token.value == ")" || token.value == "]") --depth;
  }
  return deepest;
}

Judged OfPostgres(std::string_view statement, const sql::Dialect& dialect) {
  const auto scanned = sql::query::ScanScript(statement, dialect);
  if (scanned.failure) return {};
  const bool is_newer =
      std::any_of(scanned.tokens.begin(), scanned.tokens.end(), [](const Token& t) {
        return std::find(kNewer.begin(), kNewer.end(), t.upper) != kNewer.end();
      });
  Judged judged;
  const int depth = DepthOf(scanned.tokens);
  const Status ran = pgparse::RunOnDeepStack([&] {
    const auto refused = pgparse::RefusedAt(std::string(statement), scanned.tokens.size(), depth);
    if (!refused) return;
    judged.opinion = *refused == 0 ? Opinion::Taken : is_newer ? Opinion::None : Opinion::Refused;
    judged.at = ByteOf(statement, *refused);
  });
  return ran ? judged : Judged();
}

// What could reach beyond the statement while it is only read: a PRAGMA may act at once.
int DenyPragma(void*, int action, const char*, const char*, const char*, const char*) {
  return action == SQLITE_PRAGMA || action == SQLITE_ATTACH ? SQLITE_DENY : SQLITE_OK;
}

Judged OfSqlite(std::string_view statement) {
  auto database = sqlite::Database::Open(":memory:", {});
  if (!database) return {};
  sqlite3* handle = database->handle();
  sqlite3_set_authorizer(handle, DenyPragma, nullptr);
  sqlite3_stmt* made = nullptr;
  const int code = sqlite3_prepare_v3(handle, statement.data(), static_cast<int>(statement.size()),
                                      0, &made, nullptr);
  const sqlite::Statement owned = sqlite::Statement::Adopt(*database, made);
  if (code == SQLITE_OK) return {Opinion::Taken};
  const std::string_view said = sqlite3_errmsg(handle);
  const bool is_syntax = said.ends_with("syntax error") || said.starts_with("incomplete input") ||
                         said.starts_with("unrecognized token");
  if (!is_syntax) return {Opinion::Taken};  // a name that is not there, and the like
  const int at = sqlite3_error_offset(handle);
  return {Opinion::Refused, at < 0 ? statement.size() : static_cast<std::size_t>(at)};
}

}  // namespace

Judged OpinionOf(std::string_view statement, const sql::Dialect& dialect) {
  if (dialect.name == sql::Postgres().name) return OfPostgres(statement, dialect);
  if (dialect.name == sql::Sqlite().name) return OfSqlite(statement);
  if (dialect.name != sql::DuckDb().name) return {};
  const Judged judged = OfPostgres(statement, dialect);
  return judged.opinion == Opinion::Taken ? judged : Judged();
}

}  // namespace schemaward::review
