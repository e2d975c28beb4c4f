#pragma once

// Requests of ours to the client, and the answers that they wait for.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/call_context.h"
#include "base/mutex.h"
#include "base/result.h"
#include "rpc/message.h"

namespace schemaward::mcp {

inline constexpr std::size_t kAsksWaitingMax = 64;  ///< of one session

/// Thread: any.
class Asks {
 public:
  /// Sends one message to the client.
  using Send = std::function<void(std::string_view message)>;

  /// Asks for `method` and waits for the answer; returns its result as JSON. A wait that is given
  /// up is told to the client. Errors: PermissionDenied where the client answers with a failure
  /// (its words are private); SourceUnreachable after kClientWaitMax, or where the client has gone;
  /// PoolFull where too many wait; Cancelled, DeadlineExceeded.
  Result<std::string> Ask(std::string_view method, std::string_view params_json, const Send& send,
                          CallContext& ctx) EXCLUDES(mutex_);
  /// Takes an answer. One that nobody waits for is passed over.
  void Take(rpc::Response response) EXCLUDES(mutex_);
  /// The client has gone: no answer will come to what it was asked, or may yet be asked.
  void Close() EXCLUDES(mutex_);

 private:
  using Waiting = std::map<std::string, std::optional<rpc::Response>>;
  Result<std::string> Begin() EXCLUDES(mutex_);
  Result<rpc::Response> Await(const std::string& id, CallContext& ctx) EXCLUDES(mutex_);

  Mutex mutex_;
  CondVar changed_;
  std::int64_t last_ GUARDED_BY(mutex_) = 0;
  Waiting waiting_ GUARDED_BY(mutex_);
  bool is_closed_ GUARDED_BY(mutex_) = false;
};

}  // namespace schemaward::mcp
