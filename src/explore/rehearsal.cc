#include "explore/rehearsal.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "json/value.h"
#include "llm/scripted.h"
#include "llm/tokens.h"

namespace schemaward::explore {
namespace {

constexpr std::size_t kRowsOfAResult = 18;
constexpr std::size_t kStrideOfTables = 37;  // lookups go through the whole catalog

/// The catalog and the columns of the real one; hits and rows are made up.
class RehearsalWarehouse final : public Warehouse {
 public:
  explicit RehearsalWarehouse(Warehouse& real) : real_(real) {}

  // A forecast asks no database: lookups show the rows that are kept and no others.
  Status Prepare(CallContext& /*ctx*/) override { return Ok(); }
  Result<std::vector<CatalogEntry>> Catalog(CallContext& ctx) override {
    WARD_TRY(catalog_, real_.Catalog(ctx));
    return catalog_;
  }
  Result<ResolvedName> Resolve(const std::string& name, CallContext& ctx) override {
    return real_.Resolve(name, ctx);
  }
  Result<std::vector<TableView>> Lookup(const std::vector<std::string>& names,
                                        CallContext& ctx) override {
    return real_.Lookup(names, ctx);
  }
  Result<std::vector<TableHit>> Search(const std::string& /*text*/, std::int64_t hits_max,
                                       CallContext& /*ctx*/) override {
    std::vector<TableHit> hits;
    for (std::int64_t i = 0; i < hits_max && !catalog_.empty(); ++i)
      hits.push_back({Table().name, 1'000, "its name and its columns say what is asked for"});
    return hits;
  }
  Result<QueryResult> Query(const std::string& /*sql*/, CallContext& /*ctx*/) override {
    QueryResult result;
    result.columns = {{"region"}, {"month"}, {"orders"}, {"revenue"}};
    for (std::size_t i = 0; i < kRowsOfAResult; ++i)
      result.rows.push_back({fmt::format("region {:02}", i), std::string("2026-01-01"),
                             static_cast<std::int64_t>(1'000 + i), 12'345.5});
    result.statement = "SELECT";
    return result;
  }

  /// One after another, all over the catalog. Requires: the catalog was asked for and is not empty.
  const CatalogEntry& Table() {
    next_ = (next_ + kStrideOfTables) % catalog_.size();
    return catalog_[next_];
  }
  bool IsEmpty() const { return catalog_.empty(); }

 private:
  Warehouse& real_;
  std::vector<CatalogEntry> catalog_;
  std::size_t next_ = 0;
};

/// What the made-up model says: an action after thinking, kUsualReplyTokens in all.
class Script {
 public:
  Script(RehearsalWarehouse& warehouse, const Limits& limits)
      : warehouse_(warehouse), lookups_(limits.lookups), searches_(limits.searches) {
    while (llm::EstimateTokens(thinking_) < kUsualReplyTokens - 100)
      thinking_ += "The orders of the last months are compared by region next. ";
  }

  std::string Next() {
    constexpr std::size_t kRound = 10, kLookup = 0, kOtherLookup = 5, kSearch = 1;
    const std::size_t place = turn_++ % kRound;
    if ((place == kLookup || place == kOtherLookup) && Takes(lookups_) && !warehouse_.IsEmpty())
      return Reply("\"lookup_schema\":[" + Tables() + "]");
    if (place == kSearch && Takes(searches_))
      return Reply(R"("search_tables":"orders and customers by region")");
    return Reply(
        R"("query_purpose":"orders and revenue by region and month","query":"SELECT c.region, date_trunc('month', o.placed_at) AS month, count(*) AS orders, sum(o.amount) AS revenue FROM sales.orders o JOIN sales.customers c ON c.id = o.customer_id WHERE o.status = 'paid' GROUP BY 1, 2 ORDER BY 4 DESC LIMIT 18")");
  }

 private:
  static bool Takes(Budget& budget) { return budget.is_on && budget.calls_max-- > 0; }
  std::string Tables() {
    std::string names;
    for (std::size_t i = 0; i < kUsualLookupTables; ++i)
      names += (i == 0 ? "" : ",") + json::Quote(warehouse_.Table().name);
    return names;
  }
  std::string Reply(const std::string& action) const {
    return fmt::format(R"({{"thinking":"{}",{}}})", thinking_, action);
  }

  RehearsalWarehouse& warehouse_;
  Budget lookups_, searches_;
  std::string thinking_;
  std::size_t turn_ = 0;
};

/// Tokens at the head of `request` that the one before it had marked as kept.
std::int64_t TokensKept(const llm::Request& before, const llm::Request& request) {
  const auto marked = static_cast<std::size_t>(std::max<std::int64_t>(before.cached_messages, 0));
  if (request.messages.size() < marked) return 0;
  llm::Request head;
  head.system = request.system;
  for (std::size_t i = 0; i < marked; ++i) {
    if (request.messages[i].text != before.messages[i].text) return 0;
    head.messages.push_back(request.messages[i]);
  }
  return llm::EstimateTokens(head);
}

llm::Usage MostOf(const Limits& limits, const llm::ModelInfo& model, std::int64_t requests) {
  llm::Usage most;
  most.input_tokens = requests * (model.window_tokens - limits.output_tokens_max);
  most.output_tokens = requests * limits.output_tokens_max;
  most.is_estimate = true;
  return most;
}

}  // namespace

Result<Forecast> Rehearse(const RunRequest& request, Warehouse& warehouse,
                          const llm::ModelInfo& model, CallContext& ctx) {
  Forecast forecast;
  RehearsalWarehouse rehearsed(warehouse);
  Script script(rehearsed, request.limits);
  std::optional<llm::Request> before;
  llm::ScriptedLlm spoken(model, [&](const llm::Request& asked, std::size_t) {
    llm::ScriptedTurn turn{script.Next()};
    llm::Usage usage;
    usage.input_tokens = llm::EstimateTokens(asked);
    usage.output_tokens = std::min(llm::EstimateTokens(turn.text), asked.output_tokens_max);
    usage.cache_read_tokens = before ? TokensKept(*before, asked) : 0;
    usage.is_estimate = true;
    turn.usage = usage;
    before = asked;
    ++forecast.usual_requests;
    return turn;
  });
  spoken.ForgetRequests();
  RunRequest plain = request;
  plain.before.clear();
  plain.on_base = [&](const PromptBase& base) -> Status {
    forecast.base_tokens = base.tokens;
    return Ok();
  };
  const RunResult run = Explore(plain, rehearsed, spoken, {}, ctx);
  if (run.error) return *run.error;
  forecast.catalog = run.catalog;
  forecast.usual = run.usage;
  forecast.largest_prompt_tokens = run.largest_prompt_tokens;
  forecast.most_requests = request.limits.steps_max + kUnparsableMax;
  forecast.most = MostOf(request.limits, model, forecast.most_requests);
  return forecast;
}

}  // namespace schemaward::explore
