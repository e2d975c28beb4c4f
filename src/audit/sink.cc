#include "audit/sink.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <deque>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/mutex.h"

namespace schemaward::audit {
namespace {

constexpr std::chrono::seconds kLastWait{1};  // for what is queued when the log is closed
constexpr int kWriteWaitMs = 1000;            // for a pipe or socket that is full
constexpr std::size_t kPieceMax = 4096;       // what a pipe that polls as writable takes
constexpr int kPiecesMax = 64;                // of a line, and tries
constexpr mode_t kFileMode = 0600;
constexpr std::string_view kSystemLog = "/dev/log";
constexpr int kSyslogPriority = 10 * 8 + 5;  // authpriv, notice

enum class Kind : std::uint8_t { Stderr, File, Syslog };

struct Target {
  Kind kind;
  std::string path;
};

/// An open target; closed with it. Thread: the sink's.
class Output {
 public:
  explicit Output(Target target) : target_(std::move(target)) {}
  ~Output() { Close(); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// Returns 0, or the errno that stopped it; then the next line opens the target anew.
  int Write(const std::string& line) {
    if (const int failed = OpenIfNeeded(); failed != 0) return failed;
    const int failed = target_.kind == Kind::Syslog ? Send(line) : WriteAll(line + "\n");
    if (failed != 0) Close();
    return failed;
  }

 private:
  int OpenIfNeeded() {
    // A file that was moved away, as log rotation does, is opened anew.
    if (file_ >= 0 && target_.kind == Kind::File && WasMoved()) Close();
    if (file_ >= 0) return 0;
    if (target_.kind == Kind::Stderr)
      file_ = STDERR_FILENO;
    else if (target_.kind == Kind::File)
      file_ = ::open(target_.path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK,
                     kFileMode);
    else
      file_ = Connect();
    if (file_ >= 0) return 0;
    return errno != 0 ? errno : EIO;
  }

  bool WasMoved() const {
    struct stat open_file {};
    struct stat named {};
    return ::fstat(file_, &open_file) != 0 || ::stat(target_.path.c_str(), &named) != 0 ||
           open_file.st_ino != named.st_ino;
  }

  int Connect() const {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (target_.path.size() >= sizeof(address.sun_path)) {
      errno = ENAMETOOLONG;
      return -1;
    }
    std::memcpy(address.sun_path, target_.path.data(), target_.path.size());
    const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket < 0) return -1;
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0)
      return socket;
    const int failed = errno;
    ::close(socket);
    errno = failed;
    return -1;
  }

  void Close() {
    if (file_ > STDERR_FILENO) ::close(file_);
    file_ = -1;
  }

  int WaitForRoom() const {
    pollfd wanted{file_, POLLOUT, 0};
    const int ready = ::poll(&wanted, 1, kWriteWaitMs);
    if (ready == 0) return EAGAIN;
    return ready < 0 ? errno : 0;
  }

  // A line that broke off is ended before the next one.
  int WriteAll(const std::string& line) {
    const std::string whole = is_inside_line_ ? "\n" + line : line;
    std::string_view text = whole;
    for (int piece = 0; !text.empty(); ++piece) {
      if (piece == kPiecesMax) return EMSGSIZE;
      if (const int failed = WaitForRoom(); failed != 0) return failed;
      const ssize_t written = ::write(file_, text.data(), std::min(text.size(), kPieceMax));
      if (written < 0 && errno != EINTR && errno != EAGAIN) return errno;
      if (written <= 0) continue;
      text.remove_prefix(static_cast<std::size_t>(written));
      is_inside_line_ = !text.empty();
    }
    return 0;
  }

  int Send(const std::string& line) const {
    if (const int failed = WaitForRoom(); failed != 0) return failed;
    const std::string message =
        fmt::format("<{}>schemaward[{}]: {}", kSyslogPriority, ::getpid(), line);
    return ::send(file_, message.data(), message.size(), MSG_NOSIGNAL) < 0 ? errno : 0;
  }

  const Target target_;
  int file_ = -1;
  bool is_inside_line_ = false;
};

}  // namespace

struct Sink::State {
  explicit State(Target target) : output(std::move(target)) {}

  void Run() {
    // A pipe whose reader is gone is an error here, not the end of the process.
    sigset_t broken_pipe;
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
    const MutexLock lock(mutex);
    while (true) {
      while (queue.empty() && !is_stopping) wake.wait(mutex);
      if (queue.empty()) break;
      const std::string line = std::move(queue.front());
      queue.pop_front();
      queue_bytes -= line.size();
      mutex.Unlock();
      const int failed = output.Write(line);
      mutex.Lock();
      if (failed != 0) Lost(fmt::format("errno {}", failed));
    }
    is_running = false;
    done.notify_all();
  }

  void Lost(std::string why) REQUIRES(mutex) {
    ++failures.count;
    failures.last = std::move(why);
  }

  Output output;  // the thread alone
  Mutex mutex;
  CondVar wake, done;
  std::deque<std::string> queue GUARDED_BY(mutex);
  std::size_t queue_bytes GUARDED_BY(mutex) = 0;
  Failures failures GUARDED_BY(mutex);
  bool is_stopping GUARDED_BY(mutex) = false;
  bool is_running GUARDED_BY(mutex) = false;
};

Sink::Sink(std::shared_ptr<State> state) : state_(std::move(state)) {}

Result<std::unique_ptr<Sink>> Sink::Create(const std::string& where) {
  if (where.empty()) return std::unique_ptr<Sink>();
  Target target{Kind::Stderr, {}};
  if (where.starts_with("file:") && where.size() > 5)
    target = {Kind::File, where.substr(5)};
  else if (where == "syslog")
    target = {Kind::Syslog, std::string(kSystemLog)};
  else if (where.starts_with("syslog:") && where.size() > 7)
    target = {Kind::Syslog, where.substr(7)};
  else if (where != "stderr")
    return std::move(
        Error(ErrorKind::InvalidArgument, fmt::format("the audit log has no sink \"{}\"", where))
            .Hint("Give stderr, syslog, syslog:SOCKET or file:PATH."));
  return std::unique_ptr<Sink>(new Sink(std::make_shared<State>(std::move(target))));
}

Sink::~Sink() {
  const MutexLock lock(state_->mutex);
  state_->is_stopping = true;
  state_->wake.notify_all();
  const auto until = std::chrono::steady_clock::now() + kLastWait;
  while (state_->is_running &&
         state_->done.wait_until(state_->mutex, until) != std::cv_status::timeout) {
  }
}

void Sink::Put(std::string line) {
  const MutexLock lock(state_->mutex);
  if (state_->queue.size() >= kQueueMax || state_->queue_bytes + line.size() > kQueueBytesMax)
    return state_->Lost("the queue is full");
  if (!state_->is_running) {
    try {
      std::thread([state = state_] { state->Run(); }).detach();
      state_->is_running = true;
    } catch (const std::system_error& e) {
      return state_->Lost(e.what());
    }
  }
  state_->queue_bytes += line.size();
  state_->queue.push_back(std::move(line));
  state_->wake.notify_one();
}

Sink::Failures Sink::failures() const {
  const MutexLock lock(state_->mutex);
  return state_->failures;
}

}  // namespace schemaward::audit
