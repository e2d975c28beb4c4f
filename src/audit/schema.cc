#include "audit/schema.h"

#include <fmt/format.h>

#include "audit/record.h"

namespace schemaward::audit {

std::string SchemaSql() {
  std::string columns;
  for (const ColumnSpec& column : Columns())
    columns += fmt::format("{}\n  {} {}{}", columns.empty() ? "" : ",", column.name, column.type,
                           column.name == "sequence" ? " PRIMARY KEY" : "");
  std::string sql = fmt::format("CREATE TABLE IF NOT EXISTS record({});\n", columns);
  // One row: where the chain starts (after a rotation: where the file before ended) and ends, and,
  // once this file is closed, the number of the file that goes on.
  sql += R"sql(
CREATE TABLE IF NOT EXISTS chain(
  one INTEGER PRIMARY KEY CHECK(one = 1),
  format INTEGER NOT NULL,
  base_sequence INTEGER NOT NULL,
  base_hash BLOB NOT NULL,
  head_sequence INTEGER NOT NULL,
  head_hash BLOB NOT NULL,
  mode TEXT NOT NULL,
  written INTEGER NOT NULL,
  next_file INTEGER NOT NULL DEFAULT 0,
  checkpoint_sequence INTEGER NOT NULL DEFAULT 0,
  tree BLOB
);
INSERT OR IGNORE INTO chain(one, format, base_sequence, base_hash, head_sequence, head_hash, mode,
                            written)
  VALUES(1, 1, 0, zeroblob(32), 0, zeroblob(32), '', 0);
)sql";
  for (const TriggerSpec& trigger : kTriggers)
    sql += fmt::format(
        "CREATE TRIGGER IF NOT EXISTS {} BEFORE {} ON {} BEGIN\n"
        "  SELECT RAISE(ABORT, 'audit records are never changed');\nEND;\n",
        trigger.name, trigger.event, trigger.table);
  return sql;
}

}  // namespace schemaward::audit
