#include "app/policy.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/log.h"
#include "privacy/pattern.h"
#include "privacy/policy_file.h"
#include "text/nearest.h"

namespace schemaward::app {
namespace {

bool IsLoopback(std::string_view host) {
  constexpr std::array<std::string_view, 4> kHosts = {"localhost", "127.0.0.1", "::1", "[::1]"};
  return std::find(kHosts.begin(), kHosts.end(), host) != kHosts.end() || host.starts_with('/') ||
         host.starts_with("%2F") || host.starts_with("%2f");
}

std::string_view HostOfUri(std::string_view text) {
  text.remove_prefix(text.find("://") + 3);
  text = text.substr(0, text.find_first_of("/?"));
  if (const std::size_t at = text.rfind('@'); at != std::string_view::npos)
    text.remove_prefix(at + 1);
  if (text.starts_with('[')) return text.substr(0, text.find(']') + 1);
  return text.substr(0, text.find(':'));
}

// The value of host= in keyword=value pairs; hosts in quotes or lists are not told.
std::string_view HostOfKeywords(std::string_view text) {
  constexpr std::string_view kKey = "host=";
  const std::size_t at = text.find(kKey);
  if (at == std::string_view::npos || (at > 0 && text[at - 1] != ' ')) return {};
  text.remove_prefix(at + kKey.size());
  return text.substr(0, text.find(' '));
}

// A second way to name a host, or a service that names it elsewhere.
bool NamesHostElsewhere(std::string_view location) {
  for (const std::string_view word : {"hostaddr=", "service=", "?host=", "&host="})
    if (location.find(word) != std::string_view::npos) return true;
  return false;
}

void AddDenied(const privacy::Rules& rules, std::vector<std::string>& denied) {
  for (const privacy::ToolLists& lists : rules.tools)
    denied.insert(denied.end(), lists.deny.begin(), lists.deny.end());
}

}  // namespace

bool IsLocal(std::string_view engine, std::string_view location) {
  constexpr std::array<std::string_view, 4> kFiles = {"sqlite", "duckdb", "ddl", "dbt"};
  if (std::find(kFiles.begin(), kFiles.end(), engine) != kFiles.end()) return true;
  if (NamesHostElsewhere(location)) return false;
  const bool is_uri = location.find("://") != std::string_view::npos;
  // Of several hosts, or several words for one, any may be the one that answers.
  const std::string_view authority =
      is_uri ? location.substr(0, location.find_first_of("/?", location.find("://") + 3))
             : location;
  if (authority.substr(authority.rfind('@') + 1).find(',') != std::string_view::npos) return false;
  if (!is_uri && location.find("host=") != location.rfind("host=")) return false;
  return IsLoopback(is_uri ? HostOfUri(location) : HostOfKeywords(location));
}

privacy::Profile DefaultProfile(const std::vector<store::Source>& sources, bool on_stdio) {
  const bool all_local = std::all_of(
      sources.begin(), sources.end(),
      [](const store::Source& source) { return IsLocal(source.engine, source.location); });
  return on_stdio && all_local ? privacy::Profile::Dev : privacy::Profile::Team;
}

Result<privacy::Policy> LoadPolicy(const Config& config, privacy::Profile fallback,
                                   const std::string& binding,
                                   std::vector<std::string>* denied_tools) {
  std::vector<privacy::PolicyFile> files = {{binding, false}};
  if (const std::string& own = config.Get("policy"); !own.empty()) files.push_back({own, true});
  privacy::Notes notes;
  WARD_TRY(privacy::PolicyData data, privacy::ReadPolicies(files, &notes));
  for (const std::string& note : notes) log::Write(log::Level::Warn, "policy", "narrowed", note);
  if (denied_tools != nullptr) {
    AddDenied(data.everyone, *denied_tools);
    for (const auto& callers : data.callers)
      for (const privacy::CallerRules& caller : callers) AddDenied(caller.rules, *denied_tools);
  }
  return privacy::Policy(std::move(data), fallback);
}

Status CheckDeniedTools(const std::vector<std::string>& denied,
                        const std::vector<tool::ToolPtr>& tools) {
  constexpr std::string_view kSet = "set:";
  for (const std::string& one : denied) {
    const bool is_set = one.starts_with(kSet);
    const std::string_view pattern = std::string_view(one).substr(is_set ? kSet.size() : 0);
    std::vector<std::string> names;
    for (const tool::ToolPtr& tool : tools)
      names.push_back(is_set ? tool->spec().set : tool->spec().name);
    if (std::any_of(names.begin(), names.end(),
                    [&](const auto& name) { return privacy::MatchesPattern(pattern, name); }))
      continue;
    const auto nearest = text::FindNearestNames(pattern, names, 1);
    return Error(ErrorKind::InputUnreadable,
                 fmt::format("the policy denies tool \"{}\", and none is called so; the nearest is "
                             "\"{}{}\"",
                             one, is_set ? kSet : "", nearest.empty() ? "" : nearest.front()));
  }
  return Ok();
}

}  // namespace schemaward::app
