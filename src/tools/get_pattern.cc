// get_pattern: one SQL pattern with its evidence, and how it reads on an indexed source.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "tools/pattern_answer.h"
#include "tools/pattern_binding.h"
#include "tools/tools.h"

namespace schemaward::tools {
namespace {

using patterns::Pattern;

constexpr std::size_t kIdMax = 200;
constexpr std::size_t kBindMax = 20;
constexpr std::size_t kSummaryMax = 200, kShortMax = 400;
constexpr std::size_t kNear = 5;
constexpr std::string_view kCardMarker = "<!-- kind:pattern-card:v1 -->";

enum class DialectChoice : std::uint8_t { Postgres, MySql, Sqlite, DuckDb };

}  // namespace
}  // namespace schemaward::tools

template <>
struct schemaward::json::EnumNames<schemaward::tools::DialectChoice> {
  static constexpr std::array<std::string_view, 4> kNames = {"postgres", "mysql", "sqlite",
                                                             "duckdb"};
};

namespace schemaward::tools {
namespace {

struct In {
  std::string id;
  tool::Format format = tool::Format::Markdown;
  bool details = true;
  std::optional<DialectChoice> dialect;
  std::optional<std::string> source;
  std::vector<GivenIn> bind;
  bool provenance = false;
  void Bind(json::Fields& f) {
    f("id", id, "id of a pattern, as search_patterns gives it", {.length_max = kIdMax});
    f("format", format, "markdown, json or both");
    f("includeStructuredDetails", details, "false shortens the description and leaves tags out");
    f("dialect", dialect, "only the SQL of this dialect");
    f("source", source, "indexed source to write the SQL for", {.length_max = kNameBytesMax});
    f("bind", bind, "what fills parameters there; the rest is proposed", {.items_max = kBindMax});
    f("includeProvenancePanel", provenance, "say where the pattern comes from");
  }
};

struct GuidanceOut {
  std::string use_when, avoid_when;
  void Bind(json::Fields& f) {
    f("useWhen", use_when, "needs that it meets", {.omit_empty = true});
    f("avoidWhen", avoid_when, "needs that something else meets better", {.omit_empty = true});
  }
};

struct SectionOut {
  std::string title, content, type;
  void Bind(json::Fields& f) {
    f("title", title, "title");
    f("content", content, "Markdown");
    f("type", type, "description, example, useCase or related", {.omit_empty = true});
  }
};

struct ExampleOut {
  std::string code, language = "sql", description, with_parameters;
  void Bind(json::Fields& f) {
    f("code", code, "the SQL on the example's tables, as it was run");
    f("language", language, "sql");
    f("description", description, "dialects that take it");
    f("template", with_parameters, "the SQL with parameters in braces");
  }
};

struct ParameterOut {
  std::string name, fills, example, meaning;
  void Bind(json::Fields& f) {
    f("name", name, "in braces in the template");
    f("fills", fills, "what may fill it");
    f("example", example, "what fills it in the example");
    f("meaning", meaning, "what it stands for");
  }
};

struct SourceOut {
  std::string source = "Schemaward pattern library", timestamp, version;
  void Bind(json::Fields& f) {
    f("source", source, "where the pattern comes from");
    f("timestamp", timestamp, "of this answer, UTC");
    f("version", version, "of the library");
  }
};

struct Out : PatternAnswer {
  std::string id, title;
  std::optional<patterns::Category> category;
  std::optional<patterns::Difficulty> difficulty;
  std::string summary, description;
  std::vector<std::string> tags;
  std::optional<GuidanceOut> guidance;
  std::vector<SectionOut> sections;
  std::vector<ExampleOut> examples;
  std::vector<ParameterOut> parameters;
  std::vector<patterns::Evidence> evidence;
  std::vector<std::string> related;
  std::optional<BindingOut> binding;
  std::optional<SourceOut> provenance;
  void Bind(json::Fields& f) {
    f("kind", kind, "patternDetails:v1 or needsInput:v1");
    f("id", id, "id", {.omit_empty = true});
    f("title", title, "title", {.omit_empty = true});
    f("category", category, "category", {.omit_empty = true});
    f("difficulty", difficulty, "difficulty", {.omit_empty = true});
    f("summary", summary, "in short", {.omit_empty = true});
    f("description", description, "what it answers", {.omit_empty = true});
    f("tags", tags, "words for it", {.omit_empty = true});
    f("useGuidance", guidance, "when to take it", {.omit_empty = true});
    f("sections", sections, "more about it", {.omit_empty = true});
    f("examples", examples, "its SQL by dialect", {.omit_empty = true});
    f("parameters", parameters, "names to fill in", {.omit_empty = true});
    f("evidence", evidence, "engines that ran the example and gave its result",
      {.omit_empty = true});
    f("related", related, "ids of other patterns", {.omit_empty = true});
    f("binding", binding, "the pattern on the source that was named", {.omit_empty = true});
    f("provenance", provenance, "where the pattern comes from", {.omit_empty = true});
    BindQuestion(f);
  }
};

std::string Joined(const std::vector<std::string>& items, std::string_view separator) {
  std::string out;
  for (const std::string& item : items) {
    if (!out.empty()) out += separator;
    out += item;
  }
  return out;
}

std::string Lines(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "- " : "\n- ") + item;
  return out;
}

std::string FillsOf(const patterns::Parameter& parameter) {
  if (parameter.fills == patterns::Fills::Table) return "table";
  std::string out = parameter.fills == patterns::Fills::Value
                        ? "value"
                        : fmt::format("column of {}", parameter.table);
  if (parameter.role == patterns::Role::Any) return out;
  const auto role = static_cast<std::size_t>(parameter.role);
  out += fmt::format(": {}", json::EnumNames<patterns::Role>::kNames[role]);
  if (!parameter.refers_to.empty()) out += " to " + parameter.refers_to;
  return out;
}

bool IsWanted(const patterns::Text& text, const std::optional<DialectChoice>& dialect) {
  if (!dialect) return true;
  const auto name = json::EnumNames<DialectChoice>::kNames[static_cast<std::size_t>(*dialect)];
  return std::find(text.dialects.begin(), text.dialects.end(), name) != text.dialects.end();
}

void FillSections(const Pattern& pattern, Out& out) {
  const auto add = [&](std::string title, std::string content, std::string type) {
    if (!content.empty())
      out.sections.push_back({std::move(title), std::move(content), std::move(type)});
  };
  add("Needs", Lines(pattern.needs), "description");
  add("Result on the example", pattern.result, "example");
  add("Pitfalls", Lines(pattern.pitfalls), "useCase");
  add("Related", Joined(pattern.related, ", "), "related");
}

Out DetailsOf(const Pattern& pattern, const In& in) {
  Out out;
  out.kind = "patternDetails:v1";
  out.id = pattern.id;
  out.title = pattern.title;
  out.category = pattern.category;
  out.difficulty = pattern.difficulty;
  out.summary = Abridged(pattern.summary, kSummaryMax);
  out.description = in.details ? pattern.summary : Abridged(pattern.summary, kShortMax);
  if (in.details) out.tags = pattern.tags;
  out.guidance = GuidanceOut{Joined(pattern.use_when, "; "), Joined(pattern.avoid_when, "; ")};
  FillSections(pattern, out);
  for (const patterns::Text& text : pattern.texts)
    if (IsWanted(text, in.dialect))
      out.examples.push_back(
          {patterns::ExampleOf(pattern, text.sql), "sql", Joined(text.dialects, ", "), text.sql});
  for (const patterns::Parameter& parameter : pattern.parameters)
    out.parameters.push_back(
        {parameter.name, FillsOf(parameter), parameter.example, parameter.meaning});
  out.evidence = pattern.evidence;
  out.related = pattern.related;
  return out;
}

std::string ParametersMarkdown(const Out& out) {
  if (out.parameters.empty()) return {};
  std::string text =
      "\n**Parameters**\n\n| Name | Fills | Example | Meaning |\n|---|---|---|---|\n";
  for (const ParameterOut& parameter : out.parameters)
    text += fmt::format("| {} | {} | `{}` | {} |\n", parameter.name, parameter.fills,
                        parameter.example, parameter.meaning);
  return text;
}

std::string BindingMarkdown(const BindingOut& binding) {
  std::string text = fmt::format(
      "\n## On {} ({})\n\n{}{}{}\n\n| Parameter | Is | Why |\n|---|---|---|\n", binding.source,
      binding.dialect, binding.decision, binding.reason.empty() ? "" : ": ", binding.reason);
  for (const FillingOut& filling : binding.fillings)
    text += fmt::format("| {} | `{}` | {} |\n", filling.parameter, filling.value, filling.how);
  if (!binding.sql.empty()) text += SqlMarkdown(binding.sql, 0);
  return text;
}

std::string EvidenceMarkdown(const std::vector<patterns::Evidence>& evidence) {
  std::vector<std::string> lines;
  for (const patterns::Evidence& one : evidence)
    lines.push_back(fmt::format("{} {}: {} rows", one.engine, one.version, one.rows));
  return ListMarkdown("Ran and gave this result", lines);
}

std::string Markdown(const Pattern& pattern, const Out& out) {
  std::string text = fmt::format(
      "# {}\n\n{}\n\n`{}` | {} | {}\n\n{}\n", out.title, kCardMarker, out.id,
      json::EnumNames<patterns::Category>::kNames[static_cast<std::size_t>(pattern.category)],
      json::EnumNames<patterns::Difficulty>::kNames[static_cast<std::size_t>(pattern.difficulty)],
      out.description);
  text += ListMarkdown("Use when", pattern.use_when);
  text += ListMarkdown("Avoid when", pattern.avoid_when);
  if (out.binding) text += BindingMarkdown(*out.binding);
  text += ParametersMarkdown(out);
  text += ListMarkdown("Needs", pattern.needs);
  for (const ExampleOut& example : out.examples)
    text += fmt::format("\n**{}**\n", example.description) + SqlMarkdown(example.code, 0);
  if (!pattern.result.empty()) text += "\n**Result**\n\n" + pattern.result;
  text += EvidenceMarkdown(out.evidence);
  text += ListMarkdown("Pitfalls", pattern.pitfalls);
  if (!out.related.empty()) text += fmt::format("\nRelated: {}\n", Joined(out.related, ", "));
  if (out.provenance)
    text += fmt::format("\n---\n\nSource: {}, version {}, {}\n", out.provenance->source,
                        out.provenance->version, out.provenance->timestamp);
  return text;
}

Result<Out> AskForId(const Services& s, const std::string& id) {
  Out out;
  if (id.find_first_not_of(" \t\r\n") == std::string::npos) {
    Ask(out, "Give the id of a pattern; search_patterns finds one.", "the id is absent", {"id"}, {},
        {});
    return out;
  }
  WARD_TRY(const auto near, s.patterns.Near(id, kNear));
  std::vector<Suggestion> suggestions;
  if (!near.empty()) suggestions.push_back({"id", near});
  Ask(out, fmt::format("No pattern has the id \"{}\".", Abridged(id, kIdMax)),
      "the id is not known", {"id"}, suggestions, {"id"});
  return out;
}

tool::Outcome<Out> Question(Out out) {
  std::string markdown = QuestionMarkdown(out);
  tool::Outcome<Out> outcome(std::move(out));
  outcome.markdown = std::move(markdown);
  return outcome;
}

Result<tool::Outcome<Out>> Run(const Services& s, const In& in, CallContext& ctx) {
  WARD_TRY(const Pattern* pattern, s.patterns.Find(in.id));
  if (pattern == nullptr) {
    WARD_TRY(Out out, AskForId(s, in.id));
    return Question(std::move(out));
  }
  Out out = DetailsOf(*pattern, in);
  if (in.source || !in.bind.empty()) {
    Out question;
    WARD_CHECK(BindTo(s, *pattern, {in.source, in.bind}, ctx, out.binding.emplace(), question));
    if (!question.type.empty()) return Question(std::move(question));
  }
  if (in.provenance) {
    SourceOut& source = out.provenance.emplace();
    source.timestamp = ToIsoUtc(ctx.clock.UnixMicros());
    WARD_TRY(source.version, s.patterns.Version());
  }
  std::string markdown = Markdown(*pattern, out);
  tool::Outcome<Out> outcome(std::move(out));
  outcome.markdown = std::move(markdown);
  return outcome;
}

}  // namespace

tool::ToolPtr get_pattern(const Services& services) {
  return tool::MakeTool<In, Out>(
      {.name = "get_pattern",
       .title = "Get a SQL pattern",
       .description =
           "Use this when you know the id of a SQL pattern. Returns its SQL by dialect, "
           "parameters, "
           "result and evidence in the pattern family's shape; with a source, the SQL written for "
           "its tables. Use search_patterns instead when you look for one. Common compositions: "
           "search_patterns then get_pattern.",
       .family = tool::Family::Pattern,
       .effect = tool::Effect::ReadsIndex,
       .tokens_estimate = 1'500,
       .set = "patterns",
       .example_json = R"({"id":"latest-row-per-group"})",
       .has_format = true},
      services, Run);
}

}  // namespace schemaward::tools
