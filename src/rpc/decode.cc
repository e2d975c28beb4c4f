// Takes apart what a peer sent.

#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "rpc/duplicates.h"
#include "rpc/message.h"

namespace schemaward::rpc {
namespace {

constexpr std::string_view kNoId = "null";
constexpr double kExactMax = 9007199254740992.0;  // 2^53: every integer up to here is a double

Rejected Invalid(std::string_view id, std::string why) {
  return Rejected{std::string(id), Failure(Code::InvalidRequest, std::move(why))};
}

// Reads `params` into `into`. Returns why it cannot be used.
std::optional<Failure> TakeParams(json::Value& message, json::Document& into) {
  const auto found = message.find("params");
  if (found == message.end()) return std::nullopt;
  if (found->is_array())
    return Failure(Code::InvalidParams, "params must be an object; positions are not served");
  if (!found->is_object()) return Failure(Code::InvalidRequest, "params must be an object");
  into = json::Document(std::move(*found));
  return std::nullopt;
}

Message DecodeCall(json::Value& message, bool has_id, const std::string& id) {
  json::Value& method = message["method"];
  if (!method.is_string()) return Invalid(id, "method must be a string");
  std::string name = std::move(method.get_ref<std::string&>());
  if (name.empty() || name.size() > kMethodBytesMax)
    return Invalid(id, fmt::format("method must have 1 to {} bytes", kMethodBytesMax));
  json::Document params;
  auto failure = TakeParams(message, params);
  if (!has_id) return Notification{std::move(name), std::move(params)};  // never answered
  if (failure) return Rejected{id, *std::move(failure)};
  return Request{id, std::move(name), std::move(params)};
}

// What is odd about a failure is the peer's business: it failed.
Message DecodeAnswer(json::Value& message, const std::string& id) {
  Response response{id};
  if (const auto result = message.find("result"); result != message.end())
    response.result = json::Document(std::move(*result));
  const auto error = message.find("error");
  if (error == message.end()) return response;
  response.failure = Failure();
  if (!error->is_object()) return response;
  if (const auto code = error->find("code"); code != error->end() && code->is_number_integer())
    response.failure->code = code->get<int>();
  if (const auto text = error->find("message"); text != error->end() && text->is_string())
    response.failure->message = text->get<std::string>();
  return response;
}

Message DecodeOne(json::Value& message) {
  if (!message.is_object()) return Invalid(kNoId, "a message must be a JSON object");
  const auto id_member = message.find("id");
  const bool has_id = id_member != message.end();
  std::string id(kNoId);
  if (has_id) {
    if (std::string usable = IdOf(*id_member); !usable.empty()) id = std::move(usable);
  }
  const auto version = message.find("jsonrpc");
  if (version == message.end() || *version != "2.0")
    return Invalid(id, "jsonrpc must be the string 2.0");
  const bool is_call = message.contains("method");
  const bool is_answer = message.contains("result") || message.contains("error");
  if (is_call && is_answer) return Invalid(id, "a message is either a call or an answer");
  if (is_answer) return DecodeAnswer(message, id);
  if (!is_call) return Invalid(id, "a call must name its method");
  if (has_id && id == kNoId)
    return Invalid(
        id, fmt::format("id must be a string or an integer of at most {} bytes", kIdBytesMax));
  return DecodeCall(message, has_id, id);
}

Decoded Only(Message message) {
  Decoded decoded;
  decoded.messages.push_back(std::move(message));
  return decoded;
}

Decoded DecodeBatch(json::Value& batch) {
  if (batch.empty()) return Only(Invalid(kNoId, "a batch must hold at least one message"));
  if (batch.size() > kBatchMax)
    return Only(Invalid(kNoId, fmt::format("a batch may hold at most {} messages, not {}",
                                           kBatchMax, batch.size())));
  Decoded decoded;
  decoded.is_batch = true;
  for (json::Value& message : batch) decoded.messages.push_back(DecodeOne(message));
  return decoded;
}

}  // namespace

std::string IdOf(const json::Value& value) {
  std::string text;
  if (value.is_string()) {
    text = json::Quote(value.get_ref<const std::string&>());
  } else if (value.is_number_integer()) {
    text = value.dump();
  } else if (value.is_number_float()) {
    const auto number = value.get<double>();
    if (std::trunc(number) == number && std::abs(number) <= kExactMax)
      text = fmt::format("{}", static_cast<std::int64_t>(number));
  }
  return text.size() <= kIdBytesMax ? text : std::string();
}

Decoded Decode(std::string_view text) {
  auto parsed = json::Parse(text, {.bytes_max = kMessageBytesMax, .depth_max = kDepthMax});
  if (!parsed) {
    const bool too_large = parsed.error().kind() == ErrorKind::ByteCap;
    return Only(Rejected{
        std::string(kNoId),
        Failure(too_large ? Code::InvalidRequest : Code::ParseError, parsed.error().message())});
  }
  if (const std::string twice = DuplicateMember(text); !twice.empty())
    return Only(Invalid(kNoId, fmt::format("the member {} occurs twice", twice)));
  json::Value& value = parsed->value();
  return value.is_array() ? DecodeBatch(value) : Only(DecodeOne(value));
}

}  // namespace schemaward::rpc
