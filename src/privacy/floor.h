#pragma once

// Which columns hold values that no policy lets out, judged by their names.

#include <optional>
#include <string_view>

#include "privacy/category.h"

namespace schemaward::privacy {

struct FloorMatch {
  Category category;        ///< credential, payment_card or government_id
  std::string_view phrase;  ///< of the rule that matched. Lifetime: static
};

/// Returns the floor category whose values a column of this name holds, or nothing. Words are
/// compared, never parts of words, and a name that speaks about such a value (password_changed_at,
/// token_count, card_type) does not match. `table` gives the context in which ambiguous names
/// (pass, salt, clave) count. Thread: any.
std::optional<FloorMatch> FloorCategoryOf(std::string_view table, std::string_view column);

}  // namespace schemaward::privacy
