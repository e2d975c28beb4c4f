#include "pgparse/normalize.h"

#include <charconv>
#include <memory>
#include <string_view>

#include <pg_query.h>
#include <pg_query/pg_query.pb-c.h>

#include "pgparse/parse.h"

namespace schemaward::pgparse {
namespace {

struct FreeScan {
  void operator()(PgQuery__ScanResult* scan) const {
    pg_query__scan_result__free_unpacked(scan, nullptr);
  }
};
using ScanPtr = std::unique_ptr<PgQuery__ScanResult, FreeScan>;

Result<ScanPtr> Scan(const std::string& sql) {
  const PgQueryScanResult result = pg_query_scan(sql.c_str());
  const std::unique_ptr<const PgQueryScanResult, void (*)(const PgQueryScanResult*)> scanned(
      &result, [](const PgQueryScanResult* owned) { pg_query_free_scan_result(*owned); });
  if (scanned->error != nullptr)
    return Error(ErrorKind::SqlSyntax, "not PostgreSQL").Private(View(scanned->error->message));
  ScanPtr scan(pg_query__scan_result__unpack(
      nullptr, scanned->pbuf.len, reinterpret_cast<const std::uint8_t*>(scanned->pbuf.data)));
  if (scan == nullptr) return Error(ErrorKind::Internal, "the scanner's words cannot be read");
  return scan;
}

bool IsComment(const PgQuery__ScanToken& token) {
  return token.token == PG_QUERY__TOKEN__SQL_COMMENT || token.token == PG_QUERY__TOKEN__C_COMMENT;
}

bool IsConstant(const PgQuery__ScanToken& token, std::string_view word) {
  switch (token.token) {
    case PG_QUERY__TOKEN__SCONST:
    case PG_QUERY__TOKEN__USCONST:
    case PG_QUERY__TOKEN__BCONST:
    case PG_QUERY__TOKEN__XCONST:
    case PG_QUERY__TOKEN__FCONST:
      return true;
    case PG_QUERY__TOKEN__ICONST: {
      std::int64_t number = kPlainNumberMax;
      std::from_chars(word.data(), word.data() + word.size(), number);
      return number >= kPlainNumberMax;
    }
    default:
      return false;
  }
}

void AppendWord(const PgQuery__ScanToken& token, std::string_view word, std::string& out) {
  const bool is_reserved = token.keyword_kind == PG_QUERY__KEYWORD_KIND__RESERVED_KEYWORD ||
                           token.keyword_kind == PG_QUERY__KEYWORD_KIND__TYPE_FUNC_NAME_KEYWORD;
  for (const char c : word)
    out += is_reserved && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

}  // namespace

Result<std::string> ReplaceConstants(const std::string& sql, std::size_t tokens, int depth) {
  WARD_CHECK(CheckBounds(tokens, depth));
  const PgQueryNormalizeResult result = pg_query_normalize(sql.c_str());
  const std::unique_ptr<const PgQueryNormalizeResult, void (*)(const PgQueryNormalizeResult*)> done(
      &result, [](const PgQueryNormalizeResult* owned) { pg_query_free_normalize_result(*owned); });
  if (done->error != nullptr)
    return Error(ErrorKind::SqlSyntax, "not PostgreSQL").Private(View(done->error->message));
  return std::string(View(done->normalized_query));
}

Result<PlainText> MakePlain(const std::string& sql) {
  WARD_TRY(const ScanPtr scan, Scan(sql));
  const std::string_view text(sql);
  PlainText plain;
  std::size_t end = 0;  // of the word before
  for (std::size_t i = 0; i < scan->n_tokens; ++i) {
    const PgQuery__ScanToken& token = *scan->tokens[i];
    const auto from = static_cast<std::size_t>(token.start);
    const auto to = static_cast<std::size_t>(token.end);
    if (IsComment(token) || to > text.size() || from >= to) continue;
    const std::string_view word = text.substr(from, to - from);
    if (!plain.text.empty() && from > end) plain.text += ' ';
    AppendWord(token, word, plain.text);
    plain.has_constants = plain.has_constants || IsConstant(token, word);
    end = to;
  }
  return plain;
}

}  // namespace schemaward::pgparse
