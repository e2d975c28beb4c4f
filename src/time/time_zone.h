#pragma once

// Time zones by their IANA names. The machine's zone database is read at the first use of a named
// zone, and each zone at its own first use; UTC needs neither.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "time/calendar.h"

namespace schemaward::time {

/// Names longer than this are no zones.
inline constexpr std::size_t kZoneNameMax = 64;
inline constexpr std::size_t kNearestZones = 3;
/// No zone has changed its clocks as often.
inline constexpr std::size_t kOffsetChangesMax = 1000;

/// How a clock's time is read where the clock shows it twice or never. Earlier: the earlier of the
/// two moments, and the end of the gap. ByOldOffset: as PostgreSQL's AT TIME ZONE reads it, the
/// later of the two, and a time in a gap by the offset before the gap.
enum class Reading : std::uint8_t { Earlier, ByOldOffset };

/// From `from_utc` on clocks are `offset` ahead of UTC; both in seconds, the first since 1970.
struct OffsetChange {
  std::int64_t from_utc = 0;
  std::int64_t offset = 0;
  bool operator==(const OffsetChange&) const = default;
};

/// A zone; cheap to copy. Default: UTC. Thread: any. Lifetime: what it refers to lives as long as
/// the process.
class Zone {
 public:
  Zone() = default;

  /// Returns the zone of that name, byte for byte; "" and "UTC" are UTC. Errors: InvalidArgument
  /// with the nearest names; EngineUnavailable when the machine has no zone database.
  static Result<Zone> Find(std::string_view name);

  /// Returns what a clock on a wall of the zone shows at `utc`, both in microseconds since 1970.
  /// The database's rules end in 2037; later moments keep the offset of its last rule.
  std::int64_t LocalOfUtc(std::int64_t utc) const;

  /// Returns when the clock shows `local`.
  std::int64_t UtcOfLocal(std::int64_t local, Reading reading = Reading::Earlier) const;

  /// Returns the offsets between two moments, in seconds since 1970, in their order; the first
  /// holds from `first_utc` on. At most kOffsetChangesMax.
  std::vector<OffsetChange> OffsetsBetween(std::int64_t first_utc, std::int64_t last_utc) const;

  bool IsUtc() const { return zone_ == nullptr; }
  bool operator==(const Zone&) const = default;

 private:
  const void* zone_ = nullptr;  // a zone of the library, whose header stays in one .cc
};

/// True for a name that Zone::Find takes; false too where the machine has no zone database.
bool ZoneExists(std::string_view name);

/// Returns the names nearest to `wrong`, nearest first, compared without case and also by the part
/// after the last slash ("berlin" finds Europe/Berlin); none without a zone database.
std::vector<std::string> NearestZones(std::string_view wrong, std::size_t count = kNearestZones);

/// Returns the start of the period that holds `utc` as clocks of `zone` count it, as UTC. Hours
/// are cut by the offset that holds at `utc`, so that the two hours of a clock set back stay
/// apart.
std::int64_t TruncateUtc(std::int64_t utc, Unit unit, const Zone& zone, int week_start = kMonday);

}  // namespace schemaward::time
