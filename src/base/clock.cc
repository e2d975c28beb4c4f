#include "base/clock.h"

#include <algorithm>
#include <ctime>

#include <fmt/format.h>

namespace schemaward {

std::chrono::steady_clock::time_point SystemClock::Now() const {
  return std::chrono::steady_clock::now();
}

std::int64_t SystemClock::UnixMicros() const {
  using std::chrono::duration_cast;
  using std::chrono::microseconds;
  return duration_cast<microseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string ToIsoUtc(std::int64_t unix_micros) {
  constexpr std::int64_t kMicros = 1'000'000;
  std::int64_t seconds = unix_micros / kMicros;
  std::int64_t micros = unix_micros % kMicros;
  if (micros < 0) {
    micros += kMicros;
    --seconds;
  }
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  gmtime_r(&time, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                     micros);
}

std::chrono::milliseconds Deadline::Left(const Clock& clock, std::chrono::milliseconds cap) const {
  if (!IsSet()) return cap;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(at_ - clock.Now());
  return std::clamp(left, std::chrono::milliseconds(0), cap);
}

}  // namespace schemaward
