#pragma once

// A listener on loopback that takes one small HTTP request after another: where a browser comes
// back to.

#include <memory>
#include <string>
#include <string_view>

#include "base/call_context.h"
#include "base/result.h"

namespace schemaward::workspaces {

/// Thread: owner.
class Loopback {
 public:
  /// Listens on a free port of 127.0.0.1. Errors: Internal.
  static Result<std::unique_ptr<Loopback>> Open();
  ~Loopback();
  Loopback(const Loopback&) = delete;
  Loopback& operator=(const Loopback&) = delete;

  int port() const { return port_; }

  /// Waits for a request and returns its head, at most 8 KiB of it. Errors: DeadlineExceeded at
  /// `until`; Cancelled and DeadlineExceeded as ctx says.
  Result<std::string> Next(Deadline until, CallContext& ctx);

  /// Answers the last request with a plain sentence and hangs up.
  void Answer(std::string_view status, std::string_view sentence);

 private:
  Loopback(int listener, int port) : listener_(listener), port_(port) {}
  /// Waits until `socket` can be read. Errors: as Next.
  static Status Await(int socket, Deadline until, CallContext& ctx);
  void HangUp();

  const int listener_;
  const int port_;
  int peer_ = -1;
};

}  // namespace schemaward::workspaces
