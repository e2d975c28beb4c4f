#include "explore/report.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/cut.h"
#include "explore/claims.h"
#include "explore/text.h"
#include "json/value.h"
#include "llm/price.h"

namespace schemaward::explore {
namespace {

constexpr std::size_t kTitleBytesMax = 300;

using Facts = std::vector<std::pair<std::string, std::string>>;

std::string UsedOf(std::int64_t used, const Budget& budget) {
  return budget.is_on ? fmt::format("{} of {}", used, budget.calls_max) : std::string("off");
}

Facts FactsOf(const RunRecord& run) {
  const auto show = [](std::int64_t number) { return fmt::format("{}", number); };
  Facts facts = {{"run", run.id},
                 {"source", run.source},
                 {"decided by", run.driver == Driver::Agent ? "an agent" : run.model},
                 {"status", run.status},
                 {"started", ToIsoUtc(run.started_us)},
                 {"steps", fmt::format("{} of {}", run.steps, run.limits.steps_max)},
                 {"lookups charged", UsedOf(run.lookups_used, run.limits.lookups)},
                 {"searches charged", UsedOf(run.searches_used, run.limits.searches)},
                 {"schema_lookup_calls", show(run.counters.schema_lookup_calls)},
                 {"schema_search_calls", show(run.counters.schema_search_calls)},
                 {"queries", fmt::format("{} ({} failed, {} mended; rewrites: {})",
                                         run.counters.queries, run.counters.queries_failed,
                                         run.counters.queries_repaired, run.counters.repairs)},
                 {"tokens", fmt::format("{} in, {} out", run.spent.usage.input_tokens,
                                        run.spent.usage.output_tokens)}};
  if (run.embedder.calls > 0)
    facts.emplace_back("tokens of embedder", show(run.embedder.usage.input_tokens));
  if (CostOf(run) > 0) facts.emplace_back("cost in USD", llm::ShowUsd(CostOf(run)));
  if (!run.error_text.empty())
    facts.emplace_back("ended by", run.error_kind + ": " + run.error_text);
  return facts;
}

// A fence that is longer than any run of backticks inside.
std::string Fenced(const std::string& text, std::string_view language) {
  std::size_t longest = 0;
  std::size_t here = 0;
  for (const char c : text) {
    here = c == '`' ? here + 1 : 0;
    longest = std::max(longest, here);
  }
  const std::string fence(std::max<std::size_t>(longest + 1, 3), '`');
  return fmt::format("{}{}\n{}\n{}\n", fence, language, text, fence);
}

// One line that moves no cursor and changes no colour.
std::string Plain(const std::string& text, std::size_t bytes_max) {
  std::string out;
  for (const char c : CutText(text, bytes_max))
    out += static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? ' ' : c;
  return out;
}

// One line that ends no table cell and begins no markup.
std::string InLine(const std::string& text) {
  std::string out;
  for (const char c : CutText(text, kTitleBytesMax)) {
    if (c == '\n' || c == '\r') {
      out += ' ';
      continue;
    }
    if (std::string_view("|<>`*_[]\\#").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string Escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

/// A bar of a chart.
struct Bar {
  std::int64_t step;
  std::int64_t value;
};

std::string Chart(const std::string& title, const std::vector<Bar>& bars) {
  constexpr int kHeight = 120;
  constexpr int kBarWidth = 8;
  std::int64_t most = 0;
  for (const Bar& bar : bars) most = std::max(most, bar.value);
  if (most == 0) return {};
  const auto width = static_cast<std::int64_t>(bars.size()) * kBarWidth;
  std::string svg = fmt::format(
      "<figure><figcaption>{} (most: {})</figcaption><svg width=\"{}\" height=\"{}\" role=\"img\">",
      title, most, width, kHeight);
  std::int64_t x = 0;
  for (const Bar& bar : bars) {
    const std::int64_t height = bar.value * kHeight / most;
    svg += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>step {}: {}</title></rect>", x,
        kHeight - height, kBarWidth - 1, height, bar.step, bar.value);
    x += kBarWidth;
  }
  return svg + "</svg></figure>\n";
}

std::string Charts(const std::vector<Step>& steps) {
  std::vector<Bar> tokens;
  std::vector<Bar> times;
  for (const Step& step : steps) {
    tokens.push_back({step.number, step.usage.input_tokens + step.usage.output_tokens});
    if (step.kind == StepKind::Query && step.error.empty())
      times.push_back({step.number, step.time_ms});
  }
  return Chart("Tokens of each step", tokens) + Chart("Milliseconds of each query", times);
}

std::string MarkdownClaims(const std::vector<std::string>& claims) {
  std::string text = claims.empty() ? "" : "\n## Claims\n\n";
  for (const std::string& claim : claims) {
    std::string_view indent = "- ";
    for (const std::string& line : TellClaim(claim)) {
      text += fmt::format("{}{}\n", indent, InLine(line));
      indent = "  - ";
    }
  }
  return text;
}

std::string HtmlClaims(const std::vector<std::string>& claims) {
  std::string text = claims.empty() ? "" : "<h2>Claims</h2>\n";
  for (const std::string& claim : claims) {
    text += "<ul>\n";
    for (const std::string& line : TellClaim(claim))
      text += fmt::format("<li>{}</li>\n", Escaped(line));
    text += "</ul>\n";
  }
  return text;
}

std::string VerdictOf(const RunInsight& insight) {
  std::string text = insight.status.empty() ? "not verified" : insight.status;
  if (insight.claimed) text += ", claimed " + *insight.claimed;
  if (insight.verified) text += ", recomputed " + *insight.verified;
  return text;
}

std::string CitedBy(const RunInsight& insight) {
  return insight.source_steps.empty()
             ? std::string("cites no step")
             : fmt::format("cites steps {}", fmt::join(insight.source_steps, ", "));
}

std::string AreaLine(const AreaResult& area) {
  return fmt::format("{}: {}{}, {} steps read, {} left out, ranked by {}", area.name, area.status,
                     area.why.empty() ? "" : " (" + area.why + ")", area.steps.size(),
                     area.steps_left_out, area.ranker);
}

std::string MarkdownInsights(const Analysis& analysis) {
  if (analysis.pack.empty()) return {};
  std::string text = fmt::format("\n## Insights\n\nBy the domain pack {}.\n\n", analysis.pack);
  for (const AreaResult& area : analysis.areas)
    text += fmt::format("- {}\n", InLine(AreaLine(area)));
  for (const RunInsight& insight : analysis.insights) {
    text += fmt::format("\n### {}\n\n{}\n\n{}; {}; area {}\n", InLine(insight.name),
                        InLine(insight.description), InLine(VerdictOf(insight)), CitedBy(insight),
                        insight.area);
    for (const std::string& reason : insight.reasons)
      text += fmt::format("\n- {}\n", InLine(reason));
    if (!insight.statement.empty()) text += "\n" + Fenced(insight.statement, "sql");
  }
  return text;
}

constexpr std::string_view kProposed =
    "Proposed by the model. Only the insights that are named were verified.";

std::string MarkdownRecommendations(const Recommendations& recommendations) {
  if (recommendations.list.empty()) return {};
  std::string text = fmt::format("\n## What to do\n\n{}\n", kProposed);
  for (const Recommendation& one : recommendations.list) {
    text +=
        fmt::format("\n### {}\n\n{}\n\nrests on {}\n", InLine(one.title), InLine(one.description),
                    InLine(fmt::format("{}", fmt::join(one.insights, ", "))));
    for (const std::string& action : one.actions) text += fmt::format("\n- {}\n", InLine(action));
  }
  return text;
}

std::string HtmlRecommendations(const Recommendations& recommendations) {
  if (recommendations.list.empty()) return {};
  std::string text = fmt::format("<h2>What to do</h2>\n<p>{}</p>\n", kProposed);
  for (const Recommendation& one : recommendations.list) {
    text += fmt::format("<h3>{}</h3>\n<p>{}</p>\n<p>rests on {}</p>\n<ul>\n", Escaped(one.title),
                        Escaped(one.description),
                        Escaped(fmt::format("{}", fmt::join(one.insights, ", "))));
    for (const std::string& action : one.actions)
      text += fmt::format("<li>{}</li>\n", Escaped(action));
    text += "</ul>\n";
  }
  return text;
}

std::string HtmlInsights(const Analysis& analysis) {
  if (analysis.pack.empty()) return {};
  std::string text = fmt::format("<h2>Insights</h2>\n<p>By the domain pack {}.</p>\n<ul>\n",
                                 Escaped(analysis.pack));
  for (const AreaResult& area : analysis.areas)
    text += fmt::format("<li>{}</li>\n", Escaped(AreaLine(area)));
  text += "</ul>\n";
  for (const RunInsight& insight : analysis.insights) {
    text +=
        fmt::format("<h3>{}</h3>\n<p>{}</p>\n<p>{}; {}</p>\n", Escaped(insight.name),
                    Escaped(insight.description), Escaped(VerdictOf(insight)), CitedBy(insight));
    for (const std::string& reason : insight.reasons)
      text += fmt::format("<p>{}</p>\n", Escaped(reason));
    if (!insight.statement.empty())
      text += fmt::format("<pre>{}</pre>\n", Escaped(insight.statement));
  }
  return text;
}

std::string TextInsights(const Analysis& analysis) {
  std::string text;
  for (const RunInsight& insight : analysis.insights)
    text += fmt::format("{:14} {}\n", insight.status.empty() ? "not verified" : insight.status,
                        Plain(insight.name + ": " + insight.description, kTitleBytesMax));
  for (const Recommendation& one : analysis.recommendations.list)
    text += fmt::format("{:14} {}\n", "proposed",
                        Plain(one.title + ": " + one.description, kTitleBytesMax));
  return text.empty() ? text : "\n" + text;
}

std::string StepTitle(const Step& step) {
  return fmt::format("Step {}: {}", step.number, NameOf(step.kind));
}

// Null: the action is switched off.
json::Value CallsMax(const Budget& budget) {
  return budget.is_on ? json::Value(budget.calls_max) : json::Value();
}

constexpr std::string_view kHead =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
    "'unsafe-inline'\">\n<title>Exploration</title>\n<style>body{font:15px/1.5 sans-serif;"
    "max-width:60em;margin:2em auto;padding:0 "
    "1em}pre{background:#f4f4f4;padding:.6em;overflow:auto;"
    "white-space:pre-wrap}th{text-align:left;padding-right:1em}rect{fill:#3a6ea5}.bad{color:#"
    "a02020}"
    "</style></head><body>\n";

}  // namespace

std::string MarkdownReport(const RunRecord& run, const std::vector<Step>& steps,
                           const std::vector<std::string>& claims) {
  std::string text = fmt::format("# {}\n\n", InLine(run.question));
  if (!run.summary.empty()) text += Fenced(run.summary, "text") + "\n";
  text += "| | |\n|---|---|\n";
  for (const auto& [name, value] : FactsOf(run))
    text += fmt::format("| {} | {} |\n", name, InLine(value));
  text += MarkdownClaims(claims) + MarkdownInsights(run.analysis) +
          MarkdownRecommendations(run.analysis.recommendations);
  for (const Step& step : steps) {
    text += fmt::format("\n## {}\n\n", StepTitle(step));
    if (!step.action.purpose.empty()) text += InLine(step.action.purpose) + "\n\n";
    if (step.kind == StepKind::Query) {
      text += Fenced(step.statement.empty() ? step.action.query : step.statement, "sql");
      if (!step.statement.empty() && step.statement != step.action.query)
        text += "\nAsked as:\n\n" + Fenced(step.action.query, "sql");
    }
    for (const RepairAttempt& repair : step.repairs)
      text += fmt::format("\nRewritten, since {}{}\n", InLine(repair.error),
                          repair.fault.empty() ? "" : "; in vain: " + InLine(repair.fault));
    if (!step.error.empty()) text += "\nFailed: " + InLine(step.error) + "\n";
    if (!step.observation.empty()) text += "\n" + Fenced(step.observation, "text");
  }
  return text;
}

std::string TextReport(const RunRecord& run, const std::vector<Step>& steps) {
  constexpr std::size_t kLineMax = 160;
  std::string text = Plain(run.question, kTitleBytesMax) + "\n\n";
  for (const auto& [name, value] : FactsOf(run))
    text += fmt::format("{:<20} {}\n", name, Plain(value, kTitleBytesMax));
  text += "\n";
  for (const Step& step : steps)
    text += fmt::format(
        "{:4} {}\n     {}\n", step.number, Plain(ToJson(step.action), kLineMax),
        Plain(step.error.empty() ? step.short_form : "failed: " + step.error, kLineMax));
  text += TextInsights(run.analysis);
  if (!run.summary.empty()) text += "\n" + Plain(run.summary, kObservationBytesMax) + "\n";
  return text;
}

std::string HtmlReport(const RunRecord& run, const std::vector<Step>& steps,
                       const std::vector<std::string>& claims) {
  std::string text(kHead);
  text += fmt::format("<h1>{}</h1>\n", Escaped(CutText(run.question, kTitleBytesMax)));
  if (!run.summary.empty()) text += fmt::format("<pre>{}</pre>\n", Escaped(run.summary));
  text += "<table>\n";
  for (const auto& [name, value] : FactsOf(run))
    text += fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", name, Escaped(value));
  text += "</table>\n" + HtmlClaims(claims) + HtmlInsights(run.analysis) +
          HtmlRecommendations(run.analysis.recommendations) + Charts(steps);
  for (const Step& step : steps) {
    text += fmt::format("<h2>{}</h2>\n", StepTitle(step));
    if (!step.action.purpose.empty())
      text += fmt::format("<p>{}</p>\n", Escaped(step.action.purpose));
    if (step.kind == StepKind::Query)
      text += fmt::format("<pre>{}</pre>\n",
                          Escaped(step.statement.empty() ? step.action.query : step.statement));
    for (const RepairAttempt& repair : step.repairs)
      text += fmt::format("<p>Rewritten, since {}{}</p>\n", Escaped(repair.error),
                          repair.fault.empty() ? "" : "; in vain: " + Escaped(repair.fault));
    if (!step.error.empty()) text += fmt::format("<p class=\"bad\">{}</p>\n", Escaped(step.error));
    text += fmt::format("<details><summary>what was told</summary><pre>{}</pre></details>\n",
                        Escaped(step.observation));
  }
  return text + "</body></html>\n";
}

std::string RunJson(const RunRecord& run) {
  const json::Value object = {
      {"run_id", run.id},
      {"status", run.status},
      {"source", run.source},
      {"question", run.question},
      {"model", run.model},
      {"decided_by", run.driver == Driver::Agent ? "agent" : "model"},
      {"started_at", ToIsoUtc(run.started_us)},
      {"updated_at", ToIsoUtc(run.updated_us)},
      {"attempt", run.attempt},
      {"steps", run.steps},
      {"steps_max", run.limits.steps_max},
      {"lookups_used", run.lookups_used},
      {"lookups_max", CallsMax(run.limits.lookups)},
      {"searches_used", run.searches_used},
      {"searches_max", CallsMax(run.limits.searches)},
      {"schema_lookup_calls", run.counters.schema_lookup_calls},
      {"schema_search_calls", run.counters.schema_search_calls},
      {"queries", run.counters.queries},
      {"queries_successful", run.counters.queries_successful},
      {"queries_failed", run.counters.queries_failed},
      {"queries_repaired", run.counters.queries_repaired},
      {"repairs", run.counters.repairs},
      {"unparsable_replies", run.counters.unparsable_replies},
      {"input_tokens", run.spent.usage.input_tokens},
      {"output_tokens", run.spent.usage.output_tokens},
      {"embedder_tokens", run.embedder.usage.input_tokens},
      {"cost_usd", llm::ShowUsd(CostOf(run))},
      {"cost_max_usd", run.cost_max ? json::Value(llm::ShowUsd(*run.cost_max)) : json::Value()},
      {"error_kind", run.error_kind},
      {"analysis", run.pack.empty() ? json::Value() : ToValue(run.analysis)},
      {"summary", run.summary},
      {"error", run.error_text}};
  return json::Canonical(object);
}

std::string JsonReport(const RunRecord& run, const std::vector<Step>& steps,
                       const std::vector<std::string>& claims) {
  std::string list;
  for (const Step& step : steps) list += (list.empty() ? "" : ",") + StepToJson(step);
  return fmt::format(R"({{"run":{},"steps":[{}],"claims":[{}]}})", RunJson(run), list,
                     fmt::join(claims, ","));
}

}  // namespace schemaward::explore
