#pragma once

// The refresher's work in a process of its own. A client library such as libpq brings 10 MiB that
// nothing can unmap again; a server whose calls are answered from the index does not load it, since
// whoever looks at the database for it ends when it has looked.

#include <chrono>
#include <optional>
#include <string>

#include "app/application.h"
#include "app/refresh_message.h"
#include "index/refresher.h"

namespace schemaward::app {

/// The verb of the process that does the work; it is for this program alone.
inline constexpr std::string_view kRefreshVerb = "refresh-job";

/// The file of the running program, also where another has taken its place.
inline constexpr std::string_view kThisProgram = "/proc/self/exe";

struct RefreshChildOptions {
  std::string program;                     ///< is started with kRefreshVerb as its one argument
  std::chrono::milliseconds grace{2'000};  ///< to end by itself; then it is killed
};

/// Starts a process, gives it `order` and waits for its end. None where it could not be started or
/// declines. A stop or the deadline of `ctx` is passed on; its progress goes to ctx.progress.
/// Errors: the job's; Cancelled, DeadlineExceeded; Internal where it ended, or said what is no
/// report, before it told the outcome. Thread: any.
std::optional<Result<bool>> DoInChild(const RefreshChildOptions& options, const RefreshOrder& order,
                                      CallContext& ctx);

/// Returns what a refresher asks: jobs of engines whose client is not loaded here are done by a
/// process of `options.program`. `policy_hash`: of the policy that the server goes by. Lifetime:
/// the application outlives it.
index::DoElsewhere RefreshInChild(Application& application, RefreshChildOptions options,
                                  std::string policy_hash);

/// The whole of such a process: reads an order from the socket `ends`, does it, and tells it there.
/// Stops when the other end is closed, so that no server leaves it behind. Returns the exit code: 0
/// where an outcome was told.
int RunRefreshJob(int ends);

}  // namespace schemaward::app
