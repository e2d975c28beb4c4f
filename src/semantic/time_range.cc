#include "semantic/time_range.h"

#include <array>
#include <charconv>

#include <fmt/format.h>

#include "base/ascii.h"
#include "text/nearest.h"
#include "time/calendar.h"
#include "time/iso.h"

namespace schemaward::semantic {
namespace {

using time::Unit;

struct GrainWord {
  std::string_view word;
  sql::TimeGrain grain;
};

// Singular, and how it is said otherwise.
constexpr std::array<GrainWord, 18> kGrains = {{{"hour", sql::TimeGrain::Hour},
                                                {"day", sql::TimeGrain::Day},
                                                {"week", sql::TimeGrain::Week},
                                                {"month", sql::TimeGrain::Month},
                                                {"quarter", sql::TimeGrain::Quarter},
                                                {"year", sql::TimeGrain::Year},
                                                {"hourly", sql::TimeGrain::Hour},
                                                {"daily", sql::TimeGrain::Day},
                                                {"date", sql::TimeGrain::Day},
                                                {"weekly", sql::TimeGrain::Week},
                                                {"isoweek", sql::TimeGrain::Week},
                                                {"monthly", sql::TimeGrain::Month},
                                                {"quarterly", sql::TimeGrain::Quarter},
                                                {"yearly", sql::TimeGrain::Year},
                                                {"annual", sql::TimeGrain::Year},
                                                {"annually", sql::TimeGrain::Year},
                                                {"h", sql::TimeGrain::Hour},
                                                {"d", sql::TimeGrain::Day}}};

constexpr std::array<Unit, 6> kUnits = {Unit::Hour,  Unit::Day,     Unit::Week,
                                        Unit::Month, Unit::Quarter, Unit::Year};

Unit UnitOfGrain(sql::TimeGrain grain) { return kUnits[static_cast<std::size_t>(grain)]; }

std::string Underscored(std::string_view text) {
  std::string word = LowerAscii(text);
  for (char& c : word)
    if (c == ' ' || c == '-') c = '_';
  return word;
}

std::optional<Unit> UnitIn(std::string_view word) {
  if (word.size() > 1 && word.back() == 's') word.remove_suffix(1);
  const auto unit = time::UnitOf(word);
  return unit && *unit != Unit::Second && *unit != Unit::Minute ? unit : std::nullopt;
}

struct Walls {
  std::int64_t start;
  std::int64_t end;
};

Walls PeriodAt(std::int64_t wall, Unit unit, std::int64_t moved, int week_start) {
  const std::int64_t start = time::Add(time::Truncate(wall, unit, week_start), moved, unit);
  return {start, time::Add(start, 1, unit)};
}

// last_7_days and last_3_months: whole periods before the present one.
std::optional<Walls> LastSeveral(std::string_view rest, std::int64_t now, int week_start) {
  const std::size_t gap = rest.find('_');
  if (gap == std::string_view::npos) return std::nullopt;
  constexpr std::int64_t kCountMax = 10'000;
  std::int64_t count = 0;
  const std::string_view digits = rest.substr(0, gap);
  const auto [stop, code] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  const auto unit = UnitIn(rest.substr(gap + 1));
  if (code != std::errc() || stop != digits.data() + digits.size() || count < 1 ||
      count > kCountMax || !unit)
    return std::nullopt;
  const std::int64_t end = time::Truncate(now, *unit, week_start);
  return Walls{time::Add(end, -count, *unit), end};
}

std::optional<Walls> ToDate(std::string_view word, std::int64_t now, int week_start) {
  struct Row {
    std::string_view word;
    Unit unit;
  };
  constexpr std::array<Row, 8> kRows = {{{"ytd", Unit::Year},
                                         {"year_to_date", Unit::Year},
                                         {"qtd", Unit::Quarter},
                                         {"quarter_to_date", Unit::Quarter},
                                         {"mtd", Unit::Month},
                                         {"month_to_date", Unit::Month},
                                         {"wtd", Unit::Week},
                                         {"week_to_date", Unit::Week}}};
  for (const Row& row : kRows)
    if (row.word == word)
      return Walls{time::Truncate(now, row.unit, week_start),
                   time::Add(time::Truncate(now, Unit::Day), 1, Unit::Day)};
  return std::nullopt;
}

std::optional<Walls> InWords(std::string_view text, const Clockwork& clock) {
  const std::string word = Underscored(text);
  const std::int64_t now = clock.FromUtc(clock.now_utc).wall;
  const std::string_view view = word;
  if (view == "today") return PeriodAt(now, Unit::Day, 0, clock.week_start);
  if (view == "yesterday") return PeriodAt(now, Unit::Day, -1, clock.week_start);
  if (const auto range = ToDate(view, now, clock.week_start)) return range;
  for (const auto& [prefix, moved] : {std::pair<std::string_view, int>{"this_", 0},
                                      {"current_", 0},
                                      {"last_", -1},
                                      {"previous_", -1},
                                      {"past_", -1}}) {
    if (view.substr(0, prefix.size()) != prefix) continue;
    const std::string_view rest = view.substr(prefix.size());
    if (const auto unit = UnitIn(rest)) return PeriodAt(now, *unit, moved, clock.week_start);
    if (moved < 0) return LastSeveral(rest, now, clock.week_start);
  }
  return std::nullopt;
}

std::optional<int> Digits(std::string_view text) {
  int number = 0;
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || code != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return number;
}

// 2024, 2024-03, 2024-Q1: a period as a date.
std::optional<Walls> PeriodText(std::string_view text) {
  if (text.size() < 4) return std::nullopt;
  const auto year = Digits(text.substr(0, 4));
  if (!year || *year < 1) return std::nullopt;
  const auto from = [&](int month, Unit unit) {
    const std::int64_t start = time::MicrosOf({*year, month, 1});
    return Walls{start, time::Add(start, 1, unit)};
  };
  if (text.size() == 4) return from(1, Unit::Year);
  if (text.size() != 7 || text[4] != '-') return std::nullopt;
  if (text[5] == 'Q' || text[5] == 'q') {
    const auto quarter = Digits(text.substr(6));
    if (!quarter || *quarter < 1 || *quarter > 4) return std::nullopt;
    return from(*quarter * 3 - 2, Unit::Quarter);
  }
  const auto month = Digits(text.substr(5));
  if (!month || *month < 1 || *month > 12) return std::nullopt;
  return from(*month, Unit::Month);
}

Error NotARange(std::string_view text) {
  static constexpr std::array<const char*, 14> kWords = {
      "today",       "yesterday",    "this_week",      "last_week",   "this_month",
      "last_month",  "this_quarter", "last_quarter",   "this_year",   "last_year",
      "last_7_days", "last_30_days", "last_12_months", "year_to_date"};
  Error error(ErrorKind::MalformedName,
              fmt::format("\"{}\" is not an ISO date, an ISO time or a range in words", text));
  error.Near(text::FindNearestNames(text, {kWords.begin(), kWords.end()}, 3));
  return error;
}

// One end of a range. `whole`: what the text alone covers, where it covers a time.
Result<Boundary> ReadEnd(std::string_view text, const Clockwork& clock,
                         std::optional<Walls>& whole) {
  whole = PeriodText(text);
  if (!whole) whole = InWords(text, clock);
  if (whole) return clock.FromWall(whole->start);
  const auto moment = time::FromIso(text);
  if (!moment) return NotARange(text);
  if (moment->offset) return clock.FromUtc(moment->Utc());
  if (!moment->has_time) whole = Walls{moment->local, time::Add(moment->local, 1, Unit::Day)};
  return clock.FromWall(moment->local);
}

constexpr std::int64_t CeilDay(std::int64_t micros) {
  const std::int64_t rest =
      ((micros % time::kMicrosPerDay) + time::kMicrosPerDay) % time::kMicrosPerDay;
  return rest == 0 ? micros : micros - rest + time::kMicrosPerDay;
}

const time::Zone& Or(const Result<time::Zone>& zone, const time::Zone& fallback) {
  return zone ? *zone : fallback;
}

std::string LabelOf(sql::TimeGrain grain, const Boundary& at, bool instants) {
  if (grain != sql::TimeGrain::Hour) return time::ToIsoDate(at.wall);
  return instants ? time::ToIsoZoned(at.utc, at.wall) : time::ToIsoNaive(at.wall);
}

std::int64_t WeeksOf(const Span& span) {
  constexpr std::int64_t kWeeksOfMonth = 4, kWeeksOfQuarter = 13, kWeeksOfYear = 52;
  if (span.unit == "year") return span.count * kWeeksOfYear;
  if (span.unit == "quarter") return span.count * kWeeksOfQuarter;
  if (span.unit == "month") return span.count * kWeeksOfMonth;
  return span.count;
}

Unit UnitOfSpan(const Span& span) { return time::UnitOf(span.unit).value_or(Unit::Day); }

// Moves a period back. Its days stay as many where they are the period's own (hour, day, week);
// a month becomes the month before, whatever its length.
Walls MovedBack(const Walls& walls, const Offset& offset, std::optional<sql::TimeGrain> grain) {
  const bool weekly =
      offset.align == Alignment::Week && offset.span.unit != "hour" && offset.span.unit != "day";
  const std::int64_t count = weekly ? WeeksOf(offset.span) : offset.span.count;
  const Unit unit = weekly ? Unit::Week : UnitOfSpan(offset.span);
  const std::int64_t start = time::Add(walls.start, -count, unit);
  const bool keeps_length = grain && *grain <= sql::TimeGrain::Week;
  return {start,
          keeps_length ? start + (walls.end - walls.start) : time::Add(walls.end, -count, unit)};
}

}  // namespace

std::string ResolvedRange::Text(const Boundary& boundary) {
  return boundary.wall % time::kMicrosPerDay == 0 ? time::ToIsoDate(boundary.wall)
                                                  : time::ToIsoZoned(boundary.utc, boundary.wall);
}

std::int64_t Clockwork::ForColumn(const Boundary& boundary, sql::TimeKind kind,
                                  const std::string& own_zone) const {
  if (kind == sql::TimeKind::Instant) return boundary.utc;
  if (kind == sql::TimeKind::Date) return CeilDay(boundary.wall);
  if (own_zone.empty() || zone_name.empty()) return boundary.wall;
  return Or(time::Zone::Find(own_zone), zone).LocalOfUtc(boundary.utc);
}

Boundary Clockwork::FromColumn(std::int64_t micros, sql::TimeKind kind,
                               const std::string& own_zone) const {
  if (kind == sql::TimeKind::Instant) return FromUtc(micros);
  if (kind == sql::TimeKind::Date || own_zone.empty() || zone_name.empty()) return FromWall(micros);
  return FromUtc(Or(time::Zone::Find(own_zone), zone).UtcOfLocal(micros));
}

std::optional<sql::TimeGrain> GrainOf(std::string_view word) {
  std::string plain = LowerAscii(word);
  if (plain.size() > 2 && plain.back() == 's') plain.pop_back();
  for (const GrainWord& row : kGrains)
    if (row.word == plain) return row.grain;
  return std::nullopt;
}

std::string_view WordOf(sql::TimeGrain grain) {
  return kGrains[static_cast<std::size_t>(grain)].word;
}

std::string_view NearestGrain(std::string_view word) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < kUnits.size(); ++i) words.emplace_back(kGrains[i].word);
  const auto near = text::FindNearestNames(word, words, 1);
  return WordOf(GrainOf(near.front()).value_or(sql::TimeGrain::Month));
}

Result<ResolvedRange> ReadRange(const TimeRange& range, const Clockwork& clock) {
  ResolvedRange resolved;
  std::string start = range.start;
  std::string end = range.end;
  // ISO 8601 writes both ends of an interval with a slash between.
  if (const std::size_t slash = start.find('/'); slash != std::string::npos && end.empty()) {
    end = start.substr(slash + 1);
    start.resize(slash);
  }
  std::optional<Walls> whole;
  if (!start.empty()) {
    WARD_TRY(resolved.start, ReadEnd(start, clock, whole));
    const bool in_words = whole && !time::FromIso(start);
    if (in_words && end.empty()) resolved.end = clock.FromWall(whole->end);
  }
  if (!end.empty()) {
    WARD_TRY(resolved.end, ReadEnd(end, clock, whole));
  }
  if (resolved.start && resolved.end && resolved.end->utc <= resolved.start->utc)
    return Error(ErrorKind::MalformedName,
                 fmt::format("time_range ends at {}, which is not after its start {}", end, start))
        .Detail("A range is half-open: its end is not in it.");
  return resolved;
}

Result<std::vector<Period>> PeriodsOf(sql::TimeGrain grain, const Boundary& from,
                                      const Boundary& until, bool instants,
                                      const Clockwork& clock) {
  const Unit unit = UnitOfGrain(grain);
  const bool by_instant = grain == sql::TimeGrain::Hour && instants;
  std::vector<Period> periods;
  Boundary at = by_instant ? clock.FromUtc(time::TruncateUtc(from.utc, unit, clock.zone))
                           : clock.FromWall(time::Truncate(from.wall, unit, clock.week_start));
  while (by_instant ? at.utc < until.utc : at.wall < until.wall) {
    if (periods.size() >= kPeriodsMax)
      return Error(ErrorKind::PlanCostCap, fmt::format("the range has more than {} periods of a {}",
                                                       kPeriodsMax, WordOf(grain)));
    const Boundary next = by_instant ? clock.FromUtc(at.utc + time::kMicrosPerHour)
                                     : clock.FromWall(time::Add(at.wall, 1, unit));
    periods.push_back({LabelOf(grain, at, instants), at, next});
    at = next;
  }
  return periods;
}

Period WindowOf(const MetricLeaf& leaf, const Period& period, std::optional<sql::TimeGrain> grain,
                const Clockwork& clock) {
  if (!leaf.IsWindowed()) return period;
  Walls walls{period.from.wall, period.until.wall};
  for (const Offset& offset : leaf.offsets) walls = MovedBack(walls, offset, grain);
  switch (leaf.window.what) {
    case Window::What::Period:
      break;
    case Window::What::Trailing:
      walls.start =
          time::Add(walls.end, -leaf.window.trailing.count, UnitOfSpan(leaf.window.trailing));
      break;
    case Window::What::ToDate:
      walls.start =
          time::Truncate(walls.end - 1, *time::UnitOf(leaf.window.to_date), clock.week_start);
      break;
    case Window::What::AllTime:
      walls.start = time::kMicrosMin;
      break;
  }
  return {period.label, clock.FromWall(walls.start), clock.FromWall(walls.end)};
}

}  // namespace schemaward::semantic
