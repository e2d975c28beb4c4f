// The text that a database file gives as its CREATE statements: whatever it holds, reading it ends,
// comments are bounded and clean, labels are bounded, and a quoted name reads back as itself.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "connect/sqlite/schema_text.h"
#include "connect/sqlite/tokens.h"
#include "sql/dialect.h"

namespace engine = schemaward::connect::sqlite_engine;
namespace sql = schemaward::sql;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

void RequireClean(std::string_view comment) {
  Require(comment.size() <= engine::kCommentBytesMax, "a comment is too long");
  for (const char c : comment)
    Require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7F,
            "a comment holds a control character");
}

void ReadAsTable(std::string_view text) {
  const engine::TableText table = engine::ReadCreateTable(text);
  RequireClean(table.comment);
  for (const engine::ColumnText& column : table.columns) RequireClean(column.comment);
  for (const auto& check : table.checks) {
    const auto labels = engine::ReadLabels(check.expression);
    Require(!labels || labels->values.size() <= engine::kLabelsMax, "a check has too many labels");
  }
}

void QuoteAndRead(std::string_view name) {
  for (const sql::Dialect* dialect : {&sql::Sqlite(), &sql::MySql()}) {
    const std::string quoted = sql::QuoteIdentifier(*dialect, name);
    const auto tokens = engine::Tokenize(quoted);
    Require(tokens.size() == 1 && engine::NameOf(tokens[0]) == name,
            "a quoted name reads as another");
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ReadAsTable(text);
  (void)engine::ReadCreateIndex(text);
  RequireClean(engine::ReadViewComment(text));
  (void)engine::ReadLabels(text);
  QuoteAndRead(text);
  return 0;
}
