#pragma once

// What the tools that take SQL text share: the source that is meant, where its tables are found,
// and the next call after a refusal.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "guard/guard.h"
#include "json/fields.h"
#include "tools/names.h"
#include "tools/services.h"
#include "tools/untrusted_text.h"

namespace schemaward::tools {

/// Finds the tables that a statement names in the index. Thread: owner. Lifetime: the services'.
class IndexLookup final : public guard::TableLookup {
 public:
  IndexLookup(const Services& services, std::int64_t source_id)
      : services_(services), source_id_(source_id) {}
  Result<std::vector<const catalog::Table*>> Find(const std::optional<std::string>& schema,
                                                  std::string_view name) override;
  std::vector<std::string> Near(std::string_view name) override;

 private:
  const Services& services_;
  const std::int64_t source_id_;
  std::map<std::int64_t, std::unique_ptr<catalog::Table>> tables_;  // by id; places stay
};

/// The arguments that every such tool takes.
struct SqlIn {
  std::string sql;
  std::optional<std::string> source;
  std::vector<json::Raw> parameters;
};

/// Returns the source of `in`, or the only one. Errors: as ResolveScope; AmbiguousName where
/// several are served and none is named.
Result<store::Source> SourceOf(const Services& services, const SqlIn& in);

/// Returns the values of the placeholders; a whole number that 64 bits hold without a sign only is
/// text. Errors: InvalidArgument for a list, an object, and a larger whole number.
Result<std::vector<sql::Literal>> ParametersOf(const SqlIn& in);

/// Approves the statement. An error has its next call: `tool` with `args_of(corrected text)` where
/// a correction or a rewrite passes, else a look at the tables.
Result<guard::Approved> Approve(const Services& services, const store::Source& source,
                                const SqlIn& in, const std::vector<sql::Literal>& parameters,
                                std::string_view tool,
                                const std::function<std::string(const std::string&)>& args_of,
                                CallContext& ctx);

/// Returns the tighter of `asked` and what the policy allows the caller.
connect::QueryLimits Tightened(const Services& services, const CallContext& ctx,
                               connect::QueryLimits asked);

/// Checks that a row follows the `given` that earlier answers had, where there are more.
/// Errors: ByteCap when not one could be read within the limits, so that nothing is called empty
/// which is not.
Status CheckReach(const connect::QueryResult& result, std::int64_t given);

/// Returns the rule by which the policy keeps rows of what the statement reads from the caller, or
/// nothing. The engine's plan counts those rows too, and finds by their values that nothing fits,
/// so that neither it nor its estimates may be shown. Lifetime: `approved`'s.
std::string_view RuleAgainstPlan(const guard::Approved& approved);

/// Returns the rule by which the plan's text is not shown, or nothing: that of RuleAgainstPlan, or
/// that names are hidden, since a plan names columns and indexes. Lifetime: `approved`'s.
std::string_view RuleAgainstPlanText(const guard::Approved& approved);

/// What stands for the plan under `plan_withheld`.
inline constexpr std::string_view kPlanWithheldDoc =
    "rule by which the plan is not shown: it tells of rows or names that the policy keeps back";

/// Asks the engine what the statement would cost where the policy bounds that for the caller.
/// Errors: PlanCostCap when it is above, and when a plan cannot be had or says no cost: what is not
/// known is not below. Its message names no estimate that RuleAgainstPlan keeps back. A source
/// without costs (SQLite, DuckDB) is bound by time and rows instead.
Status CheckCost(const Services& services, const store::Source& source,
                 const guard::Approved& approved, CallContext& ctx);

/// Returns the columns that the statement reads by an exemption from the floor, for the audit
/// record.
std::vector<std::string> ExemptionsOf(const Services& services, const store::Source& source,
                                      const guard::Approved& approved);

/// Which columns hold a text that reads like instructions in `count` rows from `begin`; each is
/// named once.
std::vector<FlaggedText> FlagRows(const connect::QueryResult& result, std::size_t begin,
                                  std::size_t count);

/// A table that a statement reads, as answers show it.
struct TableReadOut {
  std::string qualified_name;
  std::vector<std::string> columns;
  void Bind(json::Fields& f);
};
std::vector<TableReadOut> ShowReads(const guard::Approved& approved);

}  // namespace schemaward::tools
