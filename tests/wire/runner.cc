// Holds the sessions of transcripts and compares what the server says.
//
// usage: wire_runner [--update] [--program FILE] TRANSCRIPT...
//   --update        writes what was said as what is expected
//   --program FILE  over stdio against this program, else in memory
// Exit 0 where every session went as written, 1 where one did not, 2 where one could not be held.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/log.h"
#include "mcp/method.h"
#include "transport/transport.h"
#include "wire/answer_checks.h"
#include "wire/match.h"
#include "wire/transcript.h"
#include "wire/world.h"

namespace schemaward::wire {
namespace {

constexpr std::chrono::milliseconds kPatience{10'000};  // for an answer that must come
constexpr std::chrono::milliseconds kQuiet{400};  // after which --update takes it that all is said

struct Options {
  bool update = false;
  std::string program;
  std::vector<std::string> files;
};

Result<std::unique_ptr<World>> MakeWorld(const Transcript& transcript, const Options& options) {
  if (!options.program.empty()) return MakeProcessWorld(options.program);
  if (transcript.server == "demo") return MakeDemoWorld("catalog", mcp::kConsentMax);
  if (transcript.server == "confirm") return MakeDemoWorld("workspaces", mcp::kConsentMax);
  if (transcript.server == "hasty")
    return MakeDemoWorld("workspaces", std::chrono::milliseconds(1));
  if (transcript.server == "tasks") return MakeDemoWorld("explore", mcp::kConsentMax);
  return MakeShopWorld(transcript.server == "shop" ? "default" : transcript.server);
}

// One session. Thread: owner.
class Session {
 public:
  Session(const std::string& path, const Transcript& transcript, World& world, bool update)
      : path_(path), transcript_(transcript), world_(world), checks_(world), update_(update) {}

  bool Hold() {
    for (const Step& step : transcript_.steps) {
      if (step.mark != '<') RecordAnswers();
      if (step.mark != '<' || !update_) written_.push_back(step);
      if (step.mark == '>') Say(step);
      if (step.mark == '!') Do(step);
      if (step.mark == '<' && update_) earlier_.push_back(Message::parse(step.text));
      if (step.mark == '<' && !update_) Expect(step);
    }
    RecordAnswers();
    if (!closed_) Close(transcript_.steps.back());
    while (const auto more = world_.Hear(std::chrono::milliseconds(0)))
      Fault(transcript_.steps.back(), "said without being asked: " + *more);
    if (update_) {
      if (const auto status = WriteTranscript(path_, written_); !status)
        Fault(transcript_.steps.back(), status.error().message());
    }
    return good_;
  }

 private:
  void Fault(const Step& step, const std::string& what) {
    good_ = false;
    std::fprintf(stderr, "%s:%d: %s\n", path_.c_str(), step.line, what.c_str());
  }

  static void Fill(std::string& text, std::string_view mask, const std::string& value) {
    if (const std::size_t at = text.find(mask); at != std::string::npos)
      text.replace(at, mask.size(), value);
  }

  void Say(const Step& step) {
    last_ = step;
    waiting_ = true;
    if (step.text == "<oversized>")
      return world_.Say(std::string(transport::kMessageBytesMax + 1, 'x'));
    std::string text = step.text;
    Fill(text, "<cursor>", cursor_);
    Fill(text, "<state>", state_);
    Fill(text, "<run>", run_);
    Fill(text, "<task>", task_);
    checks_.Sent(text);
    world_.Say(text);
  }

  void Do(const Step& step) {
    last_ = step;
    waiting_ = true;
    if (step.text == "open") return world_.Open();
    if (step.text == "close") return Close(step);
    if (step.text.starts_with("await "))
      return world_.AwaitArrivals(std::stoi(step.text.substr(6)));
    Fault(step, "there is no such command");
  }

  void Close(const Step& step) {
    closed_ = true;
    if (const Status status = world_.Close(); !status) Fault(step, status.error().message());
  }

  void Check(const Step& step, const std::string& raw) {
    for (const std::string& fault : checks_.Look(raw)) Fault(step, fault + "\n  " + raw);
    if (std::string run = RunId(raw); !run.empty()) run_ = std::move(run);
    if (std::string task = TaskId(raw); !task.empty()) task_ = std::move(task);
    if (std::string cursor = NextCursor(raw); !cursor.empty()) cursor_ = std::move(cursor);
    if (std::string state = RequestState(raw); !state.empty()) state_ = std::move(state);
  }

  void Expect(const Step& step) {
    const auto raw = world_.Hear(kPatience);
    if (!raw) return Fault(step, "nothing was said");
    Check(step, *raw);
    const std::string difference = Difference(Message::parse(step.text), WithTextMasked(*raw));
    if (!difference.empty()) Fault(step, difference);
  }

  // In an update: what the server said after the last step.
  void RecordAnswers() {
    if (!update_ || !waiting_) return;
    waiting_ = false;
    std::size_t i = 0;
    while (const auto raw = world_.Hear(kQuiet)) {
      Check(last_, *raw);
      const Message earlier = i < earlier_.size() ? earlier_[i] : Message();
      written_.push_back({'<', Settle(earlier, WithTextMasked(*raw)).dump(), last_.line});
      ++i;
    }
    earlier_.clear();
  }

  const std::string& path_;
  const Transcript& transcript_;
  World& world_;
  AnswerChecks checks_;
  const bool update_;
  bool good_ = true, closed_ = false, waiting_ = false;
  Step last_;
  std::string cursor_, state_, run_, task_;  // the last ones given out
  std::vector<Step> written_;
  std::vector<Message> earlier_;
};

// Returns an exit code.
int RunFile(const std::string& path, const Options& options) {
  const auto transcript = ReadTranscript(path);
  if (!transcript) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), transcript.error().message().c_str());
    return 2;
  }
  const auto world = MakeWorld(*transcript, options);
  if (!world) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), world.error().ToLogText().c_str());
    return 2;
  }
  return Session(path, *transcript, **world, options.update).Hold() ? 0 : 1;
}

int Main(const std::vector<std::string>& arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--update")
      options.update = true;
    else if (arguments[i] == "--program" && i + 1 < arguments.size())
      options.program = arguments[++i];
    else
      options.files.push_back(arguments[i]);
  }
  if (options.files.empty()) {
    std::fprintf(stderr, "usage: wire_runner [--update] [--program FILE] TRANSCRIPT...\n");
    return 2;
  }
  log::SetLevel(log::Level::Error);
  int worst = 0;
  for (const std::string& file : options.files) worst = std::max(worst, RunFile(file, options));
  return worst;
}

}  // namespace
}  // namespace schemaward::wire

int main(int argc, char** argv) {
  return schemaward::wire::Main(std::vector<std::string>(argv + 1, argv + argc));
}
