#pragma once

// Moments as text: ISO 8601 as databases and people write it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace schemaward::time {

/// Longer texts are not read.
inline constexpr std::size_t kIsoBytesMax = 64;

/// What a text says.
struct Moment {
  std::int64_t local = 0;  ///< microseconds since 1970 of the clock that the text was read from
  bool has_time = false;   ///< false: a day only, `local` is its midnight
  std::optional<std::int64_t> offset;  ///< microseconds east of UTC; absent: no zone was written
  /// Microseconds since 1970 of UTC; a text without a zone is taken for UTC.
  std::int64_t Utc() const { return local - offset.value_or(0); }
};

/// Reads YYYY-MM-DD, alone or with T or a blank and HH:MM[:SS[.fraction]], and after a time Z or
/// an offset (+HH, +HHMM, +HH:MM, a blank before it allowed). Blanks around it are skipped; digits
/// of a fraction beyond the sixth are cut. None for anything else and for days that do not exist.
std::optional<Moment> FromIso(std::string_view text);

/// YYYY-MM-DD. `micros` is clamped to the years 1 to 9999, here and below.
std::string ToIsoDate(std::int64_t micros);

/// YYYY-MM-DDTHH:MM:SS[.fraction], the fraction without zeros at its end.
std::string ToIsoNaive(std::int64_t micros);

/// The clock's time and its offset: YYYY-MM-DDTHH:MM:SS[.fraction]+HH:MM. `utc` is the moment,
/// `local` what the clock shows.
std::string ToIsoZoned(std::int64_t utc, std::int64_t local);

}  // namespace schemaward::time
