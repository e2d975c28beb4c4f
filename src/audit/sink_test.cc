// Where records go besides the log: what arrives there, and that a target which takes nothing holds
// up no call.

#include "audit/sink.h"

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "audit/test_support.h"

namespace schemaward::audit {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string Contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class LogWithSink : public ::testing::Test {
 protected:
  std::unique_ptr<Log> Open(const std::string& sink) {
    Options options = OptionsFor(log_.File(), clock_);
    options.sink = sink;
    auto log = Log::Create(options);
    EXPECT_THAT(log, IsOk());
    return *std::move(log);
  }

  TempFolder log_;
  TempFolder other_;
  FakeClock clock_;
};

TEST_F(LogWithSink, GivesAFileTheLinesOfTheExport) {
  const std::string path = other_.File("records.jsonl");
  Fill(*Open("file:" + path), 3);
  Fill(*Open("file:" + path), 2);
  EXPECT_EQ(Contents(path), Exported(log_.File()));
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(LogWithSink, IsNoFileOfTheLog) {
  Fill(*Open(""), 1);
  fs::create_symlink(log_.File(), other_.File("link"));
  for (const std::string& path :
       {log_.File(), log_.File() + "-wal", log_.File() + ".000002", log_.File() + ".000002-shm",
        fs::path(log_.File()).parent_path().string() + "/./audit.db", other_.File("link")}) {
    Options options = OptionsFor(log_.File(), clock_);
    options.sink = "file:" + path;
    EXPECT_THAT(Log::Create(options), IsError(ErrorKind::InputUnreadable,
                                              "the audit log's sink is a file of the log itself"))
        << path;
  }
  Fill(*Open("file:" + log_.File() + ".jsonl"), 1);
  EXPECT_THAT(Contents(log_.File() + ".jsonl"), HasSubstr("\"kind\":\"end\""));
}

TEST_F(LogWithSink, GivesStandardErrorALineARecord) {
  const std::string path = other_.File("stderr");
  EXPECT_EQ(InChild([&] {
              const int file = ::open(path.c_str(), O_WRONLY | O_CREAT, 0600);
              ASSERT_GE(file, 0);
              ::dup2(file, STDERR_FILENO);
              Fill(*Open("stderr"), 2);
            }),
            0);
  EXPECT_EQ(Contents(path), Exported(log_.File()));
}

TEST_F(LogWithSink, GivesSyslogADatagramARecord) {
  const std::string path = other_.File("log");
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ASSERT_GE(socket, 0);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  Fill(*Open("syslog:" + path), 1);
  std::string got;
  for (int i = 0; i < 3; ++i) {
    std::string message(4096, '\0');
    const ssize_t size = ::recv(socket, message.data(), message.size(), MSG_DONTWAIT);
    ASSERT_GT(size, 0) << i;
    message.resize(static_cast<std::size_t>(size));
    const std::string head = fmt::format("<85>schemaward[{}]: ", ::getpid());
    ASSERT_THAT(message, StartsWith(head));
    got += message.substr(head.size()) + "\n";
  }
  ::close(socket);
  EXPECT_EQ(got, Exported(log_.File()));
}

TEST_F(LogWithSink, RecordsWhatTheSinkDidNotTake) {
  const auto log = Open("syslog:" + other_.File("absent"));
  int calls = 0;
  EXPECT_TRUE(Eventually([&] {
    Fill(*log, 1, calls++);
    return Exported(log_.File()).find("the sink did not take") != std::string::npos;
  }));
  EXPECT_THAT(Exported(log_.File()), HasSubstr(R"("kind":"note")"));
  EXPECT_TRUE(Check(log_.File()).IsIntact());
}

// A pipe that nobody reads takes 64 KiB; the rest waits in the sink's queue, then is counted.
TEST_F(LogWithSink, HoldsUpNoCallWhereTheTargetTakesNothing) {
  const std::string path = other_.File("pipe");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  {
    const auto log = Open("file:" + path);
    Fill(*log, 400);
    EXPECT_EQ(List(log_.File(), {.limit = 1000})->size(), 400U);
  }
  ::close(reader);
  EXPECT_TRUE(Check(log_.File()).IsIntact());
}

TEST(AuditSink, CountsWhatDoesNotFitItsQueue) {
  const TempFolder folder;
  ASSERT_EQ(::mkfifo(folder.File("pipe").c_str(), 0600), 0);
  const int reader = ::open(folder.File("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  const auto sink = *Sink::Create("file:" + folder.File("pipe"));
  const std::size_t lines = Sink::kQueueMax + 500;
  for (std::size_t i = 0; i < lines; ++i) sink->Put(std::string(200, 'x'));
  EXPECT_GT(sink->failures().count, 0);
  ::close(reader);
}

TEST(AuditSink, OpensAFileAnewThatWasMovedAway) {
  const TempFolder folder;
  const auto sink = *Sink::Create("file:" + folder.File("a"));
  sink->Put("one");
  ASSERT_TRUE(Eventually([&] { return Contents(folder.File("a")) == "one\n"; }));
  fs::rename(folder.File("a"), folder.File("b"));
  sink->Put("two");
  EXPECT_TRUE(Eventually([&] { return Contents(folder.File("a")) == "two\n"; }));
  EXPECT_EQ(Contents(folder.File("b")), "one\n");
}

TEST(AuditSink, SurvivesAPipeWhoseReaderIsGone) {
  const TempFolder folder;
  ASSERT_EQ(::mkfifo(folder.File("pipe").c_str(), 0600), 0);
  const int reader = ::open(folder.File("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  const auto sink = *Sink::Create("file:" + folder.File("pipe"));
  sink->Put("one");
  char got[4] = {};
  ASSERT_TRUE(Eventually([&] { return ::read(reader, got, sizeof(got)) == 4; }));
  ::close(reader);
  sink->Put("two");
  EXPECT_TRUE(Eventually([&] { return sink->failures().count == 1; }));
  EXPECT_THAT(sink->failures().last, StartsWith("errno"));
}

TEST(AuditSink, RefusesATargetThatItDoesNotKnow) {
  for (const char* where : {"x", "file:", "syslog:", "FILE:/a"})
    EXPECT_THAT(Sink::Create(where),
                IsError(ErrorKind::InvalidArgument,
                        fmt::format("the audit log has no sink \"{}\"", where)));
  EXPECT_EQ(*Sink::Create(""), nullptr);
}

}  // namespace
}  // namespace schemaward::audit
