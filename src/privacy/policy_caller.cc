// CallerPolicy: what one caller may reach.

#include <algorithm>

#include "privacy/pattern.h"
#include "privacy/policy.h"

namespace schemaward::privacy {
namespace {

template <class Matches>
bool AnyOf(const std::vector<std::string>& patterns, const Matches& matches) {
  return std::any_of(patterns.begin(), patterns.end(), matches);
}

bool HoldsTable(const NameLists& lists, std::string_view schema, std::string_view table) {
  return AnyOf(lists.schemas, [&](const auto& p) { return MatchesPattern(p, schema); }) ||
         AnyOf(lists.tables, [&](const auto& p) { return MatchesTable(p, schema, table); });
}

bool HoldsName(const std::vector<std::string>& patterns, std::string_view name) {
  return AnyOf(patterns, [&](const auto& p) { return MatchesPattern(p, name); });
}

bool HoldsTool(const std::vector<std::string>& patterns, std::string_view name,
               std::string_view set) {
  constexpr std::string_view kSet = "set:";
  return AnyOf(patterns, [&](const std::string& p) {
    return p.starts_with(kSet) ? MatchesPattern(std::string_view(p).substr(kSet.size()), set)
                               : MatchesPattern(p, name);
  });
}

// Allow-lists first, then deny lists: the order of precedence of their refusals.
template <class IsListed, class IsDenied>
Access AccessOf(const std::vector<const Rules*>& rules, const IsListed& is_listed,
                const IsDenied& is_denied) {
  for (const Rules* each : rules)
    for (const NameLists& lists : each->allow)
      if (!is_listed(lists)) return Access::NotListed;
  for (const Rules* each : rules)
    if (is_denied(each->deny)) return Access::Denied;
  return Access::Allowed;
}

void Tighten(std::optional<std::int64_t>& limit, const std::optional<std::int64_t>& other) {
  if (other) limit = limit ? std::min(*limit, *other) : *other;
}

// What the rules say of the session of a source: the first entry that matches; null: nothing.
const SourceSession* SessionFor(const Rules& rules, std::string_view source) {
  const auto found =
      std::find_if(rules.source_sessions.begin(), rules.source_sessions.end(),
                   [&](const SourceSession& one) { return MatchesPattern(one.source, source); });
  return found == rules.source_sessions.end() ? nullptr : &*found;
}

}  // namespace

Access CallerPolicy::OfTable(std::string_view schema, std::string_view table) const {
  if (refused_) return Access::NotListed;
  return AccessOf(
      rules_,
      [&](const NameLists& lists) {
        return (lists.schemas.empty() && lists.tables.empty()) || HoldsTable(lists, schema, table);
      },
      [&](const NameLists& lists) { return HoldsTable(lists, schema, table); });
}

Access CallerPolicy::OfEntity(std::string_view name) const {
  if (refused_) return Access::NotListed;
  return AccessOf(
      rules_,
      [&](const NameLists& lists) {
        return lists.entities.empty() || HoldsName(lists.entities, name);
      },
      [&](const NameLists& lists) { return HoldsName(lists.entities, name); });
}

Access CallerPolicy::OfMetric(std::string_view name) const {
  if (refused_) return Access::NotListed;
  return AccessOf(
      rules_,
      [&](const NameLists& lists) {
        return lists.metrics.empty() || HoldsName(lists.metrics, name);
      },
      [&](const NameLists& lists) { return HoldsName(lists.metrics, name); });
}

bool CallerPolicy::AllowsTool(std::string_view name, std::string_view set) const {
  if (refused_) return false;
  return std::all_of(rules_.begin(), rules_.end(), [&](const Rules* rules) {
    return std::all_of(rules->tools.begin(), rules->tools.end(), [&](const ToolLists& tools) {
      return (!tools.allow || HoldsTool(*tools.allow, name, set)) &&
             !HoldsTool(tools.deny, name, set);
    });
  });
}

bool CallerPolicy::IsLimited() const {
  return refused_ || std::any_of(rules_.begin(), rules_.end(), [](const Rules* rules) {
           return !rules->allow.empty() || rules->deny != NameLists();
         });
}

std::vector<std::string> CallerPolicy::RowFiltersOf(std::string_view schema,
                                                    std::string_view table) const {
  std::vector<std::string> filters;
  for (const Rules* rules : rules_)
    for (const RowFilter& filter : rules->row_filters)
      if (MatchesTable(filter.table, schema, table)) filters.push_back(filter.expression);
  return filters;
}

const Session* CallerPolicy::session() const {
  // A caller's own comes before everybody's, which stands first in the list.
  std::vector<const Rules*> nearest(rules_.begin() + (rules_.empty() ? 0 : 1), rules_.end());
  if (!rules_.empty()) nearest.push_back(rules_.front());
  if (!source_.empty())
    for (const Rules* rules : nearest)
      if (const SourceSession* said = SessionFor(*rules, source_))
        return said->session ? &*said->session : nullptr;
  for (const Rules* rules : nearest)
    if (rules->session) return &*rules->session;
  return nullptr;
}

Limits CallerPolicy::limits() const {
  Limits limits;
  for (const Rules* rules : rules_) {
    Tighten(limits.rows_max, rules->limits.rows_max);
    Tighten(limits.bytes_max, rules->limits.bytes_max);
    Tighten(limits.time_ms_max, rules->limits.time_ms_max);
    Tighten(limits.plan_cost_max, rules->limits.plan_cost_max);
    Tighten(limits.plan_rows_max, rules->limits.plan_rows_max);
  }
  return limits;
}

}  // namespace schemaward::privacy
