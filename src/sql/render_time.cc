// What means time: periods and moments, each dialect by its own means. Where a dialect has no types
// for time, functions that its connector registers read texts and numbers (docs/formats/time.md).
#include <array>

#include <fmt/format.h>

#include "sql/printer.h"
#include "sql/time_text.h"

namespace schemaward::sql {
namespace {

constexpr std::array<std::string_view, 6> kGrains = {"hour",  "day",     "week",
                                                     "month", "quarter", "year"};
constexpr std::array<std::string_view, 3> kKinds = {"date", "naive", "instant"};
constexpr int kMonday = 1;
constexpr int kDaysOfWeek = 7;

std::string_view WordOf(TimeGrain grain) { return kGrains[static_cast<std::size_t>(grain)]; }

CastType TypeOf(TimeKind kind) {
  if (kind == TimeKind::Date) return CastType::Date;
  return kind == TimeKind::Naive ? CastType::Timestamp : CastType::TimestampTz;
}

}  // namespace

Status Printer::Node(const TimeBucket& node, int depth) {
  if (node.week_start < kMonday || node.week_start > kDaysOfWeek)
    return Unprintable("a week starts on no day");
  if (Is(Sqlite())) return BucketByFunction(node, depth);
  if (Is(Postgres()) || Is(DuckDb())) return BucketByZone(node, depth);
  return BucketByArithmetic(node, depth);
}

// ward_bucket(value, kind, grain, zone, own_zone, week_start).
Status Printer::BucketByFunction(const TimeBucket& node, int depth) {
  out_.text += "ward_bucket(";
  WARD_CHECK(Value(node.operand, depth));
  for (const std::string_view word :
       {kKinds[static_cast<std::size_t>(node.kind)], WordOf(node.grain),
        std::string_view(node.zone), std::string_view(node.own_zone)}) {
    out_.text += ", ";
    Bind({std::string(word)});
  }
  out_.text += fmt::format(", {})", node.week_start);
  return Ok();
}

// The zone is applied before the cut: an instant becomes what clocks there show. Weeks begin on
// Monday in date_trunc; others are cut a few days later and moved back.
Status Printer::BucketByZone(const TimeBucket& node, int depth) {
  const bool day_or_coarser = node.grain != TimeGrain::Hour;
  const bool instant = node.kind == TimeKind::Instant;
  const bool from_own_zone =
      node.kind == TimeKind::Naive && !node.own_zone.empty() && !node.zone.empty();
  const int shift =
      node.grain == TimeGrain::Week ? (kDaysOfWeek + kMonday - node.week_start) % kDaysOfWeek : 0;
  const std::string zone = node.zone.empty() ? "UTC" : node.zone;
  if (instant && !day_or_coarser && Is(DuckDb())) return HourByZone(node, zone, depth);
  if (day_or_coarser) out_.text += "CAST(";
  out_.text += fmt::format("date_trunc('{}', ", WordOf(node.grain));
  if (instant && !day_or_coarser) {
    // As an instant, so that the two hours of a clock set back stay two.
    WARD_CHECK(Value(node.operand, depth));
    out_.text += ", ";
    Bind({zone});
    out_.text += ')';
    return Ok();
  }
  if (instant || from_own_zone) out_.text += '(';
  // date_trunc would take a date for an instant of the session's zone.
  if (node.kind == TimeKind::Date) out_.text += "CAST(";
  WARD_CHECK(Value(node.operand, depth));
  if (node.kind == TimeKind::Date) out_.text += " AS timestamp)";
  if (from_own_zone) {
    out_.text += " AT TIME ZONE ";
    Bind({node.own_zone});
  }
  if (instant || from_own_zone) {
    out_.text += " AT TIME ZONE ";
    Bind({zone});
    out_.text += ')';
  }
  if (shift > 0) out_.text += fmt::format(" + interval '{} days'", shift);
  out_.text += ')';
  if (shift > 0) out_.text += fmt::format(" - interval '{} days'", shift);
  if (day_or_coarser) out_.text += " AS date)";
  return Ok();
}

// DuckDB's date_trunc knows no zone: the instant less what clocks there show past the full hour.
// Infinities cannot be subtracted and give null.
Status Printer::HourByZone(const TimeBucket& node, const std::string& zone, int depth) {
  const auto wall = [&]() -> Status {
    out_.text += '(';
    WARD_CHECK(Value(node.operand, depth));
    out_.text += " AT TIME ZONE ";
    Bind({zone});
    out_.text += ')';
    return Ok();
  };
  out_.text += "CASE WHEN isfinite(";
  WARD_CHECK(Value(node.operand, depth));
  out_.text += ") THEN ";
  WARD_CHECK(Value(node.operand, depth));
  out_.text += " - (";
  WARD_CHECK(wall());
  out_.text += " - date_trunc('hour', ";
  WARD_CHECK(wall());
  out_.text += ")) END";
  return Ok();
}

Status Printer::Node(const Comparable& node, int depth) {
  if (!Is(Sqlite())) return Value(node.operand, depth);
  out_.text += "ward_micros(";
  WARD_CHECK(Value(node.operand, depth));
  out_.text += fmt::format(", '{}')", kKinds[static_cast<std::size_t>(node.kind)]);
  return Ok();
}

Status Printer::Node(const Moment& node, int depth) {
  if (Is(Sqlite())) {
    Bind({node.micros});
    return Ok();
  }
  // MySQL's texts of time have no offset; its session is in UTC.
  const TimeKind shown =
      Is(MySql()) && node.kind == TimeKind::Instant ? TimeKind::Naive : node.kind;
  return Node(Cast{MakeLiteral({MomentText({node.micros, shown})}), TypeOf(shown)}, depth);
}

Status Printer::Node(const Shifted& node, int depth) {
  out_.text += '(';
  WARD_CHECK(Value(node.operand, depth));
  if (Is(Sqlite())) {
    out_.text += fmt::format(" + {})", node.micros);
  } else if (Is(Postgres()) || Is(DuckDb())) {
    out_.text += fmt::format(" + interval '{} microseconds')", node.micros);
  } else {
    out_.text += fmt::format(" + interval {} microsecond)", node.micros);
  }
  return Ok();
}

}  // namespace schemaward::sql
