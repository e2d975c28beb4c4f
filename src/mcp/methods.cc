// The list of methods, and what their results share.

#include <algorithm>

#include <fmt/format.h>
#include <sodium.h>

#include "base/cut.h"
#include "mcp/method.h"

namespace schemaward::mcp {
namespace {

constexpr Revision kFirst = Revision::R20241105;
constexpr Revision kLast = Revision::R20260728;
constexpr Revision kFirstTasks = Revision::R20251125;

constexpr std::array<Method, 20> kMethods = {{
    {"initialize", kFirst, kLatestLegacy, Initialize},
    {"ping", kFirst, kLatestLegacy, Ping},
    {"server/discover", kFirstModern, kLast, Discover},
    {"tools/list", kFirst, kLast, ListTools},
    {"tools/call", kFirst, kLast, CallTool},
    {"resources/list", kFirst, kLast, ListResources},
    {"resources/templates/list", kFirst, kLast, ListResourceTemplates},
    {"resources/read", kFirst, kLast, ReadResource},
    {"resources/subscribe", kFirst, kLatestLegacy, Subscribe},
    {"resources/unsubscribe", kFirst, kLatestLegacy, Unsubscribe},
    {"subscriptions/listen", kFirstModern, kLast, ListenForChanges},
    {"prompts/list", kFirst, kLast, ListPrompts},
    {"prompts/get", kFirst, kLast, GetPrompt},
    {"completion/complete", kFirst, kLast, Complete},
    {"logging/setLevel", kFirst, kLatestLegacy, SetLogLevel},
    {"tasks/get", kFirstTasks, kLast, GetTask},
    {"tasks/result", kFirstTasks, kLatestLegacy, GetTaskAnswer},
    {"tasks/list", kFirstTasks, kLatestLegacy, ListTasks},
    {"tasks/cancel", kFirstTasks, kLast, CancelTask},
    {"tasks/update", kFirstModern, kLast, UpdateTask},
}};

// How long a client may keep a list: the tools of a process do not change, but the next process may
// have others.
constexpr int kCacheTtlMs = 300'000;

}  // namespace

std::span<const Method> Methods() { return kMethods; }

const std::string& Parts::ToolsJson(Revision revision) {
  const bool with_output_schema = HasStructuredContent(revision);
  const bool says_tasks = AsksForTasks(revision);
  const MutexLock lock(mutex_);
  std::string& made = tools_json_[says_tasks ? 2 : with_output_schema ? 1 : 0];
  if (!made.empty()) return made;
  std::string list = "[";
  for (const tool::Tool* tool : invoker.registry().served()) {
    if (list.size() > 1) list += ',';
    list += tool::DefinitionJson(*tool, with_output_schema, says_tasks);
  }
  list += ']';
  made = list;  // a copy of the right size is kept
  return made;
}

bool Parts::HasLongTools() const {
  const auto& served = invoker.registry().served();
  return std::any_of(served.begin(), served.end(),
                     [](const tool::Tool* tool) { return tool::MayBeTask(tool->spec()); });
}

std::array<unsigned char, 32> Parts::MakeKey() {
  std::array<unsigned char, 32> key{};
  randombytes_buf(key.data(), key.size());
  return key;
}

std::string Parts::ServerInfo(Revision revision) const {
  return fmt::format(R"({{"name":"schemaward",{}"version":{}}})",
                     HasTitles(revision) ? R"("title":"Schemaward",)" : "",
                     json::Quote(options_.version));
}

std::string Parts::Instructions() const {
  if (!options_.instructions) return {};
  return std::string(HeadOf(options_.instructions(), kInstructionsMax));
}

std::string ResultOf(const Parts& parts, Revision revision, std::string_view members,
                     std::string_view type) {
  constexpr std::size_t kFrame = 160;  // what stands around the members
  std::string out;
  out.reserve(members.size() + kFrame);
  out += IsModern(revision) ? fmt::format(R"({{"resultType":"{}",)", type) : "{";
  out += members;
  if (!IsModern(revision)) return out += '}';
  if (!members.empty()) out += ',';
  out += R"("_meta":{"io.modelcontextprotocol/serverInfo":)";
  out += parts.ServerInfo(revision);
  return out += "}}";
}

std::string CacheMembers(Revision revision) {
  if (!IsModern(revision)) return {};
  return fmt::format(R"(,"ttlMs":{},"cacheScope":"private")", kCacheTtlMs);
}

}  // namespace schemaward::mcp
