// initialize, ping and server/discover: how a client learns whom it talks to.

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "mcp/client_info.h"
#include "mcp/fixtures.h"
#include "mcp/method.h"
#include "mcp/task_json.h"

namespace schemaward::mcp {
namespace {

// Only what is served is advertised. The tools and the prompts of a process do not change.
constexpr std::string_view kCapabilities =
    R"("tools":{},"resources":{"subscribe":true,"listChanged":true},"prompts":{},"completions":{})";

std::string Capabilities(const Parts& parts, Revision revision) {
  if (parts.options().conformance_fixtures) return FixtureCapabilities(revision);
  // The newest revision deprecates the log, and nothing is said of it there.
  return fmt::format(R"("capabilities":{{{}{}{}}})", kCapabilities,
                     IsModern(revision) ? "" : R"(,"logging":{})",
                     parts.HasLongTools() ? TasksCapability(revision) : "");
}

std::string InstructionsMember(const Parts& parts) {
  const std::string text = parts.Instructions();
  return text.empty() ? std::string() : R"(,"instructions":)" + json::Quote(text);
}

}  // namespace

// A client with a revision that we do not have is offered our latest of its era, and decides.
MethodResult Initialize(Parts& parts, Call& call) {
  const json::Value& params = call.params();
  const auto asked = params.is_object() ? params.find("protocolVersion") : params.end();
  if (asked == params.end() || !asked->is_string())
    return rpc::Failure(rpc::Code::InvalidParams, "initialize needs params.protocolVersion");
  const auto known = RevisionOf(asked->get_ref<const std::string&>());
  const Revision revision = known && !IsModern(*known) ? *known : kLatestLegacy;
  const auto info = params.find("clientInfo");
  const auto capabilities = params.find("capabilities");
  const bool samples = capabilities != params.end() && OffersModel(*capabilities);
  const bool shows_forms = capabilities != params.end() && ShowsForms(*capabilities);
  call.session->Negotiate(
      {revision, info == params.end() ? "" : ClientName(*info), samples, shows_forms});
  return fmt::format(R"({{"protocolVersion":"{}",{},"serverInfo":{}{}}})", NameOf(revision),
                     Capabilities(parts, revision), parts.ServerInfo(revision),
                     InstructionsMember(parts));
}

MethodResult Ping(Parts& parts, Call& call) { return ResultOf(parts, call.revision, {}); }

MethodResult Discover(Parts& parts, Call& call) {
  return ResultOf(parts, call.revision,
                  fmt::format(R"("supportedVersions":{},{}{}{})", SupportedJson(),
                              Capabilities(parts, call.revision), InstructionsMember(parts),
                              CacheMembers(call.revision)));
}

}  // namespace schemaward::mcp
