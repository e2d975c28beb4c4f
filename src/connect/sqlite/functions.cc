#include "connect/sqlite/functions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "text/fold.h"
#include "time/calendar.h"
#include "time/iso.h"
#include "time/time_zone.h"

namespace schemaward::connect::sqlite_engine {
namespace {

// Where numbers stand for times: seconds since 1970, or milliseconds where that would be after the
// year 5138. Reals in the range of Julian days of the years 1 to 9999 are such days.
constexpr std::int64_t kMillisFrom = 100'000'000'000;
constexpr double kJulianFirst = 1'721'425.5;
constexpr double kJulianLast = 5'373'484.5;
constexpr double kJulianOf1970 = 2'440'587.5;

std::string_view TextOf(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  return text == nullptr
             ? std::string_view()
             : std::string_view(text, static_cast<std::size_t>(sqlite3_value_bytes(value)));
}

/// A stored time: what its clock shows and, where it says so, when that is.
struct Stored {
  std::int64_t local = 0;
  std::int64_t utc = 0;
};

std::optional<Stored> Read(sqlite3_value* value) {
  switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER: {
      const std::int64_t number = sqlite3_value_int64(value);
      const bool millis = number >= kMillisFrom || number <= -kMillisFrom;
      const std::int64_t most = time::kMicrosMax / (millis ? 1'000 : time::kMicrosPerSecond);
      if (number > most || number < -most) return std::nullopt;
      const std::int64_t micros = number * (millis ? 1'000 : time::kMicrosPerSecond);
      return Stored{micros, micros};
    }
    case SQLITE_FLOAT: {
      const double number = sqlite3_value_double(value);
      const bool julian = number >= kJulianFirst && number <= kJulianLast;
      const double seconds = julian ? (number - kJulianOf1970) * 86'400.0 : number;
      if (!(std::abs(seconds) < 2.5e11)) return std::nullopt;
      // Julian days are doubles: their microseconds are noise, their milliseconds are not.
      const std::int64_t micros = std::llround(seconds * 1'000) * 1'000;
      return Stored{micros, micros};
    }
    case SQLITE_TEXT: {
      const auto moment = time::FromIso(TextOf(value));
      if (!moment) return std::nullopt;
      return Stored{moment->local, moment->Utc()};
    }
    default:
      return std::nullopt;
  }
}

std::int64_t MicrosOf(const Stored& stored, std::string_view kind) {
  if (kind == "instant") return stored.utc;
  if (kind == "date") return time::Truncate(stored.local, time::Unit::Day);
  return stored.local;
}

void Micros(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
  const auto stored = Read(values[0]);
  if (!stored) return sqlite3_result_null(context);
  sqlite3_result_int64(context, MicrosOf(*stored, TextOf(values[1])));
}

void Answer(sqlite3_context* context, const std::string& text) {
  sqlite3_result_text(context, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}

time::Zone ZoneOf(std::string_view name) {
  auto zone = time::Zone::Find(name);
  return zone ? *zone : time::Zone();
}

void Bucket(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
  const auto stored = Read(values[0]);
  const auto unit = time::UnitOf(TextOf(values[2]));
  if (!stored || !unit) return sqlite3_result_null(context);
  const std::string_view kind = TextOf(values[1]);
  const time::Zone zone = ZoneOf(TextOf(values[3]));
  const std::string_view own_zone = TextOf(values[4]);
  const int week_start = sqlite3_value_int(values[5]);
  const bool by_hour = *unit == time::Unit::Hour;
  std::int64_t wall = MicrosOf(*stored, kind);
  if (kind == "instant") {
    if (by_hour) {
      const std::int64_t utc = time::TruncateUtc(wall, *unit, zone);
      return Answer(context, time::ToIsoZoned(utc, zone.LocalOfUtc(utc)));
    }
    wall = zone.LocalOfUtc(wall);
  } else if (kind == "naive" && !own_zone.empty() && sqlite3_value_bytes(values[3]) > 0) {
    wall = zone.LocalOfUtc(ZoneOf(own_zone).UtcOfLocal(wall, time::Reading::ByOldOffset));
  }
  const std::int64_t start = time::Truncate(wall, *unit, week_start);
  Answer(context, by_hour ? time::ToIsoNaive(start) : time::ToIsoDate(start));
}

void Fold(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
  if (sqlite3_value_type(values[0]) == SQLITE_NULL) return sqlite3_result_null(context);
  Answer(context, text::FoldCase(TextOf(values[0])));
}

// Of one group; 80 MB.
constexpr std::size_t kNumbersMax = 10'000'000;

// The numbers of a group, until its end.
struct Numbers {
  std::vector<double> values;
  double fraction = 0.5;
};

Numbers** NumbersOf(sqlite3_context* context, bool create) {
  return static_cast<Numbers**>(sqlite3_aggregate_context(context, create ? sizeof(Numbers*) : 0));
}

void AddNumber(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
  Numbers** numbers = NumbersOf(context, true);
  if (numbers == nullptr) return sqlite3_result_error_nomem(context);
  if (*numbers == nullptr) *numbers = new (std::nothrow) Numbers();
  if (*numbers == nullptr) return sqlite3_result_error_nomem(context);
  (*numbers)->fraction = sqlite3_value_double(values[1]);
  const int type = sqlite3_value_numeric_type(values[0]);
  if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) return;
  auto& held = (*numbers)->values;
  if (held.size() >= kNumbersMax) return sqlite3_result_error_toobig(context);
  try {
    held.push_back(sqlite3_value_double(values[0]));
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(context);
  }
}

// Between the two values that the place falls between, as percentile_cont does.
void FinishNumbers(sqlite3_context* context) {
  Numbers** held = NumbersOf(context, false);
  if (held == nullptr || *held == nullptr) return sqlite3_result_null(context);
  const std::unique_ptr<Numbers> numbers(*held);
  *held = nullptr;
  auto& values = numbers->values;
  if (values.empty()) return sqlite3_result_null(context);
  std::sort(values.begin(), values.end());
  const double place = numbers->fraction * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double rest = place - static_cast<double>(below);
  const double upper = below + 1 < values.size() ? values[below + 1] : values[below];
  sqlite3_result_double(context, values[below] + (upper - values[below]) * rest);
}

constexpr std::array<std::string_view, 4> kNames = {"ward_bucket", "ward_fold", "ward_micros",
                                                    "ward_percentile"};

}  // namespace

bool IsOwnFunction(std::string_view name) {
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

int RegisterFunctions(sqlite3* handle) {
  constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  struct Row {
    const char* name;
    int arguments;
    void (*call)(sqlite3_context*, int, sqlite3_value**);
  };
  constexpr std::array<Row, 3> kRows = {
      {{"ward_micros", 2, Micros}, {"ward_bucket", 6, Bucket}, {"ward_fold", 1, Fold}}};
  for (const Row& row : kRows) {
    const int code = sqlite3_create_function_v2(handle, row.name, row.arguments, kFlags, nullptr,
                                                row.call, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) return code;
  }
  return sqlite3_create_function_v2(handle, "ward_percentile", 2, kFlags, nullptr, nullptr,
                                    AddNumber, FinishNumbers, nullptr);
}

}  // namespace schemaward::connect::sqlite_engine
