#pragma once

// Tags that people write about a column: in its comment, or where dbt keeps them.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "privacy/category.h"

namespace schemaward::privacy {

/// What one tag says.
struct Declared {
  std::vector<Category> categories;  ///< at least one
  std::string evidence;              ///< the tag, folded, as in "pii:email"
  bool is_bare = false;              ///< says that it is personal, not which category
  bool operator==(const Declared&) const = default;
};

inline constexpr std::size_t kCommentBytesMax = 4'096;  ///< later bytes are not looked at
inline constexpr std::size_t kTagsMax = 16;             ///< of one comment

/// Returns the tags of a comment: pii:email, @pii(contact, health), [PII], #pii, "PII = phone". The
/// word pii must be marked (@ # [ { or the start) or followed by : = or (; prose that only mentions
/// it, "no PII here", is no tag, and neither is pii:none. Thread: any.
std::vector<Declared> TagsOfComment(std::string_view comment);

/// Returns what a tag of the source says ("pii", "pii:email", "pii_health", "contact"), or nothing.
std::optional<Declared> TagOfSource(std::string_view tag);

}  // namespace schemaward::privacy
