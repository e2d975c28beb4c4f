#pragma once

// Standard input and output: newline-delimited messages between a client and the process it
// started.

#include <cstddef>
#include <memory>

#include "transport/transport.h"

namespace schemaward::transport {

struct StdioOptions {
  int input_fd = 0;
  int output_fd = 1;
  std::size_t message_bytes_max = kMessageBytesMax;
  Principal principal{.id = "local", .client = {}, .transport = "stdio", .scopes = {}};
};

/// The reader is the thread that calls Run, until work comes that a thread of ours could take over;
/// from then on two threads take turns: the one that took a message does its work, while the other
/// listens. Where both are at work or the input is no pipe, the work is refused, so that reading
/// never waits for a call. Every message is written whole, one write a message. Run ends at the end
/// of input, when nobody reads the output any more, and on SIGTERM, SIGINT and SIGHUP. Nothing else
/// can reach the client: where the output is descriptor 1, that descriptor is turned to stderr, so
/// that a stray print of a library lands there. [R-MCP-2]
class Stdio final : public Transport {
 public:
  /// Takes over the descriptors and the signals: ignores SIGPIPE and blocks the three above, for
  /// this thread and those it starts. Call it before other threads are started.
  /// Errors: Internal when the system has no descriptor left.
  static Result<std::unique_ptr<Stdio>> Open(StdioOptions options);

  ~Stdio() override;
  Stdio(const Stdio&) = delete;
  Stdio& operator=(const Stdio&) = delete;

  Result<Ending> Run(Handler& handler) override;

 private:
  class Output;
  class Listener;

  explicit Stdio(StdioOptions options);

  StdioOptions options_;
  int signal_fd_ = -1;
  std::shared_ptr<Output> output_;      // shared with the calls that still run
  std::unique_ptr<Listener> listener_;  // outlives Run where a call will not end
};

}  // namespace schemaward::transport
