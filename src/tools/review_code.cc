// review_code: the three worst faults of SQL text, with evidence, confidence and a plan in words.

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/cut.h"
#include "tools/review_answer.h"
#include "tools/tools.h"

namespace schemaward::tools {
namespace {

using review::Finding;
using review::Rule;

constexpr std::size_t kCodeMax = 100U << 10;  // bytes
constexpr std::size_t kNameMax = 400;
constexpr std::size_t kShown = 3, kTopRules = 5;
constexpr std::size_t kContext = 2, kTargetsMax = 11;  // lines; fifteen in all
constexpr std::size_t kLineMax = 300;                  // bytes of a line that is shown

struct In {
  std::string code;
  std::optional<std::string> file_path;
  std::optional<ReviewDialect> dialect;
  std::optional<std::string> against;
  void Bind(json::Fields& f) {
    f("code", code, "SQL text, one statement or many; it is not executed", {.required = true});
    f("filePath", file_path,
      "name for it, ending in .sql, .ddl or .dml; nothing is read from there",
      {.length_max = kNameMax});
    f("dialect", dialect, "dialect of the text; the source's, else postgres, where absent");
    f("against", against, kAgainstDoc, {.length_max = kNameMax});
  }
};

struct RecommendationOut {
  std::string severity, title;
  std::int64_t line = 1;
  std::string message;
  void Bind(json::Fields& f) {
    f("severity", severity, "low, medium or high");
    f("title", title, "title");
    f("line", line, "from 1");
    f("message", message, "what is wrong here");
  }
};

struct ConfidenceOut {
  std::string level;
  double score = 0;
  std::vector<std::string> factors;
  void Bind(json::Fields& f) {
    f("level", level, "low, medium or high");
    f("score", score, "0 to 1");
    f("factors", factors, "what it rests on");
  }
};

struct EvidenceOut {
  std::vector<std::string> before, target, after;
  std::int64_t start_line = 1, end_line = 1;
  void Bind(json::Fields& f) {
    f("beforeContext", before, "lines in front");
    f("targetLines", target, "lines of the finding");
    f("afterContext", after, "lines behind");
    f("startLine", start_line, "first line of the finding");
    f("endLine", end_line, "last line of the finding");
  }
};

struct StepOut {
  std::int64_t order = 1;
  std::string action, detail;
  void Bind(json::Fields& f) {
    f("order", order, "from 1");
    f("action", action, "in short");
    f("detail", detail, "in full");
  }
};

struct ChangeOut {
  std::string type, scope, description;
  void Bind(json::Fields& f) {
    f("type", type, "add, modify, remove or refactor");
    f("scope", scope, "what is changed");
    f("description", description, "how");
  }
};

struct PlanOut {
  std::vector<StepOut> steps;
  std::vector<ChangeOut> changes;
  std::vector<std::string> risks;
  void Bind(json::Fields& f) {
    f("steps", steps, "in order");
    f("changes", changes, "what becomes different");
    f("risks", risks, "what to look out for");
  }
};

struct EnhancedOut {
  RecommendationOut base;
  std::string rule_id, category;
  ConfidenceOut confidence;
  EvidenceOut evidence;
  PlanOut plan;
  std::string guidance_key, guidance;
  void Bind(json::Fields& f) {
    base.Bind(f);
    f("ruleId", rule_id, "rule");
    f("category", category, "category");
    f("confidence", confidence, "how sure it is");
    f("evidence", evidence, "the lines of the text");
    f("fixPlan", plan, "how to mend it, in words");
    f("guidanceKey", guidance_key, "of the guidance");
    f("guidance", guidance, "why it matters");
  }
};

struct LevelsOut {
  std::int64_t high = 0, medium = 0, low = 0;
  void Bind(json::Fields& f) {
    f("high", high, "number");
    f("medium", medium, "number");
    f("low", low, "number");
  }
};

struct SummaryOut {
  LevelsOut findings, confidence;
  std::vector<std::string> top;
  void Bind(json::Fields& f) {
    f("findingsByLevel", findings, "all findings by severity");
    f("topIssueRuleIds", top, "up to five rules, worst first");
    f("confidenceDistribution", confidence, "all findings by confidence");
  }
};

struct MetaOut {
  std::int64_t total = 0, hidden = 0;
  std::string more;
  void Bind(json::Fields& f) {
    f("totalFound", total, "findings in all");
    f("hiddenCount", hidden, "findings that are not shown");
    f("upgradeMessage", more, "how to get the rest", {.omit_empty = true});
  }
};

struct Out {
  std::vector<RecommendationOut> recommendations;
  std::vector<EnhancedOut> enhanced;
  SummaryOut summary;
  MetaOut meta;
  std::string markdown, dialect, against, trace_id, timestamp;
  void Bind(json::Fields& f) {
    f("recommendations", recommendations, "the three worst");
    f("enhancedRecommendations", enhanced, "the same with evidence and plan");
    f("summary", summary, "of all findings");
    f("meta", meta, "what is shown");
    f("markdown", markdown, "the review for people");
    f("dialect", dialect, "as which the text was read");
    f("against", against, "source whose schema was asked", {.omit_empty = true});
    f("traceId", trace_id, "of the call; empty where it has none");
    f("timestamp", timestamp, "of this answer, UTC");
  }
};

Status CheckExtension(const std::optional<std::string>& path) {
  if (!path) return Ok();
  std::string end = path->substr(std::min(path->rfind('.'), path->size()));
  std::transform(end.begin(), end.end(), end.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (end == ".sql" || end == ".ddl" || end == ".dml") return Ok();
  return Error(ErrorKind::InvalidArgument, "filePath must end in .sql, .ddl or .dml");
}

// What a finding rests on decides how sure it is; nothing else does.
ConfidenceOut ConfidenceOf(const Rule& rule) {
  constexpr double kBase = 0.95, kNames = 0.3, kCustom = 0.2, kHigh = 0.8, kMedium = 0.6;
  ConfidenceOut out;
  out.score = kBase;
  out.factors.emplace_back("read off the syntax tree");
  if (rule.needs == review::Needs::Schema)
    out.factors.emplace_back("checked against the indexed schema");
  if (rule.judges_names) {
    out.score -= kNames;
    out.factors.emplace_back("rests on what a name suggests");
  }
  if (rule.severity == review::Severity::Low) {
    out.score -= kCustom;
    out.factors.emplace_back("depends on custom and on the data");
  }
  out.level = out.score >= kHigh ? "high" : out.score >= kMedium ? "medium" : "low";
  return out;
}

std::vector<std::string> LinesOf(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    lines.push_back(CutText(line, kLineMax));
    begin = end + 1;
  }
  return lines;
}

EvidenceOut EvidenceOf(const Finding& finding, const std::vector<std::string>& lines) {
  EvidenceOut out;
  const std::size_t first = finding.range.start_line - 1;
  const std::size_t last =
      std::min({finding.range.end_line - 1, first + kTargetsMax - 1, lines.size() - 1});
  out.start_line = static_cast<std::int64_t>(first + 1);
  out.end_line = static_cast<std::int64_t>(last + 1);
  for (std::size_t i = first - std::min(first, kContext); i < first; ++i)
    out.before.push_back(lines[i]);
  for (std::size_t i = first; i <= last; ++i) out.target.push_back(lines[i]);
  for (std::size_t i = last + 1; i <= last + kContext && i < lines.size(); ++i)
    out.after.push_back(lines[i]);
  return out;
}

PlanOut PlanOf(const Finding& finding, const sql::Dialect& dialect) {
  const Rule& rule = *finding.rule;
  const std::string what =
      rule.fix.empty()
          ? fmt::format("Correct the statement so that it can be read as {}", dialect.name)
          : std::string(rule.fix_title);
  PlanOut plan;
  plan.steps = {{1, "Find",
                 fmt::format("Line {}, column {}: {}", finding.range.start_line,
                             finding.range.start_column, finding.message)},
                {2, "Change", what},
                {3, "Check", fmt::format("Analyze the text again: {} is gone", rule.id)}};
  const std::string scope =
      finding.statement == 0 ? "the text" : fmt::format("statement {}", finding.statement);
  plan.changes = {{"modify", scope, what}};
  if (!rule.fix.empty() && rule.fix_safety == review::Safety::Review)
    plan.risks.emplace_back("The result may change: compare it with the one before");
  if (!rule.fix.empty() && rule.fix_safety == review::Safety::Risky)
    plan.risks.emplace_back("Rows or objects may be lost: take a backup and use a transaction");
  return plan;
}

EnhancedOut Enhanced(const Finding& finding, const Reviewed& reviewed,
                     const std::vector<std::string>& lines) {
  const Rule& rule = *finding.rule;
  EnhancedOut out;
  out.base = {std::string(review::Word(rule.severity)), std::string(rule.title),
              static_cast<std::int64_t>(finding.range.start_line), finding.message};
  out.rule_id = rule.id;
  out.category = review::Word(rule.category);
  out.confidence = ConfidenceOf(rule);
  out.evidence = EvidenceOf(finding, lines);
  out.plan = PlanOf(finding, *reviewed.dialect);
  out.guidance_key = rule.id;
  out.guidance = rule.why;
  return out;
}

SummaryOut SummaryOf(const review::Review& review) {
  SummaryOut out;
  const auto counts = CountBySeverity(review);
  out.findings = {counts[0], counts[1], counts[2]};
  std::set<std::string_view> said;
  for (const Finding& finding : review.findings) {
    if (out.top.size() < kTopRules && said.insert(finding.rule->id).second)
      out.top.emplace_back(finding.rule->id);
    const std::string level = ConfidenceOf(*finding.rule).level;
    ++(level == "high"     ? out.confidence.high
       : level == "medium" ? out.confidence.medium
                           : out.confidence.low);
  }
  return out;
}

std::string Quoted(const EvidenceOut& evidence) {
  std::string sql;
  for (const auto* lines : {&evidence.before, &evidence.target, &evidence.after})
    for (const std::string& line : *lines) sql += "    " + line + '\n';
  return sql;
}

std::string Markdown(const Reviewed& reviewed, const Out& out) {
  std::string text = "# Review\n\n" + CountsMarkdown(reviewed) + ".\n";
  for (const EnhancedOut& one : out.enhanced) {
    text += fmt::format("\n## {} (line {})\n\n{}, {}, confidence {}: {}\n\n{}\n", one.base.title,
                        one.base.line, one.base.severity, one.rule_id, one.confidence.level,
                        one.base.message, Quoted(one.evidence));
    if (!one.guidance.empty()) text += one.guidance + '\n';
    for (const StepOut& step : one.plan.steps)
      text += fmt::format("\n{}. {}: {}", step.order, step.action, step.detail);
    text += '\n';
    for (const std::string& risk : one.plan.risks) text += fmt::format("\nRisk: {}\n", risk);
  }
  if (!out.meta.more.empty()) text += '\n' + out.meta.more + '\n';
  return text;
}

Result<tool::Outcome<Out>> Run(const Services& s, const In& in, CallContext& ctx) {
  WARD_CHECK(CheckExtension(in.file_path));
  WARD_TRY(const Reviewed reviewed, ReviewText(s, {.text = in.code,
                                                   .argument = "code",
                                                   .bytes_max = kCodeMax,
                                                   .dialect = in.dialect,
                                                   .against = in.against}));
  WARD_CHECK(ctx.Check());
  const auto& findings = reviewed.review.findings;
  const std::vector<std::string> lines = LinesOf(in.code);
  Out out;
  for (std::size_t i = 0; i < findings.size() && i < kShown; ++i) {
    out.enhanced.push_back(Enhanced(findings[i], reviewed, lines));
    out.recommendations.push_back(out.enhanced.back().base);
  }
  out.summary = SummaryOf(reviewed.review);
  out.meta.total = static_cast<std::int64_t>(findings.size() + reviewed.review.left_out);
  out.meta.hidden = out.meta.total - static_cast<std::int64_t>(out.enhanced.size());
  if (out.meta.hidden > 0)
    out.meta.more = fmt::format("{} more; call analyze_code.", out.meta.hidden);
  out.dialect = reviewed.dialect->name;
  out.against = reviewed.against;
  out.trace_id = ctx.request_id;
  out.timestamp = ToIsoUtc(ctx.clock.UnixMicros());
  out.markdown = Markdown(reviewed, out);
  std::string markdown = out.markdown;
  tool::Outcome<Out> outcome(std::move(out));
  outcome.markdown = std::move(markdown);
  return outcome;
}

}  // namespace

tool::ToolPtr review_code(const Services& services) {
  return tool::MakeTool<In, Out>(
      {.name = "review_code",
       .title = "Review SQL text",
       .description =
           "Use this when you have SQL code and want its three worst faults. Returns evidence, "
           "confidence and a plan in words for each, in the pattern family's shape; runs nothing "
           "and rewrites nothing. Use analyze_code instead when you want every finding. Common "
           "compositions: review_code then analyze_code.",
       .family = tool::Family::Pattern,
       .effect = tool::Effect::ReadsIndex,
       .tokens_estimate = 1'500,
       .set = "patterns",
       .example_json = R"({"code":"SELECT 1 AS one"})"},
      services, Run);
}

}  // namespace schemaward::tools
