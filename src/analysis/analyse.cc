#include "analysis/analyse.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "analysis/recommend.h"
#include "analysis/select.h"
#include "base/cut.h"
#include "explore/objects.h"
#include "explore/prompt.h"
#include "json/access.h"
#include "llm/ask.h"
#include "llm/tokens.h"

namespace schemaward::analysis {
namespace {

using explore::AreaResult;
using explore::RunInsight;

constexpr int kRepliesMax = 2;  // to one prompt
constexpr std::int64_t kOutputTokensMax = 4'000;
constexpr std::size_t kNameBytesMax = 300;
constexpr std::size_t kTextBytesMax = 2'000;
constexpr const char* kAsk = "Send the insights of this area, as one JSON object.";

Result<std::vector<verify::Insight>> InsightsIn(std::string_view reply) {
  const explore::FoundObjects found = explore::FindObjects(reply);
  for (auto object = found.objects.rbegin(); object != found.objects.rend(); ++object) {
    const auto document = json::Parse(object->text);
    if (!document || !json::Member(document->value(), "insights").is_array()) continue;
    // Steps of a reply are nobody's: only those of the run count.
    WARD_TRY(verify::InsightFile file,
             verify::ReadInsights(
                 json::Canonical({{"insights", json::Member(document->value(), "insights")}})));
    if (file.insights.size() > kInsightsOfAreaMax)
      return Error(ErrorKind::ByteCap,
                   fmt::format("there are more than {} insights", kInsightsOfAreaMax));
    return std::move(file.insights);
  }
  return Error(ErrorKind::InputUnreadable, "there is no object with a list \"insights\"");
}

std::vector<verify::SourceStep> SourcesOf(const std::vector<explore::Step>& steps) {
  std::vector<verify::SourceStep> sources;
  for (const explore::Step& step : steps)
    if (step.kind == explore::StepKind::Query)
      sources.push_back({step.number, step.action.purpose, step.statement, step.error, step.rows});
  return sources;
}

verify::Insight ToVerify(const RunInsight& insight) {
  verify::Insight out;
  out.id = insight.id;
  out.area = insight.area;
  out.name = insight.name;
  out.description = insight.description;
  out.severity = insight.severity;
  out.claimed_metric = insight.claimed_metric;
  out.claimed = insight.claimed;
  out.source_steps = insight.source_steps;
  return out;
}

/// The analysis of one run. Thread: owner.
class Run {
 public:
  Run(explore::RunRecord& run, const std::vector<explore::Step>& steps, const Options& options,
      explore::Warehouse& warehouse, llm::Llm& model, const explore::SaveRun& save,
      CallContext& ctx)
      : run_(run),
        steps_(steps),
        options_(options),
        warehouse_(warehouse),
        model_(model),
        save_(save),
        ctx_(ctx) {}

  Status Go() {
    const auto seen = static_cast<std::int64_t>(steps_.size());
    explore::Analysis& analysis = run_.analysis;
    if (analysis.steps_seen != seen || analysis.pack != options_.pack->id) analysis = {};
    analysis.steps_seen = seen;
    analysis.pack = options_.pack->id;
    for (const packs::Area* area : options_.pack->AreasOf(run_.category))
      if (!IsKnown(area->id)) WARD_CHECK(Read(*area));
    if (options_.verify != nullptr && run_.verifies) WARD_CHECK(VerifyAll());
    // A pack without the prompt, which no file of one can be, asks nothing.
    if (!analysis.recommendations.status.empty() || options_.pack->recommendations.holes().empty())
      return Ok();
    WARD_CHECK(Recommend(run_, options_, model_, ctx_));
    return save_(run_);
  }

 private:
  bool IsKnown(const std::string& id) const {
    const auto& areas = run_.analysis.areas;
    return std::any_of(areas.begin(), areas.end(),
                       [&](const AreaResult& area) { return area.id == id; });
  }

  Status Read(const packs::Area& area) {
    WARD_CHECK(ctx_.Check());
    AreaResult result;
    result.id = area.id;
    result.name = area.name;
    WARD_TRY(const Ranking ranking, RankSteps(area, steps_, options_.embedder, ctx_));
    result.ranker = ranking.ranker;
    llm::Request request = RequestOf(area, "");
    const std::int64_t room = RoomBeside(request);
    const Shown shown = ShowSteps(ranking.steps, room);
    result.steps = shown.steps;
    result.steps_left_out = shown.left_out;
    std::vector<RunInsight> insights;
    if (ranking.steps.empty()) {
      result.status = "no_steps";
    } else if (shown.steps.empty()) {
      result.status = "failed";
      result.why = "no step fits the model's window";
    } else {
      request = RequestOf(area, shown.text);
      WARD_CHECK(Ask(area, std::move(request), result, insights));
    }
    for (RunInsight& insight : insights) run_.analysis.insights.push_back(std::move(insight));
    run_.analysis.areas.push_back(std::move(result));
    WARD_CHECK(save_(run_));
    if (options_.on_area) options_.on_area(run_.analysis.areas.back());
    return Ok();
  }

  llm::Request RequestOf(const packs::Area& area, const std::string& results) const {
    llm::Request request;
    const HoleTexts known = {{"QUERY_RESULTS", results},
                             {"AREA", area.name},
                             {"QUESTION", run_.question},
                             {"PROFILE", options_.profile},
                             {"DIALECT", run_.dialect}};
    request.system = options_.pack->base.Fill(known) + "\n" + area.prompt.Fill(known);
    request.messages = {{llm::Role::User, kAsk}};
    request.output_tokens_max = std::min(kOutputTokensMax, model_.info().output_tokens_max);
    return request;
  }

  // Tokens for results beside the words of the area; a tenth is kept, since tokens are estimated.
  std::int64_t RoomBeside(const llm::Request& request) const {
    explore::Limits limits;
    limits.output_tokens_max = request.output_tokens_max;
    return explore::PromptTokensMax(model_.info(), limits) - llm::EstimateTokens(request);
  }

  Status Ask(const packs::Area& area, llm::Request request, AreaResult& result,
             std::vector<RunInsight>& insights) {
    std::vector<verify::Insight> read;
    const auto take = [&](std::string_view reply) -> Status {
      WARD_TRY(read, InsightsIn(reply));
      return Ok();
    };
    llm::Usage usage;
    const Status asked =
        llm::AskForJson(model_, std::move(request), kRepliesMax, take, usage, ctx_);
    if (!asked) {
      WARD_CHECK(ctx_.Check());
      if (llm::EndsRuns(asked.error())) return asked.error();
      result.status = "failed";
      result.why = asked.error().message();
      return Ok();
    }
    result.status = "done";
    for (const verify::Insight& insight : read) {
      if (run_.analysis.insights.size() + insights.size() >= explore::kRunInsightsMax) {
        result.why = fmt::format("a run keeps {} insights", explore::kRunInsightsMax);
        break;
      }
      insights.push_back(Kept(area, insight, insights.size() + 1, result));
    }
    return Ok();
  }

  RunInsight Kept(const packs::Area& area, const verify::Insight& insight, std::size_t number,
                  AreaResult& result) const {
    RunInsight kept;
    kept.id = fmt::format("{}-{}", area.id, number);
    kept.area = area.id;
    kept.name = CutText(insight.name, kNameBytesMax);
    kept.description = CutText(insight.description, kTextBytesMax);
    kept.severity = CutText(insight.severity, kNameBytesMax);
    kept.claimed_metric = CutText(insight.claimed_metric, kTextBytesMax);
    kept.claimed = insight.claimed;
    for (const std::int64_t step : insight.source_steps) {
      if (std::binary_search(result.steps.begin(), result.steps.end(), step))
        kept.source_steps.push_back(step);
      else
        result.why = "steps that were not shown were cited, and are dropped";
    }
    return kept;
  }

  Status VerifyAll() {
    const std::vector<verify::SourceStep> sources = SourcesOf(steps_);
    for (RunInsight& insight : run_.analysis.insights) {
      if (!insight.status.empty()) continue;
      WARD_TRY(
          const verify::Validation validation,
          verify::Verify(ToVerify(insight), sources, *options_.verify, warehouse_, model_, ctx_));
      insight.status = verify::NameOf(validation.status);
      for (const std::string& reason : validation.reasons)
        insight.reasons.push_back(CutText(reason, kTextBytesMax));
      insight.verified = validation.verified;
      insight.statement = CutText(validation.statement, kTextBytesMax);
      run_.analysis.verification_budget_exhausted += validation.budget_exhausted ? 1 : 0;
      WARD_CHECK(save_(run_));
      if (options_.on_insight) options_.on_insight(insight);
    }
    return Ok();
  }

  explore::RunRecord& run_;
  const std::vector<explore::Step>& steps_;
  const Options& options_;
  explore::Warehouse& warehouse_;
  llm::Llm& model_;
  const explore::SaveRun& save_;
  CallContext& ctx_;
};

}  // namespace

Status Analyse(explore::RunRecord& run, const std::vector<explore::Step>& steps,
               const Options& options, explore::Warehouse& warehouse, llm::Llm& model,
               const explore::SaveRun& save, CallContext& ctx) {
  return Run(run, steps, options, warehouse, model, save, ctx).Go();
}

}  // namespace schemaward::analysis
