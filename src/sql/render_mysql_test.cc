// What MySQL and MariaDB need said in their own way. That the numbers are right is tested on a
// server, in connect/mysql.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "sql/lower_percentile.h"
#include "sql/render.h"

namespace schemaward::sql {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

Select Of(ExpressionPtr expression) {
  Select select;
  select.columns.push_back({std::move(expression), ""});
  select.from = TableRef{"", "t", ""};
  return select;
}

Rendered Printed(const Select& select) {
  auto rendered = Render(select, MySql());
  EXPECT_THAT(rendered, IsOk());
  return rendered ? *rendered : Rendered();
}

std::string TextOf(ExpressionPtr expression) { return Printed(Of(std::move(expression))).text; }

ExpressionPtr Bucket(TimeKind kind, TimeGrain grain, std::string zone = "",
                     std::string own_zone = "", int week_start = 1) {
  return Make({TimeBucket{MakeColumn("", "at"), kind, grain, std::move(zone), std::move(own_zone),
                          week_start}});
}

TEST(RenderMySql, CutsTimeByCalendarFunctions) {
  struct Case {
    TimeGrain grain;
    int week_start;
    std::string text;
  };
  const Case cases[] = {
      {TimeGrain::Hour, 1, "CAST(DATE_FORMAT(`at`, '%Y-%m-%d %H:00:00') AS datetime)"},
      {TimeGrain::Day, 1, "CAST(`at` AS date)"},
      {TimeGrain::Week, 1, "FROM_DAYS((TO_DAYS(`at`) - 2) DIV 7 * 7 + 2)"},
      {TimeGrain::Week, 7, "FROM_DAYS((TO_DAYS(`at`) - 1) DIV 7 * 7 + 1)"},
      {TimeGrain::Month, 1, "CAST(DATE_FORMAT(`at`, '%Y-%m-01') AS date)"},
      {TimeGrain::Quarter, 1,
       "(CAST('1900-01-01' AS date) + INTERVAL "
       "FLOOR(PERIOD_DIFF(DATE_FORMAT(CAST(DATE_FORMAT(`at`, "
       "'%Y-%m-01') AS date), '%Y%m'), "
       "190001) / 3) * 3 MONTH)"},
      {TimeGrain::Year, 1,
       "CAST(DATE_FORMAT(CAST(DATE_FORMAT(`at`, '%Y-%m-01') AS date), '%Y-01-01') AS date)"}};
  for (const Case& one : cases)
    EXPECT_EQ(TextOf(Bucket(TimeKind::Naive, one.grain, "", "", one.week_start)),
              "SELECT " + one.text + " FROM `t`");
  EXPECT_EQ(TextOf(Bucket(TimeKind::Instant, TimeGrain::Day, "UTC")),
            "SELECT CAST(`at` AS date) FROM `t`");
}

TEST(RenderMySql, WritesAZoneOutAsATableOfOffsets) {
  const std::string text = TextOf(Bucket(TimeKind::Instant, TimeGrain::Day, "Europe/Berlin"));
  EXPECT_THAT(text, HasSubstr("CAST((`at` + INTERVAL CAST(ELT(INTERVAL(TO_SECONDS(`at`),"));
  // 2023-03-26T01:00:00Z, and the two offsets.
  EXPECT_THAT(text, HasSubstr(",63847011600,"));
  EXPECT_THAT(text, HasSubstr(",3600,7200,3600,"));
  EXPECT_THAT(TextOf(Bucket(TimeKind::Instant, TimeGrain::Hour, "Europe/Berlin")),
              HasSubstr("AS datetime) - INTERVAL CAST(ELT("));
}

TEST(RenderMySql, RefusesAZoneThatItCannotWriteOut) {
  EXPECT_THAT(Render(Of(Bucket(TimeKind::Instant, TimeGrain::Day, "Europe/Berln")), MySql()),
              IsError(ErrorKind::InvalidArgument));
  const auto computed =
      MakeCall({.function = "coalesce",
                .arguments = {MakeColumn("", "at"), MakeLiteral({std::string("2024-01-01")})}});
  EXPECT_THAT(Render(Of(Make({TimeBucket{computed, TimeKind::Instant, TimeGrain::Day,
                                         "Europe/Berlin", "", 1}})),
                     MySql()),
              IsError(ErrorKind::Internal));
}

TEST(RenderMySql, BindsMomentsWithoutOffsets) {
  const Rendered moment = Printed(Of(Make({Moment{1'700'000'000'000'000, TimeKind::Instant}})));
  EXPECT_EQ(moment.text, "SELECT CAST(? AS datetime(6)) FROM `t`");
  EXPECT_EQ(std::get<std::string>(moment.parameters.at(0).value), "2023-11-14 22:13:20.000000");
  const Rendered label = Printed(Of(Make(
      {Cast{MakeLiteral({std::string("2023-10-29T02:00:00+02:00")}), CastType::TimestampTz}})));
  EXPECT_EQ(std::get<std::string>(label.parameters.at(0).value), "2023-10-29 00:00:00.000000");
}

TEST(RenderMySql, MatchesTextByCodePointsWithoutCase) {
  const Rendered match = Printed(Of(Make({TextMatch{MakeColumn("", "name"), "50%", false}})));
  EXPECT_EQ(match.text,
            "SELECT (lower(CAST(`name` AS char)) COLLATE utf8mb4_bin LIKE lower(?) ESCAPE '!') "
            "FROM `t`");
  EXPECT_EQ(std::get<std::string>(match.parameters.at(0).value), "%50!%%");
}

TEST(RenderMySql, CountsCharactersWhereItsOwnLengthCountsBytes) {
  EXPECT_EQ(TextOf(MakeCall({.function = "length", .arguments = {MakeColumn("", "a")}})),
            "SELECT char_length(`a`) FROM `t`");
}

TEST(RenderMySql, LeavesTextsWithoutACastThatWouldInsistOnItsCollation) {
  EXPECT_EQ(TextOf(MakeLiteral({std::string("x")})), "SELECT ? FROM `t`");
  EXPECT_EQ(TextOf(MakeLiteral({std::int64_t{1}})), "SELECT CAST(? AS signed) FROM `t`");
}

TEST(RenderMySql, MakesATableOfValuesByAUnion) {
  Select select = Of(MakeColumn("p", "a"));
  select.from = ValuesTable{{{MakeLiteral({std::int64_t{1}}), MakeLiteral({std::string("x")})},
                             {MakeLiteral({std::int64_t{2}}), MakeLiteral({std::string("y")})}},
                            "p",
                            {"a", "b"}};
  const Rendered values = Printed(select);
  EXPECT_EQ(values.text,
            "SELECT `p`.`a` FROM (SELECT CAST(? AS signed) AS `a`, ? AS `b` UNION ALL SELECT "
            "CAST(? AS signed), ?) AS `p`");
  EXPECT_THAT(values.parameters, SizeIs(4));
}

TEST(RenderMySql, LowersPercentilesToPlacesInWindows) {
  Select select;
  select.columns.push_back({MakeColumn("r", "g"), "g"});
  select.columns.push_back({Make({Percentile{MakeColumn("r", "v"), 0.5}}), "median"});
  select.from = TableRef{"", "rows", "r"};
  select.group_by.push_back(MakeColumn("r", "g"));
  EXPECT_EQ(Printed(select).text,
            "SELECT `ranked`.`c0` AS `g`, sum((`ranked`.`x0` * greatest(CAST(? AS double), (CAST(? "
            "AS double) - abs(((`ranked`.`place0` - CAST(? AS double)) - (CAST(? AS double) * "
            "(`ranked`.`n0` - CAST(? AS double))))))))) AS `median` FROM (SELECT `r`.`g` AS "
            "`c0`, `r`.`v` AS `x0`, row_number() OVER (PARTITION BY `r`.`g` ORDER BY `r`.`v` IS "
            "NULL, `r`.`v`) AS `place0`, count(`r`.`v`) OVER (PARTITION BY `r`.`g`) AS `n0` FROM "
            "`rows` AS `r`) AS `ranked` GROUP BY `ranked`.`c0`");
}

TEST(RenderMySql, RefusesAPercentileOfAPercentile) {
  const auto inner = Make({Percentile{MakeColumn("", "v"), 0.5}});
  EXPECT_THAT(Render(Of(Make({Percentile{inner, 0.5}})), MySql()), IsError(ErrorKind::Internal));
  Select where = Of(MakeColumn("", "v"));
  where.where = MakeBinary("=", inner, MakeLiteral({std::int64_t{1}}));
  EXPECT_THAT(Render(where, MySql()), IsError(ErrorKind::Internal));
}

}  // namespace
}  // namespace schemaward::sql
