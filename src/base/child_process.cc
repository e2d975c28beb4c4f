#include "base/child_process.h"

#include <cassert>
#include <cerrno>
#include <csignal>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace schemaward {
namespace {

constexpr int kFirstFdToClose = 3;
constexpr std::chrono::milliseconds kLookEvery{1};

/// argv and envp as C takes them. Lifetime: `texts` outlives it.
std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  out.reserve(texts.size() + 1);
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

/// What happens to files between fork and exec.
class FileActions {
 public:
  FileActions(const ChildCommand& command, int end) {
    posix_spawn_file_actions_init(&actions_);
    if (command.ends == ChildEnds::Both)
      posix_spawn_file_actions_adddup2(&actions_, end, STDIN_FILENO);
    else
      posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, end, STDOUT_FILENO);
    if (command.drops_errors)
      posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions_, kFirstFdToClose);
  }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

/// A group of its own and no signal held back, as they are in the threads of a server.
class Attributes {
 public:
  Attributes() {
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&attributes_, 0);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes_, &none);
  }
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

/// Returns 0, or why not as errno says it.
int Spawn(const ChildCommand& command, int end, pid_t& pid) {
  std::vector<std::string> words = command.arguments, variables;
  if (command.environment)
    for (const auto& [name, value] : *command.environment)
      variables.push_back(std::string(name).append("=").append(value));
  const FileActions actions(command, end);
  const Attributes attributes;
  return ::posix_spawnp(&pid, command.program.c_str(), actions.get(), attributes.get(),
                        Pointers(words).data(),
                        command.environment ? Pointers(variables).data() : environ);
}

/// Ours is the first. Neither is inherited by anything else that is started.
bool MakeEnds(ChildEnds which, int (&ends)[2]) {
  return which == ChildEnds::Both ? ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0
                                  : ::pipe2(ends, O_CLOEXEC) == 0;
}

}  // namespace

Result<ChildProcess> ChildProcess::Start(const ChildCommand& command) {
  assert(!command.arguments.empty() && "the first argument is the program's name");
  int ends[2];
  if (!MakeEnds(command.ends, ends))
    return std::move(Error(ErrorKind::Internal, "the system gave no pipe for another program")
                         .Private("errno " + std::to_string(errno)));
  pid_t pid = -1;
  const int failed = Spawn(command, ends[1], pid);
  ::close(ends[1]);
  if (failed == 0) return ChildProcess(pid, ends[0]);
  ::close(ends[0]);
  return std::move(
      Error(ErrorKind::InputUnreadable, "\"" + command.program + "\" cannot be started")
          .Private("errno " + std::to_string(failed)));
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), end_(std::exchange(other.end_, -1)) {}

ChildProcess::~ChildProcess() {
  Close();
  if (pid_ <= 0) return;
  ::kill(-pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void ChildProcess::CloseInput() const {
  if (end_ >= 0) ::shutdown(end_, SHUT_WR);
}

void ChildProcess::Close() {
  if (end_ >= 0) ::close(std::exchange(end_, -1));
}

std::optional<bool> ChildProcess::EndedWell() const {
  siginfo_t ended{};
  if (::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0)
    return errno == EINTR ? std::nullopt : std::optional(false);
  if (ended.si_pid == 0) return std::nullopt;
  return ended.si_code == CLD_EXITED && ended.si_status == 0;
}

bool ChildProcess::WaitForEnd(std::chrono::milliseconds time_max) const {
  const auto until = std::chrono::steady_clock::now() + time_max;
  while (!EndedWell()) {
    if (std::chrono::steady_clock::now() >= until) return false;
    std::this_thread::sleep_for(kLookEvery);
  }
  return true;
}

void ChildProcess::LeaveGroup() {
  assert(EndedWell() && "a process is not left while it runs");
  ::waitpid(std::exchange(pid_, -1), nullptr, 0);
}

}  // namespace schemaward
