// Periods of time in MySQL and MariaDB, by their own calendar functions. Zones are written out as a
// table of offsets from our own database: the servers' tables are empty until somebody fills them,
// and CONVERT_TZ then gives null.
#include <array>
#include <vector>

#include <fmt/format.h>

#include "sql/printer.h"
#include "sql/time_text.h"
#include "time/iso.h"
#include "time/time_zone.h"

namespace schemaward::sql {
namespace {

// What TO_SECONDS gives for 1970.
constexpr std::int64_t kSecondsAt1970 = 62'167'219'200;
// Offsets are written out from 1900 to 2037, where the rules of the database end.
constexpr std::int64_t kFirst = -2'208'988'800, kLast = 2'145'916'800;
// A Monday is day 2 of 7 in TO_DAYS.
constexpr int kMondayOfSeven = 2, kDaysOfWeek = 7;

// A moment at which a column of seconds passes from one offset to the next.
struct Step {
  std::int64_t from = 0;
  std::int64_t offset = 0;
};

// is_local: steps by what clocks of the zone show instead of UTC. A time that they show twice is
// the later one, one that they never show is read by the offset before: the step is where the new
// offset says.
Result<std::vector<Step>> StepsOf(const std::string& name, bool is_local) {
  WARD_TRY(const time::Zone zone, time::Zone::Find(name));
  std::vector<Step> steps;
  for (const time::OffsetChange& change : zone.OffsetsBetween(kFirst, kLast))
    steps.push_back(
        {change.from_utc + (is_local ? change.offset : 0) + kSecondsAt1970, change.offset});
  return steps;
}

// CAST(ELT(INTERVAL(TO_SECONDS(time), step, ...) + 1, offset, ...) AS signed)
std::string OffsetAt(const std::string& time, const std::vector<Step>& steps) {
  if (steps.size() == 1) return fmt::format("{}", steps.front().offset);
  std::string text = "CAST(ELT(INTERVAL(TO_SECONDS(" + time + ")";
  for (std::size_t i = 1; i < steps.size(); ++i) text += fmt::format(",{}", steps[i].from);
  text += ") + 1";
  for (const Step& step : steps) text += fmt::format(",{}", step.offset);
  return text + ") AS signed)";
}

std::string Moved(const std::string& time, char sign, const std::string& offset) {
  return offset == "0" ? time : fmt::format("({} {} INTERVAL {} SECOND)", time, sign, offset);
}

// Null where there is no such month: of 0000-00-00.
std::string CutToMonth(const std::string& time) {
  return fmt::format("CAST(DATE_FORMAT({}, '%Y-%m-01') AS date)", time);
}

// The first day of the period of `time`, in which `time` stands once.
std::string CutTo(TimeGrain grain, const std::string& time, int week_start) {
  switch (grain) {
    case TimeGrain::Hour:
      return fmt::format("CAST(DATE_FORMAT({}, '%Y-%m-%d %H:00:00') AS datetime)", time);
    case TimeGrain::Day:
      break;
    case TimeGrain::Week: {
      const int first = (kMondayOfSeven + week_start - 1) % kDaysOfWeek;
      return fmt::format("FROM_DAYS((TO_DAYS({}) - {}) DIV 7 * 7 + {})", time, first, first);
    }
    case TimeGrain::Month:
      return CutToMonth(time);
    case TimeGrain::Quarter:
      return fmt::format(
          "(CAST('1900-01-01' AS date) + INTERVAL FLOOR(PERIOD_DIFF(DATE_FORMAT({}, '%Y%m'), "
          "190001) / 3) * 3 MONTH)",
          CutToMonth(time));
    case TimeGrain::Year:
      return fmt::format("CAST(DATE_FORMAT({}, '%Y-01-01') AS date)", CutToMonth(time));
  }
  return fmt::format("CAST({} AS date)", time);
}

}  // namespace

Literal WithoutOffset(const Literal& literal) {
  const auto* text = std::get_if<std::string>(&literal.value);
  if (text == nullptr) return literal;
  const auto moment = time::FromIso(*text);
  if (!moment) return literal;
  return {MomentText({moment->Utc(), TimeKind::Naive})};
}

// The operand is printed aside and put where it is needed, once or more: a column. One that binds
// values could not be repeated.
Status Printer::BucketByArithmetic(const TimeBucket& node, int depth) {
  const std::size_t begin = out_.text.size(), bound = out_.parameters.size();
  WARD_CHECK(Value(node.operand, depth));
  const std::string operand = out_.text.substr(begin);
  out_.text.resize(begin);
  const bool changes_zone = !node.zone.empty() && node.zone != "UTC";
  const bool is_instant = node.kind == TimeKind::Instant;
  const bool from_own_zone =
      node.kind == TimeKind::Naive && !node.own_zone.empty() && !node.zone.empty();
  if (out_.parameters.size() != bound && (from_own_zone || (is_instant && changes_zone)))
    return Unprintable("a time that is shown in a zone is computed from values");
  std::string utc = operand;
  if (from_own_zone) {
    WARD_TRY(const std::vector<Step> own, StepsOf(node.own_zone, true));
    utc = Moved(operand, '-', OffsetAt(operand, own));
  }
  if (!from_own_zone && !(is_instant && changes_zone)) {
    out_.text += CutTo(node.grain, operand, node.week_start);
    return Ok();
  }
  WARD_TRY(const std::vector<Step> steps, StepsOf(node.zone, false));
  const std::string offset = OffsetAt(utc, steps);
  const std::string cut = CutTo(node.grain, Moved(utc, '+', offset), node.week_start);
  // An hour stays the moment that it begins at, so that the two of a clock set back stay two.
  out_.text += is_instant && node.grain == TimeGrain::Hour ? Moved(cut, '-', offset) : cut;
  return Ok();
}

}  // namespace schemaward::sql
