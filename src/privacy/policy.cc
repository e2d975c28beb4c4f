#include "privacy/policy.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/ascii.h"
#include "base/mutex.h"
#include "base/sha256.h"
#include "catalog/is_view.h"
#include "privacy/mention.h"
#include "privacy/name_memo.h"
#include "privacy/pattern.h"

namespace schemaward::privacy {
namespace {

// A * is a * here.
bool NamesEqual(std::string_view a, std::string_view b) { return EqualsIgnoringAsciiCase(a, b); }

// An override with its name taken apart.
struct Override {
  std::vector<std::string> parts;
  const ColumnOverride* said;
};

// Overrides by the folded name of their column, so that a column looks at few.
using OverrideIndex = std::unordered_multimap<std::string, Override>;

OverrideIndex IndexOf(const std::vector<ColumnOverride>& overrides) {
  OverrideIndex index;
  // A multimap gives equal keys in no order that is promised: what is closest is chosen by fit, and
  // files cannot hold one name twice.
  for (const ColumnOverride& override : overrides) {
    std::vector<std::string> parts = catalog::SplitName(override.column);
    if (parts.size() < 2 || parts.size() > 3) continue;
    std::string key = LowerAscii(parts.back());
    index.emplace(std::move(key), Override{std::move(parts), &override});
  }
  return index;
}

// How closely an override's name fits a table: 0 not at all, 2 by its name, 3 with the schema.
std::size_t Fit(const Override& override, std::string_view schema, std::string_view table) {
  const std::size_t t = override.parts.size() - 2;
  if (!NamesEqual(override.parts[t], table)) return 0;
  return t == 0 || NamesEqual(override.parts[0], schema) ? override.parts.size() : 0;
}

// The override that fits best; of equals the first of the file.
const ColumnOverride* FindOverride(const OverrideIndex& index, std::string_view schema,
                                   std::string_view table, std::string_view column) {
  const ColumnOverride* best = nullptr;
  std::size_t best_fit = 0;
  if (index.empty()) return best;
  const auto [from, to] = index.equal_range(LowerAscii(column));
  for (auto at = from; at != to; ++at) {
    const std::size_t fit = Fit(at->second, schema, table);
    const bool is_closer = fit > best_fit || (fit == best_fit && at->second.said < best);
    if (fit == 0 || !is_closer) continue;
    best = at->second.said;
    best_fit = fit;
  }
  return best;
}

// Those of the table's parents and children: what an override says of the column there.
std::vector<const ColumnOverride*> OverridesOfKin(const OverrideIndex& index,
                                                  const catalog::Table& table,
                                                  std::string_view column) {
  std::vector<const ColumnOverride*> found;
  const auto [from, to] = index.equal_range(LowerAscii(column));
  if (from == to) return found;
  for (const auto* kin : {&table.parents, &table.children})
    for (const std::string& name : *kin) {
      const auto parts = catalog::SplitName(name);
      if (parts.size() != 2) continue;
      for (auto at = from; at != to; ++at)
        if (Fit(at->second, parts[0], parts[1]) > 0) found.push_back(at->second.said);
    }
  return found;
}

// A floor category stays unless the override gives the reason why the column does not hold it.
Classification Replaced(const Classification& known, const ColumnOverride& override) {
  Classification result;
  result.sensitivity = override.sensitivity;
  for (const Category category : override.categories)
    result.Add(category, Method::Declared, "column_overrides");
  if (override.reason.empty())
    for (const Finding& finding : known.findings)
      if (IsFloor(finding.category)) result.Add(finding.category, finding.method, finding.evidence);
  return result;
}

template <class Matches>
bool AnyOf(const std::vector<std::string>& patterns, const Matches& matches) {
  return std::any_of(patterns.begin(), patterns.end(), matches);
}

bool Matches(const CallerMatch& match, const Principal& principal) {
  const auto fits = [](const std::string& pattern, std::string_view value) {
    return pattern.empty() || MatchesPattern(pattern, value);
  };
  return (match.principal.empty() || MatchesPatternWithCase(match.principal, principal.id)) &&
         fits(match.client, principal.client) && fits(match.transport, principal.transport) &&
         (match.scope.empty() || AnyOf(principal.scopes, [&](const auto& scope) {
            return MatchesPatternWithCase(match.scope, scope);
          }));
}

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// What is said of the columns that it refers to: it holds values of theirs.
void AddOverridesOfTargets(const OverrideIndex& index, const catalog::Table& table,
                           std::string_view column, std::vector<const ColumnOverride*>& out) {
  for (const catalog::ForeignKey& key : table.foreign_keys)
    for (std::size_t i = 0; i < std::min(key.columns.size(), key.target_columns.size()); ++i)
      if (key.columns[i] == column)
        if (const ColumnOverride* target =
                FindOverride(index, key.target_schema, key.target_table, key.target_columns[i]))
          out.push_back(target);
}

// What a column is made of where nobody says otherwise: its expression, or a default that can name
// columns (MySQL and MariaDB), without the texts in it. Empty where it is made of nothing.
std::string MadeOf(const catalog::Column& column) {
  if (column.generated) return *column.generated;
  if (!column.default_value) return {};
  std::string made;
  bool in_text = false;
  for (const char c : *column.default_value) {
    if (c == '\'') in_text = !in_text;
    if (!in_text && c != '\'') made += c;
  }
  const std::size_t open = made.find('(');
  const bool has_operand =
      open != std::string::npos && made.find_first_not_of(" )", open + 1) != std::string::npos;
  return has_operand || made.find('`') != std::string::npos ? made : std::string();
}

}  // namespace

// What a policy is for one source.
struct Policy::State {
  Profile profile = Profile::Team;
  Actions actions{};
  bool hide_names = false;
  std::string source;  // that Of was asked for

  State(const PolicyData& data, Profile fallback, std::string_view source_name)
      : profile(ResolvedProfile(data, fallback)),
        actions(ResolvedActions(data, fallback)),
        hide_names(ResolvedHideNames(data, fallback)),
        source(source_name) {}
};

// What all sources share. The memories have locks of their own, and the policy says the same
// whatever they hold.
struct Policy::Base {
  using StateKey = std::pair<Profile, std::string>;  // fallback and source
  static constexpr std::size_t kStatesMax = 1024;    // beyond it all are forgotten

  PolicyData data;
  OverrideIndex overrides;  // point into data
  OverrideIndex additions;
  std::string hash;
  mutable NameMemo names;
  mutable Mutex mutex;
  mutable std::map<StateKey, std::shared_ptr<const State>> states GUARDED_BY(mutex);

  std::shared_ptr<const State> Of(std::string_view source, Profile fallback) const EXCLUDES(mutex) {
    StateKey key(fallback, source);
    const MutexLock lock(mutex);
    const auto known = states.find(key);
    if (known != states.end()) return known->second;
    if (states.size() >= kStatesMax) states.clear();
    PolicyData layers;
    layers.first = LayerOf(data.first, source);
    for (const ActionLayer& layer : data.narrower)
      layers.narrower.push_back(LayerOf(layer, source));
    auto state = std::make_shared<const State>(layers, fallback, source);
    states.emplace(std::move(key), state);
    return state;
  }
};

Policy::Policy() : Policy(PolicyData{}) {}

Policy::Policy(PolicyData data, Profile fallback) {
  auto base = std::make_shared<Base>();
  base->hash =
      Sha256Hex(fmt::format("{}\n{}", NameOf(ResolvedProfile(data, fallback)), ToText(data)));
  base->data = std::move(data);
  base->overrides = IndexOf(base->data.overrides);
  base->additions = IndexOf(base->data.additions);
  state_ = std::make_shared<const State>(base->data, fallback, "");
  base_ = std::move(base);
}

Policy Policy::Of(std::string_view source, Profile fallback) const {
  // Profiles and categories are all that depends on the source; the rest is shared, not copied.
  return Policy(base_, base_->Of(source, fallback));
}

// What a policy says of the column, laid over what its name and comment say.
Classification Policy::Declared(const catalog::Table& table, const catalog::Column& column,
                                Classification classification) const {
  const ColumnOverride* const own =
      FindOverride(base_->overrides, table.schema, table.name, column.name);
  if (own != nullptr) classification = Replaced(classification, *own);
  for (const OverrideIndex* index : {&base_->overrides, &base_->additions}) {
    auto others = OverridesOfKin(*index, table, column.name);
    if (own == nullptr) AddOverridesOfTargets(*index, table, column.name, others);
    for (const ColumnOverride* other : others)
      for (const Category category : other->categories)
        classification.Add(category, Method::Declared, "column_overrides");
  }
  if (base_->additions.empty()) return classification;
  const auto [from, to] = base_->additions.equal_range(LowerAscii(column.name));
  for (auto at = from; at != to; ++at)
    if (Fit(at->second, table.schema, table.name) > 0)
      for (const Category category : at->second.said->categories)
        classification.Add(category, Method::Declared, "column_overrides");
  return classification;
}

// A column that the engine computes holds what the columns hold that its expression names, whatever
// they are called, and so on through those that are computed themselves. Where a policy overrides
// one, that is what it holds. Catalogs come from files too: names may refer in circles, and more
// than kMadeOfMax computed columns in one chain are taken to hold all that the table does.
void Policy::AddMadeOf(const catalog::Table& table, const catalog::Column& column,
                       Classification& classification) const {
  std::vector<std::string> computed = {MadeOf(column)};
  if (computed.front().empty()) return;
  constexpr std::size_t kMadeOfMax = 32;
  std::set<const catalog::Column*> seen = {&column};
  for (std::size_t i = 0; i < computed.size(); ++i)
    for (const catalog::Column& other : table.columns) {
      const bool is_named = i >= kMadeOfMax || Mentions(computed[i], other.name);
      if (!is_named || !seen.insert(&other).second) continue;
      const Classification own = Declared(table, other, Classify(table, other, base_->names));
      for (const Finding& finding : own.findings)
        classification.Add(finding.category, finding.method, finding.evidence);
      const bool is_settled =
          FindOverride(base_->overrides, table.schema, table.name, other.name) != nullptr;
      std::string made = is_settled ? std::string() : MadeOf(other);
      if (!made.empty()) computed.push_back(std::move(made));
    }
}

ColumnRule Policy::RuleOf(const catalog::Table& table, const catalog::Column& column) const {
  ColumnRule rule;
  rule.classification = Classify(table, column, base_->names);
  AddMadeOf(table, column, rule.classification);
  rule.classification = Declared(table, column, std::move(rule.classification));
  for (const Finding& finding : rule.classification.findings) {
    const Allowance& action = state_->actions[static_cast<std::size_t>(finding.category)];
    rule.allowance = Intersect(rule.allowance, action);
    if (!action.plain) rule.blocked.push_back(finding.category);
  }
  return rule;
}

void ColumnRule::Add(const ColumnRule& origin) {
  for (const Finding& finding : origin.classification.findings)
    classification.Add(finding.category, finding.method, finding.evidence);
  allowance = Intersect(allowance, origin.allowance);
  blocked.insert(blocked.end(), origin.blocked.begin(), origin.blocked.end());
  std::sort(blocked.begin(), blocked.end());
  blocked.erase(std::unique(blocked.begin(), blocked.end()), blocked.end());
}

CallerPolicy Policy::For(const Principal& principal) const {
  CallerPolicy caller;
  caller.source_ = state_->source;
  caller.rules_.push_back(&base_->data.everyone);
  for (std::size_t i = 0; i < base_->data.callers.size(); ++i) {
    bool is_listed = false;
    for (const CallerRules& entry : base_->data.callers[i]) {
      if (!Matches(entry.match, principal)) continue;
      is_listed = true;
      caller.rules_.push_back(&entry.rules);
    }
    const bool allows = i >= base_->data.allow_unlisted.size() || base_->data.allow_unlisted[i];
    if (!is_listed && !allows) caller.refused_ = true;
  }
  return caller;
}

Profile Policy::profile() const { return state_->profile; }
bool Policy::hide_names() const { return state_->hide_names; }
const std::string& Policy::hash() const { return base_->hash; }
const PolicyData& Policy::data() const { return base_->data; }

bool Policy::MayReadValues(const catalog::Table& table, const catalog::Column& column) const {
  return KnowsLineage(table) && !RuleOf(table, column).IsBlocked();
}

std::vector<std::string> Policy::Exemptions() const {
  std::vector<std::string> exemptions;
  for (const ColumnOverride& override : data().overrides)
    if (!override.reason.empty())
      exemptions.push_back(fmt::format("{}: {}", override.column, override.reason));
  std::sort(exemptions.begin(), exemptions.end());
  return exemptions;
}

bool Policy::IsExempted(std::string_view schema, std::string_view table,
                        std::string_view column) const {
  const ColumnOverride* override = FindOverride(base_->overrides, schema, table, column);
  return override != nullptr && !override->reason.empty();
}

std::optional<Category> Policy::FloorOf(const catalog::Table& table,
                                        const catalog::Column& column) const {
  for (const Finding& finding : RuleOf(table, column).classification.findings)
    if (IsFloor(finding.category)) return finding.category;
  return std::nullopt;
}

bool Policy::KnowsLineage(const catalog::Table& table) const {
  return !catalog::IsView(table.kind);
}

std::optional<std::string> PlaceholderOf(std::string_view literal) {
  if (literal.size() < 4 || !literal.starts_with("${") || literal.back() != '}')
    return std::nullopt;
  const std::string_view name = literal.substr(2, literal.size() - 3);
  const bool is_known = name == "principal.id" || name == "principal.client" ||
                        (name.starts_with("claims.") && name.size() > 7);
  return is_known ? std::optional(std::string(name)) : std::nullopt;
}

std::optional<std::string> KnownOf(const Principal& principal, std::string_view placeholder) {
  constexpr std::string_view kClaims = "claims.";
  if (placeholder == "principal.id") return principal.id;
  if (placeholder == "principal.client") return principal.client;
  if (!placeholder.starts_with(kClaims)) return std::nullopt;
  const auto claim = principal.claims.find(std::string(placeholder.substr(kClaims.size())));
  return claim == principal.claims.end() ? std::nullopt : std::optional(claim->second);
}

Result<std::string> Filled(std::string_view text, const Principal& principal) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (text.substr(i, 2) != "${") {
      out += text[i++];
      continue;
    }
    const std::size_t end = text.find('}', i);
    const auto name =
        end == std::string_view::npos ? std::nullopt : PlaceholderOf(text.substr(i, end + 1 - i));
    if (!name)
      return Error(ErrorKind::InputUnreadable, "the policy names what is no placeholder")
          .Private(std::string(text));
    const auto known = KnownOf(principal, *name);
    if (!known)
      return std::move(
          Error(ErrorKind::PolicyBlocked,
                fmt::format("the policy asks for {}, which is not known of this caller", *name))
              .Hint("Ask whoever keeps the policy: the token or the configuration must state it."));
    out += *known;
    i = end + 1;
  }
  return out;
}

std::string HiddenName(std::size_t position) { return fmt::format("hidden_{}", position + 1); }

Error PiiRefusal(const std::vector<std::string>& columns, const std::vector<Category>& categories) {
  std::vector<std::string> names;
  for (const Category category : categories) names.emplace_back(NameOf(category));
  Error error(ErrorKind::PiiBlocked,
              fmt::format("the statement reads protected columns: {}", Joined(columns)));
  error.Categories(std::move(names));
  return error;
}

Error NotListedRefusal(std::string_view kind, std::string_view name) {
  Error error(ErrorKind::AllowlistViolation,
              fmt::format("{} \"{}\" is not on the list of what this caller may read", kind, name));
  error.recovery().widening =
      Widening{fmt::format("{}:{}", kind, name), fmt::format("reading {} \"{}\"", kind, name),
               "An allow-list of the policy does not hold it; who keeps the policy can add it."};
  return error;
}

Error DeniedRefusal(std::string_view kind, std::string_view name) {
  return Error(ErrorKind::PolicyBlocked,
               fmt::format("{} \"{}\" is denied to this caller", kind, name));
}

}  // namespace schemaward::privacy
