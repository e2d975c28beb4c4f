#pragma once

// CallContext: who calls, until when, and how to stop. Handed first to everything that waits; there
// are no globals.

#include <cstdint>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace schemaward {

/// Who calls. On stdio the operating system's user, on HTTP the token's subject.
struct Principal {
  std::string id = "local";
  std::string client;                ///< name and version the client gave, or empty
  std::string transport = "memory";  ///< stdio | http | cli | memory
  std::vector<std::string> scopes;
  /// What is known of the caller by name, verified: of the token, or stated by the configuration.
  std::map<std::string, std::string> claims{};
};

/// How far a call has come; `total` is 0 where it is not known.
struct Progress {
  std::int64_t done = 0;
  std::int64_t total = 0;
  std::string message;
};

/// What travels with one call. Thread: one call is run by one thread; `stop` may be requested from
/// any. Lifetime: outlives the call; `clock` outlives it.
struct CallContext {
  explicit CallContext(const Clock& the_clock) : clock(the_clock) {}

  const Clock& clock;
  std::string request_id;
  Principal principal;
  Deadline deadline;
  std::stop_token stop;
  std::function<void(const Progress&)> progress;  ///< may be empty
  std::vector<std::string> warnings;              ///< for the log
  /// Asks whoever called for `method`, with parameters in JSON, and waits for the result in JSON;
  /// empty where the caller cannot be asked. Good while the call lasts.
  std::function<Result<std::string>(std::string_view method, std::string_view params_json,
                                    CallContext& ctx)>
      ask_client{};

  void Warn(std::string text) { warnings.push_back(std::move(text)); }

  /// Errors: Cancelled when the caller gave up, DeadlineExceeded when time is up.
  Status Check() const;
};

}  // namespace schemaward
