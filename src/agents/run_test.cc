#include "agents/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/result_matchers.h"
#include "llm/scripted.h"

namespace schemaward::agents {
namespace {

using ::testing::HasSubstr;

constexpr const char* kCall = R"({"tool": "count", "arguments": {"of": "x"}})";
constexpr const char* kEnd = R"({"answer": "12"})";

class Playing : public ::testing::Test {
 protected:
  Playing() {
    toolbox_.instructions = "Call count first.";
    toolbox_.definitions = {R"({"name":"count"})"};
    toolbox_.call = [this](const std::string& tool, const json::Value& arguments) {
      called_.push_back(tool + arguments.dump());
      return CallAnswer{told_, false};
    };
  }

  Result<Played> Play(llm::Llm& model) {
    return agents::Play("how many?", toolbox_, model, limits_, ctx_);
  }

  SystemClock clock_;
  CallContext ctx_{clock_};
  Toolbox toolbox_;
  PlayLimits limits_;
  std::string told_ = R"({"n":12})";
  std::vector<std::string> called_;
};

TEST_F(Playing, ShowsToolsAndResultsAndNothingElse) {
  llm::ScriptedLlm model({"scripted", "x"}, {{kCall}, {kEnd}});
  const auto played = Play(model);
  ASSERT_THAT(played, IsOk());
  EXPECT_EQ(played->ending, Ending::Answered);
  EXPECT_EQ(played->answer, "12");
  EXPECT_EQ(called_, std::vector<std::string>{R"(count{"of":"x"})"});
  const auto requests = model.Requests();
  EXPECT_THAT(requests[0].system, HasSubstr("Call count first."));
  EXPECT_THAT(requests[0].system, HasSubstr(R"({"name":"count"})"));
  EXPECT_THAT(requests[0].system, HasSubstr("at most 10 replies"));
  EXPECT_EQ(requests[1].messages.back().text, "count answered:\n{\"n\":12}");
  EXPECT_EQ(requests[1].cached_messages, 3);
}

TEST_F(Playing, CutsALongResultOnACharacterAndSaysSo) {
  limits_.result_bytes_max = 4;
  told_ = "abc\u00e9fg";
  llm::ScriptedLlm model({"scripted", "x"}, {{kCall}, {kEnd}});
  ASSERT_THAT(Play(model), IsOk());
  EXPECT_EQ(model.Requests()[1].messages.back().text,
            "count answered:\nabc\n(cut here: 3 of 7 bytes)");
}

TEST_F(Playing, EndsAtItsReplies) {
  llm::ScriptedLlm model({"scripted", "x"},
                         [](const llm::Request&, std::size_t) { return llm::ScriptedTurn{kCall}; });
  limits_.replies_max = 4;
  const auto played = Play(model);
  EXPECT_EQ(played->ending, Ending::Replies);
  EXPECT_EQ(called_.size(), 4U);
}

TEST_F(Playing, NudgesAndThenEndsWhereNothingCanBeRead) {
  llm::ScriptedLlm model({"scripted", "x"}, {{"prose"}, {kCall}, {"prose"}, {"prose"}, {kEnd}});
  const auto played = Play(model);
  EXPECT_EQ(played->ending, Ending::Unreadable);
  EXPECT_EQ(model.Requests().size(), 4U);
  EXPECT_THAT(model.Requests()[1].messages.back().text, HasSubstr("holds no call and no answer"));
}

TEST_F(Playing, EndsBeforeARequestThatCouldPassItsTokens) {
  limits_.reply_tokens_max = 100;
  limits_.tokens_max = 900;
  told_ = std::string(3'000, 'x');
  llm::ScriptedLlm model({"scripted", "x"}, {{kCall}, {kEnd}});
  const auto played = Play(model);
  EXPECT_EQ(played->ending, Ending::Tokens);
  EXPECT_EQ(model.Requests().size(), 1U);
}

TEST_F(Playing, APromptAboveTheWindowEndsTheTaskAlone) {
  told_ = std::string(20'000, 'x');
  llm::ScriptedLlm model({"scripted", "x", 3'000, 2'048}, {{kCall}, {kEnd}});
  const auto played = Play(model);
  ASSERT_THAT(played, IsOk());
  EXPECT_EQ(played->ending, Ending::Window);
}

TaskSet TwoTasks() {
  TaskSet set;
  set.source = "shop";
  for (const char* id : {"first", "second"}) {
    Task task;
    task.id = id;
    task.question = "how many?";
    task.tools = {{"count"}};
    task.answer = {{"12"}};
    set.tasks.push_back(task);
  }
  return set;
}

TEST_F(Playing, AModelThatFailsEndsTheRunAndWhatWasPlayedStands) {
  llm::ScriptedLlm model(
      {"scripted", "x"},
      {{kCall}, {kEnd}, {"", Error(ErrorKind::SourceUnreachable, "the model does not answer")}});
  std::optional<Error> error;
  const auto result = PlayAll(TwoTasks(), toolbox_, model, {}, {}, error, ctx_);
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(result.asked, 2);
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.ended_by, "the model does not answer");
  ASSERT_EQ(result.tasks.size(), 1U);
  EXPECT_DOUBLE_EQ(result.success, 100);
}

TEST_F(Playing, ARunReadsBackAndIsCompared) {
  llm::ScriptedLlm model({"scripted", "x"}, {{kCall}, {kEnd}, {kEnd}});
  std::optional<Error> error;
  agents::Run run;
  run.models.push_back(PlayAll(TwoTasks(), toolbox_, model, {}, {}, error, ctx_));
  run.models[0].model = "x";
  EXPECT_FALSE(error.has_value());
  EXPECT_DOUBLE_EQ(run.models[0].success, 50);
  EXPECT_DOUBLE_EQ(run.models[0].agreement, 50);
  const auto read = ReadRun(ToJson(run));
  ASSERT_THAT(read, IsOk());
  EXPECT_EQ(ToJson(*read), ToJson(run));
  EXPECT_THAT(ToText(run), HasSubstr("2 of 2 tasks: tool-choice agreement 50.0%, task success 50"));
  EXPECT_EQ(Changes(*read, run), "x: agreement 50.0% -> 50.0%, success 50.0% -> 50.0%\n");
  run.models[0].tasks[1].success = true;
  run.models[0].tasks[1].tools = {"count"};
  run.tools_hash = "other";
  EXPECT_THAT(Changes(*read, run), HasSubstr("the tools are not those of the earlier run\n"));
  EXPECT_THAT(Changes(*read, run), HasSubstr("  second: now succeeds\n"));
  EXPECT_THAT(Changes(*read, run), HasSubstr("  second: tools were [], are [count]\n"));
}

TEST(ReadRun, RefusesWhatIsNoRun) {
  for (const char* text : {"", "[]", "{}", R"({"format": "other", "version": 1, "models": []})",
                           R"({"format": "schemaward-agent-run", "version": 2, "models": []})"})
    EXPECT_THAT(ReadRun(text), IsError(ErrorKind::InputUnreadable)) << text;
}

}  // namespace
}  // namespace schemaward::agents
