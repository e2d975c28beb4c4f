#pragma once

// A server to hold a session with: in this process, or the program over its pipes.

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace schemaward::wire {

class World {
 public:
  virtual ~World() = default;
  virtual void Say(std::string_view line) = 0;
  virtual std::optional<std::string> Hear(std::chrono::milliseconds patience) = 0;
  /// Ends the input and waits for the end. Errors: Internal when the server did not end well.
  virtual Status Close() = 0;
  /// Opens the door at which the tool `wait` stands, or waits for calls to arrive there; for the
  /// demo server only.
  virtual void Open() {}
  virtual void AwaitArrivals(int /*count*/) {}
  /// Returns the outputSchema of a tool, empty where it is not known.
  virtual std::string OutputSchema(const std::string& /*tool*/) { return {}; }
  /// Makes a call beside the session. Returns whether it answered without error or refusal, nothing
  /// where that cannot be done.
  virtual std::optional<bool> Works(const std::string& /*tool*/, const std::string& /*args*/) {
    return std::nullopt;
  }
};

/// The protocol core with the tools of mcp/test_support.h: those of the set catalog, and of `more`:
/// workspaces has one that wants the user's word, explore those that may be tasks. `consent_max`:
/// how long a word is waited for.
std::unique_ptr<World> MakeDemoWorld(const std::string& more,
                                     std::chrono::milliseconds consent_max);
/// The protocol core with the real tools of `sets` on a store made of shop.sql.
Result<std::unique_ptr<World>> MakeShopWorld(const std::string& sets);
/// The program with a store made of shop.sql.
Result<std::unique_ptr<World>> MakeProcessWorld(const std::string& program);

}  // namespace schemaward::wire
