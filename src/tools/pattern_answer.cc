#include "tools/pattern_answer.h"

#include <algorithm>

#include <fmt/format.h>

namespace schemaward::tools {

void ChoiceOut::Bind(json::Fields& f) {
  f("label", label, "for people");
  f("value", value, "to be given");
  f("description", description, "what it means", {.omit_empty = true});
  f("field", field, "argument that takes it", {.omit_empty = true});
}

void NeedOut::Bind(json::Fields& f) {
  f("fields", fields, "arguments to give");
  f("reason", reason, "why they are wanted");
  f("suggestions", suggestions, "argument to values", {.omit_empty = true});
}

void PatternAnswer::BindQuestion(json::Fields& f) {
  f("type", type, "elicitation, of a needsInput:v1", {.omit_empty = true});
  f("message", message, "for people", {.omit_empty = true});
  f("needsInput", need, "which arguments to give", {.omit_empty = true});
  f("options", options, "values to choose from", {.omit_empty = true});
}

std::string SuggestionsJson(const std::vector<Suggestion>& suggestions) {
  std::string out = "{";
  for (const Suggestion& one : suggestions) {
    if (out.size() > 1) out += ',';
    out += json::Quote(one.field) + ":[";
    for (std::size_t i = 0; i < one.values.size(); ++i)
      out += (i == 0 ? "" : ",") + json::Quote(one.values[i]);
    out += ']';
  }
  return out + '}';
}

void Ask(PatternAnswer& answer, std::string message, std::string reason,
         std::vector<std::string> fields, const std::vector<Suggestion>& suggestions,
         const std::vector<std::string>& choices) {
  answer.kind = "needsInput:v1";
  answer.type = "elicitation";
  answer.message = std::move(message);
  NeedOut& need = answer.need.emplace();
  need.fields = std::move(fields);
  need.reason = std::move(reason);
  if (!suggestions.empty()) need.suggestions.text = SuggestionsJson(suggestions);
  for (const Suggestion& one : suggestions) {
    if (std::find(choices.begin(), choices.end(), one.field) == choices.end()) continue;
    for (const std::string& value : one.values)
      answer.options.push_back({value, value, {}, one.field});
  }
}

std::string QuestionMarkdown(const PatternAnswer& answer) {
  std::string out = answer.message + '\n';
  if (!answer.options.empty()) out += '\n';
  for (const ChoiceOut& option : answer.options)
    out += fmt::format("- {}: `{}`\n", option.field, option.value);
  if (answer.options.empty() && answer.need && !answer.need->suggestions.text.empty())
    out += fmt::format("\nSuggestions: `{}`\n", answer.need->suggestions.text);
  return out;
}

std::string Abridged(std::string_view text, std::size_t most) {
  constexpr std::string_view kMark = "...";
  if (text.size() <= most) return std::string(text);
  const std::size_t blank = text.rfind(' ', most - kMark.size());
  const std::size_t end = blank == std::string_view::npos ? most - kMark.size() : blank;
  return std::string(text.substr(0, end)) + std::string(kMark);
}

std::string ListMarkdown(std::string_view heading, const std::vector<std::string>& items) {
  if (items.empty()) return {};
  std::string out = fmt::format("\n**{}**\n\n", heading);
  for (const std::string& item : items) out += "- " + item + '\n';
  return out;
}

std::string SqlMarkdown(std::string_view sql, std::size_t lines_max) {
  std::string out = "\n```sql\n";
  std::size_t lines = 0;
  for (std::size_t begin = 0; begin < sql.size(); ++lines) {
    if (lines_max > 0 && lines == lines_max) {
      out += "-- ...\n";
      break;
    }
    const std::size_t end = std::min(sql.find('\n', begin), sql.size());
    out += std::string(sql.substr(begin, end - begin)) + '\n';
    begin = end + 1;
  }
  return out + "```\n";
}

}  // namespace schemaward::tools
