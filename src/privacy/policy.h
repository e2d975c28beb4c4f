#pragma once

// What may be read, by whom. Built from the data of policy files; answers for one column, one
// caller.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "privacy/category.h"
#include "privacy/classify.h"
#include "privacy/policy_data.h"

namespace schemaward::privacy {

/// What a policy says of one column.
struct ColumnRule {
  Classification classification;  ///< with the policy's overrides
  Allowance allowance = kAllow;
  std::vector<Category> blocked;  ///< categories that are not allowed plainly, in order; the only
                                  ///< ones that a refusal names

  bool IsBlocked() const { return !allowance.plain; }
  /// Makes it as strict as the rule of a column that this one is made of.
  void Add(const ColumnRule& origin);
};

/// How a list stands to an object. In this order of precedence a refusal is allowlist_violation
/// (NotListed), then policy_blocked (Denied).
enum class Access : std::uint8_t { Allowed, NotListed, Denied };

/// What one caller may reach. Lifetime: the policy's. Thread: immutable.
class CallerPolicy {
 public:
  Access OfTable(std::string_view schema, std::string_view table) const;
  Access OfEntity(std::string_view name) const;
  Access OfMetric(std::string_view name) const;
  /// `set`: the set that the tool belongs to.
  bool AllowsTool(std::string_view name, std::string_view set) const;
  /// False where no list keeps a table, entity or metric from the caller.
  bool IsLimited() const;
  /// Texts of the expressions that each row of the table must meet, all of them.
  std::vector<std::string> RowFiltersOf(std::string_view schema, std::string_view table) const;
  /// The session of the policy's source that comes first of those that apply, or null: the
  /// caller's for that source, the source's, the caller's, everybody's.  Lifetime: the policy's.
  const Session* session() const;
  /// The tightest of those that apply.
  Limits limits() const;

 private:
  friend class Policy;
  std::vector<const Rules*> rules_;
  std::string source_;    // empty: no source is meant
  bool refused_ = false;  // an unlisted caller
};

/// Thread: immutable; copies share the data.
class Policy {
 public:
  /// The built-in policy: profile team, no lists.
  Policy();
  /// `fallback`: the profile where the data names none.
  explicit Policy(PolicyData data, Profile fallback = Profile::Team);

  /// What the policy says of a column. Thread: any; a pure function of policy and column.
  ColumnRule RuleOf(const catalog::Table& table, const catalog::Column& column) const;

  /// The policy of one source: under the profile that a file names for it, else for all, else
  /// `fallback`, and with its session. Everything else is the same.
  Policy Of(std::string_view source, Profile fallback) const;

  /// What the caller may reach.  Lifetime: this policy's data, which its copies share.
  CallerPolicy For(const Principal& principal) const;

  Profile profile() const;
  /// True when the names of blocked columns are hidden.
  bool hide_names() const;
  /// SHA-256 of the data and the profile, 64 hexadecimal digits: for the audit record.
  const std::string& hash() const;
  const PolicyData& data() const;

  /// True when the values of `column` may be read and kept: it is not blocked, and it is a table's.
  /// A column of a view is not: a view may give a blocked column another name.
  bool MayReadValues(const catalog::Table& table, const catalog::Column& column) const;

  /// Returns the floor category that `column` belongs to, or nothing. A foreign key's column
  /// belongs to none when what it refers to does not either: people.passport_id referring to
  /// passports.id holds no passport number.
  std::optional<Category> FloorOf(const catalog::Table& table, const catalog::Column& column) const;

  /// Returns the columns that an override with a reason exempts from the floor, in order, each as
  /// "column: reason".
  std::vector<std::string> Exemptions() const;
  /// True when such an override speaks of this column.
  bool IsExempted(std::string_view schema, std::string_view table, std::string_view column) const;

  /// True when the columns of `table` are what their names say: tables and not views.
  bool KnowsLineage(const catalog::Table& table) const;

 private:
  Classification Declared(const catalog::Table& table, const catalog::Column& column,
                          Classification classification) const;
  void AddMadeOf(const catalog::Table& table, const catalog::Column& column,
                 Classification& classification) const;
  struct Base;
  struct State;
  Policy(std::shared_ptr<const Base> base, std::shared_ptr<const State> state)
      : base_(std::move(base)), state_(std::move(state)) {}
  // Both are shared: copies are many, small and read-only.
  std::shared_ptr<const Base> base_;
  std::shared_ptr<const State> state_;
};

/// Returns the text that a literal such as '${claims.tenant}' stands for: "claims.tenant"; nothing
/// for any other text.
std::optional<std::string> PlaceholderOf(std::string_view literal);

/// Returns what is known of the caller under the name that PlaceholderOf gave, or nothing.
std::optional<std::string> KnownOf(const Principal& principal, std::string_view placeholder);

/// Returns `text` with each ${principal.id}, ${principal.client} and ${claims.NAME} in it replaced
/// by what is known of the caller. Errors: PolicyBlocked for what is not known; InputUnreadable for
/// a placeholder that is none of these.
Result<std::string> Filled(std::string_view text, const Principal& principal);

/// The name that hides a blocked column, by its position from 0: "hidden_1", ...
std::string HiddenName(std::size_t position);

/// Words of a refusal, one maker each. `columns`: qualified names, in order, shown as they are (or
/// hidden, by the caller's choice); `categories`: the blocked ones.
Error PiiRefusal(const std::vector<std::string>& columns, const std::vector<Category>& categories);
/// `kind`: table, entity, metric. `name` as the caller may see it.
Error NotListedRefusal(std::string_view kind, std::string_view name);
Error DeniedRefusal(std::string_view kind, std::string_view name);

}  // namespace schemaward::privacy
