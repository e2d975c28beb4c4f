#include "audit/loops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "audit/test_support.h"

namespace schemaward::audit {
namespace {

// A call with the arguments `i`; an empty reason is a success.
void Call(Log& log, int i, const std::string& principal, const std::string& reason) {
  BeginRecord begin = SomeBegin(i);
  begin.principal = principal;
  const auto id = log.Begin(begin, Durability::Soon);
  ASSERT_THAT(id, IsOk());
  EndRecord end;
  end.begin = *id;
  end.status = reason.empty() ? "success" : "error";
  end.reason = reason;
  end.recovery_tool = reason.empty() ? "" : "find_relevant_tables";
  ASSERT_THAT(log.End(end), IsOk());
}

TEST(Loops, AreFailingCallsOfOneCallerThatComeBack) {
  const TempFolder folder;
  FakeClock clock;
  {
    const auto log = OpenLog(folder.File(), clock);
    for (int i = 0; i < 4; ++i) Call(*log, 1, "ana", "unknown_table");
    for (int i = 0; i < 5; ++i) Call(*log, 2, "ana", "");              // works each time
    for (int i = 0; i < 3; ++i) Call(*log, i, "bo", "unknown_table");  // another each time
    for (int i = 0; i < 3; ++i) Call(*log, 7, "bo", "pii_blocked");
    Call(*log, 7, "cy", "pii_blocked");
    ASSERT_THAT(log->Flush(), IsOk());
  }
  const auto loops = FindLoops(folder.File(), 3);
  ASSERT_THAT(loops, IsOk());
  ASSERT_EQ(loops->size(), 2u);
  EXPECT_EQ((*loops)[0].times, 4);
  EXPECT_EQ((*loops)[0].principal, "ana");
  EXPECT_EQ((*loops)[0].reason, "unknown_table");
  EXPECT_EQ((*loops)[0].recovery_tool, "find_relevant_tables");
  EXPECT_EQ((*loops)[1].times, 3);
  EXPECT_EQ((*loops)[1].principal, "bo");
  EXPECT_THAT(FindLoops(folder.File() + ".absent", 3), IsError(ErrorKind::InputUnreadable));
}

}  // namespace
}  // namespace schemaward::audit
