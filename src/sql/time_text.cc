#include "sql/time_text.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

namespace schemaward::sql {

std::string MomentText(const Moment& moment) {
  constexpr std::int64_t kMin = -62'135'596'800'000'000;  // 0001-01-01
  constexpr std::int64_t kMax = 253'402'300'799'999'999;  // the end of 9999
  using std::chrono::microseconds;
  const std::chrono::sys_time<microseconds> at{microseconds(std::clamp(moment.micros, kMin, kMax))};
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date(day);
  std::string text =
      fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  if (moment.kind == TimeKind::Date) return text;
  const std::chrono::hh_mm_ss time(at - day);
  text += fmt::format(" {:02}:{:02}:{:02}.{:06}", time.hours().count(), time.minutes().count(),
                      time.seconds().count(), time.subseconds().count());
  return moment.kind == TimeKind::Instant ? text + "+00" : text;
}

}  // namespace schemaward::sql
