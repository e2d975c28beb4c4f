#include "mcp/head.h"

#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sodium.h>

namespace schemaward::mcp {
namespace {

constexpr std::string_view kEncodedBegin = "=?base64?";
constexpr std::string_view kEncodedEnd = "?=";
constexpr int kStatusBadRequest = 400;
constexpr int kStatusNotFound = 404;
constexpr int kStatusInternal = 500;

std::string Base64(std::string_view bytes) {
  constexpr int kVariant = sodium_base64_VARIANT_ORIGINAL;
  std::string out(sodium_base64_ENCODED_LEN(bytes.size(), kVariant), '\0');
  sodium_bin2base64(out.data(), out.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                    bytes.size(), kVariant);
  out.pop_back();  // the null that C strings end in
  return out;
}

// The value is encoded to be compared: so only the one right encoding of it is taken.
bool Says(const std::string& header, std::string_view value) {
  const std::string_view text = header;
  const bool is_encoded = text.size() >= kEncodedBegin.size() + kEncodedEnd.size() &&
                          text.starts_with(kEncodedBegin) && text.ends_with(kEncodedEnd);
  if (!is_encoded) return text == value;
  const std::string_view inner =
      text.substr(kEncodedBegin.size(), text.size() - kEncodedBegin.size() - kEncodedEnd.size());
  return inner == Base64(value);
}

std::optional<rpc::Failure> Compare(const std::optional<std::string>& header,
                                    const char* header_name, std::string_view value) {
  if (!header)
    return rpc::Failure(rpc::Code::HeaderMismatch,
                        fmt::format("the header {} is missing", header_name));
  if (Says(*header, value)) return std::nullopt;
  return rpc::Failure(rpc::Code::HeaderMismatch,
                      fmt::format("the header {} does not say what the message says", header_name));
}

// The member that Mcp-Name repeats, or null where the method has none.
const char* NamedBy(std::string_view method) {
  if (method == "tools/call" || method == "prompts/get") return "name";
  if (method == "tasks/get" || method == "tasks/cancel" || method == "tasks/update")
    return "taskId";
  return method == "resources/read" ? "uri" : nullptr;
}

}  // namespace

std::optional<rpc::Failure> CheckHead(const transport::RequestHead& head, std::string_view version,
                                      const rpc::Request& request) {
  if (auto failure = Compare(head.protocol_version, "MCP-Protocol-Version", version))
    return failure;
  if (auto failure = Compare(head.method, "Mcp-Method", request.method)) return failure;
  const char* member = NamedBy(request.method);
  const json::Value& params = request.params.value();
  if (member == nullptr || !params.is_object()) return std::nullopt;
  const auto found = params.find(member);
  if (found == params.end() || !found->is_string()) return std::nullopt;  // the method says so
  return Compare(head.name, "Mcp-Name", found->get_ref<const std::string&>());
}

int StatusOf(const rpc::Failure& failure, bool in_session) {
  switch (static_cast<rpc::Code>(failure.code)) {
    case rpc::Code::ParseError:
    case rpc::Code::UnsupportedProtocolVersion:
    case rpc::Code::HeaderMismatch:
    case rpc::Code::MissingClientCapability:
      return kStatusBadRequest;
    case rpc::Code::MethodNotFound:
      return in_session ? transport::kStatusOk : kStatusNotFound;
    case rpc::Code::InternalError:
      return in_session ? transport::kStatusOk : kStatusInternal;
    case rpc::Code::InvalidRequest:
    case rpc::Code::InvalidParams:
      break;
  }
  return in_session ? transport::kStatusOk : kStatusBadRequest;
}

}  // namespace schemaward::mcp
