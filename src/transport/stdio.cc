#include "transport/stdio.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mutex.h"
#include "transport/lines.h"

namespace schemaward::transport {
namespace {

constexpr std::size_t kReadBytes = 64u << 10;  // a pipe holds as much
constexpr int kFirstPrivateFd = 3;
constexpr int kNoTimeout = -1;
constexpr int kListeners = 2;  // one does the work of a call, the other listens
constexpr std::chrono::milliseconds kLeaveWait{200};  // for a thread whose call has answered
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
class Stdio::Output final : public Peer, public std::enable_shared_from_this<Output> {
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
  PeerPtr Channel() override { return shared_from_this(); }
  int fd() const { return fd_; }
  bool TakesOver(const std::function<void()>& work) override;
  // `listener`: who hands over this peer's messages. Requires: called before the first of them.
  void Attach(Listener* listener) { listener_ = listener; }
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
  Listener* listener_ = nullptr;
  std::atomic<bool> is_ending_ = false;
  Mutex mutex_;
  bool closed_ GUARDED_BY(mutex_) = false;
};

// Reads messages and hands them over: first the thread of Run alone, then two of its own in turns.
// The turn passes through a one-shot event: it wakes one of the threads that wait, and nothing more
// comes until that one has read. So a call costs no wake-up but the one that brought it.
class Stdio::Listener final : public LineSink {
 public:
  Listener(Handler& handler, PeerPtr peer, int output_fd, const StdioOptions& options,
           int signal_fd)
      : handler_(handler),
        peer_(std::move(peer)),
        output_fd_(output_fd),
        input_fd_(options.input_fd),
        signal_fd_(signal_fd),
        bytes_max_(options.message_bytes_max),
        lines_(bytes_max_, *this) {}
  ~Listener() override {
    SayStop();
    for (std::thread& thread : threads_) thread.join();
    for (const int fd : {events_fd_, stop_fd_})
      if (fd >= 0) close(fd);
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  // Returns how the session ended. Thread: Run's.
  Ending Listen() {
    if (const auto ending = ListenAlone()) return *ending;
    const MutexLock lock(mutex_);
    while (!ending_) changed_.wait(mutex_);
    return *ending_;
  }

  // Keeps `work` for the thread that has the turn, where another can have it next. Thread: the one
  // that has the turn.
  bool TakeOver(const std::function<void()>& work) {
    wants_turns_ = true;
    if (waiting_ == 0 || work_) return false;
    work_ = work;
    return true;
  }

  // Ends the threads, but for one whose work does not end in time: the destructor waits for that.
  void Leave() {
    SayStop();
    const auto until = std::chrono::steady_clock::now() + kLeaveWait;
    const MutexLock lock(mutex_);
    while (present_ > 0)
      if (changed_.wait_until(mutex_, until) == std::cv_status::timeout) return;
  }

 private:
  void OnLine(std::string_view line) override { handler_.OnMessage(line, peer_); }
  void OnLongLine() override { handler_.OnOversized(bytes_max_, peer_); }

  // Takes the signal, so that it does not end the next session too.
  Ending TakeSignal() const {
    signalfd_siginfo taken{};
    while (read(signal_fd_, &taken, sizeof taken) > 0) {
    }
    return Ending::Interrupted;
  }

  // Reads what is there and hands it over. Returns the ending at the end of input.
  std::optional<Ending> ReadOnce() {
    const ssize_t got = read(input_fd_, buffer_.data(), buffer_.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return std::nullopt;
    if (got > 0) {
      lines_.Feed(std::string_view(buffer_).substr(0, static_cast<std::size_t>(got)));
      return std::nullopt;
    }
    lines_.End();
    return Ending::InputEnded;
  }

  // Returns nothing once others have taken over.
  std::optional<Ending> ListenAlone() {
    std::array<pollfd, 3> fds = {
        {{input_fd_, POLLIN, 0}, {signal_fd_, POLLIN, 0}, {output_fd_, 0, 0}}};
    bool may_take_turns = true;
    while (true) {
      if (poll(fds.data(), fds.size(), kNoTimeout) < 0) {
        if (errno == EINTR) continue;
        return Ending::InputEnded;
      }
      if (fds[1].revents != 0) return TakeSignal();
      if ((fds[2].revents & kGone) != 0) return Ending::OutputClosed;
      if (fds[0].revents == 0) continue;
      if (const auto ending = ReadOnce()) return ending;
      if (!wants_turns_ || !may_take_turns) continue;
      if (StartTurns()) return std::nullopt;
      may_take_turns = false;
    }
  }

  // Returns false where the input cannot be waited for by event (a file), or no thread starts.
  bool StartTurns() {
    events_fd_ = epoll_create1(EPOLL_CLOEXEC);
    stop_fd_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (events_fd_ < 0 || stop_fd_ < 0 || !Watch(stop_fd_, EPOLLIN) || !Watch(signal_fd_, EPOLLIN))
      return false;
    Watch(output_fd_, 0);  // refused where it is a file, which never hangs up
    if (!Watch(input_fd_, EPOLLIN | EPOLLONESHOT)) return false;
    const MutexLock lock(mutex_);
    for (int i = 0; i < kListeners; ++i) StartThread();
    return present_ > 0;
  }

  void StartThread() REQUIRES(mutex_) {
    try {
      threads_.emplace_back([this] { TakeTurns(); });
      ++present_;
    } catch (const std::system_error& e) {
      log::Write(log::Level::Error, "", "thread_not_started", e.what());
    }
  }

  bool Watch(int fd, std::uint32_t events, int operation = EPOLL_CTL_ADD) const {
    epoll_event event{};
    event.events = events;
    event.data.fd = fd;
    return epoll_ctl(events_fd_, operation, fd, &event) == 0;
  }

  void TakeTurns() {
    while (TakeTurn()) {
    }
    const MutexLock lock(mutex_);
    --present_;
    changed_.notify_all();
  }

  // Returns false when there is nothing more to wait for.
  bool TakeTurn() {
    epoll_event event{};
    ++waiting_;
    const int count = epoll_wait(events_fd_, &event, 1, kNoTimeout);
    --waiting_;
    if (count < 0 && errno != EINTR) return End(Ending::InputEnded);
    if (count <= 0) return true;
    if (event.data.fd == stop_fd_) return false;
    if (event.data.fd == signal_fd_) return End(TakeSignal());
    if (event.data.fd == output_fd_) return End(Ending::OutputClosed);
    std::function<void()> work;
    bool goes_on = true;
    {
      const MutexLock lock(turn_mutex_);
      if (const auto ending = ReadOnce()) goes_on = End(*ending);
      work = std::exchange(work_, nullptr);
      if (goes_on && !Watch(input_fd_, EPOLLIN | EPOLLONESHOT, EPOLL_CTL_MOD))
        goes_on = End(Ending::InputEnded);
    }
    if (work) RunGuarded(work);
    return goes_on;
  }

  // Work that throws is a fault of ours: the session survives it.
  static void RunGuarded(const std::function<void()>& work) {
    try {
      work();
    } catch (const std::exception& e) {
      log::Write(log::Level::Error, "", "work_threw", e.what());
    }
  }

  // The first ending counts. Returns false.
  bool End(Ending ending) {
    const MutexLock lock(mutex_);
    if (!ending_) ending_ = ending;
    changed_.notify_all();
    return false;
  }

  void SayStop() const {
    if (stop_fd_ < 0) return;
    const std::uint64_t one = 1;
    if (write(stop_fd_, &one, sizeof one) < 0)
      log::Write(log::Level::Error, "", "listener_not_stopped", "eventfd");
  }

  Handler& handler_;
  const PeerPtr peer_;
  const int output_fd_;
  const int input_fd_;
  const int signal_fd_;
  const std::size_t bytes_max_;
  int events_fd_ = -1;
  int stop_fd_ = -1;

  // Of the thread that has the turn. The one-shot event alone passes it on; the mutex is never
  // waited for and tells the tools that look for races.
  Mutex turn_mutex_;
  LineSplitter lines_;
  std::string buffer_ = std::string(kReadBytes, '\0');
  std::function<void()> work_;
  bool wants_turns_ = false;

  std::atomic<int> waiting_ = 0;  // threads that the next message can wake

  Mutex mutex_;
  CondVar changed_;
  std::optional<Ending> ending_ GUARDED_BY(mutex_);
  int present_ GUARDED_BY(mutex_) = 0;
  std::vector<std::thread> threads_;
};

bool Stdio::Output::TakesOver(const std::function<void()>& work) {
  return listener_ != nullptr && listener_->TakeOver(work);
}

Stdio::Stdio(StdioOptions options) : options_(std::move(options)) {}

Stdio::~Stdio() {
  listener_.reset();
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
  listener_ = std::make_unique<Listener>(handler, output_, output_->fd(), options_, signal_fd_);
  output_->Attach(listener_.get());
  const Ending ending = listener_->Listen();
  output_->BeginEnding();
  handler.OnClose(SessionName(), ending);
  listener_->Leave();
  return ending;
}

}  // namespace schemaward::transport
