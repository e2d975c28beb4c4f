// What another program is given, how it is read, and that it has ended with its object.
#include "base/child_process.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/result_matchers.h"

namespace schemaward {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

constexpr milliseconds kHang{60'000};  // only a hang takes so long

ChildCommand Shell(const std::string& text, ChildEnds ends = ChildEnds::Output) {
  return {.program = "/bin/sh", .arguments = {"sh", "-c", text}, .ends = ends};
}

/// All that it writes.
std::string ReadAll(const ChildProcess& child) {
  std::string text;
  char bytes[256];
  ssize_t got = 0;
  while ((got = ::read(child.end(), bytes, sizeof bytes)) > 0)
    text.append(bytes, static_cast<std::size_t>(got));
  return text;
}

std::string OutputOf(const ChildCommand& command) {
  const auto child = ChildProcess::Start(command);
  return child ? ReadAll(*child) : child.error().message();
}

TEST(ChildProcess, WritesToItsPipeAndReadsNothing) {
  EXPECT_EQ(OutputOf(Shell("cat; echo done")), "done\n");
}

TEST(ChildProcess, ReadsAndWritesItsSocket) {
  const auto child = ChildProcess::Start(Shell("cat; echo end", ChildEnds::Both));
  ASSERT_THAT(child, IsOk());
  ASSERT_EQ(::send(child->end(), "hello ", 6, MSG_NOSIGNAL), 6);
  child->CloseInput();
  EXPECT_EQ(ReadAll(*child), "hello end\n");
}

TEST(ChildProcess, TakesItsArgumentsAsTheyAre) {
  ChildCommand command = Shell("printf '%s|' \"$@\"");
  command.arguments.insert(command.arguments.end(), {"sh", "a b", "", "$HOME"});
  EXPECT_EQ(OutputOf(command), "a b||$HOME|");
}

TEST(ChildProcess, HasTheEnvironmentThatItIsGivenAndElseOurs) {
  ChildCommand command = Shell("echo \"$GIVEN:$HOME\"");
  command.environment = std::map<std::string, std::string>{{"GIVEN", "x=y"}};
  EXPECT_EQ(OutputOf(command), "x=y:\n");
  const char* path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nobody writes
  EXPECT_EQ(OutputOf(Shell("echo \"$PATH\"")), std::string(path == nullptr ? "" : path) + "\n");
}

TEST(ChildProcess, IsFoundByPath) {
  ChildCommand command = Shell("echo found");
  command.program = "sh";
  EXPECT_EQ(OutputOf(command), "found\n");
}

TEST(ChildProcess, HoldsNoOtherFileOfOurs) {
  int ours[2];
  ASSERT_EQ(::pipe(ours), 0);  // not closed by exec
  const std::string look = "[ -e /proc/self/fd/" + std::to_string(ours[0]) + " ] && echo held";
  EXPECT_EQ(OutputOf(Shell(look + "; echo looked")), "looked\n");
  ::close(ours[0]);
  ::close(ours[1]);
}

TEST(ChildProcess, HoldsNoSignalBack) {
  sigset_t term, before;
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  ASSERT_EQ(::pthread_sigmask(SIG_BLOCK, &term, &before), 0);
  EXPECT_EQ(OutputOf(Shell("kill -TERM $$; echo held back")), "");
  ASSERT_EQ(::pthread_sigmask(SIG_SETMASK, &before, nullptr), 0);
}

TEST(ChildProcess, ItsErrorsGoNowhereWhereThatIsAsked) {
  ChildCommand command = Shell("readlink /proc/self/fd/2");
  command.drops_errors = true;
  EXPECT_EQ(OutputOf(command), "/dev/null\n");
}

TEST(ChildProcess, TellsHowItEnded) {
  struct Row {
    const char* name;
    const char* text;
    bool well;
  };
  for (const Row& row :
       {Row{"0", "exit 0", true}, {"other", "exit 3", false}, {"killed", "kill -KILL $$", false}}) {
    const auto child = ChildProcess::Start(Shell(row.text));
    ASSERT_THAT(child, IsOk());
    ASSERT_TRUE(child->WaitForEnd(kHang)) << row.name;
    EXPECT_EQ(child->EndedWell(), std::optional(row.well)) << row.name;
  }
}

TEST(ChildProcess, OneThatRunsIsNotWaitedForLonger) {
  const auto child = ChildProcess::Start(Shell("cat", ChildEnds::Both));
  ASSERT_THAT(child, IsOk());
  EXPECT_FALSE(child->WaitForEnd(milliseconds(1)));
  EXPECT_EQ(child->EndedWell(), std::nullopt);
  child->CloseInput();
  EXPECT_TRUE(child->WaitForEnd(kHang));
}

/// A process, and one that it started: while that runs it holds the writing end of a pipe with a
/// name.
class Family {
 public:
  explicit Family(const std::string& last)
      : path_(::testing::TempDir() + "family_" + std::to_string(::getpid())) {
    ::unlink(path_.c_str());
    EXPECT_EQ(::mkfifo(path_.c_str(), 0600), 0);
    held_ = ::open(path_.c_str(), O_RDONLY | O_NONBLOCK);
    auto child = ChildProcess::Start(Shell("sleep 600 >" + path_ + " & echo $$ >" + path_ +
                                           "; echo started; exec >/dev/null; " + last));
    if (!child) return;
    EXPECT_EQ(ReadAll(*child), "started\n");
    char bytes[32];
    const ssize_t got = ::read(held_, bytes, sizeof bytes);
    if (got > 0) group_ = static_cast<pid_t>(std::stol(std::string(bytes, bytes + got)));
    child_ = std::make_unique<ChildProcess>(std::move(*child));
  }
  ~Family() {
    ::close(held_);
    ::unlink(path_.c_str());
  }
  Family(const Family&) = delete;
  Family& operator=(const Family&) = delete;

  std::unique_ptr<ChildProcess>& child() { return child_; }
  pid_t group() const { return group_; }
  /// True once nobody is left; false where somebody is after `time_max`.
  bool IsGone(milliseconds time_max) const {
    pollfd wait{held_, 0, 0};
    return ::poll(&wait, 1, static_cast<int>(time_max.count())) == 1 &&
           (wait.revents & POLLHUP) != 0;
  }

 private:
  std::string path_;
  int held_ = -1;
  pid_t group_ = -1;
  std::unique_ptr<ChildProcess> child_;
};

TEST(ChildProcess, ItsGroupEndsWithTheObjectWhetherItRunsOrHasEnded) {
  for (const char* last : {"wait", "exit 0"}) {
    Family family(last);
    ASSERT_NE(family.child(), nullptr) << last;
    EXPECT_FALSE(family.IsGone(milliseconds(0))) << last;
    family.child().reset();
    EXPECT_TRUE(family.IsGone(kHang)) << last;
  }
}

TEST(ChildProcess, WhatIsLeftOfOneThatHasEndedIsLeftWhereThatIsAsked) {
  Family family("exit 0");
  ASSERT_NE(family.child(), nullptr);
  ASSERT_TRUE(family.child()->WaitForEnd(kHang));
  family.child()->LeaveGroup();
  family.child().reset();
  EXPECT_FALSE(family.IsGone(milliseconds(0)));
  ASSERT_GT(family.group(), 1);
  EXPECT_EQ(::kill(-family.group(), SIGKILL), 0);
  EXPECT_TRUE(family.IsGone(kHang));
}

TEST(ChildProcess, AProgramThatIsNotThereIsAnError) {
  const auto child = ChildProcess::Start({.program = "/nowhere/at/all", .arguments = {"all"}});
  ASSERT_THAT(child, IsError(ErrorKind::InputUnreadable, HasSubstr("\"/nowhere/at/all\"")));
  EXPECT_EQ(child.error().private_detail(), "errno " + std::to_string(ENOENT));
}

}  // namespace
}  // namespace schemaward
