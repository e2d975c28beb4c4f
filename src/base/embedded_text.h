#pragma once

// A file that is built in; cmake/embed_texts.cmake makes lists of them.

#include <string_view>

namespace schemaward {

/// Lifetime: static.
struct EmbeddedText {
  std::string_view name;  ///< its path below the folder that was embedded
  std::string_view text;
};

}  // namespace schemaward
