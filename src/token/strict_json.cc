#include "token/strict_json.h"

#include <set>
#include <vector>

#include <nlohmann/json.hpp>
#include <sodium.h>

namespace schemaward::token {
namespace {

constexpr int kDepthMax = 8;

// Requires: `text` is JSON. Names are compared as they are meant: \u0061 is a.
bool HasMemberTwice(std::string_view text) {
  using Event = json::Value::parse_event_t;
  std::vector<std::set<std::string>> names;
  bool twice = false;
  const auto look = [&](int, Event event, json::Value& value) {
    if (event == Event::object_start) names.emplace_back();
    if (event == Event::object_end) names.pop_back();
    if (event == Event::key) twice |= !names.back().insert(value.get<std::string>()).second;
    return true;
  };
  return json::Value::parse(text.begin(), text.end(), look).is_discarded() || twice;
}

}  // namespace

Result<json::Document> ReadObject(std::string_view text) {
  auto parsed = json::Parse(text, {.depth_max = kDepthMax});
  if (!parsed || !parsed->value().is_object())
    return Error(ErrorKind::InvalidArgument, "a part of it is no JSON object");
  if (HasMemberTwice(text))
    return Error(ErrorKind::InvalidArgument, "a member occurs twice in a part of it");
  return parsed;
}

Result<std::string> FromBase64Url(std::string_view text) {
  std::string bytes(text.size() + 1, '\0');
  std::size_t size = 0;
  const int read = sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(),
                                     text.data(), text.size(), nullptr, &size, nullptr,
                                     sodium_base64_VARIANT_URLSAFE_NO_PADDING);
  // Without an end to report, the library refuses what it has not read to the end.
  if (read != 0) return Error(ErrorKind::InvalidArgument, "a part of it is not base64url");
  bytes.resize(size);
  return bytes;
}

}  // namespace schemaward::token
