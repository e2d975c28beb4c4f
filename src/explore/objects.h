#pragma once

// Where the JSON objects of a model's reply are.

#include <string_view>
#include <vector>

namespace schemaward::explore {

/// An object at the top of a reply.
struct FoundObject {
  std::string_view text;
  bool is_list_item = false;  ///< stands in a list with others or alone
};

struct FoundObjects {
  std::vector<FoundObject> objects;  ///< in order; at most kObjectsMax, the last ones
  bool is_cut = false;               ///< after them an object begins that does not end
  static constexpr std::size_t kObjectsMax = 64;
};

/// Returns the objects that stand in `reply` outside thinking blocks (<think>, <thinking>) and
/// outside each other. Braces and tags inside strings of an object count for nothing; a closing tag
/// without an opening one ends thinking that began before the reply. An object that does not end
/// hides all that follows, and never gives what is nested in it. Lifetime: of `reply`. Thread: any.
FoundObjects FindObjects(std::string_view reply);

}  // namespace schemaward::explore
