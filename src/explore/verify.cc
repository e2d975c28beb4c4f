#include "explore/verify.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace schemaward::explore {
namespace {

/// The results of cited steps, each asked for once.
class Results {
 public:
  Results(const std::vector<Step>& steps, Warehouse& warehouse, CallContext& ctx)
      : steps_(steps), warehouse_(warehouse), ctx_(ctx) {}

  Result<const QueryResult*> Of(std::int64_t number) {
    auto known = results_.find(number);
    if (known == results_.end()) known = results_.emplace(number, Run(number)).first;
    if (!known->second) return known->second.error();
    return &*known->second;
  }

 private:
  Result<QueryResult> Run(std::int64_t number) {
    WARD_CHECK(ctx_.Check());
    const auto step = std::find_if(steps_.begin(), steps_.end(),
                                   [&](const Step& one) { return one.number == number; });
    if (step == steps_.end()) return Error(ErrorKind::InvalidArgument, "the run has no such step");
    if (step->statement.empty())
      return Error(ErrorKind::InvalidArgument, step->kind == StepKind::Query
                                                   ? "its query did not run"
                                                   : "it asked for no rows");
    return warehouse_.Query(step->statement, ctx_);
  }

  const std::vector<Step>& steps_;
  Warehouse& warehouse_;
  CallContext& ctx_;
  std::map<std::int64_t, Result<QueryResult>> results_;
};

}  // namespace

Result<VerifiedClaim> Verify(const Claim& claim, const std::vector<Step>& steps,
                             Warehouse& warehouse, CallContext& ctx, std::int64_t done_before) {
  Results results(steps, warehouse, ctx);
  VerifiedClaim verified;
  verified.claim = claim;
  const auto total = done_before + static_cast<std::int64_t>(claim.figures.size());
  for (const Figure& figure : claim.figures) {
    WARD_TRY(Checked checked,
             CheckFigure(figure, [&](std::int64_t step) { return results.Of(step); }));
    verified.checked.push_back(std::move(checked));
    const auto done = done_before + static_cast<std::int64_t>(verified.checked.size());
    if (ctx.progress) ctx.progress({done, total, "figures checked"});
  }
  verified.verdict = WorstOf(verified.checked);
  return verified;
}

}  // namespace schemaward::explore
