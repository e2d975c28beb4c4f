// The numbers of what the dialect prints, on a real server: periods against our own calendar and
// zones, percentiles against sorting.

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "connect/conformance/conformance.h"
#include "connect/mysql/server_test.h"
#include "guard/guard.h"
#include "sql/statement.h"
#include "time/calendar.h"
#include "time/iso.h"
#include "time/time_zone.h"

namespace schemaward::connect::mysql {
namespace {

using ::testing::SizeIs;

constexpr std::int64_t kMicros = 1'000'000;
constexpr std::int64_t kHour = 3600;

struct Grain {
  sql::TimeGrain grain;
  time::Unit unit;
};
constexpr Grain kGrains[] = {
    {sql::TimeGrain::Hour, time::Unit::Hour},       {sql::TimeGrain::Day, time::Unit::Day},
    {sql::TimeGrain::Week, time::Unit::Week},       {sql::TimeGrain::Month, time::Unit::Month},
    {sql::TimeGrain::Quarter, time::Unit::Quarter}, {sql::TimeGrain::Year, time::Unit::Year}};

class DialectTest : public ServerTest {
 protected:
  // Table moments (i, at datetime, instant timestamp): some odd hours of years, and around each
  // change of a clock.
  void GivenMoments(const time::Zone& zone) {
    const std::int64_t first = time::FromIso("1971-01-01")->local / kMicros;
    const std::int64_t last = time::FromIso("2037-01-01")->local / kMicros;
    for (std::int64_t at = first; at < last; at += 1'234'567 * kHour / 100) moments_.push_back(at);
    for (const time::OffsetChange& change : zone.OffsetsBetween(first, last))
      for (const std::int64_t step : {-kHour, -1L, 0L, kHour / 2, kHour})
        moments_.push_back(std::max(first, change.from_utc + step));
    std::string sql =
        "CREATE TABLE moments (i int, at datetime, instant timestamp NULL); INSERT INTO moments "
        "VALUES ";
    for (std::size_t i = 0; i < moments_.size(); ++i) {
      std::string text = time::ToIsoNaive(moments_[i] * kMicros);
      text[10] = ' ';
      sql += fmt::format("{}({}, '{}', '{}')", i == 0 ? "" : ", ", i, text, text);
    }
    Given(sql);
  }

  // The values of an expression over a table, by its column i.
  std::vector<std::string> ValuesOf(MySqlConnector& connector, const std::string& table,
                                    sql::ExpressionPtr expression) {
    sql::Select select;
    select.columns.push_back({std::move(expression), "value"});
    select.from = sql::TableRef{database_->name(), table, "m"};
    select.order_by.push_back({sql::MakeColumn("m", "i"), false});
    return Rows(connector, select);
  }

  std::vector<std::string> Rows(MySqlConnector& connector, const sql::Select& select) {
    const auto database = connector.Introspect({}, ctx_);
    const auto approved =
        guard::Guard(privacy::Policy())
            .ApproveTree(select, connector.dialect(), database->tables, ctx_.principal);
    if (!approved) throw std::runtime_error(approved.error().ToLogText());
    const auto result =
        connector.Query(*approved, {.rows_max = 100'000, .bytes_max = 1 << 26}, ctx_);
    if (!result) throw std::runtime_error(result.error().ToLogText());
    std::vector<std::string> values;
    for (const auto& row : result->rows) values.push_back(Describe(row.front()));
    return values;
  }

  std::vector<std::int64_t> moments_;
};

std::string DayText(std::int64_t micros) { return "text:" + time::ToIsoDate(micros); }

TEST_F(DialectTest, CutsMomentsByTheClocksOfAZone) {
  for (const char* name :
       {"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"}) {
    const time::Zone zone = *time::Zone::Find(name);
    moments_.clear();
    Given("DROP TABLE IF EXISTS moments");
    GivenMoments(zone);
    auto connector = Connect();
    for (const Grain& grain : kGrains) {
      const auto got =
          ValuesOf(*connector, "moments",
                   sql::Make({sql::TimeBucket{sql::MakeColumn("m", "instant"),
                                              sql::TimeKind::Instant, grain.grain, name, "", 1}}));
      ASSERT_THAT(got, SizeIs(moments_.size()));
      for (std::size_t i = 0; i < moments_.size(); ++i) {
        const std::int64_t utc = moments_[i] * kMicros;
        const std::string expected =
            grain.unit == time::Unit::Hour
                ? "text:" + time::ToIsoNaive(time::TruncateUtc(utc, grain.unit, zone))
                : DayText(time::Truncate(zone.LocalOfUtc(utc), grain.unit));
        ASSERT_EQ(got[i], expected) << name << " " << time::ToIsoNaive(utc);
      }
    }
  }
}

TEST_F(DialectTest, CutsTimesWithoutAZoneAsTheyStandOrAsShownElsewhere) {
  const time::Zone berlin = *time::Zone::Find("Europe/Berlin");
  const time::Zone new_york = *time::Zone::Find("America/New_York");
  GivenMoments(berlin);
  auto connector = Connect();
  for (const Grain& grain : kGrains) {
    const auto bucket = [&](const char* zone, const char* own_zone) {
      return ValuesOf(*connector, "moments",
                      sql::Make({sql::TimeBucket{sql::MakeColumn("m", "at"), sql::TimeKind::Naive,
                                                 grain.grain, zone, own_zone, 7}}));
    };
    const auto plain = bucket("", ""), shown = bucket("America/New_York", "Europe/Berlin");
    for (std::size_t i = 0; i < moments_.size(); ++i) {
      const std::int64_t wall = moments_[i] * kMicros;
      const std::int64_t there =
          new_york.LocalOfUtc(berlin.UtcOfLocal(wall, time::Reading::ByOldOffset));
      const auto text = [&](std::int64_t local) {
        const std::int64_t start = time::Truncate(local, grain.unit, 7);
        return grain.unit == time::Unit::Hour ? "text:" + time::ToIsoNaive(start) : DayText(start);
      };
      ASSERT_EQ(plain[i], text(wall));
      ASSERT_EQ(shown[i], text(there)) << time::ToIsoNaive(wall);
    }
  }
}

TEST_F(DialectTest, GivesNoPeriodToWhatIsNoDate) {
  Given(
      "CREATE TABLE odd (i int, at datetime NULL); INSERT INTO odd VALUES (1, NULL), (2, "
      "'0000-00-00 00:00:00'), (3, '1899-12-31 23:59:59')");
  auto connector = Connect();
  const auto bucket = [&](sql::TimeGrain grain) {
    return ValuesOf(*connector, "odd",
                    sql::Make({sql::TimeBucket{sql::MakeColumn("m", "at"), sql::TimeKind::Naive,
                                               grain, "", "", 1}}));
  };
  for (const Grain& grain : kGrains) {
    const auto got = bucket(grain.grain);
    EXPECT_EQ(got[0], "null");
    EXPECT_EQ(got[1], "null") << static_cast<int>(grain.grain);
  }
  EXPECT_EQ(bucket(sql::TimeGrain::Quarter)[2], "text:1899-10-01");
  EXPECT_EQ(bucket(sql::TimeGrain::Week)[2], "text:1899-12-25");
}

TEST_F(DialectTest, ComputesPercentilesAsSortingDoes) {
  std::string sql = "CREATE TABLE v (i int, g varchar(9), x decimal(12, 3)); INSERT INTO v VALUES ";
  std::vector<std::vector<double>> groups(4);
  for (int i = 0; i < 200; ++i) {
    const int group = i % 4;
    const bool is_null = i % 7 == 0 || group == 3;
    const double value = (i * 37 % 101) / 8.0 - 5;
    if (!is_null) groups[static_cast<std::size_t>(group)].push_back(value);
    sql += fmt::format("{}({}, 'g{}', {})", i == 0 ? "" : ", ", i, group,
                       is_null ? "NULL" : fmt::format("{}", value));
  }
  Given(sql + ", (900, 'one', 42), (901, NULL, 7), (902, NULL, 9)");
  groups.push_back({42});
  groups.push_back({7, 9});
  for (auto& values : groups) std::sort(values.begin(), values.end());
  auto connector = Connect();
  for (const double fraction : {0.0, 0.25, 0.5, 0.9, 1.0}) {
    sql::Select select;
    select.columns.push_back(
        {sql::Make({sql::Percentile{sql::MakeColumn("m", "x"), fraction}}), "p"});
    select.from = sql::TableRef{database_->name(), "v", "m"};
    select.group_by.push_back(sql::MakeColumn("m", "g"));
    select.order_by.push_back({sql::MakeColumn("m", "g"), false, true});
    const auto got = Rows(*connector, select);
    ASSERT_THAT(got, SizeIs(groups.size()));
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (groups[i].empty()) {
        EXPECT_EQ(got[i], "null");
        continue;
      }
      const double place = fraction * static_cast<double>(groups[i].size() - 1);
      const auto below = static_cast<std::size_t>(place);
      const std::size_t above = std::min(below + 1, groups[i].size() - 1);
      const double expected = groups[i][below] + (groups[i][above] - groups[i][below]) *
                                                     (place - static_cast<double>(below));
      EXPECT_NEAR(std::stod(got[i].substr(got[i].find(':') + 1)), expected, 1e-12);
    }
  }
}

TEST_F(DialectTest, MatchesTextWithoutCaseAndWithAccents) {
  Given(
      "CREATE TABLE t (i int, s varchar(20) CHARACTER SET utf8mb4); INSERT INTO t VALUES (1, "
      "'50% Off'), (2, '500'), (3, 'caf\xC3\xA9'), (4, 'CAF\xC3\x89'), (5, 'cafe'), (6, NULL)");
  auto connector = Connect();
  const auto match = [&](const char* text, bool at_start) {
    sql::Select select;
    select.columns.push_back({sql::MakeColumn("m", "i"), "i"});
    select.from = sql::TableRef{database_->name(), "t", "m"};
    select.where = sql::Make({sql::TextMatch{sql::MakeColumn("m", "s"), text, at_start}});
    select.order_by.push_back({sql::MakeColumn("m", "i"), false});
    return Rows(*connector, select);
  };
  using ::testing::ElementsAre;
  EXPECT_THAT(match("0%", false), ElementsAre("int:1"));
  EXPECT_THAT(match("Caf\xC3\xA9", true), ElementsAre("int:3", "int:4"));
  EXPECT_THAT(match("afe", false), ElementsAre("int:5"));
}

}  // namespace
}  // namespace schemaward::connect::mysql
