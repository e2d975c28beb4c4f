#pragma once

// A policy as plain data: what a file says, what a merge makes. Values only. docs/policy.md.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "privacy/category.h"
#include "privacy/classify.h"

namespace schemaward::privacy {

/// Loosest first.
enum class Profile : std::uint8_t {
  Dev,     ///< blocked categories are masked in plain output columns, the floor is refused
  Team,    ///< blocked categories are refused
  Strict,  ///< as team, and the names of blocked columns are hidden
};

/// Returns dev | team | strict.  Lifetime: static.
std::string_view NameOf(Profile profile);

/// What may be done with a column's values; everything false: refused wherever it appears.
/// Invariant (kept by the makers below): plain implies all others and group_min 0.
struct Allowance {
  bool plain = false;      ///< anything that the statement does with it
  bool masked = false;     ///< a plain output column, its values masked; nothing else
  bool predicate = false;  ///< compared in WHERE, HAVING and join conditions; never shown, sorted
                           ///< or grouped by
  bool aggregate = false;  ///< argument of an aggregate that shows no single value (count, sum,
                           ///< avg), in groups of at least group_min rows
  std::int64_t group_min = 0;  ///< rows; 0 where aggregate is false or plain is true

  bool IsRefused() const { return !plain && !masked && !predicate && !aggregate; }
  bool operator==(const Allowance&) const = default;
};

inline constexpr Allowance kRefuse{};
inline constexpr Allowance kMask{.masked = true};
inline constexpr Allowance kAllowInPredicate{.predicate = true};
inline constexpr Allowance kAllow{true, true, true, true, 0};
constexpr Allowance AllowAggregate(std::int64_t group_min) {
  return {.aggregate = true, .group_min = group_min};
}
inline constexpr std::int64_t kGroupMinDefault = 10;  ///< rows, where a file does not say

/// Returns what both allow.
Allowance Intersect(const Allowance& a, const Allowance& b);
/// Returns what one of the two allows: a file may list several actions.
Allowance Unite(const Allowance& a, const Allowance& b);
/// True when all that `inner` allows is allowed by `outer` too.
bool IsWithin(const Allowance& inner, const Allowance& outer);

/// By category.
using Actions = std::array<Allowance, kCategoryCount>;

/// The actions that a profile stands for.
Actions ActionsOf(Profile profile);

/// Says what one column holds, whatever its name says.
struct ColumnOverride {
  std::string column;  ///< table.column or schema.table.column, as catalog::SplitName reads it
  std::vector<Category> categories;
  Sensitivity sensitivity = Sensitivity::Public;
  std::string reason;  ///< required where it takes a floor category away
  bool operator==(const ColumnOverride&) const = default;
};

/// Patterns of names. Matching folds ASCII case, * stands for any run of characters; a schema's
/// pattern is matched with the schema, a table's with schema.table (or the table alone where the
/// pattern has no dot).
struct NameLists {
  std::vector<std::string> schemas, tables, entities, metrics;
  bool operator==(const NameLists&) const = default;
};

/// An expression that every row of a table must meet, in the dialect of the source. A text literal
/// '${principal.id}', '${principal.client}' or '${claims.NAME}' stands for what is known of the
/// caller; the server puts the value there, on the tree.
struct RowFilter {
  std::string table;  ///< a pattern as in NameLists
  std::string expression;
  bool operator==(const RowFilter&) const = default;
};

/// What is set in the transaction before a caller's statement: the engine's own row security then
/// decides.
struct Session {
  std::string role;                             ///< empty: none
  std::map<std::string, std::string> settings;  ///< values may hold ${...} as in RowFilter
  bool operator==(const Session&) const = default;
};

/// What is set in sessions with the sources whose names match, in place of what is set for all.
struct SourceSession {
  std::string source;              ///< a pattern with *
  std::optional<Session> session;  ///< none: nothing is set there
  bool operator==(const SourceSession&) const = default;
};

/// None: no limit of the policy's own; the program's stand.
struct Limits {
  std::optional<std::int64_t> rows_max, bytes_max, time_ms_max, plan_cost_max, plan_rows_max;
  bool operator==(const Limits&) const = default;
};

/// Names of tools, with * as above, or set:NAME.
struct ToolLists {
  std::optional<std::vector<std::string>> allow;  ///< none: all
  std::vector<std::string> deny;
  bool operator==(const ToolLists&) const = default;
};

/// What one caller, or everybody, may reach.
struct Rules {
  /// Each must hold the object; a kind that a list does not speak of is not limited by it. A table
  /// is in a list when its schemas or its tables match.
  std::vector<NameLists> allow;
  NameLists deny;
  std::vector<RowFilter> row_filters;
  std::optional<Session> session;
  std::vector<SourceSession> source_sessions{};  ///< the first that matches stands for `session`
  Limits limits;
  std::vector<ToolLists> tools;  ///< each must let a tool be used
  bool operator==(const Rules&) const = default;
};

/// Which callers are meant; an empty member matches all. Members are patterns with *.
struct CallerMatch {
  std::string principal, client, transport, scope;
  bool operator==(const CallerMatch&) const = default;
};

struct CallerRules {
  CallerMatch match;
  Rules rules;
  bool operator==(const CallerRules&) const = default;
};

/// The profile of the sources whose names match.
struct SourceProfile {
  std::string source;  ///< a pattern with *
  Profile profile = Profile::Team;
  bool operator==(const SourceProfile&) const = default;
};

/// What one file says of profile and categories; an absent member says nothing.
struct ActionLayer {
  std::optional<Profile> profile;
  std::vector<SourceProfile> sources{};  ///< the first that matches stands in place of `profile`
  std::array<std::optional<Allowance>, kCategoryCount> categories{};  ///< never of the floor
  std::optional<bool> hide_names;
  bool operator==(const ActionLayer&) const = default;
};

struct PolicyData {
  ActionLayer first;                  ///< what it leaves out is as the profile says
  std::vector<ActionLayer> narrower;  ///< of files that only narrow: what is left out is unchanged
  std::vector<ColumnOverride> overrides;  ///< each replaces what names and tags say
  std::vector<ColumnOverride> additions;  ///< each adds categories, after overrides
  Rules everyone;
  /// Lists of callers, one a file: of each, every entry that matches applies.
  std::vector<std::vector<CallerRules>> callers;
  /// One a list of callers: false refuses a caller that no entry of the list matches.
  std::vector<bool> allow_unlisted;
  bool operator==(const PolicyData&) const = default;
};

/// Returns the layer as it is for one source.
ActionLayer LayerOf(ActionLayer layer, std::string_view source);

/// Returns what `data` makes of each category, the profile where no file names one being
/// `fallback`. The floor is refused whatever a file says.
Actions ResolvedActions(const PolicyData& data, Profile fallback);
/// The strictest profile that a file names; `fallback` where none does.
Profile ResolvedProfile(const PolicyData& data, Profile fallback);
bool ResolvedHideNames(const PolicyData& data, Profile fallback);

/// What a narrowing file said that had no effect, for people; one line each.
using Notes = std::vector<std::string>;

/// Returns `base` narrowed by `other`: whatever the result allows, `base` allows too. What `other`
/// would widen is left as it is and said in `notes` (may be null): a looser action, a category
/// taken from a column, a session. Thread: any.
PolicyData Narrow(const PolicyData& base, const PolicyData& other, Notes* notes);

/// Returns all of it as one text that is the same for equal policies; what the hash is of.
std::string ToText(const PolicyData& data);

}  // namespace schemaward::privacy
