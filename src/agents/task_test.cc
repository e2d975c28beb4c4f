#include "agents/task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"

namespace schemaward::agents {
namespace {

using ::testing::HasSubstr;

const std::string head = R"({"format": "schemaward-agent-tasks", "version": 1, "source": "shop"})"
                         "\n";

TEST(ReadTasks, TakesTasksAndIgnoresTheRest) {
  const auto set = ReadTasks(
      head +
      R"({"id": "a", "question": "q?", "tools": ["x|y", "z"], "may": ["v"], "answer": ["1|2"], "reference": [1]})"
      "\r\n\n"
      R"({"id": "b", "question": "r?", "any_order": true, "cannot": true})");
  ASSERT_THAT(set, IsOk());
  EXPECT_EQ(set->source, "shop");
  ASSERT_EQ(set->tasks.size(), 2U);
  EXPECT_EQ(set->tasks[0].tools, (std::vector<Alternatives>{{"x", "y"}, {"z"}}));
  EXPECT_EQ(set->tasks[0].may, (std::vector<std::string>{"v"}));
  EXPECT_EQ(set->tasks[0].answer, (std::vector<Alternatives>{{"1", "2"}}));
  EXPECT_TRUE(set->tasks[0].in_order);
  EXPECT_FALSE(set->tasks[1].in_order);
  EXPECT_TRUE(set->tasks[1].cannot);
}

TEST(ReadTasks, NamesTheLineThatCannotBeRead) {
  const std::string good = R"({"id": "a", "question": "q", "tools": ["x"], "answer": ["1"]})";
  for (const char* line :
       {"nonsense", "[]", "{}", R"({"id": "b", "question": "q", "tools": ["x"]})",
        R"({"id": "b", "question": "q", "answer": ["1"]})",
        R"({"id": "b", "question": "q", "tools": "x", "answer": ["1"]})",
        R"({"id": "b", "question": "q", "tools": ["x|"], "answer": ["1"]})",
        R"({"id": "b", "question": "q", "tools": ["x"], "answer": [1]})",
        R"({"id": "b", "question": "q", "tools": ["x"], "answer": ["1"], "cannot": true})",
        R"({"id": "a", "question": "q", "tools": ["x"], "answer": ["1"]})"})
    EXPECT_THAT(ReadTasks(head + good + "\n" + line),
                IsError(ErrorKind::InputUnreadable, HasSubstr("line 3 of the tasks file")))
        << line;
  EXPECT_THAT(ReadTasks(good),
              IsError(ErrorKind::InputUnreadable, HasSubstr("line 1 of the tasks file is not")));
  EXPECT_THAT(ReadTasks(head),
              IsError(ErrorKind::InputUnreadable, "the tasks file holds no tasks"));
}

TEST(ReadTasks, TakesAsManyAsItsBoundAndNotOneMore) {
  std::string lines = head;
  for (std::size_t i = 0; i < kTasksMax; ++i)
    lines += R"({"question": "q", "cannot": true, "id": )" + std::to_string(i) + "}\n";
  ASSERT_THAT(ReadTasks(lines), IsOk());
  EXPECT_THAT(ReadTasks(lines + R"({"question": "q", "cannot": true, "id": "last"})"),
              IsError(ErrorKind::InputUnreadable, HasSubstr("is one too many")));
}

TEST(StarterTasks, AreFiftyAboutTheShop) {
  const auto set = StarterTasks();
  ASSERT_THAT(set, IsOk());
  EXPECT_EQ(set->tasks.size(), 50U);
  EXPECT_EQ(set->source, "shop");
}

}  // namespace
}  // namespace schemaward::agents
