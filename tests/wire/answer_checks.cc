// COVERS: R-ENV-5 R-ENV-6 R-REC-1 R-REC-2 R-SIZE-1
// COVERS: R-MCP-3 R-META-1

#include "wire/answer_checks.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

namespace schemaward::wire {
namespace {

using nlohmann::json;

constexpr std::size_t kErrorCharactersMax = 8'000;
constexpr std::size_t kAnswerCharactersMax = 40'000;

json Member(const json& object, const char* name) {
  if (!object.is_object() || !object.contains(name)) return {};
  return object[name];
}

// Returns the first reason why `value` is not valid; empty where it is.
std::string SchemaFault(const std::string& schema_text, const json& value) {
  const json schema_json = json::parse(schema_text);
  valijson::Schema schema;
  valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_json),
                                          schema);
  valijson::ValidationResults results;
  valijson::Validator validator;
  if (validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(value), &results))
    return {};
  valijson::ValidationResults::Error error;
  if (!results.popError(error)) return "not valid";
  std::string where;
  for (const std::string& step : error.context) where += step;
  return where + ": " + error.description;
}

std::string Mirror(const json& result, std::string_view raw) {
  const json content = Member(result, "content");
  if (!content.is_array() || content.size() != 1 || content[0]["type"] != "text")
    return "content must be one text";
  const auto text = content[0]["text"].get<std::string>();
  if (result.contains("structuredContent") &&
      raw.find("\"structuredContent\":" + text) == std::string_view::npos)
    return "the text is not the bytes of structuredContent";
  return {};
}

// The contents of the pattern family say what they are; each that is JSON is the structured answer.
bool IsOfPatternFamily(const json& result) {
  const json content = Member(result, "content");
  return content.is_array() && !content.empty() && content[0].contains("mimeType");
}

std::vector<std::string> PatternFaults(const json& result, const std::string& schema) {
  std::vector<std::string> faults;
  const json structured = Member(result, "structuredContent");
  std::size_t characters = 0;
  for (const json& block : result["content"]) {
    const auto text = block["text"].get<std::string>();
    characters = std::max(characters, text.size());
    if (text.empty()) faults.emplace_back("an empty text");
    if (block["mimeType"] == "application/json" && json::parse(text, nullptr, false) != structured)
      faults.emplace_back("the JSON text is not the structured answer");
  }
  if (characters > kAnswerCharactersMax)
    faults.push_back(fmt::format("the answer has {} characters", characters));
  if ((Member(structured, "kind") == "toolError:v1") != (Member(result, "isError") == true))
    faults.emplace_back("isError and kind say different things");
  if (const std::string fault = schema.empty() ? "" : SchemaFault(schema, structured);
      !fault.empty())
    faults.push_back("against the outputSchema: " + fault);
  return faults;
}

// The call that an error suggests: from the envelope, which older clients get as text alone, or
// from the last line of a text.
json SuggestedCall(const json& result) {
  const auto text = result["content"][0]["text"].get<std::string>();
  const json envelope = json::parse(text, nullptr, false);
  if (envelope.is_object()) return Member(Member(envelope, "error"), "recovery");
  return json::parse(text.substr(text.rfind('\n') + 1), nullptr, false);
}

// True where a client would drop the tool or the whole list because of this schema: references,
// composition at the top, several types at once. Source: what Anthropic's API and Gemini refuse.
bool IsRisky(const json& schema, bool is_top) {
  if (schema.is_array())
    return std::any_of(schema.begin(), schema.end(),
                       [](const json& item) { return IsRisky(item, false); });
  if (!schema.is_object()) return false;
  for (const char* name : {"$ref", "$defs", "const", "not", "if"})
    if (schema.contains(name)) return true;
  if (schema.contains("type") && schema["type"].is_array()) return true;
  for (const char* name : {"anyOf", "oneOf", "allOf"})
    if (is_top && schema.contains(name)) return true;
  return std::any_of(schema.begin(), schema.end(),
                     [](const json& item) { return IsRisky(item, false); });
}

bool IsName(const std::string& name) {
  constexpr std::size_t kNameMax = 30;
  return !name.empty() && name.size() <= kNameMax &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
}

std::string DefinitionFault(const json& tool) {
  const auto name = tool["name"].get<std::string>();
  if (!IsName(name)) return name + ": not a name that every client takes";
  for (const char* schema : {"inputSchema", "outputSchema"}) {
    if (!tool.contains(schema)) continue;
    if (tool[schema]["type"] != "object") return fmt::format("{}: {} is no object", name, schema);
    if (IsRisky(tool[schema], true)) return fmt::format("{}: {} is risky", name, schema);
  }
  for (const auto& [argument, schema] : tool["inputSchema"]["properties"].items())
    if (!schema.contains("description")) return name + "." + argument + " has no description";
  for (const char* hint : {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"})
    if (!Member(tool["annotations"], hint).is_boolean()) return name + " lacks " + hint;
  for (const char* member : {"latency_hint", "cost_hint", "idempotent", "side_effects"})
    if (Member(tool["_meta"], (std::string("schemaward/") + member).c_str()).is_null())
      return fmt::format("{} lacks schemaward/{}", name, member);
  return {};
}

// What must hold of a list of tools, so that no client drops one. [R-MCP-3]
std::vector<std::string> ListFaults(const json& tools) {
  constexpr std::size_t kToolsMax = 15;
  constexpr std::size_t kTokensMax = 4'000;
  constexpr std::size_t kBytesPerToken = 4;
  std::vector<std::string> faults;
  std::size_t bytes = 0;
  for (const json& tool : tools) {
    if (const std::string fault = DefinitionFault(tool); !fault.empty()) faults.push_back(fault);
    for (const char* member : {"name", "title", "description", "inputSchema"})
      if (tool.contains(member)) bytes += tool[member].dump().size();
  }
  if (tools.size() > kToolsMax) faults.push_back(fmt::format("{} tools", tools.size()));
  if (bytes / kBytesPerToken > kTokensMax)
    faults.push_back(fmt::format("the definitions take {} tokens", bytes / kBytesPerToken));
  return faults;
}

// A question in place of an answer: each is a request that the protocol has, and the state says
// which call it belongs to.
std::vector<std::string> QuestionFaults(const json& result) {
  std::vector<std::string> faults;
  const json requests = Member(result, "inputRequests");
  if (!requests.is_object() || requests.empty()) faults.emplace_back("it asks for nothing");
  for (const auto& [name, request] : requests.items())
    if (Member(request, "method") != "elicitation/create" || !Member(request, "params").is_object())
      faults.push_back("not a request for the user's input: " + name);
  if (!Member(result, "requestState").is_string()) faults.emplace_back("it has no requestState");
  if (result.contains("content")) faults.emplace_back("it is a question and an answer");
  return faults;
}

}  // namespace

void AnswerChecks::Sent(std::string_view message) {
  const json parsed = json::parse(message, nullptr, false);
  if (Member(parsed, "method") != "tools/call" || !parsed.contains("id")) return;
  const json name = Member(Member(parsed, "params"), "name");
  if (name.is_string()) tool_by_id_[parsed["id"].dump()] = name.get<std::string>();
}

std::vector<std::string> AnswerChecks::Look(std::string_view raw) {
  std::vector<std::string> faults;
  const json message = json::parse(raw, nullptr, false);
  if (message.is_discarded()) return {"not JSON"};
  if (message.is_array()) return faults;  // a batch: each answer is looked at in other transcripts
  if (Member(message, "jsonrpc") != "2.0") faults.emplace_back("jsonrpc is not 2.0");
  const json result = Member(message, "result");
  if (Member(result, "tools").is_array()) return ListFaults(result["tools"]);
  const auto called = tool_by_id_.find(Member(message, "id").dump());
  if (called == tool_by_id_.end() || !result.is_object()) return faults;

  if (Member(result, "resultType") == "input_required") return QuestionFaults(result);
  if (result.contains("task") || Member(result, "resultType") == "task") return faults;
  if (IsOfPatternFamily(result)) return PatternFaults(result, world_.OutputSchema(called->second));
  if (const std::string fault = Mirror(result, raw); !fault.empty()) return {fault};
  const bool is_error = Member(result, "isError") == true;
  const std::size_t characters = result["content"][0]["text"].get<std::string>().size();
  if (characters > (is_error ? kErrorCharactersMax : kAnswerCharactersMax))
    faults.push_back(fmt::format("the answer has {} characters", characters));
  const json envelope = Member(result, "structuredContent");
  if (envelope.is_object()) {
    const std::string schema = world_.OutputSchema(called->second);
    if (const std::string fault = schema.empty() ? "" : SchemaFault(schema, envelope);
        !fault.empty())
      faults.push_back("against the outputSchema: " + fault);
    const json status = Member(envelope, "status");
    if ((status == "error" || status == "refused") != is_error)
      faults.emplace_back("isError and status say different things");
  }
  // The workspace family has a code and details in place of a call to make.
  if (!is_error || envelope.contains("error_code")) return faults;
  const json call = SuggestedCall(result);
  if (!Member(call, "suggested_tool").is_string() || !Member(call, "suggested_args").is_object()) {
    faults.emplace_back("the error suggests no complete call");
    return faults;
  }
  const auto works = world_.Works(call["suggested_tool"], call["suggested_args"].dump());
  if (works == false) faults.push_back("the suggested call fails: " + call.dump());
  return faults;
}

}  // namespace schemaward::wire
