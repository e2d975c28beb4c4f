#pragma once

// Every bound of an exploration, in one place. Prompts are rendered from here, so that what a model
// is told and what is held cannot drift apart.

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace schemaward::explore {

inline constexpr std::int64_t kLookupTablesMax = 10;  ///< tables of one lookup_schema
inline constexpr std::int64_t kSampleRowsMax = 3;     ///< sample rows of a table
inline constexpr std::size_t kColumnsShownMax = 50;   ///< columns of a table; keys go first
inline constexpr std::size_t kCellBytesMax = 80;      ///< of a value that is shown
inline constexpr std::int64_t kSearchHitsDefault = 10;
inline constexpr std::int64_t kSearchHitsMax = 30;
inline constexpr int kParseTriesMax = 4;   ///< replies to one prompt, the first one included
inline constexpr int kUnparsableMax = 12;  ///< unparsable replies of a whole run
inline constexpr std::int64_t kStepsMax = 1'000;
inline constexpr std::size_t kReplyBytesMax = 256U << 10U;  ///< of a model's reply that is read
inline constexpr std::size_t kQuestionBytesMax = 8'000;
inline constexpr std::size_t kCatalogWindowPercent = 30;  ///< of the model's window
inline constexpr std::size_t kInlineRowsMax = 20;         ///< results up to this are shown whole
inline constexpr std::size_t kHeadTailRows = 5;           ///< else so many of each end
inline constexpr std::size_t kTopValueDistinctMax = 20;   ///< columns with more show no values
inline constexpr std::size_t kTopValues = 3;
inline constexpr std::size_t kResultColumnsMax = 30;        ///< of a result, described
inline constexpr std::size_t kObservationBytesMax = 6'000;  ///< of what one step tells the model
inline constexpr std::size_t kNearNamesMax = 3;
inline constexpr int kRepairTriesMax = 5;            ///< rewrites of one statement
inline constexpr std::size_t kRepairTablesMax = 10;  ///< described to whoever mends a statement
inline constexpr std::size_t kStatementBytesMax = 32'000;  ///< of a statement that is mended
inline constexpr std::int64_t kClaimsMax = 200;            ///< of a run
inline constexpr std::int64_t kRunsKeptMax = 1'000;  ///< of a store; the oldest ones are forgotten

/// How much is read before the first step of a run.
struct SampleLimits {
  std::int64_t tables_max = 1'000;
  std::chrono::milliseconds time_max{30'000};
};

/// A number of calls that a run may make. Off and without calls left are two things.
struct Budget {
  bool is_on = true;
  std::int64_t calls_max = 30;  ///< at least 0
};

/// What one run may do.
struct Limits {
  std::int64_t steps_max = 100;  ///< 1 to kStepsMax
  std::int64_t steps_min = 0;    ///< `complete` is refused before; at most steps_max
  Budget lookups{};
  Budget searches{};
  std::int64_t output_tokens_max = 4'096;
};

}  // namespace schemaward::explore
