#pragma once

// The words of identifiers and of questions.

#include <string>
#include <string_view>
#include <vector>

namespace schemaward::text {

/// Returns the folded words of an identifier or a sentence, in order: split at everything that is
/// no letter or digit, at a change from lower to upper case, before the last capital of a run that
/// a small letter follows (HTTPServer, but customerIDs keeps "ids"), and between letters and
/// digits. At most kWordsMax words; each at most kWordBytesMax bytes, the rest of it dropped.
/// Thread: any.
std::vector<std::string> SplitWords(std::string_view text);

inline constexpr std::size_t kWordsMax = 4096;
inline constexpr std::size_t kWordBytesMax = 64;

/// Returns the singular of a folded English word by its ending and a short list of irregular ones;
/// the word itself where no rule fits. Thread: any.
std::string Singular(std::string_view word);

}  // namespace schemaward::text
