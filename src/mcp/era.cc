#include "mcp/era.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "mcp/client_info.h"
#include "mcp/head.h"

namespace schemaward::mcp {
namespace {

constexpr const char* kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr const char* kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr const char* kClientKey = "io.modelcontextprotocol/clientInfo";

const json::Value* Find(const json::Value& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

rpc::Failure Lacks(const char* key, std::string_view what) {
  return rpc::Failure(rpc::Code::InvalidParams,
                      fmt::format("params._meta must have \"{}\", {}", key, what));
}

rpc::Failure Unsupported(const std::string& name) {
  return rpc::Failure(
      rpc::Code::UnsupportedProtocolVersion, "the protocol version is not supported",
      fmt::format(R"({{"supported":{},"requested":{}}})", SupportedJson(), json::Quote(name)));
}

// A request that speaks for itself.
std::variant<Spoken, rpc::Failure> FromMeta(const rpc::Request& request, const json::Value& meta,
                                            const transport::RequestHead* head) {
  const json::Value* version = Find(meta, kVersionKey);
  if (version == nullptr || !version->is_string()) return Lacks(kVersionKey, "a string");
  const json::Value* capabilities = Find(meta, kCapabilitiesKey);
  if (capabilities == nullptr || !capabilities->is_object())
    return Lacks(kCapabilitiesKey, "an object");
  const auto& name = version->get_ref<const std::string&>();
  if (head != nullptr)
    if (auto failure = CheckHead(*head, name, request)) return *std::move(failure);
  const auto revision = RevisionOf(name);
  if (!revision) return Unsupported(name);
  const json::Value* client = Find(meta, kClientKey);
  return Spoken{*revision, client == nullptr ? std::string() : ClientName(*client),
                HasElicitation(*revision) && ShowsForms(*capabilities), OffersModel(*capabilities),
                IsModern(*revision) && TakesTasks(*capabilities)};
}

}  // namespace

std::variant<Spoken, rpc::Failure> RevisionOfRequest(const rpc::Request& request,
                                                     const Session& session,
                                                     const transport::RequestHead* head) {
  const json::Value* meta = Find(request.params.value(), "_meta");
  const bool is_modern = meta != nullptr && (Find(*meta, kVersionKey) != nullptr ||
                                             Find(*meta, kCapabilitiesKey) != nullptr);
  if (is_modern) return FromMeta(request, *meta, head);
  // Initialize and ping open a legacy session and keep it alive, so they need nothing before them.
  if (request.method == "initialize") return Spoken{kLatestLegacy, {}};
  if (head != nullptr && head->protocol_version) {
    const auto revision = RevisionOf(*head->protocol_version);
    if (!revision) return Unsupported(*head->protocol_version);
    if (IsModern(*revision)) return Lacks(kVersionKey, "a string");
  }
  if (request.method == "server/discover") return Lacks(kVersionKey, "a string");
  if (auto negotiated = session.negotiated())
    return Spoken{negotiated->revision, std::move(negotiated->client),
                  HasElicitation(negotiated->revision) && negotiated->shows_forms,
                  negotiated->samples};
  if (request.method == "ping") return Spoken{kLatestLegacy, {}};
  return Lacks(kVersionKey, "a string, or the session must begin with initialize");
}

}  // namespace schemaward::mcp
