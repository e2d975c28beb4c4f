// Replies of a model, read as definitions.

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/one_line.h"
#include "json/access.h"
#include "suggest/by_model.h"

namespace schemaward::suggest {
namespace {

using semantic::Aggregation;

constexpr std::size_t kTextMax = 400;    // bytes of a description
constexpr std::size_t kNameMax = 60;     // bytes of a name
constexpr std::size_t kFilterMax = 500;  // bytes of a filter
constexpr std::size_t kFiltersMax = 5;   // of a metric
constexpr std::size_t kSynonymsMax = 5;  // of either

/// A name that a caller can write without quotes.
std::string NameOf(const json::Value& value) {
  const std::string name = json::TextOf(value, "name");
  const bool is_plain = !name.empty() && name.size() <= kNameMax &&
                        (name[0] < '0' || name[0] > '9') &&
                        std::all_of(name.begin(), name.end(), [](char c) {
                          return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
                        });
  return is_plain ? name : std::string();
}

semantic::Trust TrustOf(const std::string& model) {
  semantic::Trust trust;
  trust.method = semantic::Method::LlmSuggested;
  trust.state = semantic::State::Draft;
  trust.evidence = {"suggested by " + model};
  return trust;
}

std::vector<std::string> Texts(const json::Value& value, std::size_t count_max,
                               std::size_t bytes_max) {
  std::vector<std::string> texts = json::TextsOf(value);
  texts.resize(std::min(texts.size(), count_max));
  std::erase_if(texts, [&](const std::string& text) { return text.size() > bytes_max; });
  return texts;
}

std::optional<Aggregation> AggregationOf(const std::string& text) {
  const auto& names = json::EnumNames<Aggregation>::kNames;
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) return std::nullopt;
  return static_cast<Aggregation>(found - names.begin());
}

std::optional<semantic::Entity> ReadEntity(const json::Value& value, const std::string& model) {
  semantic::Entity entity;
  entity.name = NameOf(value);
  entity.table = json::TextOf(value, "table");
  entity.identity = Texts(json::Member(value, "identity"), kFiltersMax, kNameMax);
  if (entity.name.empty() || entity.table.empty() || entity.identity.empty()) return std::nullopt;
  entity.description = OneLine(json::TextOf(value, "description"), kTextMax);
  entity.synonyms = Texts(json::Member(value, "synonyms"), kSynonymsMax, kNameMax);
  entity.trust = TrustOf(model);
  return entity;
}

std::optional<semantic::Metric> ReadMetric(const json::Value& value, const std::string& model) {
  semantic::Metric metric;
  metric.name = NameOf(value);
  metric.entity = json::TextOf(value, "entity");
  const auto aggregation = AggregationOf(json::TextOf(value, "aggregation"));
  // A percentile needs a number more; a model that wants one can say median.
  if (metric.name.empty() || metric.entity.empty() || !aggregation ||
      *aggregation == Aggregation::None || *aggregation == Aggregation::Percentile)
    return std::nullopt;
  metric.aggregation = *aggregation;
  metric.column = json::TextOf(value, "column");
  metric.filters = Texts(json::Member(value, "filters"), kFiltersMax, kFilterMax);
  metric.time_dimension = json::TextOf(value, "time_dimension");
  metric.unit = OneLine(json::TextOf(value, "unit"), kNameMax);
  metric.description = OneLine(json::TextOf(value, "description"), kTextMax);
  metric.synonyms = Texts(json::Member(value, "synonyms"), kSynonymsMax, kNameMax);
  metric.trust = TrustOf(model);
  return metric;
}

}  // namespace

Result<semantic::Definitions> ReadProposals(std::string_view reply, const std::string& model) {
  const Error unreadable(ErrorKind::InputUnreadable, "a model's reply proposes nothing");
  const std::size_t begin = reply.find('{');
  const std::size_t end = reply.rfind('}');
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin)
    return unreadable;
  const auto document = json::Parse(reply.substr(begin, end - begin + 1));
  if (!document || !document->value().is_object()) return unreadable;
  const json::Value& entities = json::Member(document->value(), "entities");
  const json::Value& metrics = json::Member(document->value(), "metrics");
  if (!entities.is_array() && !metrics.is_array()) return unreadable;
  semantic::Definitions proposed;
  for (const json::Value* value : json::ItemsOf(entities))
    if (auto entity = ReadEntity(*value, model); entity && proposed.entities.size() < kProposalsMax)
      proposed.entities.push_back(*std::move(entity));
  for (const json::Value* value : json::ItemsOf(metrics))
    if (auto metric = ReadMetric(*value, model); metric && proposed.metrics.size() < kProposalsMax)
      proposed.metrics.push_back(*std::move(metric));
  return proposed;
}

}  // namespace schemaward::suggest
