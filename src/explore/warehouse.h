#pragma once

// What an exploration may ask of a warehouse: names and descriptions out of the index, and rows
// through the guard.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"

namespace schemaward::explore {

/// A line of the catalog.
struct CatalogEntry {
  std::string name;  ///< canonical: schema.table
  std::string schema;
  std::int64_t columns = 0;
  std::optional<std::int64_t> rows;  ///< the engine's estimate
};

/// What a written name means.
struct ResolvedName {
  std::string name;               ///< canonical; empty where it means no table, or several
  std::vector<std::string> near;  ///< then the nearest names, or the candidates
  bool is_ambiguous = false;
};

struct ColumnView {
  std::string name, type;
  bool nullable = true;
  std::string note{};       ///< "key", "-> schema.table.column", "time", "personal"; may be empty
  bool goes_first = false;  ///< keys and times: shown where not all columns are
};

/// Values are those that the policy lets be read, and none else.
struct TableView {
  std::string name;
  std::optional<std::int64_t> rows;
  std::vector<ColumnView> columns;                               ///< in the table's order
  std::vector<std::string> sample_columns;                       ///< of which values are kept
  std::vector<std::vector<std::optional<std::string>>> samples;  ///< rows; nothing is null
  std::string no_samples{};  ///< where there are none: why, if it is known
};

struct TableHit {
  std::string name;
  std::optional<std::int64_t> rows;
  std::string reason;
};

/// A number in the engine's own digits: a decimal, or a whole number that 64 bits of JSON lose.
struct Decimal {
  std::string text;
  bool operator==(const Decimal&) const = default;
};

using Cell = std::variant<std::monostate, bool, std::int64_t, double, std::string, Decimal>;

struct ResultColumn {
  std::string name;
  bool hides_values = false;  ///< tagged or masked: a digest shows counts only
};

struct QueryResult {
  std::vector<ResultColumn> columns;
  std::vector<std::vector<Cell>> rows;
  bool truncated = false;  ///< a cap of rows or bytes cut it
  std::string statement;   ///< what ran, as the guard printed it
  std::int64_t time_ms = 0;
  int repairs = 0;  ///< rewrites that it took before it ran
};

/// Thread: any. Partial misses are no errors; nothing is written.
class Warehouse {
 public:
  virtual ~Warehouse() = default;
  /// Reads what lookups will show: sample rows that are kept nowhere. Called once, before the first
  /// step of a run. What cannot be read is no error. Errors: as the index; what ends the call.
  virtual Status Prepare(CallContext& ctx) = 0;
  /// All tables that the caller may know of, sorted by name.
  virtual Result<std::vector<CatalogEntry>> Catalog(CallContext& ctx) = 0;
  virtual Result<ResolvedName> Resolve(const std::string& name, CallContext& ctx) = 0;
  /// `names`: canonical, each once. Never asks the database. Errors: as the index.
  virtual Result<std::vector<TableView>> Lookup(const std::vector<std::string>& names,
                                                CallContext& ctx) = 0;
  /// At most `hits_max` tables, best first.
  virtual Result<std::vector<TableHit>> Search(const std::string& text, std::int64_t hits_max,
                                               CallContext& ctx) = 0;
  /// Runs one statement that the guard has approved; what it refuses is an error with its hint.
  virtual Result<QueryResult> Query(const std::string& sql, CallContext& ctx) = 0;
};

}  // namespace schemaward::explore
