// Writes what goes back to a peer.

#include <utility>

#include <fmt/format.h>

#include "rpc/message.h"

namespace schemaward::rpc {

Failure::Failure(Code the_code, std::string the_message, std::string data)
    : code(static_cast<int>(the_code)),
      message(std::move(the_message)),
      data_json(std::move(data)) {}

Failure FailureOf(const Error& error) {
  Failure failure;
  failure.code = error.row().rpc_code;
  failure.message = error.message();
  return failure;
}

std::string EncodeResult(std::string_view id, std::string_view result_json) {
  std::string out;
  constexpr std::size_t kFrame = 64;  // what stands around the result
  out.reserve(result_json.size() + id.size() + kFrame);
  out += R"({"jsonrpc":"2.0","id":)";
  out += id;
  out += R"(,"result":)";
  out += result_json;
  out += '}';
  return out;
}

std::string ErrorJson(const Failure& failure) {
  std::string out = fmt::format(R"({{"code":{},"message":)", failure.code);
  json::AppendQuoted(out, failure.message);
  if (!failure.data_json.empty()) {
    out += R"(,"data":)";
    out += failure.data_json;
  }
  out += '}';
  return out;
}

std::string EncodeFailure(std::string_view id, const Failure& failure) {
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"error":{}}})", id, ErrorJson(failure));
}

std::string EncodeRequest(std::string_view id, std::string_view method,
                          std::string_view params_json) {
  std::string out = R"({"jsonrpc":"2.0","id":)";
  out += id;
  out += R"(,"method":)";
  json::AppendQuoted(out, method);
  out += R"(,"params":)";
  out += params_json;
  out += '}';
  return out;
}

std::string EncodeNotification(std::string_view method, std::string_view params_json) {
  std::string out = R"({"jsonrpc":"2.0","method":)";
  json::AppendQuoted(out, method);
  out += R"(,"params":)";
  out += params_json;
  out += '}';
  return out;
}

}  // namespace schemaward::rpc
