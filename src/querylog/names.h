#pragma once

// The names of an index as the queries of a log write them.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"

namespace schemaward::querylog {

/// Finds tables and columns. Exact names come first; else, since not every engine folds names as
/// the parser does, the one that differs by ASCII case alone. Thread: any. Lifetime: keeps a
/// reference to the tables.
class Names {
 public:
  explicit Names(const std::vector<catalog::Table>& tables);

  /// Returns the position of a table. `schema`: empty where the query gives none; then the schemas
  /// of `search_path` are looked through in order, and after them the table that alone has the
  /// name.
  std::optional<std::size_t> FindTable(std::string_view schema, std::string_view name,
                                       const std::vector<std::string>& search_path) const;

  /// Returns the position of a column of the table.
  std::optional<std::size_t> FindColumn(std::size_t table, std::string_view name) const;

  const std::vector<catalog::Table>& tables() const { return tables_; }

 private:
  std::optional<std::size_t> InSchema(std::string_view schema, std::string_view name) const;

  const std::vector<catalog::Table>& tables_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> by_folded_name_;
};

}  // namespace schemaward::querylog
