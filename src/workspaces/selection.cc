#include "workspaces/selection.h"

#include <fstream>
#include <sstream>
#include <utility>

#include <nlohmann/json.hpp>

#include "json/value.h"
#include "workspaces/read.h"
#include "workspaces/token_file.h"

namespace schemaward::workspaces {
namespace {

constexpr std::size_t kCallersMax = 1'000;  // kept; one more drops the first by name

json::Value ReadChoices(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  const auto read = json::Parse(text.str());
  return read && read->value().is_object() ? read->value() : json::Value::object();
}

}  // namespace

Selection::Selection(std::string path, std::string fallback)
    : path_(std::move(path)), fallback_(std::move(fallback)) {}

std::optional<Organization> Selection::Of(const std::string& principal) {
  {
    MutexLock lock(mutex_);
    const json::Value choices = ReadChoices(path_);
    if (const auto found = choices.find(principal); found != choices.end() && found->is_object()) {
      Organization chosen{TextIn(*found, "org_id"), TextIn(*found, "name")};
      if (!chosen.org_id.empty()) return chosen;
    }
  }
  if (fallback_.empty()) return std::nullopt;
  return Organization{fallback_, ""};
}

Status Selection::Choose(const std::string& principal, const Organization& organization) {
  MutexLock lock(mutex_);
  json::Value choices = ReadChoices(path_);
  if (choices.size() >= kCallersMax && !choices.contains(principal)) choices.erase(choices.begin());
  choices[principal] = {{"org_id", organization.org_id}, {"name", organization.name}};
  return WritePrivately(path_, choices.dump() + '\n');
}

}  // namespace schemaward::workspaces
