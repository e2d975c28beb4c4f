#include "mcp/client_info.h"

#include <nlohmann/json.hpp>

#include "base/cut.h"
#include "mcp/session.h"

namespace schemaward::mcp {
namespace {

std::string TextMember(const json::Value& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_string()) return {};
  return found->get<std::string>();
}

}  // namespace

std::string ClientName(const json::Value& info) {
  if (!info.is_object()) return {};
  std::string name = TextMember(info, "name");
  if (const std::string version = TextMember(info, "version"); !version.empty())
    name += "/" + version;
  return std::string(HeadOf(name, kClientBytesMax));
}

bool OffersModel(const json::Value& capabilities) {
  const auto found = capabilities.is_object() ? capabilities.find("sampling") : capabilities.end();
  return capabilities.is_object() && found != capabilities.end() && found->is_object();
}

// An object without members means forms; one that names its ways must name this one.
bool ShowsForms(const json::Value& capabilities) {
  const auto found =
      capabilities.is_object() ? capabilities.find("elicitation") : capabilities.end();
  if (!capabilities.is_object() || found == capabilities.end() || !found->is_object()) return false;
  const auto form = found->find("form");
  return found->empty() || (form != found->end() && form->is_object());
}

bool TakesTasks(const json::Value& capabilities) {
  if (!capabilities.is_object()) return false;
  const auto extensions = capabilities.find("extensions");
  if (extensions == capabilities.end() || !extensions->is_object()) return false;
  const auto tasks = extensions->find("io.modelcontextprotocol/tasks");
  return tasks != extensions->end() && tasks->is_object();
}

}  // namespace schemaward::mcp
