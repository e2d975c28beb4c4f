#pragma once

// What a caller may read. Thin today: everything but the floor categories' values; the full policy
// file plugs in here.

#include <string_view>

#include "catalog/catalog.h"

namespace schemaward::privacy {

/// Thread: immutable.
class Policy {
 public:
  /// True when the values of `column` may be read. The floor (credential, payment_card,
  /// government_id) never is.
  bool MayReadValues(const catalog::Table& table, const catalog::Column& column) const;
};

}  // namespace schemaward::privacy
