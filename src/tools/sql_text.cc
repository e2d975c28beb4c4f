#include "tools/sql_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "json/value.h"
#include "text/nearest.h"

namespace schemaward::tools {
namespace {

constexpr std::size_t kNear = 3;
constexpr int kCorrectionsMax = 5;  // wrong names of one statement that are mended

Result<sql::Literal> ParameterOf(const json::Value& value) {
  constexpr double kWholeMax = 9.2e18;  // below 2^63
  if (value.is_null()) return sql::Literal{std::monostate()};
  if (value.is_boolean()) return sql::Literal{value.get<bool>()};
  if (value.is_string()) return sql::Literal{value.get<std::string>()};
  // Text keeps the digits that 64 bits with a sign do not.
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX)
    return sql::Literal{value.dump()};
  if (value.is_number_integer()) return sql::Literal{value.get<std::int64_t>()};
  if (!value.is_number())
    return Error(ErrorKind::InvalidArgument,
                 "a parameter is a list or an object; give plain values");
  const double number = value.get<double>();
  if (std::abs(number) > kWholeMax && std::trunc(number) == number)
    return Error(ErrorKind::InvalidArgument,
                 "a parameter is a whole number of more than 64 bits; give it as text, so that no "
                 "digit is lost");
  return sql::Literal{number};
}

// What works after a refusal that no statement mends: a look at a table that it names, or at what
// there is.
void SuggestLook(Error& error, const Services& services, const store::Source& source,
                 const guard::TextHelp& help) {
  if (error.recovery().call) return;
  std::vector<std::string> names = help.tables;
  for (const std::string& near : error.recovery().fuzzy_matches) {
    const auto found = services.store.FindTables(std::span(&source.id, 1), std::nullopt, near);
    if (found && !found->empty())
      names.push_back(catalog::QualifiedName(found->front().schema, found->front().name));
  }
  if (names.empty()) {
    error.Suggest("list_indexed_schemas", "{}");
    return;
  }
  error.Suggest("describe_table",
                fmt::format(R"({{"qualified_name":{},"source":{}}})", json::Quote(names.front()),
                            json::Quote(source.name)));
}

}  // namespace

Result<std::vector<const catalog::Table*>> IndexLookup::Find(
    const std::optional<std::string>& schema, std::string_view name) {
  WARD_TRY(const auto entries, services_.store.FindTables(std::span(&source_id_, 1), schema, name));
  std::vector<const catalog::Table*> found;
  for (const store::TableEntry& entry : entries) {
    auto& kept = tables_[entry.id];
    if (kept == nullptr) {
      WARD_TRY(auto table, services_.store.GetTable(entry.id));
      if (!table) {
        tables_.erase(entry.id);  // an index has removed it meanwhile
        continue;
      }
      kept = std::make_unique<catalog::Table>(*std::move(table));
    }
    found.push_back(kept.get());
  }
  // A short name means a table that the caller may know of, where there is one; a name that means
  // none of these is refused by the guard.
  const auto may_see = [&](const catalog::Table* table) {
    return services_.MaySee(table->schema, table->name);
  };
  if (std::any_of(found.begin(), found.end(), may_see))
    std::erase_if(found, [&](const catalog::Table* table) { return !may_see(table); });
  return found;
}

std::vector<std::string> IndexLookup::Near(std::string_view name) {
  text::NearestNames nearest(name, kNear);
  const Status visited =
      services_.store.VisitTables(std::span(&source_id_, 1), [&](const store::TableEntry& entry) {
        if (services_.MaySee(entry.schema, entry.name)) nearest.Offer(entry.name);
        return true;
      });
  return visited ? nearest.Take() : std::vector<std::string>();
}

Result<store::Source> SourceOf(const Services& services, const SqlIn& in) {
  WARD_TRY(const Scope scope, ResolveScope(services, in.source));
  if (scope.sources.size() == 1) return scope.sources.front();
  std::vector<std::string> names;
  for (const store::Source& source : scope.sources) names.push_back(source.name);
  Error error(
      ErrorKind::AmbiguousName,
      fmt::format("{} sources are served: say which one the statement is for", names.size()));
  error.Near(names);
  return error;
}

Result<std::vector<sql::Literal>> ParametersOf(const SqlIn& in) {
  std::vector<sql::Literal> values;
  for (const json::Raw& raw : in.parameters) {
    const auto read = json::Parse(raw.text);
    if (!read) return Error(ErrorKind::InvalidArgument, "a parameter is no JSON value");
    WARD_TRY(sql::Literal value, ParameterOf(read->value()));
    values.push_back(std::move(value));
  }
  return values;
}

Result<guard::Approved> Approve(const Services& services, const store::Source& source,
                                const SqlIn& in, const std::vector<sql::Literal>& parameters,
                                std::string_view tool,
                                const std::function<std::string(const std::string&)>& args_of,
                                CallContext& ctx) {
  const sql::Dialect& dialect = DialectOf(source);
  IndexLookup lookup(services, source.id);
  guard::TextHelp help;
  const guard::Guard guard = services.GuardFor(source);
  auto approved = guard.ApproveText({in.sql, parameters}, dialect, lookup, ctx.principal, &help);
  if (approved) return approved;
  Error error = std::move(approved).error();
  if (help.rewritten) {
    error.Suggest(std::string(tool), args_of(*help.rewritten));
    return error;
  }
  guard::TextHelp next = help;
  for (int round = 0; next.corrected && round < kCorrectionsMax; ++round) {
    const std::string corrected = *next.corrected;
    next = {};
    if (!guard.ApproveText({corrected, parameters}, dialect, lookup, ctx.principal, &next))
      continue;
    error.Suggest(std::string(tool), args_of(corrected));
    return error;
  }
  SuggestLook(error, services, source, help);
  return error;
}

connect::QueryLimits Tightened(const Services& services, const CallContext& ctx,
                               connect::QueryLimits asked) {
  const privacy::Limits limits = services.policy.For(ctx.principal).limits();
  if (limits.rows_max) asked.rows_max = std::min(asked.rows_max, *limits.rows_max);
  if (limits.bytes_max) asked.bytes_max = std::min(asked.bytes_max, *limits.bytes_max);
  if (limits.time_ms_max)
    asked.time_max = std::min(asked.time_max, std::chrono::milliseconds(*limits.time_ms_max));
  return asked;
}

Status CheckReach(const connect::QueryResult& result, std::int64_t given) {
  if (!result.truncated || std::cmp_greater(result.rows.size(), given)) return Ok();
  Error error(ErrorKind::ByteCap,
              fmt::format("row {} cannot be given: with what stands before it, it is larger than "
                          "what one statement may read",
                          given + 1));
  error.Hint("Select fewer or shorter columns, or begin further on by a condition.");
  return error;
}

std::string_view RuleAgainstPlan(const guard::Approved& approved) {
  for (const std::string& rule : approved.rules())
    if (rule == "row_filters" || rule == "database_session") return rule;
  return "";
}

std::string_view RuleAgainstPlanText(const guard::Approved& approved) {
  if (const auto rule = RuleAgainstPlan(approved); !rule.empty()) return rule;
  for (const std::string& rule : approved.rules())
    if (rule == "hidden_names") return rule;
  return "";
}

Status CheckCost(const Services& services, const store::Source& source,
                 const guard::Approved& approved, CallContext& ctx) {
  const privacy::Limits limits = services.policy.For(ctx.principal).limits();
  const bool has_costs = source.engine == "postgres" || source.engine == "mysql";
  if (!has_costs || (!limits.plan_cost_max && !limits.plan_rows_max)) return Ok();
  const auto refused = [&](const std::string& message) {
    Error error(ErrorKind::PlanCostCap, message);
    error.Hint("Narrow the statement: fewer rows, an indexed condition, or a metric instead.");
    return error;
  };
  const auto plan = services.sources.Explain(source, approved, ctx);
  if (!plan || plan->cost < 0 || plan->rows < 0)
    return refused("what the statement would cost cannot be told, and the policy bounds it");
  const bool is_withheld = !RuleAgainstPlan(approved).empty();
  const auto figure = [&](double value) {
    return is_withheld ? std::string("more") : fmt::format("{:.0f}", value);
  };
  if (limits.plan_cost_max && plan->cost > static_cast<double>(*limits.plan_cost_max))
    return refused(fmt::format("the engine estimates a cost of {}; the policy allows {}",
                               figure(plan->cost), *limits.plan_cost_max));
  if (limits.plan_rows_max && plan->rows > static_cast<double>(*limits.plan_rows_max))
    return refused(fmt::format("the engine estimates {} rows; the policy allows {}",
                               figure(plan->rows), *limits.plan_rows_max));
  return Ok();
}

std::vector<std::string> ExemptionsOf(const Services& services, const store::Source& source,
                                      const guard::Approved& approved) {
  std::vector<std::string> exemptions;
  const privacy::Policy policy = services.PolicyFor(source);
  for (const guard::TableRead& read : approved.reads())
    for (const std::string& column : read.columns)
      if (policy.IsExempted(read.schema, read.table, column))
        exemptions.push_back(catalog::QualifiedName(read.schema, read.table) + '.' +
                             catalog::QuoteName(column));
  return exemptions;
}

std::vector<FlaggedText> FlagRows(const connect::QueryResult& result, std::size_t begin,
                                  std::size_t count) {
  TextFlags flags;
  std::vector<bool> is_flagged(result.columns.size(), false);
  const std::size_t end = std::min(begin + count, result.rows.size());
  for (std::size_t i = begin; i < end; ++i) {
    const auto& row = result.rows[i];
    for (std::size_t c = 0; c < std::min(row.size(), is_flagged.size()); ++c) {
      const auto* text = std::get_if<std::string>(&row[c]);
      if (text == nullptr || is_flagged[c]) continue;
      is_flagged[c] = flags.Look("values", result.columns[c].name, *text);
    }
  }
  return flags.Take();
}

void TableReadOut::Bind(json::Fields& f) {
  f("qualified_name", qualified_name, "schema.table");
  f("columns", columns, "its columns that are read");
}

std::vector<TableReadOut> ShowReads(const guard::Approved& approved) {
  std::vector<TableReadOut> reads;
  for (const guard::TableRead& read : approved.shown_reads())
    reads.push_back({catalog::QualifiedName(read.schema, read.table), read.columns});
  return reads;
}

}  // namespace schemaward::tools
