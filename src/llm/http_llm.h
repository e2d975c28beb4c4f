#pragma once

// What the protocols of providers share. For files of this module only.

#include <string>
#include <string_view>

#include "json/value.h"
#include "llm/provider.h"

namespace schemaward::llm {

/// What a stream has said so far.
struct StreamState {
  Reply reply;
  bool has_usage = false;
  bool is_whole = false;  ///< the end was said
};

/// A provider's protocol. Thread: any; holds nothing that changes.
class Protocol {
 public:
  virtual ~Protocol() = default;
  /// The path after the base address.
  virtual std::string_view Path() const = 0;
  virtual std::vector<std::pair<std::string, std::string>> Headers(
      const std::string& key) const = 0;
  virtual std::string Body(const ModelInfo& model, const Request& request) const = 0;
  /// Takes one event of the stream. `text` is set to the words that it adds. Errors: as
  /// Llm::Complete, for a failure that the stream reports.
  virtual Status Take(std::string_view data, StreamState& state, std::string& text) const = 0;
};

/// Returns a model that speaks `protocol`. Errors of its calls repeat neither key nor prompt; what
/// a provider said of a failure is private and has the key masked.
std::unique_ptr<Llm> MakeHttpLlm(ProviderOptions options, HttpPost post,
                                 std::unique_ptr<Protocol> protocol);

/// The error for an answer that is not of the protocol, which may be another time.
Error NotOfProtocol(std::string_view what);

/// The error for an answer that is not 2xx. What it says is private, with the key masked.
Error ErrorOfAnswer(const HttpSaid& said, const ModelInfo& model, const std::string& key);

/// The error that an object {"type": ..., "code": ..., "message": ...} inside a stream stands for.
Error ErrorOfStream(const json::Value& error);

}  // namespace schemaward::llm
