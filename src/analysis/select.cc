#include "analysis/select.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/ascii.h"
#include "llm/tokens.h"

namespace schemaward::analysis {
namespace {

using explore::Step;

std::vector<const Step*> QueriesThatRan(const std::vector<Step>& steps) {
  std::vector<const Step*> ran;
  for (const Step& step : steps)
    if (step.kind == explore::StepKind::Query && !step.statement.empty()) ran.push_back(&step);
  return ran;
}

// The share of the keywords that the step names, 0 to 1.
double KeywordShare(const packs::Area& area, const Step& step) {
  const std::string words = LowerAscii(step.action.purpose + "\n" + step.action.query + "\n" +
                                       step.statement + "\n" + step.action.thinking);
  const auto named =
      std::count_if(area.keywords.begin(), area.keywords.end(), [&](const std::string& keyword) {
        return words.find(LowerAscii(keyword)) != std::string::npos;
      });
  return area.keywords.empty()
             ? 0
             : static_cast<double>(named) / static_cast<double>(area.keywords.size());
}

// Vectors have length 1, so that this is the cosine.
double Nearness(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size()) return 0;
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

bool EndsTheCall(const Error& error, const CallContext& ctx) {
  return error.kind() == ErrorKind::Cancelled || !ctx.Check();
}

// The nearness of each step to the area.
Result<std::vector<double>> NearnessOf(const packs::Area& area,
                                       const std::vector<const Step*>& steps,
                                       llm::Embedder& embedder, llm::Usage& usage,
                                       CallContext& ctx) {
  std::vector<std::string> texts = {
      fmt::format("{}. {} {}", area.name, area.description, fmt::join(area.keywords, " "))};
  for (const Step* step : steps) texts.push_back(step->action.purpose + "\n" + step->statement);
  std::vector<std::vector<float>> vectors;
  for (std::size_t i = 0; i < texts.size(); i += llm::kEmbedTextsMax) {
    const std::size_t count = std::min(llm::kEmbedTextsMax, texts.size() - i);
    WARD_TRY(llm::Embedded embedded,
             embedder.Embed(std::span<const std::string>(texts).subspan(i, count), ctx));
    usage += embedded.usage;
    for (auto& vector : embedded.vectors) vectors.push_back(std::move(vector));
  }
  std::vector<double> near;
  for (std::size_t i = 1; i < vectors.size(); ++i) near.push_back(Nearness(vectors[0], vectors[i]));
  near.resize(steps.size());
  return near;
}

std::string TextOf(const Step& step) {
  std::string text = fmt::format("Step {}", step.number);
  if (!step.action.purpose.empty()) text += ": " + step.action.purpose;
  return text + "\nSQL: " + step.statement + "\n" + step.observation + "\n\n";
}

}  // namespace

Result<Ranking> RankSteps(const packs::Area& area, const std::vector<Step>& steps,
                          llm::Embedder* embedder, CallContext& ctx) {
  const std::vector<const Step*> ran = QueriesThatRan(steps);
  Ranking ranking;
  ranking.ranker = "keywords";
  std::vector<double> near;
  if (embedder != nullptr && !ran.empty()) {
    auto found = NearnessOf(area, ran, *embedder, ranking.usage, ctx);
    if (!found && EndsTheCall(found.error(), ctx)) return std::move(found).error();
    ranking.ranker = found ? "hybrid" : "keywords, degraded";
    if (found) near = *std::move(found);
  }
  for (std::size_t i = 0; i < ran.size(); ++i) {
    const double share = KeywordShare(area, *ran[i]);
    const double score =
        near.empty() ? share : (share > 0 ? std::max(near[i], kKeywordScore) : near[i]);
    if (near.empty() ? score > 0 : score >= kScoreMin) ranking.steps.push_back({ran[i], score});
  }
  std::stable_sort(ranking.steps.begin(), ranking.steps.end(),
                   [](const Ranked& a, const Ranked& b) { return a.score > b.score; });
  if (ranking.steps.size() > kStepsOfAreaMax) ranking.steps.resize(kStepsOfAreaMax);
  return ranking;
}

Shown ShowSteps(const std::vector<Ranked>& ranked, std::int64_t tokens_max) {
  std::vector<const Step*> kept;
  std::int64_t tokens = 0;
  Shown shown;
  for (const Ranked& one : ranked) {
    const std::int64_t more = llm::EstimateTokens(TextOf(*one.step));
    if (tokens + more > tokens_max) {
      ++shown.left_out;
      continue;
    }
    tokens += more;
    kept.push_back(one.step);
  }
  std::sort(kept.begin(), kept.end(),
            [](const Step* a, const Step* b) { return a->number < b->number; });
  for (const Step* step : kept) {
    shown.steps.push_back(step->number);
    shown.text += TextOf(*step);
  }
  return shown;
}

}  // namespace schemaward::analysis
