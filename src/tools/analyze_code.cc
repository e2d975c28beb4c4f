// analyze_code: every finding of the rules in SQL text.

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "tools/review_answer.h"
#include "tools/tools.h"

namespace schemaward::tools {
namespace {

using review::Finding;

constexpr std::size_t kSourceMax = 1U << 20;  // bytes
constexpr std::size_t kNameMax = 400;
constexpr std::int64_t kLimitMax = 1'000;
constexpr std::string_view kUnnamed = "unknown.sql";

struct In {
  std::string source;
  std::optional<std::string> filename;
  AnalysisType type = AnalysisType::All;
  std::optional<ReviewDialect> dialect;
  std::optional<std::string> against;
  std::int64_t limit = 50;
  void Bind(json::Fields& f) {
    f("source", source, "SQL text, one statement or many; it is not executed", {.required = true});
    f("filename", filename, "name for it in findings; nothing is read from there",
      {.length_max = kNameMax});
    f("analysisType", type,
      "validation: types and NULL; patterns: performance, design, naming, portability; errors: "
      "correctness, safety, security, transactions; all");
    f("dialect", dialect, "dialect of the text; the source's, else postgres, where absent");
    f("against", against, kAgainstDoc, {.length_max = kNameMax});
    f("limit", limit, "most findings to return", {.minimum = 1, .maximum = kLimitMax});
  }
};

struct SuggestionOut {
  std::string id, title, message, severity;
  void Bind(json::Fields& f) {
    f("id", id, "of the rule");
    f("title", title, "title");
    f("message", message, "what is wrong");
    f("severity", severity, "low, medium or high");
  }
};

struct RangeOut {
  std::int64_t start_line = 1, start_column = 1, end_line = 1, end_column = 1;
  void Bind(json::Fields& f) {
    f("startLine", start_line, "from 1");
    f("startCol", start_column, "from 1, in characters");
    f("endLine", end_line, "from 1");
    f("endCol", end_column, "behind the last character");
  }
};

struct FixOut {
  std::string id, title, safety, kind = "assisted";
  void Bind(json::Fields& f) {
    f("id", id, "id");
    f("title", title, "what to do");
    f("safety", safety, "safe, review or risky");
    f("kind", kind, "assisted: for you to write");
  }
};

struct FindingOut {
  std::string id, rule_id, title, message, severity, level, filename;
  std::int64_t statement = 0;
  RangeOut range;
  std::vector<std::string> refactoring_ids;
  std::vector<FixOut> fixes;
  void Bind(json::Fields& f) {
    f("id", id, "rule:file:line:column");
    f("ruleId", rule_id, "rule");
    f("title", title, "title");
    f("message", message, "what is wrong here");
    f("severity", severity, "low, medium or high");
    f("level", level, "warn or error");
    f("filename", filename, "as given");
    f("statement", statement, "number of the statement, from 1; 0: the text as a whole");
    f("range", range, "where");
    f("refactoringIds", refactoring_ids, "ids of the fixes");
    f("applicableFixes", fixes, "what mends it");
  }
};

struct Out {
  std::vector<SuggestionOut> suggestions;
  std::vector<FindingOut> findings;
  std::int64_t statements = 0, total = 0, hidden = 0;
  std::string dialect, against, timestamp, trace_id;
  void Bind(json::Fields& f) {
    f("suggestions", suggestions, "one for each rule that found something");
    f("findings", findings, "worst first, then by place");
    f("statements", statements, "statements in the text");
    f("totalFound", total, "findings in all");
    f("hiddenCount", hidden, "findings beyond the limit");
    f("dialect", dialect, "as which the text was read");
    f("against", against, "source whose schema was asked", {.omit_empty = true});
    f("timestamp", timestamp, "of this answer, UTC");
    f("traceId", trace_id, "of the call; empty where it has none");
  }
};

FindingOut ShowFinding(const Finding& finding, const std::string& filename) {
  const review::Rule& rule = *finding.rule;
  const review::Range& at = finding.range;
  FindingOut out;
  out.id = fmt::format("{}:{}:{}:{}", rule.id, filename, at.start_line, at.start_column);
  out.rule_id = rule.id;
  out.title = rule.title;
  out.message = finding.message;
  out.severity = review::Word(rule.severity);
  out.level = review::Word(rule.level);
  out.filename = filename;
  out.statement = static_cast<std::int64_t>(finding.statement);
  out.range = {static_cast<std::int64_t>(at.start_line), static_cast<std::int64_t>(at.start_column),
               static_cast<std::int64_t>(at.end_line), static_cast<std::int64_t>(at.end_column)};
  if (rule.fix.empty()) return out;
  out.refactoring_ids.emplace_back(rule.fix);
  FixOut& fix = out.fixes.emplace_back();
  fix.id = rule.fix;
  fix.title = rule.fix_title;
  fix.safety = review::Word(rule.fix_safety);
  return out;
}

std::vector<SuggestionOut> SuggestionsOf(const review::Review& review) {
  std::vector<SuggestionOut> suggestions;
  std::set<std::string_view> said;
  for (const Finding& finding : review.findings)
    if (said.insert(finding.rule->id).second)
      suggestions.push_back({std::string(finding.rule->id), std::string(finding.rule->title),
                             std::string(finding.rule->message),
                             std::string(review::Word(finding.rule->severity))});
  return suggestions;
}

std::string Markdown(const Reviewed& reviewed, const Out& out) {
  std::string text = CountsMarkdown(reviewed) + ".\n";
  if (out.findings.empty()) return text;
  text += "\n| Severity | Line | Rule | What is wrong | What to do |\n|---|---|---|---|---|\n";
  for (const FindingOut& finding : out.findings)
    text +=
        fmt::format("| {} | {}:{} | {} | {} | {} |\n", finding.severity, finding.range.start_line,
                    finding.range.start_column, finding.rule_id, Cell(finding.message),
                    finding.fixes.empty() ? "" : Cell(finding.fixes.front().title));
  if (out.hidden > 0) text += fmt::format("\n{} more are beyond the limit.\n", out.hidden);
  return text;
}

Result<tool::Outcome<Out>> Run(const Services& s, const In& in, CallContext& ctx) {
  WARD_TRY(const Reviewed reviewed, ReviewText(s, {.text = in.source,
                                                   .argument = "source",
                                                   .bytes_max = kSourceMax,
                                                   .dialect = in.dialect,
                                                   .type = in.type,
                                                   .against = in.against}));
  WARD_CHECK(ctx.Check());
  Out out;
  const std::string filename = in.filename.value_or(std::string(kUnnamed));
  for (const Finding& finding : reviewed.review.findings)
    if (out.findings.size() < static_cast<std::size_t>(in.limit))
      out.findings.push_back(ShowFinding(finding, filename));
  out.suggestions = SuggestionsOf(reviewed.review);
  out.statements = static_cast<std::int64_t>(reviewed.review.statements);
  out.total = static_cast<std::int64_t>(reviewed.review.findings.size() + reviewed.review.left_out);
  out.hidden = out.total - static_cast<std::int64_t>(out.findings.size());
  out.dialect = reviewed.dialect->name;
  out.against = reviewed.against;
  out.timestamp = ToIsoUtc(ctx.clock.UnixMicros());
  out.trace_id = ctx.request_id;
  std::string markdown = Markdown(reviewed, out);
  tool::Outcome<Out> outcome(std::move(out));
  outcome.markdown = std::move(markdown);
  return outcome;
}

}  // namespace

tool::ToolPtr analyze_code(const Services& services) {
  return tool::MakeTool<In, Out>(
      {.name = "analyze_code",
       .title = "Analyze SQL text",
       .description =
           "Use this when you have SQL code and want every fault in it. Returns findings of the "
           "rules of analysis with their places and fixes, in the pattern family's shape; runs "
           "nothing. Use review_code instead when the three worst, with evidence and a plan, are "
           "enough. Common compositions: list_analysis_rules then analyze_code.",
       .family = tool::Family::Pattern,
       .effect = tool::Effect::ReadsIndex,
       .tokens_estimate = 1'500,
       .set = "patterns",
       .example_json = R"({"source":"SELECT 1 AS one"})"},
      services, Run);
}

}  // namespace schemaward::tools
