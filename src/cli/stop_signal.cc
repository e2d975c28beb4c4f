#include "cli/stop_signal.h"

#include <array>
#include <cerrno>
#include <csignal>

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "cli/command_line.h"

namespace schemaward::cli {
namespace {

sigset_t Ending() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  return set;
}

}  // namespace

StopSignal::StopSignal() {
  const sigset_t set = Ending();
  signals_ = ::signalfd(-1, &set, SFD_CLOEXEC);
  over_ = ::eventfd(0, EFD_CLOEXEC);
  if (signals_ < 0 || over_ < 0) return;  // a signal then ends the process, as ever
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  watcher_ = std::thread([this] { Watch(); });
}

StopSignal::~StopSignal() {
  if (watcher_.joinable()) {
    ::eventfd_write(over_, 1);
    watcher_.join();
    const sigset_t set = Ending();
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  }
  if (signals_ >= 0) ::close(signals_);
  if (over_ >= 0) ::close(over_);
}

void StopSignal::Watch() {
  std::array<pollfd, 2> watched = {pollfd{signals_, POLLIN, 0}, pollfd{over_, POLLIN, 0}};
  while (::poll(watched.data(), watched.size(), -1) >= 0 || errno == EINTR) {
    if ((watched[1].revents & POLLIN) != 0) return;
    signalfd_siginfo info{};
    if ((watched[0].revents & POLLIN) == 0 || ::read(signals_, &info, sizeof(info)) <= 0) continue;
    if (!stop_.request_stop()) ::_exit(kCouldNot);
  }
}

}  // namespace schemaward::cli
