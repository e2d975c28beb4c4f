#pragma once

// A language model as the program sees it: messages in; words, tokens and money out.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"

namespace schemaward::llm {

enum class Role : std::uint8_t { User, Assistant };

struct Message {
  Role role = Role::User;
  std::string text;
};

/// One turn. The messages alternate, the first and the last are the user's. [CheckRequest]
struct Request {
  std::string system;
  std::vector<Message> messages;
  std::int64_t output_tokens_max = 4'096;
  double temperature = 0;
  /// Marks the system prompt, and the messages up to this many, as what the next request repeats;
  /// providers that keep such a part ask less money for it. Negative: nothing is marked.
  std::int64_t cached_messages = 0;
};

/// Counted by the provider; where it says nothing, by us, and then is_estimate.
struct Usage {
  std::int64_t input_tokens = 0;  ///< all of them, those from a cache included
  std::int64_t output_tokens = 0;
  std::int64_t cache_read_tokens = 0;   ///< of input_tokens: read from the provider's cache
  std::int64_t cache_write_tokens = 0;  ///< of input_tokens: put into it
  bool is_estimate = false;
  Usage& operator+=(const Usage& other);
  bool operator==(const Usage&) const = default;
};

/// Why a reply ends: by itself, at the most tokens that were allowed, or because the provider would
/// not go on.
enum class Stop : std::uint8_t { Done, Length, Refused };

struct Reply {
  std::string text;
  Usage usage;
  Stop stop = Stop::Done;
  std::string model{};  ///< as the provider names what answered
  int tries = 1;        ///< requests that were sent for it
};

/// What is known of a model before it is asked.
struct ModelInfo {
  std::string provider;                    ///< anthropic | openai | scripted | ...
  std::string name;                        ///< as the provider knows it
  std::int64_t window_tokens = 128'000;    ///< prompt and reply together
  std::int64_t output_tokens_max = 4'096;  ///< of one reply
};

/// Takes the words of a reply as they arrive. Called by the thread that waits. A reply that broke
/// off and is asked for again arrives anew, after a call with an empty text.
using OnWords = std::function<void(std::string_view)>;

/// Thread: any.
class Llm {
 public:
  virtual ~Llm() = default;
  virtual const ModelInfo& info() const = 0;
  /// Asks for one reply. `on_text` may be empty. Errors: InvalidArgument for a request that is not
  /// well-formed or that the provider does not take; MissingCredential; SourceAuthFailed;
  /// RateLimited, with a wait where one is named; SourceUnreachable when there is no answer, half a
  /// one, or one that is not of its protocol; ByteCap when the prompt is above the window;
  /// MoneyCap; Cancelled; DeadlineExceeded. No error repeats a key or a prompt.
  virtual Result<Reply> Complete(const Request& request, const OnWords& on_text,
                                 CallContext& ctx) = 0;
};

/// Errors: InvalidArgument when the messages do not alternate, one is empty, or the first or the
/// last is not the user's.
Status CheckRequest(const Request& request);

}  // namespace schemaward::llm
