#include "agents/score.h"

#include <gtest/gtest.h>

namespace schemaward::agents {
namespace {

struct HoldsCase {
  const char* answer;
  const char* wanted;
  bool expected;
};

TEST(Holds, TakesNumbersThatRoundToTheWantedOne) {
  const HoldsCase cases[] = {
      {"12", "12", true},
      {"There are 12.", "12", true},
      {"112", "12", false},
      {"12.4 days", "12", true},
      {"12.6 days", "12", false},
      {"EUR 741,058.58", "741058.58", true},
      {"741 058.58", "741058.58", true},
      {"741058.580000001", "741058.58", true},
      {"741058.57", "741058.58", false},
      {"about 741,000", "741058.58", false},
      {"1,2,3", "123", false},
      {"SKU-0012", "12", true},
      {"a12", "12", false},
      {"down by -0.53 %", "-0.5", true},
      {"it fell by 0.53 %", "-0.5", false},
      {"2023-12", "-12", false},
      {"", "0", false},
      {"3,600 and 300", "300", true},
      {"3,600,300", "300", false},
  };
  for (const HoldsCase& one : cases)
    EXPECT_EQ(Holds(one.answer, one.wanted), one.expected) << one.answer << " / " << one.wanted;
}

TEST(Holds, TakesWholeWordsInAnyCase) {
  const HoldsCase cases[] = {
      {"The TRAVEL lamp sells best", "Travel lamp", true},
      {"in DE", "de", true},
      {"in Dessau", "de", false},
      {"main.return_line", "return_line", true},
      {"return_lines", "return_line", false},
      {"caf\u00e9", "cafe", true},
      {"nothing", "", false},
  };
  for (const HoldsCase& one : cases)
    EXPECT_EQ(Holds(one.answer, one.wanted), one.expected) << one.answer << " / " << one.wanted;
}

Task Expecting(std::vector<Alternatives> tools, bool in_order = true) {
  Task task;
  task.id = "a";
  task.tools = std::move(tools);
  task.in_order = in_order;
  task.may = {"free"};
  task.answer = {{"12"}, {"one", "other"}};
  return task;
}

Played Calling(const std::vector<std::string>& tools) {
  Played played;
  played.ending = Ending::Answered;
  played.answer = "12, the other";
  for (const std::string& tool : tools) played.calls.push_back({tool, false});
  return played;
}

TEST(ScoreOf, AgreementIsOfPlacesInOrderAndOfStrays) {
  const Task task = Expecting({{"a", "b"}, {"c"}});
  EXPECT_DOUBLE_EQ(ScoreOf(task, Calling({"b", "free", "c"})).agreement, 1);
  EXPECT_DOUBLE_EQ(ScoreOf(task, Calling({"c", "a"})).agreement, 0.5);
  EXPECT_DOUBLE_EQ(ScoreOf(task, Calling({"a", "a", "a", "c"})).agreement, 1);
  EXPECT_DOUBLE_EQ(ScoreOf(task, Calling({"a", "x", "x", "c"})).agreement, 2.0 / 3);
  EXPECT_DOUBLE_EQ(ScoreOf(task, Calling({"x", "y"})).agreement, 0);
  EXPECT_DOUBLE_EQ(ScoreOf(task, Calling({})).agreement, 0);
}

TEST(ScoreOf, AgreementOfASetKnowsNoOrderAndCountsACallOnce) {
  const Task task = Expecting({{"a"}, {"c"}}, false);
  EXPECT_DOUBLE_EQ(ScoreOf(task, Calling({"c", "a"})).agreement, 1);
  EXPECT_DOUBLE_EQ(ScoreOf(task, Calling({"a", "a"})).agreement, 0.5);
}

TEST(ScoreOf, SuccessNeedsAllWordsAndACallThatDidNotFail) {
  const Task task = Expecting({{"a"}});
  Played played = Calling({"a"});
  EXPECT_TRUE(ScoreOf(task, played).success);
  played.calls[0].is_error = true;
  EXPECT_FALSE(ScoreOf(task, played).success);
  played = Calling({"a"});
  played.answer = "12";
  EXPECT_FALSE(ScoreOf(task, played).success);
  played = Calling({"a"});
  played.ending = Ending::Replies;
  EXPECT_FALSE(ScoreOf(task, played).success);
}

TEST(ScoreOf, WhatCannotBeDoneIsSuccessOnlyWhereItIsSaid) {
  Task task = Expecting({});
  task.answer.clear();
  task.cannot = true;
  Played played = Calling({});
  EXPECT_FALSE(ScoreOf(task, played).success);
  played.ending = Ending::Cannot;
  EXPECT_TRUE(ScoreOf(task, played).success);
  EXPECT_DOUBLE_EQ(ScoreOf(task, played).agreement, 1);
  EXPECT_DOUBLE_EQ(ScoreOf(task, Calling({"x"})).agreement, 0);
}

}  // namespace
}  // namespace schemaward::agents
