#include "wire/match.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace schemaward::wire {
namespace {

constexpr const char* kMore = "...";

bool IsMask(const Message& value) {
  if (!value.is_string()) return false;
  const auto& text = value.get_ref<const std::string&>();
  return text == "<any>" || text == "<number>" || text == "<time>" || text == "<version>" ||
         text == "<cursor>" || text == "<state>" || text == "<run>" || text == "<task>";
}

// Letters of the pattern: d a digit, anything else itself.
bool Looks(std::string_view text, std::string_view pattern) {
  return text.size() >= pattern.size() &&
         std::equal(pattern.begin(), pattern.end(), text.begin(), [](char p, char c) {
           return p == 'd' ? std::isdigit(static_cast<unsigned char>(c)) != 0 : p == c;
         });
}

bool IsTime(const Message& value) {
  return value.is_string() && Looks(value.get_ref<const std::string&>(), "dddd-dd-ddTdd:dd:dd");
}

bool IsVersion(const Message& value) {
  return value.is_string() && Looks(value.get_ref<const std::string&>(), "d.d.d");
}

// run_ and 16 hexadecimal digits.
bool IsRun(std::string_view text) {
  constexpr std::size_t kLength = 20;
  return text.size() == kLength && text.starts_with("run_") &&
         text.find_first_not_of("0123456789abcdef", 4) == std::string_view::npos;
}

bool IsRun(const Message& value) {
  return value.is_string() && IsRun(std::string_view(value.get_ref<const std::string&>()));
}

// 32 hexadecimal digits.
bool IsTask(const Message& value) {
  constexpr std::size_t kLength = 32;
  if (!value.is_string()) return false;
  const auto& text = value.get_ref<const std::string&>();
  return text.size() == kLength && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

bool Fits(const Message& mask, const Message& said) {
  const auto& text = mask.get_ref<const std::string&>();
  if (text == "<number>") return said.is_number();
  if (text == "<time>") return IsTime(said);
  if (text == "<version>") return IsVersion(said);
  if (text == "<run>") return IsRun(said);
  if (text == "<task>") return IsTask(said);
  if (text == "<cursor>" || text == "<state>") return said.is_string();
  return true;
}

std::string Differ(const std::string& path, const Message& expected, const Message& said) {
  constexpr std::size_t kShownMax = 600;
  return fmt::format("at {}\n  expected {}\n  said     {}", path.empty() ? "the top" : path,
                     expected.dump().substr(0, kShownMax), said.dump().substr(0, kShownMax));
}

std::string DifferenceAt(const std::string& path, const Message& expected, const Message& said);

std::string ObjectDifference(const std::string& path, const Message& expected,
                             const Message& said) {
  for (const auto& [name, value] : expected.items()) {
    if (name == kMore) continue;
    if (!said.contains(name)) return Differ(path + "/" + name, value, "(absent)");
    if (auto found = DifferenceAt(path + "/" + name, value, said[name]); !found.empty())
      return found;
  }
  if (expected.contains(kMore)) return {};
  for (const auto& [name, value] : said.items())
    if (!expected.contains(name)) return Differ(path + "/" + name, "(absent)", value);
  return {};
}

std::string DifferenceAt(const std::string& path, const Message& expected, const Message& said) {
  if (IsMask(expected)) return Fits(expected, said) ? "" : Differ(path, expected, said);
  if (expected.is_object() && said.is_object()) return ObjectDifference(path, expected, said);
  if (expected.is_array() && said.is_array() && expected.size() == said.size()) {
    for (std::size_t i = 0; i < said.size(); ++i)
      if (auto found = DifferenceAt(fmt::format("{}/{}", path, i), expected[i], said[i]);
          !found.empty())
        return found;
    return {};
  }
  return expected == said ? "" : Differ(path, expected, said);
}

Message SettleObject(const Message& expected, const Message& said) {
  const bool was_object = expected.is_object();
  const bool has_more = was_object && expected.contains(kMore);
  Message settled = Message::object();
  for (const auto& [name, value] : said.items()) {
    const bool was_there = was_object && expected.contains(name);
    if (has_more && !was_there) continue;
    const bool is_own_version = name == "version" && IsVersion(value) && said.contains("name") &&
                                said["name"] == "schemaward";
    settled[name] = Settle(was_there ? expected[name] : Message(), value);
    if (is_own_version) settled[name] = "<version>";
    if (name == "taskId" && IsTask(value)) settled[name] = "<task>";
    if (name == "next_cursor" && value.is_string()) settled[name] = "<cursor>";
    if (name == "requestState" && value.is_string()) settled[name] = "<state>";
    if (name == "execution_time_ms" && value.is_number()) settled[name] = "<number>";
  }
  if (has_more) settled[kMore] = "<any>";
  return settled;
}

}  // namespace

std::string Difference(const Message& expected, const Message& said) {
  return DifferenceAt("", expected, said);
}

Message Settle(const Message& expected, const Message& said) {
  if (IsMask(expected) && Fits(expected, said)) return expected;
  if (said.is_object()) return SettleObject(expected, said);
  if (said.is_array()) {
    Message settled = Message::array();
    const bool same_size = expected.is_array() && expected.size() == said.size();
    for (std::size_t i = 0; i < said.size(); ++i)
      settled.push_back(Settle(same_size ? expected[i] : Message(), said[i]));
    return settled;
  }
  if (IsRun(said)) return Message("<run>");
  return IsTime(said) ? Message("<time>") : said;
}

std::string RunId(std::string_view raw) {
  constexpr std::string_view kMember = "\"run_id\":\"";
  constexpr std::size_t kLength = 20;
  const std::size_t at = raw.find(kMember);
  if (at == std::string_view::npos) return {};
  const std::string_view id = raw.substr(at + kMember.size(), kLength);
  return IsRun(id) ? std::string(id) : std::string();
}

namespace {

std::string TextAt(std::string_view raw, const char* pointer) {
  const Message message = Message::parse(raw);
  const Message::json_pointer where(pointer);
  if (!message.contains(where) || !message[where].is_string()) return {};
  return message[where].get<std::string>();
}

}  // namespace

std::string NextCursor(std::string_view raw) {
  return TextAt(raw, "/result/structuredContent/data/next_cursor");
}

std::string RequestState(std::string_view raw) { return TextAt(raw, "/result/requestState"); }

std::string TaskId(std::string_view raw) {
  std::string legacy = TextAt(raw, "/result/task/taskId");
  return legacy.empty() ? TextAt(raw, "/result/taskId") : legacy;
}

Message WithTextMasked(std::string_view raw) {
  Message message = Message::parse(raw);
  if (!message.is_object() || !message.contains("result")) return message;
  Message& result = message["result"];
  if (!result.is_object() || !result.contains("content") || !result.contains("structuredContent"))
    return message;
  Message& text = result["content"][0]["text"];
  const std::string as_sent = "\"structuredContent\":" + text.get<std::string>();
  if (raw.find(as_sent) != std::string_view::npos) text = "<structured>";
  return message;
}

}  // namespace schemaward::wire
