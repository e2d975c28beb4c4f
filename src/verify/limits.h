#pragma once

// Every bound of a verification, in one place. Prompts are rendered from here.

#include <cstddef>
#include <cstdint>

namespace schemaward::verify {

inline constexpr int kRoundsMax =
    6;  ///< of an insight; one more, forced and not counted, may follow
inline constexpr std::size_t kEvidenceBytesMax = 32'000;  ///< of cited statements
inline constexpr std::size_t kLookupBytesMax = 32'000;    ///< of looked-up columns
inline constexpr std::size_t kNoticeBytesMax = 6'000;     ///< of what went wrong in one round
inline constexpr std::size_t kInsightsMax = 500;          ///< of one file
inline constexpr std::size_t kStepsMax = 1'000;           ///< of one file
inline constexpr std::size_t kCitedMax = 50;              ///< steps that one insight cites
inline constexpr std::size_t kTextBytesMax = 8'000;       ///< of a text of an insight
inline constexpr std::int64_t kHintsMax = 10;  ///< tables named to a claim that cites nothing
inline constexpr std::int64_t kOutputTokensMax = 2'000;

}  // namespace schemaward::verify
