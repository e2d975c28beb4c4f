// Fixtures that need something of the client: in the era without sessions that is asked for by a
// result, and the request is made again with the answers.

#include <algorithm>
#include <charconv>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sodium.h>

#include "base/sha256.h"
#include "mcp/fixtures.h"

namespace schemaward::mcp {
namespace {

// One thing that is asked for. An empty key ends a round.
struct Need {
  std::string_view key, method, params, capability;
};

constexpr Need kName = {
    "user_name", "elicitation/create",
    R"({"message":"What is your name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}})",
    "elicitation"};
constexpr Need kCapital = {
    "capital_question", "sampling/createMessage",
    R"({"messages":[{"role":"user","content":{"type":"text","text":"What is the capital of France?"}}],"maxTokens":100})",
    "sampling"};
constexpr Need kRoots = {"client_roots", "roots/list", "{}", "roots"};
constexpr Need kConfirm = {
    "confirm", "elicitation/create",
    R"({"message":"Please confirm","requestedSchema":{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}})",
    "elicitation"};
constexpr Need kStep1 = {
    "step1", "elicitation/create",
    R"({"message":"Step 1: What is your name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}})",
    "elicitation"};
constexpr Need kStep2 = {
    "step2", "elicitation/create",
    R"({"message":"Step 2: What is your favorite color?","requestedSchema":{"type":"object","properties":{"color":{"type":"string"}},"required":["color"]}})",
    "elicitation"};
constexpr Need kContext = {
    "user_context", "elicitation/create",
    R"({"message":"What context should the prompt use?","requestedSchema":{"type":"object","properties":{"context":{"type":"string"}},"required":["context"]}})",
    "elicitation"};

constexpr std::size_t kRoundsMax = 2;
constexpr std::size_t kNeedsMax = 3;
using Round = std::array<Need, kNeedsMax>;

struct Asking {
  std::string_view name;
  bool has_state;
  std::array<Round, kRoundsMax> rounds;  // an empty one is none
};

constexpr Asking kAskings[] = {
    {"test_input_required_result_elicitation", false, {{{kName}}}},
    {"test_input_required_result_sampling", false, {{{kCapital}}}},
    {"test_input_required_result_list_roots", false, {{{kRoots}}}},
    {"test_input_required_result_request_state", true, {{{kConfirm}}}},
    {"test_input_required_result_multiple_inputs", true, {{{kName, kCapital, kRoots}}}},
    {"test_input_required_result_multi_round", true, {{{kStep1}, {kStep2}}}},
    {"test_input_required_result_tampered_state", true, {{{kConfirm}}}},
    {"test_input_required_result_capabilities", false, {{{kName, kCapital}}}},
    {"test_streaming_elicitation", false, {{{kName}}}},
    {"test_tool_with_task", true, {{{kName}}}},
    {"test_input_required_result_prompt", false, {{{kContext}}}},
};

const Asking* Find(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kAskings), std::end(kAskings),
                                         [&](const Asking& a) { return a.name == name; });
  return found == std::end(kAskings) ? nullptr : found;
}

// The state is the round and a tag that only this process can make for it and the tool.
std::string StateOf(const Parts& parts, const Asking& asking, std::size_t round) {
  const std::string text = fmt::format("{}.{}", round, asking.name);
  std::string tag(crypto_auth_BYTES, '\0');
  crypto_auth(reinterpret_cast<unsigned char*>(tag.data()),
              reinterpret_cast<const unsigned char*>(text.data()), text.size(),
              parts.state_key().data());
  return fmt::format("{}.{}", round, ToHex(tag));
}

bool IsDeclared(const Call& call, std::string_view capability) {
  const json::Value& meta = call.params()["_meta"];
  return meta["io.modelcontextprotocol/clientCapabilities"].contains(capability);
}

// Returns whether the client has answered; an answer that is no object is none.
bool IsAnswered(const Call& call, const Need& need) {
  const json::Value& params = call.params();
  const auto answers = params.find("inputResponses");
  if (answers == params.end() || !answers->is_object()) return false;
  const auto answer = answers->find(need.key);
  return answer != answers->end() && answer->is_object();
}

// Asks for what of `round` the client can give and has not given.
std::string AskFor(const Parts& parts, const Call& call, const Asking& asking, std::size_t round,
                   bool all) {
  std::string requests;
  for (const Need& need : asking.rounds[round]) {
    if (need.key.empty() || !IsDeclared(call, need.capability)) continue;
    if (!all && IsAnswered(call, need)) continue;
    requests += fmt::format(R"({}"{}":{{"method":"{}","params":{}}})", requests.empty() ? "" : ",",
                            need.key, need.method, need.params);
  }
  if (requests.empty()) return {};
  const std::string state =
      asking.has_state ? fmt::format(R"(,"requestState":"{}")", StateOf(parts, asking, round)) : "";
  return fmt::format(
      R"({{"resultType":"input_required","inputRequests":{{{}}}{},"_meta":{{"io.modelcontextprotocol/serverInfo":{}}}}})",
      requests, state, parts.ServerInfo(call.revision));
}

bool CanGiveAny(const Call& call, const Round& round) {
  return std::any_of(round.begin(), round.end(), [&](const Need& need) {
    return !need.key.empty() && IsDeclared(call, need.capability);
  });
}

// The round that the state is of; nothing where it was not made here.
std::optional<std::size_t> RoundOf(const Parts& parts, const Call& call, const Asking& asking) {
  const std::string state = FixtureText(call, "requestState");
  if (state.empty()) return 0;
  for (std::size_t round = 0; round < kRoundsMax; ++round)
    if (state == StateOf(parts, asking, round)) return round;
  return std::nullopt;
}

}  // namespace

std::optional<MethodResult> AskByResult(Parts& parts, Call& call) {
  const Asking* asking = Find(FixtureText(call, "name"));
  if (asking == nullptr || !IsModern(call.revision)) return std::nullopt;
  const auto round = RoundOf(parts, call, *asking);
  if (!round)
    return rpc::Failure(rpc::Code::InvalidParams,
                        "params.requestState was not made by this server");
  if (!CanGiveAny(call, asking->rounds[*round]))
    return rpc::Failure(rpc::Code::MissingClientCapability, "the client cannot give what is needed",
                        fmt::format(R"({{"requiredCapabilities":{{"{}":{{}}}}}})",
                                    asking->rounds[*round].front().capability));
  if (std::string asked = AskFor(parts, call, *asking, *round, false); !asked.empty())
    return MethodResult(std::move(asked));
  const std::size_t next = *round + 1;
  if (next < kRoundsMax && CanGiveAny(call, asking->rounds[next]))
    return MethodResult(AskFor(parts, call, *asking, next, true));
  return std::nullopt;
}

std::string AskingToolsJson() {
  std::string list;
  for (const Asking& asking : kAskings)
    if (asking.name != "test_input_required_result_prompt")
      list += fmt::format(
          R"(,{{"name":"{}","description":"A fixture that asks.","inputSchema":{{"type":"object"}}}})",
          asking.name);
  return list;
}

bool IsAskingTool(std::string_view name) { return Find(name) != nullptr; }

}  // namespace schemaward::mcp
