// COVERS: R-ENV-5 R-ENV-6 R-REC-1 R-REC-2 R-SIZE-1

#include "wire/answer_checks.h"

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

// The call that an error suggests: from the envelope, which older clients get as text alone, or
// from the last line of a text.
json SuggestedCall(const json& result) {
  const auto text = result["content"][0]["text"].get<std::string>();
  const json envelope = json::parse(text, nullptr, false);
  if (envelope.is_object()) return Member(Member(envelope, "error"), "recovery");
  return json::parse(text.substr(text.rfind('\n') + 1), nullptr, false);
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
  const auto called = tool_by_id_.find(Member(message, "id").dump());
  if (called == tool_by_id_.end() || !result.is_object()) return faults;

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
  if (!is_error) return faults;
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
