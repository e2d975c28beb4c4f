#include "explore/repair.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/contains.h"
#include "base/cut.h"
#include "explore/action.h"
#include "explore/actions.h"
#include "explore/limits.h"
#include "explore/named_tables.h"
#include "explore/text.h"
#include "llm/ask.h"
#include "llm/tokens.h"

namespace schemaward::explore {
namespace {

constexpr std::int64_t kOutputTokensMax = 2'000;
constexpr int kRepliesMax = 2;  // to one prompt

}  // namespace

bool CanRewriteCure(const Error& error) {
  switch (error.kind()) {
    case ErrorKind::SqlSyntax:
    case ErrorKind::SqlUnknownName:
    case ErrorKind::SqlRuntime:
    case ErrorKind::UnknownTable:
    case ErrorKind::UnknownColumn:
    case ErrorKind::AmbiguousName:
    case ErrorKind::MalformedName:
      return true;
    default:
      return false;
  }
}

Result<std::string> DescribeNamedTables(const std::string& sql, Warehouse& warehouse,
                                        CallContext& ctx) {
  std::vector<std::string> names;
  std::string missing;
  for (const std::string& name : NamedTables(sql)) {
    WARD_TRY(const ResolvedName found, warehouse.Resolve(name, ctx));
    if (!found.name.empty()) {
      if (!Contains(names, found.name)) names.push_back(found.name);
      continue;
    }
    std::vector<std::string> near = found.near;
    near.resize(std::min(near.size(), kNearNamesMax));
    missing += fmt::format("{} is no table{}{}\n", ShowValue(name),
                           near.empty()         ? ""
                           : found.is_ambiguous ? ", it may mean: "
                                                : ", near: ",
                           Listed(near));
  }
  if (names.empty()) return missing.empty() ? "(none)\n" : missing;
  WARD_TRY(const auto tables, warehouse.Lookup(names, ctx));
  return RenderTables(tables, false) + missing;
}

bool RepairingWarehouse::WasTried(const std::string& sql) const {
  return std::any_of(attempts_.begin(), attempts_.end(),
                     [&](const RepairAttempt& attempt) { return attempt.before == sql; });
}

Result<std::string> RepairingWarehouse::Rewrite(const std::string& sql, const Error& error,
                                                CallContext& ctx) {
  WARD_TRY(std::string tables, DescribeNamedTables(sql, inner_, ctx));
  llm::Request request;
  request.system = prompt_.Fill({{"SCHEMA_INFO", std::move(tables)},
                                 {"ORIGINAL_SQL", sql},
                                 {"ERROR_MESSAGE", CutText(TellError(error), kObservationBytesMax)},
                                 {"VERIFICATION_CONTEXT", evidence_}});
  request.messages = {{llm::Role::User, "Send the mended statement."}};
  request.output_tokens_max = std::min(kOutputTokensMax, model_.info().output_tokens_max);
  if (llm::EstimateTokens(request) + request.output_tokens_max > model_.info().window_tokens)
    return Error(ErrorKind::ByteCap, "what mends the statement does not fit the model's window");
  std::string mended;
  const auto read = [&](std::string_view reply) -> Status {
    const ParsedAction parsed = ParseAction(reply, {ActionKind::QueryData});
    if (!parsed.action) return Error(ErrorKind::InputUnreadable, "the reply holds no statement");
    mended = parsed.action->query;
    return Ok();
  };
  llm::Usage& usage = attempts_.back().usage;
  const Status asked = llm::AskForJson(model_, std::move(request), kRepliesMax, read, usage, ctx);
  usage_ += usage;
  if (!asked) return asked.error();
  return mended;
}

Result<QueryResult> RepairingWarehouse::Query(const std::string& sql, CallContext& ctx) {
  attempts_.clear();
  std::string statement = sql;
  while (true) {
    auto result = inner_.Query(statement, ctx);
    if (result) {
      result->repairs = static_cast<int>(attempts_.size());
      return result;
    }
    const bool may_try = attempts_.size() < static_cast<std::size_t>(kRepairTriesMax) &&
                         !prompt_.holes().empty() && statement.size() <= kStatementBytesMax;
    if (!may_try || !CanRewriteCure(result.error())) return result;
    attempts_.push_back({statement, "", result.error().message(), "", {}});
    auto mended = Rewrite(statement, result.error(), ctx);
    if (!mended || WasTried(*mended)) {
      WARD_CHECK(ctx.Check());
      attempts_.back().fault = mended ? "the rewrite was tried before" : mended.error().message();
      return result;
    }
    attempts_.back().after = *mended;
    statement = *std::move(mended);
  }
}

}  // namespace schemaward::explore
