#include "analysis/recommend.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/cut.h"
#include "explore/objects.h"
#include "explore/prompt.h"
#include "json/access.h"
#include "llm/ask.h"
#include "llm/tokens.h"

namespace schemaward::analysis {
namespace {

using explore::Recommendation;
using explore::Recommendations;
using explore::RunInsight;

constexpr int kRepliesMax = 2;
constexpr std::int64_t kOutputTokensMax = 4'000;
constexpr std::size_t kTitleBytesMax = 300;
constexpr std::size_t kTextBytesMax = 2'000;
constexpr std::size_t kActionsMax = 10;
constexpr const char* kAsk = "Send the recommendations, as one JSON object.";

// A number that was not found again is no ground to act on.
bool IsGround(const RunInsight& insight, bool is_verified) {
  return !is_verified || insight.status == "confirmed" || insight.status == "adjusted";
}

std::string TextOf(const RunInsight& insight) {
  std::string text = fmt::format("- {}: {}. {}", insight.id, insight.name, insight.description);
  if (insight.verified && insight.status == "adjusted")
    text += fmt::format(" The right number is {}.", *insight.verified);
  return text + "\n";
}

/// The insights that a model is shown.
struct Grounds {
  std::string text;
  std::vector<std::string> ids;
  std::int64_t left_out = 0;  // did not fit
};

Grounds GroundsWithin(const std::vector<RunInsight>& insights, bool is_verified,
                      std::int64_t tokens_max) {
  Grounds grounds;
  std::int64_t tokens = 0;
  for (const RunInsight& insight : insights) {
    if (!IsGround(insight, is_verified)) continue;
    const std::string text = TextOf(insight);
    const std::int64_t more = llm::EstimateTokens(text);
    if (tokens + more > tokens_max) {
      ++grounds.left_out;
      continue;
    }
    tokens += more;
    grounds.text += text;
    grounds.ids.push_back(insight.id);
  }
  return grounds;
}

llm::Request RequestOf(const explore::RunRecord& run, const Options& options,
                       const llm::ModelInfo& info, const std::string& insights) {
  const HoleTexts known = {{"DIALECT", run.dialect},
                           {"QUESTION", run.question},
                           {"PROFILE", options.profile},
                           {"INSIGHTS", insights}};
  llm::Request request;
  request.system =
      options.pack->base.Fill(known) + "\n" + options.pack->recommendations.Fill(known);
  request.messages = {{llm::Role::User, kAsk}};
  request.output_tokens_max = std::min(kOutputTokensMax, info.output_tokens_max);
  return request;
}

Recommendation ReadOne(const json::Value& item, const std::vector<std::string>& ids) {
  Recommendation one;
  one.title = CutText(json::TextOf(item, "title"), kTitleBytesMax);
  one.description = CutText(json::TextOf(item, "description"), kTextBytesMax);
  one.priority = json::IntegerOf(json::Member(item, "priority")).value_or(1);
  for (std::string& id : json::TextsOf(json::Member(item, "related_insight_ids")))
    if (std::find(ids.begin(), ids.end(), id) != ids.end()) one.insights.push_back(std::move(id));
  for (const std::string& action : json::TextsOf(json::Member(item, "actions")))
    if (one.actions.size() < kActionsMax) one.actions.push_back(CutText(action, kTextBytesMax));
  return one;
}

// Reads the last object of a reply that has them.
Status Read(std::string_view reply, const std::vector<std::string>& ids, Recommendations& out) {
  const explore::FoundObjects found = explore::FindObjects(reply);
  for (auto object = found.objects.rbegin(); object != found.objects.rend(); ++object) {
    const auto document = json::Parse(object->text);
    if (!document || !json::Member(document->value(), "recommendations").is_array()) continue;
    out.list.clear();
    out.dropped = 0;
    for (const json::Value* item :
         json::ItemsOf(json::Member(document->value(), "recommendations"))) {
      Recommendation one = ReadOne(*item, ids);
      const bool has_room = out.list.size() < explore::kRecommendationsMax;
      if (one.title.empty() || one.insights.empty() || !has_room)
        ++out.dropped;
      else
        out.list.push_back(std::move(one));
    }
    std::stable_sort(
        out.list.begin(), out.list.end(),
        [](const Recommendation& a, const Recommendation& b) { return a.priority < b.priority; });
    return Ok();
  }
  return Error(ErrorKind::InputUnreadable, "there is no object with a list \"recommendations\"");
}

}  // namespace

Status Recommend(explore::RunRecord& run, const Options& options, llm::Llm& model,
                 CallContext& ctx) {
  WARD_CHECK(ctx.Check());
  Recommendations& out = run.analysis.recommendations;
  llm::Request request = RequestOf(run, options, model.info(), "");
  explore::Limits limits;
  limits.output_tokens_max = request.output_tokens_max;
  const bool is_verified = options.verify != nullptr && run.verifies;
  const Grounds grounds =
      GroundsWithin(run.analysis.insights, is_verified,
                    explore::PromptTokensMax(model.info(), limits) - llm::EstimateTokens(request));
  out.insights_left_out = grounds.left_out;
  if (grounds.ids.empty()) {
    out.status = "no_insights";
    return Ok();
  }
  request = RequestOf(run, options, model.info(), grounds.text);
  const auto read = [&](std::string_view reply) { return Read(reply, grounds.ids, out); };
  llm::Usage usage;
  const Status asked = llm::AskForJson(model, std::move(request), kRepliesMax, read, usage, ctx);
  out.status = asked ? "done" : "failed";
  if (asked) return Ok();
  WARD_CHECK(ctx.Check());
  if (!llm::EndsRuns(asked.error())) {
    out.why = asked.error().message();
    return Ok();
  }
  out.status.clear();  // it is asked for when the run is taken up
  return asked.error();
}

}  // namespace schemaward::analysis
