#pragma once

// Calls of the era without requests that ask their client for something while they run: such a call
// answers its request with a question, waits, and goes on when the client makes the same call again
// with the answer.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "base/call_context.h"
#include "base/mutex.h"
#include "base/result.h"

namespace schemaward::mcp {

struct Call;
class Session;

/// A client that has come back to its call.
struct ComeBack {
  std::shared_ptr<Call> call;  ///< the new request, on its session's list; shared: Call is not
                               ///< known here
  std::stop_token stop;        ///< of the new request
  std::string answer_json;     ///< empty: it did not say what it was asked for
};

/// Thread: any.
class ParkedCalls {
 public:
  /// Returns the ticket of a question that a call of `session` is about to ask. Await must follow.
  /// Requires: a place of the ConsentBook, which bounds how many calls wait. Errors:
  /// SourceUnreachable after EndAll. Lifetime: `session` is compared and not used.
  Result<std::string> Enter(const Session* session) EXCLUDES(mutex_);
  /// Waits until the client has come back with `ticket`, which is good until it brings an answer.
  /// Errors: SourceUnreachable after kClientWaitMax, or where the client has gone; Cancelled,
  /// DeadlineExceeded.
  Result<ComeBack> Await(const std::string& ticket, CallContext& ctx) EXCLUDES(mutex_);
  /// Hands over a client that has come back with `ticket`. Returns false, and leaves `back` as it
  /// is, where no call waits with it.
  bool Take(const std::string& ticket, const ComeBack& back) EXCLUDES(mutex_);
  /// The clients of `session` will not come back.
  void EndOf(const Session* session) EXCLUDES(mutex_);
  /// No client will come back, and none may be asked any more.
  void EndAll() EXCLUDES(mutex_);

 private:
  struct Entry {
    const Session* session = nullptr;
    std::optional<ComeBack> back;
    bool is_over = false;
  };

  Mutex mutex_;
  CondVar changed_;
  std::int64_t last_ GUARDED_BY(mutex_) = 0;
  std::map<std::string, Entry> waiting_ GUARDED_BY(mutex_);
  bool is_closed_ GUARDED_BY(mutex_) = false;
};

}  // namespace schemaward::mcp
