#include "app/refresh_child.h"

#include <cerrno>
#include <utility>

#include <fmt/format.h>
#include <sys/socket.h>

#include "base/child_process.h"
#include "base/log.h"
#include "connect/stop_signal.h"

namespace schemaward::app {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kTimeMax{600'000};  // where the caller sets no deadline

Error EndedEarly(const std::string& source, std::string_view what) {
  return std::move(
      Error(ErrorKind::Internal,
            fmt::format("the process that looks at source \"{}\" ended without an answer", source))
          .Private(what));
}

/// A process at work; it has ended when this object has. Thread: owner.
class Worker {
 public:
  Worker(ChildProcess process, milliseconds grace) : process_(std::move(process)), grace_(grace) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    process_.Close();  // it sees that nobody waits for it
    process_.WaitForEnd(grace_);
  }

  bool Send(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t sent = ::send(process_.end(), text.data(), text.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  // Returns the next line without its end, none where there is no more or it is too long.
  Result<std::optional<std::string>> Line(CallContext& ctx) {
    connect::StopSignal signal(ctx);
    while (true) {
      if (const std::size_t end = read_.find('\n'); end != std::string::npos) {
        std::string line = read_.substr(0, end);
        read_.erase(0, end + 1);
        return std::optional(std::move(line));
      }
      if (read_.size() >= kRefreshLineMax) return std::optional<std::string>();
      if (signal.WaitFor(process_.end(), false, Deadline()) != connect::Wake::Ready) {
        WARD_CHECK(ctx.Check());
        continue;
      }
      char bytes[4096];
      const ssize_t got = ::recv(process_.end(), bytes, sizeof bytes, 0);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return std::optional<std::string>();
      read_.append(bytes, static_cast<std::size_t>(got));
    }
  }

 private:
  ChildProcess process_;
  const milliseconds grace_;
  std::string read_;
};

std::unique_ptr<Worker> Start(const RefreshChildOptions& options) {
  auto process = ChildProcess::Start(
      {.program = options.program, .arguments = {"schemaward", std::string(kRefreshVerb)}});
  if (process) return std::make_unique<Worker>(*std::move(process), options.grace);
  log::Write(log::Level::Warn, "refresh", "no_process", process.error().ToLogText());
  return nullptr;
}

std::optional<Result<bool>> Follow(Worker& worker, const std::string& source, CallContext& ctx) {
  while (true) {
    auto line = worker.Line(ctx);
    if (!line) return std::move(line).error();
    if (!*line) return EndedEarly(source, "its words end before the outcome");
    auto report = ReadRefreshReport(**line);
    if (!report) return EndedEarly(source, "it said what is no report");
    if (report->declined) return std::nullopt;
    if (report->outcome) return std::move(report->outcome);
    if (ctx.progress) ctx.progress(*report->progress);
  }
}

}  // namespace

std::optional<Result<bool>> DoInChild(const RefreshChildOptions& options, const RefreshOrder& order,
                                      CallContext& ctx) {
  const auto worker = Start(options);
  if (worker == nullptr) return std::nullopt;
  if (!worker->Send(ToLine(order))) return EndedEarly(order.source, "it did not read its order");
  return Follow(*worker, order.source, ctx);
}

index::DoElsewhere RefreshInChild(Application& application, RefreshChildOptions options,
                                  std::string policy_hash) {
  return [&application, options = std::move(options), policy_hash = std::move(policy_hash)](
             const store::Source& source, index::Job job,
             CallContext& ctx) -> std::optional<Result<bool>> {
    if (application.engines().IsLoaded(source.engine)) return std::nullopt;
    RefreshOrder order{job,
                       source.name,
                       application.KeptSecret(source.id),
                       policy_hash,
                       ctx.deadline.Left(ctx.clock, kTimeMax).count(),
                       {}};
    for (const auto& [key, setting] : application.config().settings())
      order.settings[key] = setting.value;
    return DoInChild(options, order, ctx);
  };
}

}  // namespace schemaward::app
