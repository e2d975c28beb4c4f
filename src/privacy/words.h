#pragma once

// The words of an identifier, as the name rules compare them.

#include <string>
#include <string_view>
#include <vector>

namespace schemaward::privacy {

/// Names longer than this are cut; engines stop at 63 to 128 bytes.
inline constexpr std::size_t kNameBytesMax = 256;

/// Returns the words of `name` in lower-case ASCII: split at punctuation, at a change of case and
/// between letters and digits; accents of Latin letters are dropped (an n with tilde is n, an s
/// with cedilla is s), written as one character or two, full-width letters and those of other
/// scripts that look like Latin ones are these, and what nobody sees is left out. Thread: any.
std::vector<std::string> WordsOf(std::string_view name);

}  // namespace schemaward::privacy
