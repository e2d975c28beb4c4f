#pragma once

// Puts tables together from the rows of SQLite's pragmas and the texts of its CREATE statements.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalog/catalog.h"
#include "connect/sqlite/schema_text.h"
#include "connect/sqlite/session.h"

namespace schemaward::connect::sqlite_engine {

/// A row of table_xinfo.
struct ColumnRow {
  std::string name;
  std::string type;
  bool not_null = false;
  std::optional<std::string> default_value;
  std::int64_t key_position = 0;  ///< in the primary key, from 1; 0 outside
  std::int64_t hidden = 0;        ///< 1: a virtual table's hidden column; 2, 3: generated
};

/// A row of foreign_key_list: one column of one key.
struct ForeignKeyRow {
  std::int64_t id;
  std::string target;
  std::string column;
  std::optional<std::string> target_column;
  std::string on_update;
  std::string on_delete;
};

/// A row of index_list with one of index_xinfo: one column of one index.
struct IndexRow {
  std::string index;
  bool unique;
  std::string origin;  ///< c: CREATE INDEX, u: UNIQUE constraint, pk: PRIMARY KEY
  bool partial;
  std::optional<std::string> column;
  std::int64_t column_id;  ///< -1: the rowid, -2: an expression
};

/// Thread: owner. Lifetime: the two lists outlive it.
class TableBuilder {
 public:
  TableBuilder(std::vector<catalog::Table>& tables, std::vector<catalog::Missing>& missing)
      : tables_(tables), missing_(missing) {}

  void Add(catalog::Table table, bool without_rowid, bool is_virtual);
  void AddColumn(std::string_view table, ColumnRow row);
  /// Rows of one key follow each other.
  void AddForeignKeyColumn(std::string_view table, ForeignKeyRow row);
  /// Rows of one index follow each other.
  void AddIndexColumn(std::string_view table, const IndexRow& row);
  void AddTableText(std::string_view table, std::string_view sql);
  void AddViewText(std::string_view view, std::string_view sql);
  void AddIndexText(std::string_view table, std::string_view index, std::string_view sql);
  /// Takes the table out and lists it as missing.
  void Drop(std::string_view table, std::string reason);
  /// Resolves what refers to other tables, names constraints, sorts. Called once, last.
  void Complete();
  /// Returns the names of the tables that have a rowid and are no virtual ones, sorted.
  std::vector<std::string> WithRowid() const;

 private:
  // A table that is being put together.
  struct Draft {
    std::size_t position;  // in tables_
    bool without_rowid = false;
    bool is_virtual = false;
    bool dropped = false;
    std::map<std::int64_t, std::string> key;  // position in the primary key to column
    std::int64_t last_foreign_key = -1;
    TableText text;
    std::string definition;  ///< of a view
    std::map<std::string, std::string, std::less<>> index_origins;
    std::map<std::string, std::string, std::less<>> index_texts;
  };

  Draft* Find(std::string_view table);
  const catalog::Table* FindFolded(std::string_view table) const;
  void FinishColumns(Draft& draft);
  void FinishKeys(Draft& draft);
  void FinishIndexes(Draft& draft);
  void FinishForeignKeys(Draft& draft);

  std::vector<catalog::Table>& tables_;
  std::vector<catalog::Missing>& missing_;
  std::map<std::string, Draft, std::less<>> drafts_;
  std::map<std::string, std::size_t>
      folded_;  // lower-case name to position; SQLite's names differ by more than case
};

/// How many tables one statement asks for the highest rowid; SQLite allows 2,000 columns and a
/// parser stack of some hundred subqueries.
inline constexpr std::size_t kEstimatesPerStatement = 200;

/// Fills in row_estimate: from sqlite_stat1 where `has_statistics`, else from the highest rowid of
/// the tables named in `with_rowid` (sorted).
Status ReadRowEstimates(Session& session, std::vector<catalog::Table>& tables,
                        const std::vector<std::string>& with_rowid, bool has_statistics);

/// Returns `name` in lower-case ASCII: SQLite compares names so.
std::string FoldName(std::string_view name);

}  // namespace schemaward::connect::sqlite_engine
