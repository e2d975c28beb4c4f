#include "transport/stdio.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <string>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/mutex.h"
#include "transport/lines.h"

namespace schemaward::transport {
namespace {

constexpr std::size_t kReadBytes = 64u << 10;  // a pipe holds as much
constexpr int kFirstPrivateFd = 3;
constexpr int kNoTimeout = -1;
constexpr int kLastWordsMs = 1'000;  // for a client to take what is said while we end
constexpr short kGone = POLLERR | POLLHUP | POLLNVAL;

const std::string& SessionName() {
  static const std::string name = "stdio";
  return name;
}

sigset_t EndingSignals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGHUP);
  return set;
}

// Moves descriptor 1 out of everybody's reach and turns it to stderr. Returns where it is now, or
// -1.
int TakeStandardOutput() {
  const int taken = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, kFirstPrivateFd);
  if (taken < 0) return taken;
  if (dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) return taken;
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return taken;
  dup2(nowhere, STDOUT_FILENO);
  close(nowhere);
  return taken;
}

}  // namespace

// Writes messages. One for the whole process.
class Stdio::Output final : public Peer {
 public:
  Output(int fd, bool owns_fd, int signal_fd, Principal principal)
      : fd_(fd), owns_fd_(owns_fd), signal_fd_(signal_fd), principal_(std::move(principal)) {}
  ~Output() override {
    if (owns_fd_) close(fd_);
  }

  // The lock is held over the write: it is what keeps messages whole.
  void Send(std::string_view text) override {
    if (text.find('\n') != std::string_view::npos) {
      std::string one_line(text);  // JSON escapes line ends in strings: these are blanks
      for (char& c : one_line)
        if (c == '\n') c = ' ';
      return Send(one_line);
    }
    const MutexLock lock(mutex_);
    if (!closed_ && !Write(text)) closed_ = true;
  }
  const std::string& session() const override { return SessionName(); }
  const Principal& principal() const override { return principal_; }
  int fd() const { return fd_; }
  // From now on a client that does not read is not waited for.
  void BeginEnding() { is_ending_ = true; }

 private:
  bool Write(std::string_view text) REQUIRES(mutex_) {
    std::string_view line_end = "\n";
    while (!text.empty() || !line_end.empty()) {
      if (!WaitForRoom()) return false;
      std::array<iovec, 2> parts = {Part(text), Part(line_end)};
      const ssize_t written = writev(fd_, parts.data(), static_cast<int>(parts.size()));
      if (written < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (written < 0) return false;
      auto done = static_cast<std::size_t>(written);
      const std::size_t of_text = std::min(done, text.size());
      text.remove_prefix(of_text);
      line_end.remove_prefix(done - of_text);
    }
    return true;
  }

  static iovec Part(std::string_view text) {
    return {const_cast<char*>(
                text.data()),  // NOLINT(cppcoreguidelines-pro-type-const-cast): writev reads
            text.size()};
  }

  // Waits until the other side has read enough. Returns false when we end instead.
  bool WaitForRoom() const {
    std::array<pollfd, 2> fds = {{{fd_, POLLOUT, 0}, {signal_fd_, POLLIN, 0}}};
    while (true) {
      const int ready = poll(fds.data(), fds.size(), kLastWordsMs);
      if (ready > 0) return fds[0].revents != 0;
      if (ready < 0 && errno != EINTR) return false;
      if (ready == 0 && is_ending_) return false;
    }
  }

  const int fd_;
  const bool owns_fd_;
  const int signal_fd_;
  const Principal principal_;
  std::atomic<bool> is_ending_ = false;
  Mutex mutex_;
  bool closed_ GUARDED_BY(mutex_) = false;
};

// Hands lines over as messages.
class Stdio::Reader final : public LineSink {
 public:
  Reader(Handler& handler, PeerPtr peer, std::size_t bytes_max)
      : handler_(handler), peer_(std::move(peer)), bytes_max_(bytes_max) {}
  void OnLine(std::string_view line) override { handler_.OnMessage(line, peer_); }
  void OnLongLine() override { handler_.OnOversized(bytes_max_, peer_); }

 private:
  Handler& handler_;
  PeerPtr peer_;
  std::size_t bytes_max_;
};

Stdio::Stdio(StdioOptions options) : options_(std::move(options)) {}

Stdio::~Stdio() {
  if (signal_fd_ >= 0) close(signal_fd_);
}

Result<std::unique_ptr<Stdio>> Stdio::Open(StdioOptions options) {
  std::unique_ptr<Stdio> stdio(new Stdio(std::move(options)));
  const sigset_t signals = EndingSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  stdio->signal_fd_ = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  const bool is_standard = stdio->options_.output_fd == STDOUT_FILENO;
  const int output_fd = is_standard ? TakeStandardOutput() : stdio->options_.output_fd;
  if (stdio->signal_fd_ < 0 || output_fd < 0)
    return Error(ErrorKind::Internal, "could not take over standard output");
  stdio->output_ = std::make_shared<Output>(output_fd, is_standard, stdio->signal_fd_,
                                            stdio->options_.principal);
  return stdio;
}

Result<Ending> Stdio::Run(Handler& handler) {
  Reader reader(handler, output_, options_.message_bytes_max);
  LineSplitter lines(options_.message_bytes_max, reader);
  std::string buffer(kReadBytes, '\0');
  std::array<pollfd, 3> fds = {
      {{options_.input_fd, POLLIN, 0}, {signal_fd_, POLLIN, 0}, {output_->fd(), 0, 0}}};
  Ending ending = Ending::InputEnded;
  while (true) {
    if (poll(fds.data(), fds.size(), kNoTimeout) < 0) {
      if (errno == EINTR) continue;
      break;
    }
    if (fds[1].revents != 0) {
      signalfd_siginfo taken{};
      while (read(signal_fd_, &taken, sizeof taken) > 0) {
      }
      ending = Ending::Interrupted;
      break;
    }
    if ((fds[2].revents & kGone) != 0) {
      ending = Ending::OutputClosed;
      break;
    }
    if (fds[0].revents == 0) continue;
    const ssize_t got = read(options_.input_fd, buffer.data(), buffer.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) break;
    lines.Feed(std::string_view(buffer).substr(0, static_cast<std::size_t>(got)));
  }
  if (ending == Ending::InputEnded) lines.End();
  output_->BeginEnding();
  handler.OnClose(SessionName(), ending);
  return ending;
}

}  // namespace schemaward::transport
