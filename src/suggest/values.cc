#include "suggest/values.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "guard/guard.h"
#include "sql/statement.h"

namespace schemaward::suggest {
namespace {

using catalog::Table;

constexpr std::chrono::milliseconds kOneTimeMax{5'000};
constexpr const char* kRowsAlias = "t";
constexpr const char* kSomeAlias = "s";
constexpr const char* kValuesAlias = "d";
constexpr const char* kTargetAlias = "p";

std::string NameOfValue(std::size_t i) { return fmt::format("v{}", i); }

sql::ExpressionPtr And(sql::ExpressionPtr left, sql::ExpressionPtr right) {
  return left == nullptr ? std::move(right)
                         : sql::MakeBinary("and", std::move(left), std::move(right));
}

/// The first distinct values of the first rows that have one: both bounds hold whatever the
/// engine's plan is.
sql::Select ValuesOf(const Link& link, const Table& table) {
  sql::Select rows;
  rows.from = sql::TableRef{table.schema, table.name, kRowsAlias};
  for (std::size_t i = 0; i < link.columns.size(); ++i) {
    const auto column = sql::MakeColumn(kRowsAlias, link.columns[i]);
    rows.columns.push_back({column, NameOfValue(i)});
    rows.where = And(std::move(rows.where), sql::MakeUnary("is not null", column));
  }
  rows.limit = kCheckRowsMax;
  sql::Select values;
  values.distinct = true;
  for (std::size_t i = 0; i < link.columns.size(); ++i)
    values.columns.push_back({sql::MakeColumn(kSomeAlias, NameOfValue(i)), NameOfValue(i)});
  values.from = sql::DerivedTable{std::make_shared<const sql::Select>(std::move(rows)), kSomeAlias};
  values.limit = kCheckValuesMax;
  return values;
}

/// select count(*), count(case when exists (target row) then 1 end) from (values)
sql::Select CheckOf(const Link& link, const std::vector<Table>& tables) {
  const Table& target = tables[link.target];
  sql::Select found;
  found.columns.push_back({sql::MakeLiteral({std::int64_t{1}}), "one"});
  found.from = sql::TableRef{target.schema, target.name, kTargetAlias};
  for (std::size_t i = 0; i < link.target_columns.size(); ++i)
    found.where = And(std::move(found.where),
                      sql::MakeBinary("=", sql::MakeColumn(kTargetAlias, link.target_columns[i]),
                                      sql::MakeColumn(kValuesAlias, NameOfValue(i))));
  const auto exists =
      sql::Make({sql::Exists{std::make_shared<const sql::Select>(std::move(found)), false}});
  const auto hit = sql::Make({sql::Case{{{exists, sql::MakeLiteral({std::int64_t{1}})}}, nullptr}});
  sql::Select check;
  check.columns.push_back({sql::MakeCall({"count", {}, false, true}), "sampled"});
  check.columns.push_back({sql::MakeCall({"count", {hit}, false, false}), "found"});
  check.from = sql::DerivedTable{
      std::make_shared<const sql::Select>(ValuesOf(link, tables[link.table])), kValuesAlias};
  return check;
}

bool MayRead(const Table& table, const std::vector<std::string>& columns,
             const privacy::Policy& policy) {
  return std::all_of(columns.begin(), columns.end(), [&](const std::string& name) {
    const std::size_t at = catalog::FindColumn(table, name);
    return at != std::string_view::npos && policy.MayReadValues(table, table.columns[at]);
  });
}

std::optional<std::int64_t> NumberOf(const connect::Cell& cell) {
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return *number;
  return std::nullopt;
}

/// Thousands apart: 9,998.
std::string Grouped(std::int64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

bool EndsTheRun(const connect::Connector& connector, ErrorKind kind) {
  return connector.IsBroken() || kind == ErrorKind::Cancelled ||
         kind == ErrorKind::DeadlineExceeded || kind == ErrorKind::SourceUnreachable;
}

/// What a sample said: how many values there were, and how many of them occur in the target.
struct Counts {
  std::int64_t sampled = 0, found = 0;
};

Result<Counts> Ask(connect::Connector& connector, const std::vector<Table>& tables,
                   const privacy::Policy& policy, const Link& link, CallContext& ctx) {
  std::vector<Table> read = {tables[link.table]};
  if (link.target != link.table) read.push_back(tables[link.target]);
  const guard::Guard guard(policy);
  WARD_TRY(const auto approved,
           guard.ApproveTree(CheckOf(link, tables), connector.dialect(), read, ctx.principal));
  WARD_TRY(const auto result,
           connector.Query(approved, {.rows_max = 1, .time_max = kOneTimeMax}, ctx));
  if (result.rows.size() != 1 || result.rows[0].size() != 2)
    return Error(ErrorKind::Internal, "a check of values gave no counts");
  const auto sampled = NumberOf(result.rows[0][0]), found = NumberOf(result.rows[0][1]);
  if (!sampled || !found) return Error(ErrorKind::Internal, "a check of values gave no counts");
  return Counts{*sampled, *found};
}

bool IsIncluded(const Counts& counts) {
  return static_cast<double>(counts.found) >= kIncludedMin * static_cast<double>(counts.sampled);
}

}  // namespace

Result<ValueCheck> CheckValues(connect::Connector& connector, const std::vector<Table>& tables,
                               const privacy::Policy& policy, std::vector<Link>& links,
                               CallContext& ctx) {
  ValueCheck check;
  std::vector<Link> kept;
  std::size_t asked = 0;
  for (Link& link : links) {
    const bool is_inferred = link.method == semantic::Method::Inferred;
    const bool may_ask = is_inferred && asked < kCheckedLinksMax &&
                         connector.capabilities().runs_queries &&
                         MayRead(tables[link.table], link.columns, policy) &&
                         MayRead(tables[link.target], link.target_columns, policy);
    if (!may_ask) {
      if (is_inferred) ++check.not_checked;
      kept.push_back(std::move(link));
      continue;
    }
    ++asked;
    const auto counts = Ask(connector, tables, policy, link, ctx);
    if (!counts && EndsTheRun(connector, counts.error().kind())) return counts.error();
    WARD_CHECK(ctx.Check());
    ++(counts ? check.checked : check.not_checked);
    if (counts && !IsIncluded(*counts)) {
      ++check.dropped;
      continue;
    }
    if (counts && counts->sampled > 0)
      link.evidence.push_back(fmt::format("{} of {} sampled values occur in the target",
                                          Grouped(counts->found), Grouped(counts->sampled)));
    kept.push_back(std::move(link));
  }
  links = std::move(kept);
  return check;
}

}  // namespace schemaward::suggest
