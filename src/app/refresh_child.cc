#include "app/refresh_child.h"

#include <cerrno>
#include <csignal>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "connect/stop_signal.h"

namespace schemaward::app {
namespace {

using std::chrono::milliseconds;

constexpr int kFirstFdToClose = 3;
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
  Worker(pid_t pid, int socket, milliseconds grace) : pid_(pid), socket_(socket), grace_(grace) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    ::close(socket_);  // it sees that nobody waits for it
    for (milliseconds waited{0}; waited < grace_; waited += milliseconds(1)) {
      if (::waitpid(pid_, nullptr, WNOHANG) == pid_) return;
      ::poll(nullptr, 0, 1);
    }
    ::kill(-pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

  bool Send(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
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
      if (signal.WaitFor(socket_, false, Deadline()) != connect::Wake::Ready) {
        WARD_CHECK(ctx.Check());
        continue;
      }
      char bytes[4096];
      const ssize_t got = ::recv(socket_, bytes, sizeof bytes, 0);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return std::optional<std::string>();
      read_.append(bytes, static_cast<std::size_t>(got));
    }
  }

 private:
  const pid_t pid_;
  const int socket_;
  const milliseconds grace_;
  std::string read_;
};

// A group of its own, so that a Ctrl-C meant for the server does not end it first; no signal held
// back, as they are in the server's threads.
int Spawn(const std::string& program, int end, pid_t& pid) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, end, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, end, STDOUT_FILENO);
  posix_spawn_file_actions_addclosefrom_np(&actions, kFirstFdToClose);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  std::string name = "schemaward", verb(kRefreshVerb);
  char* const argv[] = {name.data(), verb.data(), nullptr};
  const int failed = ::posix_spawn(&pid, program.c_str(), &actions, &attributes, argv, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

std::unique_ptr<Worker> Start(const RefreshChildOptions& options) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return nullptr;
  pid_t pid = -1;
  const int failed = Spawn(options.program, ends[1], pid);
  ::close(ends[1]);
  if (failed == 0) return std::make_unique<Worker>(pid, ends[0], options.grace);
  ::close(ends[0]);
  log::Write(log::Level::Warn, "refresh", "no_process",
             fmt::format("program={} errno={}", options.program, failed));
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
