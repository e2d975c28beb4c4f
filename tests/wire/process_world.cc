// The program itself, over its pipes.

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/testing.h"
#include "wire/world.h"

namespace schemaward::wire {
namespace {

constexpr std::chrono::milliseconds kEndMax{15'000};  // for the program to end by itself

// Closes at the end.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  ~Fd() { Close(); }
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    Close();
    fd_ = std::exchange(other.fd_, -1);
    return *this;
  }
  void Close() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }
  int get() const { return fd_; }

 private:
  int fd_ = -1;
};

struct Pipe {
  Fd read_end, write_end;
  static Pipe Make() {
    std::array<int, 2> fds{-1, -1};
    if (pipe2(fds.data(), O_CLOEXEC) != 0) return {};
    return {Fd(fds[0]), Fd(fds[1])};
  }
};

// Starts `arguments`; the child reads `input` and writes `output`. Returns its id, or -1.
pid_t Spawn(const std::vector<std::string>& arguments, int input, int output) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments)
    argv.push_back(const_cast<char*>(
        argument.c_str()));  // NOLINT(cppcoreguidelines-pro-type-const-cast): execv's own signature
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child != 0) return child;
  const bool wired = input >= 0 && output >= 0 && dup2(input, STDIN_FILENO) >= 0 &&
                     dup2(output, STDOUT_FILENO) >= 0;
  if (wired) execv(argv[0], argv.data());
  _exit(127);
}

int RunToEnd(const std::vector<std::string>& arguments) {
  const Fd nowhere(open("/dev/null", O_RDWR | O_CLOEXEC));
  const pid_t child = Spawn(arguments, nowhere.get(), nowhere.get());
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class ProcessWorld final : public World {
 public:
  ProcessWorld(std::unique_ptr<store::TempFolder> folder, pid_t child, Fd to, Fd from)
      : folder_(std::move(folder)), child_(child), to_(std::move(to)), from_(std::move(from)) {}
  ~ProcessWorld() override {
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
  }
  ProcessWorld(const ProcessWorld&) = delete;
  ProcessWorld& operator=(const ProcessWorld&) = delete;

  void Say(std::string_view line) override {
    Write(line);
    Write("\n");
  }

  std::optional<std::string> Hear(std::chrono::milliseconds patience) override {
    const auto until = std::chrono::steady_clock::now() + patience;
    while (true) {
      if (const std::size_t end = heard_.find('\n'); end != std::string::npos) {
        std::string line = heard_.substr(0, end);
        heard_.erase(0, end + 1);
        return line;
      }
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          until - std::chrono::steady_clock::now());
      if (left.count() <= 0 || !ReadMore(static_cast<int>(left.count()))) return std::nullopt;
    }
  }

  Status Close() override {
    to_.Close();
    while (ReadMore(static_cast<int>(kEndMax.count()))) {
    }
    int status = -1;
    const auto until = std::chrono::steady_clock::now() + kEndMax;
    while (waitpid(child_, &status, WNOHANG) == 0) {
      if (std::chrono::steady_clock::now() > until)
        return Error(ErrorKind::Internal, "the program did not end at the end of its input");
      poll(nullptr, 0, 10);
    }
    child_ = -1;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
      return Error(ErrorKind::Internal, fmt::format("the program ended with status {}", status));
    if (!heard_.empty() && heard_.back() != '\n')
      return Error(ErrorKind::Internal, "the last line has no end");
    return Ok();
  }

 private:
  void Write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = write(to_.get(), bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  bool ReadMore(int patience_ms) {
    pollfd fd{from_.get(), POLLIN, 0};
    if (poll(&fd, 1, patience_ms) <= 0) return false;
    std::array<char, 65536> buffer{};
    const ssize_t got = read(from_.get(), buffer.data(), buffer.size());
    if (got <= 0) return false;
    heard_.append(buffer.data(), static_cast<std::size_t>(got));
    return true;
  }

  std::unique_ptr<store::TempFolder> folder_;
  pid_t child_;
  Fd to_, from_;
  std::string heard_;
};

}  // namespace

Result<std::unique_ptr<World>> MakeProcessWorld(const std::string& program) {
  std::signal(SIGPIPE, SIG_IGN);
  auto folder = std::make_unique<store::TempFolder>();
  const std::string store = folder->File("store.db");
  const std::string source = std::string("ddl:") + WIRE_FIXTURE;
  if (RunToEnd({program, "index", source, "--name", "shop", "--no-suggest", "--store", store}) != 0)
    return Error(ErrorKind::Internal, "the program could not index shop.sql");
  if (RunToEnd({program, "apply", WIRE_DEFINITIONS, "--store", store}) != 0)
    return Error(ErrorKind::Internal, "the program could not apply the definitions");
  Pipe to = Pipe::Make();
  Pipe from = Pipe::Make();
  const pid_t child = Spawn({program, "serve", "--store", store, "--policy", WIRE_POLICY},
                            to.read_end.get(), from.write_end.get());
  if (child < 0) return Error(ErrorKind::Internal, "the program could not be started");
  return std::make_unique<ProcessWorld>(std::move(folder), child, std::move(to.write_end),
                                        std::move(from.read_end));
}

}  // namespace schemaward::wire
