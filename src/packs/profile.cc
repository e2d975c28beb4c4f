#include "packs/profile.h"

#include <exception>

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "json/access.h"
#include "json/value.h"

namespace schemaward::packs {
namespace {

Error Fault(const std::string& why) { return {ErrorKind::InputUnreadable, why}; }

// References are followed inside the document only, and none may lead outside.
bool RefersOutside(const json::Value& value) {
  if (value.is_object()) {
    const std::string target = json::TextOf(value, "$ref");
    if (!target.empty() && target.front() != '#') return true;
  }
  if (!value.is_structured()) return false;
  for (const json::Value& inner : value)
    if (RefersOutside(inner)) return true;
  return false;
}

// The library throws where a schema is none.
Status Fill(valijson::Schema& schema, const json::Value& document) {
  try {
    valijson::SchemaParser parser;
    parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(document), schema);
  } catch (const std::exception&) {
    return Fault("it is no JSON Schema");
  }
  return Ok();
}

Status Read(std::string_view text, valijson::Schema& schema) {
  const auto document = json::Parse(text);
  if (!document) return Fault(document.error().message());
  if (json::TextOf(document->value(), "type") != "object")
    return Fault("it is no JSON Schema of an object: \"type\" is not \"object\"");
  if (RefersOutside(document->value())) return Fault("it refers to another document");
  return Fill(schema, document->value());
}

std::string Violation(const valijson::Schema& schema, const json::Value& profile) {
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(profile), &results))
    return {};
  valijson::ValidationResults::Error error;
  std::string text;
  while (results.popError(error)) {  // the last one is the innermost
    text = error.description + " at ";
    for (const std::string& part : error.context) text += part;
  }
  return text.empty() ? "it is not as the schema wants it" : text;
}

}  // namespace

Status CheckProfileSchema(std::string_view schema) {
  valijson::Schema read;
  return Read(schema, read);
}

Status CheckProfile(std::string_view schema, std::string_view profile) {
  valijson::Schema read;
  WARD_CHECK(Read(schema, read));
  const auto document = json::Parse(profile);
  if (!document) return Fault(document.error().message());
  const std::string violation = Violation(read, document->value());
  if (!violation.empty()) return Fault("the profile does not fit its schema: " + violation);
  return Ok();
}

}  // namespace schemaward::packs
