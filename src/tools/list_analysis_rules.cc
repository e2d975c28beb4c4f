// list_analysis_rules: the rules that SQL text is reviewed by.

#include <fmt/format.h>

#include "review/rule.h"
#include "tools/review_answer.h"
#include "tools/tools.h"

namespace schemaward::tools {
namespace {

using review::Rule;

struct In {
  void Bind(json::Fields& /*f*/) {}
};

struct RuleOut {
  std::string id, title, message, severity, level, category;
  std::vector<std::string> fix_ids, dialects;
  std::string needs;
  void Bind(json::Fields& f) {
    f("id", id, "id");
    f("title", title, "title");
    f("message", message, "what is wrong");
    f("severity", severity, "how bad it is: low, medium or high");
    f("defaultLevel", level, "what is done about it: off, warn or error");
    f("category", category, "category");
    f("fixIds", fix_ids, "what mends it");
    f("dialects", dialects, "the only ones that it speaks of", {.omit_empty = true});
    f("needs", needs, "schema: it speaks only where an indexed source is known",
      {.omit_empty = true});
  }
};

struct Out {
  std::vector<RuleOut> rules;
  void Bind(json::Fields& f) { f("rules", rules, "by id"); }
};

RuleOut ShowRule(const Rule& rule) {
  RuleOut out{std::string(rule.id),
              std::string(rule.title),
              std::string(rule.message),
              std::string(review::Word(rule.severity)),
              std::string(review::Word(rule.level)),
              std::string(review::Word(rule.category)),
              {},
              {},
              rule.needs == review::Needs::Schema ? "schema" : ""};
  if (!rule.fix.empty()) out.fix_ids.emplace_back(rule.fix);
  for (const std::string_view dialect : rule.only) out.dialects.emplace_back(dialect);
  return out;
}

std::string Markdown(const Out& out) {
  std::string text = fmt::format(
      "{} rules.\n\n| Rule | Category | Severity | Level | What is wrong "
      "|\n|---|---|---|---|---|\n",
      out.rules.size());
  for (const RuleOut& rule : out.rules)
    text += fmt::format("| {} | {} | {} | {} | {} |\n", rule.id, rule.category, rule.severity,
                        rule.level, Cell(rule.message));
  return text;
}

Result<tool::Outcome<Out>> Run(const Services& /*s*/, const In& /*in*/, CallContext& /*ctx*/) {
  Out out;
  for (const Rule& rule : review::AllRules()) out.rules.push_back(ShowRule(rule));
  std::string markdown = Markdown(out);
  tool::Outcome<Out> outcome(std::move(out));
  outcome.markdown = std::move(markdown);
  return outcome;
}

}  // namespace

tool::ToolPtr list_analysis_rules(const Services& services) {
  return tool::MakeTool<In, Out>(
      {.name = "list_analysis_rules",
       .title = "List the rules of analysis",
       .description =
           "Use this when you want the rules that SQL text is checked by. Returns id, severity, "
           "category and fixes of each, in the pattern family's shape. Use analyze_code instead "
           "when you have SQL to check. Common compositions: list_analysis_rules then "
           "analyze_code.",
       .family = tool::Family::Pattern,
       .effect = tool::Effect::Pure,
       .tokens_estimate = 8'000,
       .set = "patterns",
       .example_json = "{}"},
      services, Run);
}

}  // namespace schemaward::tools
