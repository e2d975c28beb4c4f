#include "retrieve/eval.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"

namespace schemaward::retrieve {
namespace {

using ::testing::HasSubstr;

TEST(ReadQuestions, TakesQuestionsAndGoldTablesAndIgnoresTheRest) {
  const auto read = ReadQuestions(
      "{\"question\": \"a?\", \"gold_tables\": [\"S.B\", \"s.a\", \"s.b\"], \"sql\": \"x\"}\r\n\n"
      "{\"question\": \"b?\", \"gold_tables\": [\"s.c\"]}");
  ASSERT_THAT(read, IsOk());
  ASSERT_EQ(read->size(), 2U);
  EXPECT_EQ((*read)[0].gold_tables, (std::vector<std::string>{"s.a", "s.b"}));
}

TEST(ReadQuestions, NamesTheLineThatCannotBeRead) {
  const std::string good = "{\"question\": \"a?\", \"gold_tables\": [\"s.a\"]}\n";
  for (const auto* bad :
       {"nonsense", "[]", "{}", "{\"question\": 1, \"gold_tables\": [\"a\"]}",
        "{\"question\": \"a\", \"gold_tables\": []}", "{\"question\": \"a\", \"gold_tables\": [1]}",
        "{\"question\": \"a\", \"gold_tables\": \"s.a\"}"}) {
    EXPECT_THAT(ReadQuestions(good + bad),
                IsError(ErrorKind::InputUnreadable, HasSubstr("line 2 of the questions file")))
        << bad;
  }
  EXPECT_THAT(ReadQuestions("\n\n"),
              IsError(ErrorKind::InputUnreadable, "the questions file holds no questions"));
}

/// A clock that moves by two milliseconds at each look.
class TickingClock final : public Clock {
 public:
  std::chrono::steady_clock::time_point Now() const override {
    return now_ += std::chrono::milliseconds(2);
  }
  std::int64_t UnixMicros() const override { return 0; }

 private:
  mutable std::chrono::steady_clock::time_point now_{};
};

TEST(EvaluateRetrieval, CountsSharesOfGoldTablesAtEachDepth) {
  const std::vector<GoldQuestion> questions{{"one", {"s.a"}}, {"two", {"s.a", "s.b"}}};
  const auto search = [](const std::string& question,
                         std::size_t) -> Result<std::vector<std::string>> {
    if (question == "one") return std::vector<std::string>{"\"S\".A", "s.x"};
    return std::vector<std::string>{"t.x", "s.b", "s.y", "s.a"};
  };
  const auto report = EvaluateRetrieval(questions, search, TickingClock()).value();
  EXPECT_DOUBLE_EQ(report.depths[0].recall, 50);  // 1: one
  EXPECT_DOUBLE_EQ(report.depths[0].all_gold, 50);
  EXPECT_DOUBLE_EQ(report.depths[1].recall, 75);  // 3: one, and half of two
  EXPECT_DOUBLE_EQ(report.depths[1].all_gold, 50);
  EXPECT_DOUBLE_EQ(report.depths[2].recall, 100);  // 5
  EXPECT_DOUBLE_EQ(report.depths[2].all_gold, 100);
  EXPECT_DOUBLE_EQ(report.right_schema_first, 50);
  EXPECT_DOUBLE_EQ(report.p50_ms, 2);
  EXPECT_THAT(ToText(report), HasSubstr("     3     75.0%     50.0%\n"));
  EXPECT_THAT(ToJson(report), HasSubstr("\"recall@3\":75.00,\"all_gold@3\":50.00"));
}

TEST(EvaluateRetrieval, PassesAFailedSearchOn) {
  const auto search = [](const std::string&, std::size_t) -> Result<std::vector<std::string>> {
    return Error(ErrorKind::StoreLocked, "the store is locked");
  };
  EXPECT_THAT(EvaluateRetrieval({{"q", {"s.a"}}}, search, TickingClock()),
              IsError(ErrorKind::StoreLocked));
}

}  // namespace
}  // namespace schemaward::retrieve
