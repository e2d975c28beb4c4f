// Level 2 of the lint: an answer against its published schema, by a JSON Schema library that is
// used nowhere else.

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "json/value.h"
#include "tool/lint.h"
#include "tool/renderer.h"

namespace schemaward::tool {
namespace {

// Returns where and why `instance` breaks `schema`, or nothing.
std::string Violation(const json::Value& schema_json, const json::Value& instance) {
  valijson::Schema schema;
  valijson::SchemaParser parser;
  parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_json), schema);
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(instance), &results))
    return {};
  valijson::ValidationResults::Error error;
  std::string text;
  while (results.popError(error)) {
    text = error.description + " at ";
    for (const std::string& part : error.context) text += part;
  }
  return text.empty() ? "it does not validate" : text;
}

// The rules of the envelope that a schema cannot say. [R-ENV-2]
std::string EnvelopeFault(const json::Value& envelope) {
  const std::string status = envelope.value("status", "");
  const bool failed = status == "error" || status == "refused";
  if (envelope["error"].is_null() == failed)
    return "error is set exactly when the status is error or refused";
  if (failed && !envelope["data"].is_null()) return "data is null with an error";
  if (status == "success" && envelope["data"].is_null()) return "success has data";
  if (envelope["degradation_reason"].is_null() == (status == "degraded"))
    return "degradation_reason stands exactly with degraded";
  const bool hints = envelope["follow_up_hints"].is_array() &&
                     !envelope["follow_up_hints"].empty() &&
                     envelope["follow_up_hints"].size() <= 3;
  if (!failed && !hints) return "an answer without error has 1 to 3 follow_up_hints";
  return {};
}

}  // namespace

std::vector<LintFinding> LintAnswer(const Tool& tool, const Answer& answer) {
  std::vector<LintFinding> findings;
  const auto add = [&](std::string rule, std::string what) {
    findings.push_back({tool.spec().name, std::move(rule), std::move(what)});
  };
  const Family family = tool.spec().family;
  if (answer.is_error)
    add("happy-path", "the example answers an error: " + answer.text.substr(0, 300));
  const auto structured = json::Parse(answer.structured);
  const auto schema = json::Parse(RendererOf(family).OutputSchema(tool.DataSchema()));
  if (!structured || !schema) {
    add("structured", "the answer is not one JSON object");
    return findings;
  }
  try {
    if (const std::string violation = Violation(schema->value(), structured->value());
        !violation.empty())
      add("answer-schema", violation);
  } catch (const std::exception& e) {
    add("answer-schema", std::string("the outputSchema cannot be read: ") + e.what());
  }
  if (family != Family::Charter) return findings;
  if (answer.text != answer.structured)
    add("text-twin", "the text is not the bytes of the structured answer");
  if (const std::string fault = EnvelopeFault(structured->value()); !fault.empty())
    add("envelope", fault);
  return findings;
}

}  // namespace schemaward::tool
