#include "tool/lint.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "json/value.h"
#include "tool/renderer.h"

namespace schemaward::tool {
namespace {

constexpr std::size_t kDescriptionMax = 500;
constexpr std::size_t kFirstSentenceMax = 80;
constexpr std::size_t kNameMax = 30;
constexpr std::size_t kBytesPerToken = 4;

std::string FirstSentence(std::string_view text) {
  const std::size_t end = text.find('.');
  return std::string(text.substr(0, end == std::string_view::npos ? text.size() : end + 1));
}

std::vector<std::string> WordsWithUnderscore(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ' ';
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      word += c;
    } else {
      if (word.find('_') != std::string::npos) words.push_back(word);
      word.clear();
    }
  }
  return words;
}

// The object is the noun of the name: its last word, without its plural.
bool NamesItsObject(const std::string& name, std::string sentence) {
  std::string object = name.substr(name.rfind('_') + 1);
  if (object.size() > 3 && object.ends_with("ies"))
    object.resize(object.size() - 3);
  else if (object.size() > 3 && object.ends_with('s'))
    object.resize(object.size() - 1);
  sentence = LowerAscii(sentence);
  return sentence.find(object) != std::string::npos;
}

bool IsPlainName(const std::string& name) {
  return !name.empty() && name.size() <= kNameMax &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
         });
}

// What every client reads in an input schema. Gemini takes OpenAPI 3.0's subset and drops the whole
// request at one key that it does not know; Anthropic's API refuses unions at the top and Claude
// Code then leaves the tool out without a word; Bedrock wants a description on every parameter; no
// list of types, no reference.
constexpr std::array<std::string_view, 13> kSchemaKeys = {
    "type",    "description", "title",   "properties", "items",    "required", "enum",
    "default", "minimum",     "maximum", "maxItems",   "minItems", "maxLength"};

// Walks an input schema: what any client refuses anywhere in it.
void WalkInput(const json::Value& node, const std::string& path, std::vector<std::string>& faults) {
  if (!node.is_object()) return;
  for (const auto& [key, value] : node.items())
    if (std::find(kSchemaKeys.begin(), kSchemaKeys.end(), key) == kSchemaKeys.end())
      faults.push_back(fmt::format("{} holds {}", path, key));
  if (node.contains("type") && node["type"].is_array())
    faults.push_back(path + " has a list of types");
  if (node.contains("items")) WalkInput(node["items"], path + "[]", faults);
  if (!node.contains("properties")) return;
  for (const auto& [name, property] : node["properties"].items()) {
    const std::string at = path + '.' + name;
    if (!property.contains("description") || property["description"].get<std::string>().empty())
      faults.push_back(at + " has no description");
    WalkInput(property, at, faults);
  }
}

}  // namespace

std::vector<LintFinding> LintDescription(const ToolSpec& spec,
                                         const std::vector<std::string>& served) {
  std::vector<LintFinding> findings;
  const auto add = [&](std::string rule, std::string what) {
    findings.push_back({spec.name, std::move(rule), std::move(what)});
  };
  const std::string& text = spec.description;
  const std::string first = FirstSentence(text);
  if (!IsPlainName(spec.name)) add("name", "the name is not 1 to 30 of a-z, 0-9 and _");
  if (!text.starts_with("Use this when"))
    add("use-when", "the description does not start with \"Use this when\"");
  if (text.find(" instead when") == std::string::npos &&
      text.find("Do not use") == std::string::npos)
    add("alternative", "the description names no alternative");
  if (text.find("ommon composition") == std::string::npos)
    add("composition", "the description names no composition");
  if (text.size() >= kDescriptionMax)
    add("length", fmt::format("the description has {} characters, not under {}", text.size(),
                              kDescriptionMax));
  if (first.size() > kFirstSentenceMax)
    add("first-sentence", fmt::format("the first sentence has {} characters, more than {}",
                                      first.size(), kFirstSentenceMax));
  if (!NamesItsObject(spec.name, first))
    add("object", "the first sentence does not name the tool's object");
  for (const std::string& word : WordsWithUnderscore(text))
    if (std::find(served.begin(), served.end(), word) == served.end())
      add("served", fmt::format("the description names {}, which is not served", word));
  if (spec.family != Family::Charter && text.find("family") == std::string::npos)
    add("family", "a tool outside the charter does not say so");
  return findings;
}

std::vector<LintFinding> LintSchemas(std::string_view tool, std::string_view input_schema,
                                     std::string_view output_schema) {
  std::vector<LintFinding> findings;
  const auto add = [&](std::string rule, std::string what) {
    findings.push_back({std::string(tool), std::move(rule), std::move(what)});
  };
  const auto input = json::Parse(input_schema);
  const auto output = json::Parse(output_schema);
  if (!input || !input->value().is_object() || input->value().value("type", "") != "object") {
    add("input-object", "the inputSchema is not of type object");
  } else {
    std::vector<std::string> faults;
    WalkInput(input->value(), "inputSchema", faults);
    for (std::string& fault : faults) add("input-subset", std::move(fault));
  }
  if (!output || !output->value().is_object() || output->value().value("type", "") != "object")
    add("output-object", "the outputSchema is not of type object");
  else
    for (const char* key : {"oneOf", "anyOf", "allOf"})
      if (output->value().contains(key))
        add("output-union", fmt::format("the outputSchema has {} at its top", key));
  return findings;
}

std::vector<LintFinding> LintSet(const std::vector<const Tool*>& tools, bool is_default) {
  std::vector<LintFinding> findings;
  std::map<std::string, std::string> first_sentences;
  std::size_t bytes = 0;
  for (const Tool* tool : tools) {
    const ToolSpec& spec = tool->spec();
    bytes +=
        spec.name.size() + spec.title.size() + spec.description.size() + tool->InputSchema().size();
    const auto [other, fresh] =
        first_sentences.try_emplace(FirstSentence(spec.description), spec.name);
    if (!fresh)
      findings.push_back(
          {spec.name, "first-sentence-differs", "the first sentence is that of " + other->second});
    const bool writes = spec.effect == Effect::WritesIndex || spec.effect == Effect::WritesSource ||
                        spec.effect == Effect::CallsModel;
    if (is_default && writes)
      findings.push_back({spec.name, "read-only", "a tool of the default set writes"});
    if (!tool->CheckArguments(json::Parse(spec.example_json)->value()).ok())
      findings.push_back({spec.name, "example", "the example does not read"});
  }
  if (!is_default) return findings;
  if (tools.size() > kDefaultToolsMax)
    findings.push_back({"", "set-size",
                        fmt::format("the default set has {} tools, more than {}", tools.size(),
                                    kDefaultToolsMax)});
  if (bytes / kBytesPerToken > kDefaultTokensMax)
    findings.push_back({"", "set-tokens",
                        fmt::format("the default set takes {} tokens, more than {}",
                                    bytes / kBytesPerToken, kDefaultTokensMax)});
  return findings;
}

std::vector<LintFinding> LintAll(const Invoker& invoker, bool is_default, CallContext& ctx) {
  const auto& tools = invoker.registry().served();
  std::vector<std::string> served;
  for (const Tool* tool : tools) served.push_back(tool->spec().name);
  std::vector<LintFinding> findings = LintSet(tools, is_default);
  const auto take = [&](std::vector<LintFinding> more) {
    findings.insert(findings.end(), more.begin(), more.end());
  };
  for (const Tool* tool : tools) {
    const ToolSpec& spec = tool->spec();
    take(LintDescription(spec, served));
    take(LintSchemas(spec.name, tool->InputSchema(),
                     RendererOf(spec.family).OutputSchema(tool->DataSchema())));
    const auto args = json::Parse(spec.example_json);
    if (!args) continue;
    json::Value rehearsed = args->value();
    if (!spec.rehearsal.empty()) rehearsed[spec.rehearsal] = true;
    take(LintAnswer(*tool, invoker.Invoke(spec.name, rehearsed, ctx)));
  }
  return findings;
}

}  // namespace schemaward::tool
