#pragma once

// Which names an expression's text mentions, without reading it.

#include <string_view>

namespace schemaward::privacy {

/// True where `name` stands in `text` as a word, in any case, quoted or not. An empty name stands
/// nowhere. Thread: any.
bool Mentions(std::string_view text, std::string_view name);

}  // namespace schemaward::privacy
