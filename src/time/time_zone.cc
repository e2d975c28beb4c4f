// The only file that knows the zone library.

#include "time/time_zone.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include <date/tz.h>
#include <fmt/format.h>

#include "base/ascii.h"
#include "base/text_distance.h"

namespace schemaward::time {
namespace {

using std::chrono::seconds;

std::int64_t SecondsOf(std::int64_t micros) {
  return Truncate(micros, Unit::Second) / kMicrosPerSecond;
}

std::int64_t MicrosOf(seconds value) { return value.count() * kMicrosPerSecond; }

const date::time_zone* Library(const void* zone) {
  return static_cast<const date::time_zone*>(zone);
}

// The zones of the machine; null where there are none. The library throws, here and nowhere later.
const date::tzdb* Database() {
  try {
    const date::tzdb& database = date::get_tzdb();
    return database.zones.empty() ? nullptr : &database;
  } catch (const std::exception&) {
    return nullptr;
  }
}

const date::time_zone* FindIn(const date::tzdb& database, std::string_view name) {
  const auto found = std::lower_bound(
      database.zones.begin(), database.zones.end(), name,
      [](const date::time_zone& zone, std::string_view wanted) { return zone.name() < wanted; });
  if (found == database.zones.end() || found->name() != name) return nullptr;
  try {
    // Reads the zone's file: what cannot be read is no zone.
    (void)found->get_info(date::sys_seconds(seconds(0)));
    return &*found;
  } catch (const std::exception&) {
    return nullptr;
  }
}

// Lower case, blanks as the underscores that names have.
std::string Plain(std::string_view name) {
  std::string plain;
  for (const char c : name) plain += c == ' ' ? '_' : LowerAscii(c);
  return plain;
}

// Of a whole name: its edits. Of its last part: the same and one, so that a whole name wins.
std::size_t DistanceOf(std::string_view wrong, std::string_view name) {
  const std::string plain = Plain(name);
  const std::size_t whole = EditDistance(wrong, plain);
  const std::size_t slash = plain.rfind('/');
  if (slash == std::string::npos) return whole;
  return std::min(whole, EditDistance(wrong, std::string_view(plain).substr(slash + 1)) + 1);
}

// Files beside the zones that hold other sets, or copies of zones, or no zone at all.
bool IsOffered(std::string_view name) {
  return !name.starts_with("posix/") && !name.starts_with("right/") && name != "posixrules" &&
         name != "localtime" && name != "Factory";
}

}  // namespace

Result<Zone> Zone::Find(std::string_view name) {
  Zone zone;
  if (name.empty() || name == "UTC") return zone;
  const date::tzdb* database = Database();
  if (database == nullptr)
    return std::move(Error(ErrorKind::EngineUnavailable, "the machine has no time zone database")
                         .Hint("Install the system's package of time zones (tzdata), or use UTC."));
  const bool may_be = name.size() <= kZoneNameMax && IsOffered(name);
  zone.zone_ = may_be ? FindIn(*database, name) : nullptr;
  if (zone.zone_ != nullptr) return zone;
  const std::string shown(name.substr(0, kZoneNameMax));
  return std::move(
      Error(ErrorKind::InvalidArgument, fmt::format("\"{}\" is not the name of a time zone", shown))
          .Hint("Use an IANA name such as Europe/Berlin.")
          .Near(NearestZones(shown)));
}

std::int64_t Zone::LocalOfUtc(std::int64_t utc) const {
  if (zone_ == nullptr) return utc;
  const date::sys_info info = Library(zone_)->get_info(date::sys_seconds(seconds(SecondsOf(utc))));
  return utc + MicrosOf(info.offset);
}

std::vector<OffsetChange> Zone::OffsetsBetween(std::int64_t first_utc,
                                               std::int64_t last_utc) const {
  if (zone_ == nullptr) return {{first_utc, 0}};
  std::vector<OffsetChange> changes;
  std::int64_t at = first_utc;
  while (at <= last_utc && changes.size() < kOffsetChangesMax) {
    const date::sys_info info = Library(zone_)->get_info(date::sys_seconds(seconds(at)));
    const std::int64_t offset = seconds(info.offset).count();
    // A change of the name alone is none.
    if (changes.empty() || changes.back().offset != offset) changes.push_back({at, offset});
    const std::int64_t end = info.end.time_since_epoch().count();
    if (end <= at) break;
    at = end;
  }
  return changes;
}

std::int64_t Zone::UtcOfLocal(std::int64_t local, Reading reading) const {
  if (zone_ == nullptr) return local;
  const date::local_info info =
      Library(zone_)->get_info(date::local_seconds(seconds(SecondsOf(local))));
  const bool is_gap = info.result == date::local_info::nonexistent;
  const bool is_twice = info.result == date::local_info::ambiguous;
  // Of a gap, `first` ends where `second` begins: the moment at which the clock jumps.
  if (is_gap && reading == Reading::Earlier) return MicrosOf(info.first.end.time_since_epoch());
  const bool is_later = is_twice && reading == Reading::ByOldOffset;
  return local - MicrosOf(is_later ? info.second.offset : info.first.offset);
}

bool ZoneExists(std::string_view name) { return Zone::Find(name).has_value(); }

std::vector<std::string> NearestZones(std::string_view wrong, std::size_t count) {
  const date::tzdb* database = Database();
  if (database == nullptr) return {};
  const std::string plain = Plain(wrong.substr(0, kZoneNameMax));
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const date::time_zone& zone : database->zones)
    if (IsOffered(zone.name())) near.emplace_back(DistanceOf(plain, zone.name()), zone.name());
  std::sort(near.begin(), near.end());
  std::vector<std::string> names;
  for (std::size_t i = 0; i < near.size() && i < count; ++i)
    names.push_back(std::move(near[i].second));
  return names;
}

std::int64_t TruncateUtc(std::int64_t utc, Unit unit, const Zone& zone, int week_start) {
  const std::int64_t local = zone.LocalOfUtc(utc);
  const std::int64_t cut = Truncate(local, unit, week_start);
  if (unit <= Unit::Hour) return utc - (local - cut);
  return zone.UtcOfLocal(cut);
}

}  // namespace schemaward::time
