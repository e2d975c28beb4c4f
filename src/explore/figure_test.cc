// Figures computed anew: exact numbers, the tolerance, and every verdict.
#include "explore/figure.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"

namespace schemaward::explore {
namespace {

using ::testing::HasSubstr;

QueryResult Sales() {
  QueryResult result;
  result.columns = {{"city"}, {"total"}, {"orders"}, {"email", true}};
  result.rows = {{std::string("Kiel"), Decimal{"0.10"}, std::int64_t{3}, std::string("x")},
                 {std::string("Bonn"), Decimal{"0.20"}, std::int64_t{7}, std::string("y")},
                 {std::string("Jena"), std::monostate(), std::int64_t{0}, std::monostate()},
                 {std::string("Jena"), std::monostate(), std::int64_t{-2}, std::string("z")}};
  return result;
}

Part PartOf(FigureKind kind, std::string column, std::string city = {}) {
  Part part{kind, 1, std::move(column), {}};
  if (!city.empty()) part.where = {{"city", std::move(city)}};
  return part;
}

struct Row {
  std::string name;
  std::string value;
  FigureKind kind = FigureKind::OneCell;
  Part of;
  std::optional<Part> base{};
  Verdict verdict = Verdict::Confirmed;
  std::string right{};
};

class Figures : public ::testing::TestWithParam<Row> {};

TEST_P(Figures, AreComputedAnew) {
  const QueryResult sales = Sales();
  const auto result_of = [&](std::int64_t step) -> Result<const QueryResult*> {
    if (step != 1) return Error(ErrorKind::InvalidArgument, "there is no such step");
    return &sales;
  };
  const Row& row = GetParam();
  const auto checked = CheckFigure({"it", row.value, row.kind, row.of, row.base}, result_of);
  ASSERT_THAT(checked, IsOk());
  EXPECT_EQ(checked->verdict, row.verdict) << checked->reason;
  EXPECT_EQ(checked->right, row.right);
  EXPECT_NE(checked->reason, "");
}

constexpr auto kCell = FigureKind::OneCell;
constexpr auto kSum = FigureKind::Sum;
constexpr auto kCount = FigureKind::Count;
constexpr auto kRatio = FigureKind::Ratio;
constexpr auto kDifference = FigureKind::Difference;

INSTANTIATE_TEST_SUITE_P(
    Verdicts, Figures,
    ::testing::Values(
        Row{"Cell", "7", kCell, PartOf(kCell, "orders", "Bonn"), {}, Verdict::Confirmed, "7"},
        Row{"ColumnFoldsCase",
            "7",
            kCell,
            PartOf(kCell, "ORDERS", "Bonn"),
            {},
            Verdict::Confirmed,
            "7"},
        Row{"CellAdjusted",
            "8",
            kCell,
            PartOf(kCell, "orders", "Bonn"),
            {},
            Verdict::Adjusted,
            "7"},
        Row{"CellOfOtherSign",
            "-7",
            kCell,
            PartOf(kCell, "orders", "Bonn"),
            {},
            Verdict::Rejected,
            "7"},
        Row{"NoSuchRow", "7", kCell, PartOf(kCell, "orders", "Rome"), {}, Verdict::Rejected, ""},
        Row{"SeveralRows",
            "7",
            kCell,
            PartOf(kCell, "orders", "Jena"),
            {},
            Verdict::Unverifiable,
            ""},
        Row{"NullIsNoNumber", "7", kSum, PartOf(kSum, "city"), {}, Verdict::Unverifiable, ""},
        Row{"ExactSum", "0.3", kSum, PartOf(kSum, "total"), {}, Verdict::Confirmed, "0.3"},
        Row{"SumPastTheTolerance",
            "0.300001",
            kSum,
            PartOf(kSum, "total"),
            {},
            Verdict::Adjusted,
            "0.3"},
        Row{"ZeroIsMetByZeroAlone", "0", kSum, PartOf(kSum, "total"), {}, Verdict::Rejected, "0.3"},
        Row{"SumOfNothing", "5", kSum, PartOf(kSum, "total", "Rome"), {}, Verdict::Rejected, "0"},
        Row{"ZeroIsChecked", "0", kSum, PartOf(kSum, "orders"), {}, Verdict::Rejected, "8"},
        Row{"ZeroIsRight", "0", kCount, PartOf(kCount, "", "Rome"), {}, Verdict::Confirmed, "0"},
        Row{"CountOfRows", "4", kCount, PartOf(kCount, ""), {}, Verdict::Confirmed, "4"},
        Row{"CountOfValues", "2", kCount, PartOf(kCount, "total"), {}, Verdict::Confirmed, "2"},
        Row{"Masked", "3", kCount, PartOf(kCount, "email"), {}, Verdict::Unverifiable, ""},
        Row{"NoSuchColumn", "3", kSum, PartOf(kSum, "totl"), {}, Verdict::Unverifiable, ""},
        Row{"Percent", "42.9%", kRatio, PartOf(kCell, "orders", "Kiel"),
            PartOf(kCell, "orders", "Bonn"), Verdict::Confirmed, "42.857143%"},
        Row{"PercentAdjusted", "42.8 %", kRatio, PartOf(kCell, "orders", "Kiel"),
            PartOf(kCell, "orders", "Bonn"), Verdict::Adjusted, "42.857143%"},
        Row{"RatioByZero", "1", kRatio, PartOf(kCount, ""), PartOf(kCount, "", "Rome"),
            Verdict::Unverifiable, ""},
        Row{"RatioWithoutBase", "1", kRatio, PartOf(kCount, ""), {}, Verdict::Error, ""},
        Row{"Difference", "-4", kDifference, PartOf(kCell, "orders", "Kiel"),
            PartOf(kCell, "orders", "Bonn"), Verdict::Confirmed, "-4"},
        Row{"NoNumber", "many", kCount, PartOf(kCount, ""), {}, Verdict::Error, ""},
        Row{"CommaAtNoThousand", "1,2", kCount, PartOf(kCount, ""), {}, Verdict::Error, ""},
        Row{"NoStep", "1", kCount, Part{kCount, 9, "", {}}, {}, Verdict::Error, ""}),
    [](const auto& row) { return row.param.name; });

TEST(Figure, NumbersOfAnySizeAreReadAsTheyAreWritten) {
  QueryResult result;
  result.columns = {{"n"}};
  result.rows = {{Decimal{"12345678901234567890.123"}}, {0.1}, {0.2}, {Decimal{"1e3"}}};
  const auto result_of = [&](std::int64_t) -> Result<const QueryResult*> { return &result; };
  const auto checked =
      CheckFigure({"", "12,345,678,901,234,568,890.423", kSum, PartOf(kSum, "n")}, result_of);
  ASSERT_THAT(checked, IsOk());
  EXPECT_EQ(checked->verdict, Verdict::Confirmed) << checked->right;
  const auto rounded = CheckFigure({"", "12345678901.2B", kSum, PartOf(kSum, "n")}, result_of);
  EXPECT_EQ(rounded->verdict, Verdict::Confirmed) << rounded->reason;
  const auto past = CheckFigure({"", "12345678901.3B", kSum, PartOf(kSum, "n")}, result_of);
  EXPECT_EQ(past->verdict, Verdict::Adjusted) << past->reason;
  const auto right =
      CheckFigure({"", "12345678901.2K", kCell, {kCell, 1, "n", {{"n", "0.1"}}}}, result_of);
  EXPECT_EQ(right->verdict, Verdict::Adjusted);
  EXPECT_EQ(right->right, "0.1");
}

TEST(Figure, AResultThatWasCutVerifiesNothing) {
  QueryResult result = Sales();
  result.truncated = true;
  const auto result_of = [&](std::int64_t) -> Result<const QueryResult*> { return &result; };
  const auto checked = CheckFigure({"", "4", kCount, PartOf(kCount, "")}, result_of);
  ASSERT_THAT(checked, IsOk());
  EXPECT_EQ(checked->verdict, Verdict::Unverifiable);
  EXPECT_THAT(checked->reason, HasSubstr("cut"));
}

TEST(Figure, ACancelledCallEndsTheCheck) {
  const auto result_of = [](std::int64_t) -> Result<const QueryResult*> {
    return Error(ErrorKind::Cancelled, "cancelled");
  };
  EXPECT_THAT(CheckFigure({"", "4", kCount, PartOf(kCount, "")}, result_of),
              IsError(ErrorKind::Cancelled));
}

TEST(Figure, TheWorstVerdictIsThatOfTheClaim) {
  const Checked good{Verdict::Confirmed, "1", "r"};
  const Checked other{Verdict::Adjusted, "1", "r"};
  const Checked wrong{Verdict::Rejected, "1", "r"};
  EXPECT_EQ(WorstOf({}), Verdict::Error);
  EXPECT_EQ(WorstOf({good, good}), Verdict::Confirmed);
  EXPECT_EQ(WorstOf({good, other}), Verdict::Adjusted);
  EXPECT_EQ(WorstOf({wrong, other}), Verdict::Rejected);
}

}  // namespace
}  // namespace schemaward::explore
