#pragma once

// JSON-RPC 2.0 as MCP narrows it: what a peer said, decoded, and what goes back, encoded. The one
// place where a failure becomes a JSON-RPC error.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"
#include "json/value.h"

namespace schemaward::rpc {

inline constexpr std::size_t kMessageBytesMax = 4u << 20;  ///< longest message that is read
inline constexpr int kDepthMax = 64;                       ///< deepest nesting that is read
inline constexpr std::size_t kBatchMax = 100;              ///< most messages in one batch
inline constexpr std::size_t kIdBytesMax = 256;            ///< longest id, in JSON bytes
inline constexpr std::size_t kMethodBytesMax = 256;        ///< longest method name

/// Codes that a caller acts on. Source: JSON-RPC 2.0 section 5.1; MCP 2026-07-28.
enum class Code : int {
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  InternalError = -32603,
  HeaderMismatch = -32020,
  MissingClientCapability = -32021,
  UnsupportedProtocolVersion = -32022,
};

/// A JSON-RPC error object.
struct Failure {
  int code = 0;
  std::string message;    ///< one line
  std::string data_json;  ///< a JSON value, or empty for none

  Failure() = default;
  Failure(Code the_code, std::string the_message, std::string data = {});
};

/// Returns the JSON-RPC error that stands for `error`; its private detail stays behind. Thread:
/// any.
Failure FailureOf(const Error& error);

/// A call that wants an answer.
struct Request {
  std::string id;  ///< as JSON text: an integer, or a quoted string
  std::string method;
  json::Document params;  ///< an object, or null where the message has none
};

/// A call that wants no answer.
struct Notification {
  std::string method;
  json::Document params;  ///< an object, or null where the message has none
};

/// An answer to a call of ours.
struct Response {
  std::string id;
  json::Document result{};           ///< null where it failed
  std::optional<Failure> failure{};  ///< its data is left out
};

/// A message that cannot be served, and to whom to say so.
struct Rejected {
  std::string id;  ///< as JSON text; "null" where the message names none that can be used
  Failure failure;
};

using Message = std::variant<Request, Notification, Response, Rejected>;

/// One text from a peer.
struct Decoded {
  std::vector<Message> messages;  ///< at least one
  bool is_batch = false;
};

/// Takes one text apart. Never fails: what cannot be used is a Rejected in its place. A member that
/// occurs twice, an id that is null or fractional, and params that are not an object are refused,
/// since two readers could take them for different calls. Thread: any.
Decoded Decode(std::string_view text);

/// Returns the id that `value` holds as JSON text, or nothing where it is not an integer or a
/// string of bounded size. An integral number written with a fraction (1.0) is that integer.
std::string IdOf(const json::Value& value);

/// Returns {"jsonrpc":"2.0","id":ID,"result":RESULT}. `result_json`: one JSON object.
std::string EncodeResult(std::string_view id, std::string_view result_json);

/// Returns {"code":...,"message":...}, with data where there is any.
std::string ErrorJson(const Failure& failure);

/// Returns {"jsonrpc":"2.0","id":ID,"error":{...}}.
std::string EncodeFailure(std::string_view id, const Failure& failure);

/// Returns {"jsonrpc":"2.0","id":ID,"method":METHOD,"params":PARAMS}.
std::string EncodeRequest(std::string_view id, std::string_view method,
                          std::string_view params_json);

/// Returns {"jsonrpc":"2.0","method":METHOD,"params":PARAMS}.
std::string EncodeNotification(std::string_view method, std::string_view params_json);

}  // namespace schemaward::rpc
