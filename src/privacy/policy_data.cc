#include "privacy/policy_data.h"

#include <algorithm>

#include <fmt/format.h>

#include "privacy/pattern.h"

namespace schemaward::privacy {
namespace {

constexpr std::array<std::string_view, 3> kProfiles = {"dev", "team", "strict"};

// The invariant of Allowance.
Allowance Normal(Allowance a) {
  if (a.plain) return kAllow;
  if (!a.aggregate) a.group_min = 0;
  return a;
}

constexpr std::array<Category, 4> kBlockedByDefault = {Category::Contact, Category::Health,
                                                       Category::Genetic, Category::Biometric};

template <class T>
void Append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void Tighten(std::optional<std::int64_t>& limit, const std::optional<std::int64_t>& other) {
  if (other) limit = limit ? std::min(*limit, *other) : *other;
}

void NarrowLimits(Limits& limits, const Limits& other) {
  Tighten(limits.rows_max, other.rows_max);
  Tighten(limits.bytes_max, other.bytes_max);
  Tighten(limits.time_ms_max, other.time_ms_max);
  Tighten(limits.plan_cost_max, other.plan_cost_max);
  Tighten(limits.plan_rows_max, other.plan_rows_max);
}

void Say(Notes* notes, std::string note) {
  if (notes != nullptr) notes->push_back(std::move(note));
}

void NarrowRules(Rules& rules, const Rules& other, Notes* notes) {
  Append(rules.allow, other.allow);
  Append(rules.deny.schemas, other.deny.schemas);
  Append(rules.deny.tables, other.deny.tables);
  Append(rules.deny.entities, other.deny.entities);
  Append(rules.deny.metrics, other.deny.metrics);
  Append(rules.row_filters, other.row_filters);
  Append(rules.tools, other.tools);
  NarrowLimits(rules.limits, other.limits);
  if (other.session || !other.source_sessions.empty())
    Say(notes, "session: only the first policy file may set a role or settings; left out");
}

// What a narrowing file leaves of a category.
Allowance ActionOf(const ActionLayer& layer, std::size_t category) {
  if (layer.categories[category]) return *layer.categories[category];
  return layer.profile ? ActionsOf(*layer.profile)[category] : kAllow;
}

void NoteLooserActions(const PolicyData& base, const ActionLayer& layer, Notes* notes) {
  const Profile profile = ResolvedProfile(base, Profile::Team);
  const Actions before = ResolvedActions(base, Profile::Team);
  for (std::size_t i = 0; i < kCategoryCount; ++i)
    if (layer.categories[i] && !IsWithin(*layer.categories[i], before[i]))
      Say(notes, fmt::format("categories.{}: looser than what is in force; kept as it was",
                             NameOf(static_cast<Category>(i))));
  if (layer.profile && *layer.profile < profile)
    Say(notes, fmt::format("profile: {} is looser than {}; kept as it was", NameOf(*layer.profile),
                           NameOf(profile)));
  if (layer.hide_names && !*layer.hide_names && ResolvedHideNames(base, Profile::Team))
    Say(notes, "hide_names: false shows more than what is in force; kept as it was");
}

// Only additions of the narrowing file count; an override that names fewer categories than the
// column has takes nothing away.
void NarrowOverrides(PolicyData& result, const PolicyData& other, Notes* notes) {
  for (const ColumnOverride& override : other.overrides) {
    if (override.categories.empty())
      Say(notes,
          fmt::format("column_overrides.{}: takes categories away; left out", override.column));
    else
      result.additions.push_back(override);
  }
  Append(result.additions, other.additions);
}

void DropSessions(std::vector<CallerRules>& callers, Notes* notes) {
  for (CallerRules& caller : callers) {
    if (!caller.rules.session && caller.rules.source_sessions.empty()) continue;
    caller.rules.session.reset();
    caller.rules.source_sessions.clear();
    Say(notes, "callers: only the first policy file may set a session; left out");
  }
}

}  // namespace

std::string_view NameOf(Profile profile) { return kProfiles[static_cast<std::size_t>(profile)]; }

Allowance Intersect(const Allowance& a, const Allowance& b) {
  if (a.plain) return Normal(b);
  if (b.plain) return Normal(a);
  return Normal({false, a.masked && b.masked, a.predicate && b.predicate,
                 a.aggregate && b.aggregate, std::max(a.group_min, b.group_min)});
}

Allowance Unite(const Allowance& a, const Allowance& b) {
  Allowance both{a.plain || b.plain, a.masked || b.masked, a.predicate || b.predicate,
                 a.aggregate || b.aggregate, std::min(a.group_min, b.group_min)};
  if (a.aggregate != b.aggregate) both.group_min = a.aggregate ? a.group_min : b.group_min;
  return Normal(both);
}

bool IsWithin(const Allowance& inner, const Allowance& outer) {
  return Intersect(inner, outer) == Normal(inner);
}

Actions ActionsOf(Profile profile) {
  Actions actions;
  actions.fill(kAllow);
  for (const Category category : kBlockedByDefault)
    actions[static_cast<std::size_t>(category)] = profile == Profile::Dev ? kMask : kRefuse;
  for (std::size_t i = 0; i < kCategoryCount; ++i)
    if (IsFloor(static_cast<Category>(i))) actions[i] = kRefuse;
  return actions;
}

ActionLayer LayerOf(ActionLayer layer, std::string_view source) {
  const auto matches = [&](const SourceProfile& one) { return MatchesPattern(one.source, source); };
  const auto found = std::find_if(layer.sources.begin(), layer.sources.end(), matches);
  if (found != layer.sources.end()) layer.profile = found->profile;
  layer.sources.clear();
  return layer;
}

Profile ResolvedProfile(const PolicyData& data, Profile fallback) {
  Profile profile = data.first.profile.value_or(fallback);
  for (const ActionLayer& layer : data.narrower)
    if (layer.profile) profile = std::max(profile, *layer.profile);
  return profile;
}

bool ResolvedHideNames(const PolicyData& data, Profile fallback) {
  const bool is_strict = data.first.profile.value_or(fallback) == Profile::Strict;
  const auto hides = [](const ActionLayer& layer) {
    return layer.hide_names.value_or(layer.profile == Profile::Strict);
  };
  return data.first.hide_names.value_or(is_strict) ||
         std::any_of(data.narrower.begin(), data.narrower.end(), hides);
}

Actions ResolvedActions(const PolicyData& data, Profile fallback) {
  Actions actions = ActionsOf(data.first.profile.value_or(fallback));
  for (std::size_t i = 0; i < kCategoryCount; ++i) {
    if (IsFloor(static_cast<Category>(i))) continue;
    if (data.first.categories[i]) actions[i] = *data.first.categories[i];
    for (const ActionLayer& layer : data.narrower)
      actions[i] = Intersect(actions[i], ActionOf(layer, i));
  }
  return actions;
}

PolicyData Narrow(const PolicyData& base, const PolicyData& other, Notes* notes) {
  PolicyData result = base;
  NoteLooserActions(base, other.first, notes);
  result.narrower.push_back(other.first);
  Append(result.narrower, other.narrower);
  NarrowOverrides(result, other, notes);
  NarrowRules(result.everyone, other.everyone, notes);
  for (std::vector<CallerRules> callers : other.callers) {
    DropSessions(callers, notes);
    result.callers.push_back(std::move(callers));
  }
  result.allow_unlisted.insert(result.allow_unlisted.end(), other.allow_unlisted.begin(),
                               other.allow_unlisted.end());
  return result;
}

}  // namespace schemaward::privacy
