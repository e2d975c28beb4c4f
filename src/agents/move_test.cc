#include "agents/move.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/result_matchers.h"

namespace schemaward::agents {
namespace {

using ::testing::HasSubstr;

TEST(ParseMove, ReadsACallWithWhatStandsAroundIt) {
  for (const char* reply : {R"({"tool": "describe_table", "arguments": {"qualified_name": "a.b"}})",
                            R"({"name": "describe_table", "input": {"qualified_name": "a.b"}})",
                            "<think>{\"answer\": \"no\"}</think>Sure:\n```json\n"
                            R"({"tool": "describe_table", "arguments": {"qualified_name": "a.b"}})"
                            "\n```"}) {
    const auto move = ParseMove(reply);
    ASSERT_THAT(move, IsOk()) << reply;
    EXPECT_EQ(move->kind, MoveKind::Call);
    EXPECT_EQ(move->tool, "describe_table");
    EXPECT_EQ(move->arguments.value().dump(), R"({"qualified_name":"a.b"})");
  }
}

TEST(ParseMove, TakesACallWithoutArgumentsForOneWithNone) {
  const auto move = ParseMove(R"({"tool": "list_metrics"})");
  ASSERT_THAT(move, IsOk());
  EXPECT_EQ(move->arguments.value().dump(), "{}");
}

TEST(ParseMove, ReadsBothEnds) {
  EXPECT_EQ(ParseMove(R"({"answer": "12"})")->kind, MoveKind::Answer);
  EXPECT_EQ(ParseMove(R"({"answer": ["a", 1.5]})")->text, R"(["a",1.5])");
  EXPECT_EQ(ParseMove(R"({"cannot": "masked"})")->kind, MoveKind::Cannot);
}

TEST(ParseMove, SaysWhyThereIsNone) {
  const struct {
    const char* name;
    const char* reply;
    const char* why;
  } cases[] = {
      {"empty", "", "no call and no answer"},
      {"prose", "We have 12 suppliers.", "no call and no answer"},
      {"another object", R"({"rows": [1]})", "no call and no answer"},
      {"cut", R"({"tool": "list_metrics", "argum)", "does not end"},
      {"not JSON", R"({tool: x})", "is not JSON"},
      {"tool is a number", R"({"tool": 1})", "the name of a tool"},
      {"arguments are a list", R"({"tool": "x", "arguments": []})", "must be a JSON object"},
      {"two calls", R"([{"tool": "x"}, {"tool": "y"}])", "more than one thing"},
      {"a call and an end", R"({"tool": "x"} then {"answer": "y"})", "more than one thing"},
  };
  for (const auto& one : cases)
    EXPECT_THAT(ParseMove(one.reply), IsError(ErrorKind::InputUnreadable, HasSubstr(one.why)))
        << one.name;
}

}  // namespace
}  // namespace schemaward::agents
