// The process that does a refresher's work: its order, its work, its words.

#include <cerrno>
#include <chrono>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include <unistd.h>

#include "app/policy.h"
#include "app/refresh_child.h"
#include "app/refresh_work.h"
#include "base/log.h"
#include "connect/stop_signal.h"

namespace schemaward::app {
namespace {

constexpr std::chrono::milliseconds kStopMax{2'000};  // then it ends in the middle of its work

bool WriteAll(int out, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(out, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

Result<RefreshOrder> ReadOrder(int in) {
  std::string text;
  while (text.find('\n') == std::string::npos && text.size() < kRefreshLineMax) {
    char bytes[4096];
    const ssize_t got = ::read(in, bytes, sizeof bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    text.append(bytes, static_cast<std::size_t>(got));
  }
  return ReadRefreshOrder(std::string_view(text).substr(0, text.find('\n')));
}

// Asks for a stop when the other end is closed, and ends the process where that does not help.
std::jthread StopWithServer(int in, std::stop_source stop) {
  return std::jthread([in, stop = std::move(stop)](const std::stop_token& over) mutable {
    const SystemClock clock;
    CallContext ctx(clock);
    ctx.stop = over;
    connect::StopSignal signal(ctx);
    if (signal.WaitFor(in, false, Deadline()) != connect::Wake::Ready) return;
    stop.request_stop();
    const auto wake = signal.WaitFor(-1, false, Deadline::After(clock, kStopMax));
    if (wake == connect::Wake::TimedOut) ::_exit(1);
  });
}

Result<bool> Do(const RefreshOrder& order, Application& application, const privacy::Policy& policy,
                CallContext& ctx) {
  WARD_TRY(store::Store * store, application.Store(false));
  WARD_TRY(const auto source, store->FindSource(order.source));
  if (!source) return Error(ErrorKind::UnknownSource, "the source was removed from the store");
  if (!order.secret.empty()) application.KeepSecret(source->id, order.secret);
  const auto run =
      RefreshRun(application, *store, policy, [policy](const store::Source&) { return policy; });
  return index::DoJob(*store, OpenFor(application), run, *source, order.job, ctx);
}

RefreshReport Work(const RefreshOrder& order, int out, const std::stop_token& stop) {
  Application application(Config::Of(order.settings));
  log::SetLevel(log::LevelOf(application.config().Get("log.level")));
  // A policy file that was changed while the server runs is not the server's policy.
  const auto policy = LoadPolicy(application.config(), privacy::Profile::Team);
  if (!policy || policy->hash() != order.policy_hash) return {.declined = true};
  CallContext ctx(application.clock());
  ctx.request_id = "refresh";
  ctx.stop = stop;
  ctx.deadline = Deadline::After(ctx.clock, std::chrono::milliseconds(order.time_max_ms));
  ctx.progress = [out](const Progress& progress) { WriteAll(out, ToLine({.progress = progress})); };
  return {.outcome = Do(order, application, *policy, ctx)};
}

}  // namespace

int RunRefreshJob(int ends) {
  const auto order = ReadOrder(ends);
  if (!order) return 2;
  std::stop_source stop;
  const std::jthread watch = StopWithServer(ends, stop);
  return WriteAll(ends, ToLine(Work(*order, ends, stop.get_token()))) ? 0 : 1;
}

}  // namespace schemaward::app
