// Any text as a JSON-RPC message: decoding ends, and what it gives can be answered with valid JSON.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

#include "json/value.h"
#include "rpc/message.h"

namespace {

void MustParse(const std::string& text) {
  if (!schemaward::json::Parse(text, {.bytes_max = 64u << 20, .depth_max = 80})) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace rpc = schemaward::rpc;
  const auto decoded = rpc::Decode(std::string_view(reinterpret_cast<const char*>(data), size));
  if (decoded.messages.empty() || decoded.messages.size() > rpc::kBatchMax) __builtin_trap();
  for (const rpc::Message& message : decoded.messages) {
    if (const auto* request = std::get_if<rpc::Request>(&message))
      MustParse(rpc::EncodeResult(request->id, "{}"));
    if (const auto* rejected = std::get_if<rpc::Rejected>(&message))
      MustParse(rpc::EncodeFailure(rejected->id, rejected->failure));
    if (const auto* notification = std::get_if<rpc::Notification>(&message))
      MustParse(rpc::EncodeNotification(notification->method, "{}"));
  }
  return 0;
}
