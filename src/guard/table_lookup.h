#pragma once

// Where the guard finds the tables that a statement names.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalog/catalog.h"

namespace schemaward::guard {

/// Thread: owner. Lifetime: what Find returns lives as long as the lookup.
class TableLookup {
 public:
  virtual ~TableLookup() = default;
  /// Returns the tables of that name, in that schema where one is given; upper and lower case are
  /// not told apart. At most a few. Errors: those of where tables are kept.
  virtual Result<std::vector<const catalog::Table*>> Find(const std::optional<std::string>& schema,
                                                          std::string_view name) = 0;
  /// Returns names near to one that was not found, as they are written, nearest first; may be none.
  virtual std::vector<std::string> Near(std::string_view name) = 0;
};

/// A lookup in a list. Lifetime: ends before the list.
class TableList final : public TableLookup {
 public:
  explicit TableList(const std::vector<catalog::Table>& tables) : tables_(tables) {}
  Result<std::vector<const catalog::Table*>> Find(const std::optional<std::string>& schema,
                                                  std::string_view name) override;
  std::vector<std::string> Near(std::string_view name) override;

 private:
  const std::vector<catalog::Table>& tables_;
};

}  // namespace schemaward::guard
