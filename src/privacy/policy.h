#pragma once

// What a caller may read. Thin today: everything but the floor categories' values; the full policy
// file plugs in here.

#include <optional>
#include <string_view>

#include "catalog/catalog.h"
#include "privacy/category.h"

namespace schemaward::privacy {

/// Thread: immutable.
class Policy {
 public:
  /// True when the values of `column` may be read. The floor (credential, payment_card,
  /// government_id) never is, nor is any column of a view: a view may give a floor column another
  /// name, and no lineage says so yet.
  bool MayReadValues(const catalog::Table& table, const catalog::Column& column) const;

  /// Returns the floor category that `column` belongs to, or nothing. A foreign key's column
  /// belongs to none when what it refers to does not either: people.passport_id referring to
  /// passports.id holds no passport number.
  std::optional<Category> FloorOf(const catalog::Table& table, const catalog::Column& column) const;

  /// True when the columns of `table` are what their names say: tables and not views.
  bool KnowsLineage(const catalog::Table& table) const;
};

}  // namespace schemaward::privacy
