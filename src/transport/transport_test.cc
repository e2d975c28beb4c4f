#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mutex.h"
#include "base/result_matchers.h"
#include "transport/lazy_http.h"
#include "transport/lines.h"
#include "transport/memory.h"
#include "transport/stdio.h"

namespace schemaward::transport {
namespace {

using testing::ElementsAre;

class Recorder final : public LineSink {
 public:
  void OnLine(std::string_view line) override { seen.emplace_back(line); }
  void OnLongLine() override { seen.emplace_back("<long>"); }
  std::vector<std::string> seen;
};

std::vector<std::string> Cut(std::string_view bytes, std::size_t piece, std::size_t max = 8) {
  Recorder recorder;
  LineSplitter lines(max, recorder);
  for (std::size_t i = 0; i < bytes.size(); i += piece) lines.Feed(bytes.substr(i, piece));
  lines.End();
  return recorder.seen;
}

class LinesInPieces : public testing::TestWithParam<std::size_t> {};

TEST_P(LinesInPieces, AreCutTheSame) {
  EXPECT_THAT(Cut("a\nb\r\n\n \t\r\nlast", GetParam()), ElementsAre("a", "b", "last"));
  EXPECT_THAT(Cut("\xEF\xBB\xBF{}\n", GetParam()), ElementsAre("{}"));
  EXPECT_THAT(Cut("12345678\n123456789\nok\n", GetParam()),
              ElementsAre("12345678", "<long>", "ok"));
  EXPECT_THAT(Cut("1234567890123456789012345", GetParam()), ElementsAre("<long>"));
}

INSTANTIATE_TEST_SUITE_P(Sizes, LinesInPieces, testing::Values(1, 2, 3, 5, 7, 64));

// Answers every message with itself; "late" is answered from another thread.
class Echo final : public Handler {
 public:
  ~Echo() override {
    for (auto& thread : threads_) thread.join();
  }
  void OnMessage(std::string_view text, const PeerPtr& peer) override {
    if (text != "late") return peer->Send(text);
    threads_.emplace_back([peer] { peer->Send("late\nanswer"); });
  }
  void OnOversized(std::size_t bytes_max, const PeerPtr& peer) override {
    peer->Send(fmt::format("more than {}", bytes_max));
  }
  void OnClose(const std::string&, Ending ending) override {
    endings.push_back(ending);
    for (auto& thread : threads_) thread.join();
    threads_.clear();
  }
  std::vector<Ending> endings;

 private:
  std::vector<std::thread> threads_;
};

TEST(Memory, CarriesBothWays) {
  Echo echo;
  Memory memory(echo, 8);
  memory.Say("hello");
  memory.SayBytes("far too long a line\nx");
  memory.Close();
  EXPECT_THAT(memory.HearAll(), ElementsAre("hello", "more than 8", "x"));
  EXPECT_THAT(echo.endings, ElementsAre(Ending::InputEnded));
}

// A Stdio on two pipes, with the client's ends.
class StdioTest : public testing::Test {
 protected:
  void SetUp() override {
    int in[2];
    int out[2];
    ASSERT_EQ(pipe(in), 0);
    ASSERT_EQ(pipe(out), 0);
    server_in_ = in[0];
    to_server_ = in[1];
    from_server_ = out[0];
    server_out_ = out[1];
    auto opened = Stdio::Open({.input_fd = server_in_,
                               .output_fd = server_out_,
                               .message_bytes_max = 64,
                               .principal = {}});
    ASSERT_THAT(opened, IsOk());
    stdio_ = *std::move(opened);
  }
  void TearDown() override {
    for (const int fd : {server_in_, to_server_, from_server_, server_out_})
      if (fd >= 0) close(fd);
  }
  void Say(std::string_view bytes) {
    ASSERT_EQ(write(to_server_, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  void Close(int& fd) {
    close(fd);
    fd = -1;
  }
  std::string HearAll() {
    Close(server_out_);
    std::string all;
    char buffer[256];
    ssize_t got = 0;
    while ((got = read(from_server_, buffer, sizeof buffer)) > 0)
      all.append(buffer, static_cast<std::size_t>(got));
    return all;
  }

  int server_in_ = -1, to_server_ = -1, from_server_ = -1, server_out_ = -1;
  std::unique_ptr<Stdio> stdio_;
  Echo echo_;
};

// COVERS: R-MCP-2
TEST_F(StdioTest, EndsAtTheEndOfInputAndWritesOneLineAMessage) {
  Say("one\r\n\ntwo\nlate\nunfinished");
  Close(to_server_);
  EXPECT_THAT(stdio_->Run(echo_), IsOkAnd(Ending::InputEnded));
  stdio_.reset();
  const std::string heard = HearAll();
  EXPECT_THAT(heard, testing::HasSubstr("one\n"));
  EXPECT_THAT(heard, testing::HasSubstr("late answer\n"));
  EXPECT_THAT(heard, testing::HasSubstr("unfinished\n"));
  EXPECT_EQ(std::count(heard.begin(), heard.end(), '\n'), 4);
}

TEST_F(StdioTest, AnswersAnOversizedLineAndGoesOn) {
  Say(std::string(100, 'x'));
  Say("\nafter\n");
  Close(to_server_);
  EXPECT_THAT(stdio_->Run(echo_), IsOk());
  EXPECT_EQ(HearAll(), "more than 64\nafter\n");
}

TEST_F(StdioTest, EndsWhenNobodyReadsAnyMore) {
  Close(from_server_);
  Say("one\n");
  EXPECT_THAT(stdio_->Run(echo_), IsOkAnd(Ending::OutputClosed));
  EXPECT_THAT(echo_.endings, ElementsAre(Ending::OutputClosed));
}

TEST_F(StdioTest, EndsOnTheSignalToTerminate) {
  raise(SIGTERM);  // blocked by Open, so it waits for Run
  EXPECT_THAT(stdio_->Run(echo_), IsOkAnd(Ending::Interrupted));
}

TEST_F(StdioTest, AMessageLargerThanThePipeArrivesWhole) {
  const std::string large(300'000, 'y');
  std::string heard;
  std::thread client([&] {
    char buffer[4096];
    while (heard.size() < large.size() + 1) {
      const ssize_t got = read(from_server_, buffer, sizeof buffer);
      if (got <= 0) break;
      heard.append(buffer, static_cast<std::size_t>(got));
    }
  });
  class Large final : public Handler {
   public:
    explicit Large(const std::string& text) : text_(text) {}
    void OnMessage(std::string_view, const PeerPtr& peer) override { peer->Send(text_); }
    void OnOversized(std::size_t, const PeerPtr&) override {}
    void OnClose(const std::string&, Ending) override {}

   private:
    const std::string& text_;
  } handler(large);
  Say("go\n");
  Close(to_server_);
  EXPECT_THAT(stdio_->Run(handler), IsOk());
  client.join();
  EXPECT_EQ(heard, fmt::format("{}\n", large));
}

// Gives each message's work to the thread that brought it, where that takes it. "hold" works until
// a message "free" has come, "who" says whether its work was taken.
class Worker final : public Handler {
 public:
  void OnMessage(std::string_view text, const PeerPtr& peer) override {
    if (text == "free") {
      const MutexLock lock(mutex_);
      is_free_ = true;
      changed_.notify_all();
      return;
    }
    const bool holds = text == "hold";
    const bool taken = peer->TakesOver([this, holds, peer] { Work(holds, *peer); });
    if (!taken) peer->Send("no");
    if (taken && holds) peer->Send("holding");
  }
  void OnOversized(std::size_t, const PeerPtr&) override {}
  void OnClose(const std::string&, Ending) override {}

 private:
  void Work(bool holds, Peer& peer) {
    const MutexLock lock(mutex_);
    while (holds && !is_free_) changed_.wait(mutex_);
    peer.Send(holds ? "held" : "yes");
  }

  Mutex mutex_;
  CondVar changed_;
  bool is_free_ GUARDED_BY(mutex_) = false;
};

class StdioTurnsTest : public StdioTest {
 protected:
  void SetUp() override {
    StdioTest::SetUp();
    server_ =
        std::thread([this] { ending_ = stdio_->Run(worker_).value_or(Ending::OutputClosed); });
  }
  void TearDown() override {
    if (to_server_ >= 0) Close(to_server_);
    server_.join();
    stdio_.reset();
    StdioTest::TearDown();
  }
  std::string Hear() {
    std::string line;
    char c = 0;
    while (read(from_server_, &c, 1) == 1 && c != '\n') line += c;
    return line;
  }
  // Says `message` until its work is taken: it is refused until both threads listen.
  void SayUntil(std::string_view message, std::string_view answer) {
    constexpr int kTries = 100'000;
    for (int i = 0; i < kTries; ++i) {
      Say(message);
      if (Hear() == answer) return;
    }
    FAIL() << "no work was ever taken over";
  }

  Worker worker_;
  Ending ending_ = Ending::Interrupted;
  std::thread server_;
};

TEST_F(StdioTurnsTest, ListensWhileTheThreadThatBroughtAMessageWorks) {
  SayUntil("hold\n", "holding");
  Say("who\n");
  EXPECT_EQ(Hear(), "no") << "nobody would have listened";
  Say("free\n");
  EXPECT_EQ(Hear(), "held");
  SayUntil("who\n", "yes");
}

TEST_F(StdioTurnsTest, TakesTheWorkOfOneMessageOfARead) {
  SayUntil("who\n", "yes");
  Say("who\nwho\n");
  EXPECT_THAT((std::vector<std::string>{Hear(), Hear()}), testing::Contains("no"));
}

TEST_F(StdioTurnsTest, SeesTheEndOfInputWhileAThreadWorks) {
  SayUntil("hold\n", "holding");
  Say("free\nlast");
  Close(to_server_);
  EXPECT_THAT((std::vector<std::string>{Hear(), Hear()}), testing::Contains("held"));
  server_.join();
  EXPECT_EQ(ending_, Ending::InputEnded);
  server_ = std::thread([] {});
}

TEST(LazyHttp, LoadsTheModuleThatListens) {
  const std::filesystem::path folder = std::filesystem::path(WARD_BINARY_DIR) / "lib/schemaward";
  const auto server = ListenOnHttp({"/nowhere", folder}, {});
  ASSERT_THAT(server, IsOk());
  EXPECT_GT((*server)->port(), 0);
}

TEST(LazyHttp, SaysThatTheModuleIsMissing) {
  EXPECT_THAT(ListenOnHttp({"/nowhere"}, {}),
              IsError(ErrorKind::EngineUnavailable, testing::HasSubstr("not installed")));
}

}  // namespace
}  // namespace schemaward::transport
