// What DuckDB says in its own way; its own tests run these statements.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sql/render.h"

namespace schemaward::sql {
namespace {

std::string Printed(Expression expression) {
  Select select;
  select.columns.push_back({Make(std::move(expression)), ""});
  select.from = TableRef{"", "t", ""};
  auto rendered = Render(select, DuckDb());
  return rendered ? rendered->text : rendered.error().message();
}

TEST(RenderDuckDb, CutsAnInstantToAnHourByWhatClocksThereShow) {
  TimeBucket bucket;
  bucket.operand = MakeColumn("", "m");
  bucket.kind = TimeKind::Instant;
  bucket.grain = TimeGrain::Hour;
  bucket.zone = "Asia/Kolkata";
  EXPECT_EQ(Printed({bucket}),
            R"(SELECT CASE WHEN isfinite("m") THEN "m" - (("m" AT TIME ZONE $1) - )"
            R"(date_trunc('hour', ("m" AT TIME ZONE $2))) END FROM "t")");
}

TEST(RenderDuckDb, CutsADayAsPostgresDoes) {
  TimeBucket bucket;
  bucket.operand = MakeColumn("", "m");
  bucket.kind = TimeKind::Instant;
  bucket.grain = TimeGrain::Day;
  EXPECT_EQ(Printed({bucket}),
            R"(SELECT CAST(date_trunc('day', ("m" AT TIME ZONE $1)) AS date) FROM "t")");
}

TEST(RenderDuckDb, LosesNoDigitsOfDecimals) {
  EXPECT_EQ(Printed({Cast{MakeColumn("", "p"), CastType::Decimal}}),
            R"(SELECT CAST("p" AS decimal(38, 10)) FROM "t")");
  EXPECT_EQ(
      Printed({Percentile{MakeColumn("", "p"), 0.5}}),
      R"(SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY CAST("p" AS double precision)) FROM "t")");
}

}  // namespace
}  // namespace schemaward::sql
