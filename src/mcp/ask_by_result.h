#pragma once

// A call of a tool asks its client for something in the era without requests: by a result, to which
// the client comes back with the same call, the answer and the signed state of the question.

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "mcp/method.h"

namespace schemaward::mcp {

/// Of the one request in a question.
inline constexpr std::string_view kAskKey = "reply";

/// The requests of one call, one after another: it is answered once each, the last time with what
/// the call came to. Thread: owner; `stop` is good for any.
class Requests {
 public:
  /// `first`: on its session's list; `stop`: its own.
  Requests(Parts& parts, Call first, std::stop_token stop);
  Requests(const Requests&) = delete;
  Requests& operator=(const Requests&) = delete;

  /// The one that began the call. Lifetime: as long as this.
  const Call& first() const { return first_; }
  /// The one that is to be answered, or was the last to be. Lifetime: until the next Ask.
  const Call& now() const { return later_ ? *later_ : first_; }
  /// Stops the call, whichever request it has.
  std::stop_token stop() const { return whole_.get_token(); }
  void Stop() { whole_.request_stop(); }
  /// Asks for `method` with a question in place of an answer, and waits until the client has come
  /// back with its result. Requires: a place of the ConsentBook. Errors: SourceUnreachable where it
  /// has gone, or does not come within kClientWaitMax; Cancelled, DeadlineExceeded.
  Result<std::string> Ask(std::string_view method, std::string_view params_json, CallContext& ctx);
  /// Sends the last word, where somebody waits for it.
  void Answer(const std::string& message, int status);

 private:
  void Hear(std::stop_token stop);
  void Question(std::string_view method, std::string_view params_json, const std::string& ticket);

  Parts& parts_;
  const Call first_;  // what it says is referred to for as long as the call lasts
  std::optional<Call> later_;
  bool is_open_ = true;  // now() has not been answered
  std::stop_source whole_;
  std::optional<std::stop_callback<std::function<void()>>> heard_;  // of now()
};

/// Returns the ticket of the question that `call` comes back to; nothing where it comes back to
/// none of this process, of this caller and for this tool and arguments.
std::optional<std::string> TicketOf(const Parts& parts, const Call& call);

/// Hands `call` over to the call of `ticket`, which answers it. Fails where that waits no more.
MethodResult ReturnTo(Parts& parts, Call& call, const std::string& ticket);

}  // namespace schemaward::mcp
