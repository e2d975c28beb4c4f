#include "verify/insight.h"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "explore/exact.h"
#include "json/access.h"
#include "json/value.h"
#include "verify/limits.h"

namespace schemaward::verify {
namespace {

constexpr std::size_t kFileBytesMax = 64U << 20U;
constexpr int kDepthMax = 64;

Error Fault(const std::string& where, const std::string& why) {
  return {ErrorKind::InputUnreadable, fmt::format("{}: {}", where, why)};
}

Result<std::int64_t> NumberOf(const json::Value& value, const std::string& where) {
  const auto number = json::IntegerOf(value);
  if (!number || *number < 0) return Fault(where, "the number of a step is not one");
  return *number;
}

Result<std::string> TextOf(const json::Value& object, std::string_view name,
                           const std::string& where) {
  const json::Value& value = json::Member(object, name);
  if (value.is_null()) return std::string();
  if (!value.is_string()) return Fault(where, fmt::format("\"{}\" is not a text", name));
  std::string text = value.get<std::string>();
  if (text.size() > kTextBytesMax)
    return Error(ErrorKind::ByteCap,
                 fmt::format("{}: \"{}\" has more than {} bytes", where, name, kTextBytesMax));
  return text;
}

// A number keeps the digits that it was written with.
Result<std::optional<std::string>> ClaimOf(const json::Value& value, const std::string& where) {
  if (value.is_null()) return std::optional<std::string>();
  std::string text;
  if (value.is_number_float())
    text = fmt::format("{}", value.get<double>());
  else if (value.is_number())
    text = value.dump();
  else if (value.is_string())
    text = value.get<std::string>();
  if (!explore::Number::Read(text)) return Fault(where, "\"affected_count\" is not a number");
  return std::optional<std::string>(std::move(text));
}

Result<SourceStep> StepOf(const json::Value& value, std::size_t index) {
  const std::string where = fmt::format("step {}", index);
  if (!value.is_object()) return Fault(where, "it is not an object");
  SourceStep step;
  WARD_TRY(step.number, NumberOf(json::Member(value, "step"), where));
  step.purpose = json::TextOf(json::Member(value, {"action", "query_purpose"}));
  step.statement = json::TextOf(value, "statement");
  step.error = json::TextOf(value, "error");
  step.rows = json::IntegerOf(json::Member(value, "rows")).value_or(0);
  return step;
}

Result<std::vector<std::int64_t>> CitedBy(const json::Value& list, const std::string& where) {
  std::vector<std::int64_t> cited;
  if (list.is_null()) return cited;
  if (!list.is_array() || list.size() > kCitedMax)
    return Fault(where, fmt::format("\"source_steps\" is not a list of at most {}", kCitedMax));
  for (const json::Value& value : list) {
    WARD_TRY(const std::int64_t number, NumberOf(value, where));
    cited.push_back(number);
  }
  return cited;
}

Result<Insight> InsightOf(const json::Value& value, std::size_t index) {
  const std::string where = fmt::format("insight {}", index);
  if (!value.is_object()) return Fault(where, "it is not an object");
  Insight insight;
  WARD_TRY(insight.id, TextOf(value, "id", where));
  WARD_TRY(insight.area, TextOf(value, "analysis_area", where));
  WARD_TRY(insight.name, TextOf(value, "name", where));
  WARD_TRY(insight.description, TextOf(value, "description", where));
  WARD_TRY(insight.severity, TextOf(value, "severity", where));
  WARD_TRY(insight.claimed_metric, TextOf(value, "claimed_metric", where));
  WARD_TRY(insight.claimed, ClaimOf(json::Member(value, "affected_count"), where));
  WARD_TRY(insight.source_steps, CitedBy(json::Member(value, "source_steps"), where));
  if (insight.name.empty() && insight.description.empty())
    return Fault(where, "it has neither a name nor a description");
  if (insight.id.empty()) insight.id = fmt::format("{}", index + 1);
  return insight;
}

Status CheckList(const json::Value& list, std::string_view name, std::size_t items_max) {
  if (!list.is_array())
    return Error(ErrorKind::InputUnreadable, fmt::format("\"{}\" is not a list", name));
  if (list.size() > items_max)
    return Error(ErrorKind::ByteCap, fmt::format("there are more than {} {}", items_max, name));
  return Ok();
}

}  // namespace

Result<InsightFile> ReadInsights(std::string_view json) {
  const auto document = json::Parse(json, {kFileBytesMax, kDepthMax});
  if (!document) return Error(ErrorKind::InputUnreadable, document.error().message());
  const json::Value& root = document->value();
  InsightFile file;
  const json::Value& steps = json::Member(root, "steps");
  const json::Value& insights = json::Member(root, "insights");
  if (!steps.is_null()) WARD_CHECK(CheckList(steps, "steps", kStepsMax));
  WARD_CHECK(CheckList(insights, "insights", kInsightsMax));
  for (const json::Value* value : json::ItemsOf(steps)) {
    WARD_TRY(SourceStep step, StepOf(*value, file.steps.size()));
    file.steps.push_back(std::move(step));
  }
  for (const json::Value* value : json::ItemsOf(insights)) {
    WARD_TRY(Insight insight, InsightOf(*value, file.insights.size()));
    file.insights.push_back(std::move(insight));
  }
  return file;
}

}  // namespace schemaward::verify
