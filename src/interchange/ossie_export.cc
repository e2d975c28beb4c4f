// Definitions as a semantic model of Apache Ossie.
#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "interchange/aggregate_text.h"
#include "interchange/expressions.h"
#include "interchange/ossie.h"
#include "json/write.h"

namespace schemaward::interchange {
namespace {

using json::Value;
using semantic::Metric;
using semantic::MetricInput;
using semantic::MetricType;

Value Expression(const std::string& text) {
  return {{"dialects", Value::array({{{"dialect", "ANSI_SQL"}, {"expression", text}}})}};
}

/// The extension that holds `data`, an object.
Value Extension(const Value& data) {
  return Value::array({{{"vendor_name", kOssieVendor}, {"data", data.dump()}}});
}

template <class T>
Value AsJson(const T& definition) {
  return Value::parse(json::WriteArguments(definition));
}

void AddWords(const std::string& description, const std::vector<std::string>& synonyms,
              Value& object) {
  if (!description.empty()) object["description"] = description;
  if (!synonyms.empty()) object["ai_context"] = {{"synonyms", synonyms}};
}

class Exporter {
 public:
  explicit Exporter(const semantic::Definitions& definitions) : definitions_(definitions) {}

  Exported Run(std::string_view name) {
    Value model = {{"name", name}, {"datasets", Value::array()}};
    for (const semantic::Entity& entity : definitions_.entities)
      model["datasets"].push_back(Dataset(entity));
    for (const semantic::Join& join : definitions_.joins) AddJoin(join, model);
    for (const Metric& metric : definitions_.metrics) AddMetric(metric, model);
    if (!hidden_.empty()) model["custom_extensions"] = Extension(hidden_);
    if (definitions_.entities.empty())
      losses_.Add("model", "datasets", "a semantic model needs at least one entity");
    const Value document = {{"version", kOssieVersion}, {"semantic_model", Value::array({model})}};
    return {document.dump(2) + "\n", losses_.Take()};
  }

 private:
  static Value FieldOf(const semantic::Dimension& dimension) {
    Value field = {{"name", dimension.name}, {"expression", Expression(dimension.expression)}};
    const std::string& type = dimension.type;
    if (type == "date" || type == "timestamp" || type == "timestamptz")
      field["dimension"] = {{"is_time", true}};
    AddWords(dimension.description, dimension.synonyms, field);
    if (!type.empty()) field["custom_extensions"] = Extension({{"type", type}});
    return field;
  }

  Value Dataset(const semantic::Entity& entity) {
    Value dataset = {{"name", entity.name},
                     {"source", entity.table},
                     {"primary_key", entity.identity},
                     {"fields", Value::array()}};
    AddWords(entity.description, entity.synonyms, dataset);
    for (const semantic::Dimension& dimension : entity.dimensions)
      dataset["fields"].push_back(FieldOf(dimension));
    if (dataset["fields"].empty()) dataset.erase("fields");
    Value rest = AsJson(entity);
    for (const char* carried : {"dimensions", "description", "synonyms"}) rest.erase(carried);
    dataset["custom_extensions"] = Extension(rest);
    const std::string object = "entity " + entity.name;
    if (!entity.columns.empty()) losses_.Add(object, "columns", "other readers see every column");
    if (!entity.time_zone.empty()) losses_.Add(object, "time_zone", "Ossie has no word for it");
    if (!entity.default_time_dimension.empty())
      losses_.Add(object, "default_time_dimension", "Ossie has no word for it");
    return dataset;
  }

  /// The relationship goes from the many side to the one side.
  void AddJoin(const semantic::Join& join, Value& model) {
    const std::string object = "join " + join.name;
    const bool flips = join.cardinality == semantic::Cardinality::OneToMany;
    if (join.through || join.cardinality == semantic::Cardinality::ManyToMany) {
      hidden_["joins"].push_back(AsJson(join));
      return losses_.Drop(object, "cardinality", "relationships of Ossie are many to one");
    }
    Value relationship = {{"name", join.name},
                          {"from", flips ? join.to : join.from},
                          {"to", flips ? join.from : join.to},
                          {"from_columns", Value::array()},
                          {"to_columns", Value::array()}};
    for (const semantic::ColumnPair& pair : join.on) {
      relationship["from_columns"].push_back(flips ? pair.to : pair.from);
      relationship["to_columns"].push_back(flips ? pair.from : pair.to);
    }
    Value rest = AsJson(join);
    rest.erase("on");
    relationship["custom_extensions"] = Extension(rest);
    if (!join.role.empty() || !join.from_role.empty())
      losses_.Add(object, "role", "Ossie has no word for it");
    if (join.cardinality == semantic::Cardinality::OneToOne)
      losses_.Add(object, "cardinality", "other readers take it for many to one");
    model["relationships"].push_back(std::move(relationship));
  }

  void AddMetric(const Metric& metric, Value& model) {
    const std::string object = "metric " + metric.name;
    const auto expression = ExpressionOf(metric, {}, 0);
    if (!expression) {
      hidden_["metrics"].push_back(AsJson(metric));
      return losses_.Drop(object, "expression", ReasonOf(expression.error()));
    }
    Value entry = {{"name", metric.name}, {"expression", Expression(*expression)}};
    AddWords(metric.description, metric.synonyms, entry);
    // The expression stands in the extension too: where others changed it, it counts.
    entry["custom_extensions"] =
        Extension({{"metric", AsJson(metric)}, {"expression", *expression}});
    for (const auto& [member, text] : {std::pair{"unit", &metric.unit},
                                       {"owner", &metric.owner},
                                       {"time_dimension", &metric.time_dimension}})
      if (!text->empty()) losses_.Add(object, member, "Ossie has no word for it");
    model["metrics"].push_back(std::move(entry));
  }

  const Metric* Find(const std::string& name) const {
    for (const Metric& metric : definitions_.metrics)
      if (metric.name == name) return &metric;
    return nullptr;
  }

  /// The metric as one expression over datasets; `filters` are added to it.
  Result<std::string> ExpressionOf(const Metric& metric, const std::vector<std::string>& filters,
                                   int depth) const {
    constexpr int kDepthMax = 10;
    if (depth > kDepthMax) return Error(ErrorKind::SqlSyntax, "metrics are nested too deeply");
    switch (metric.type) {
      case MetricType::Simple:
        return PrintAggregate(metric, filters);
      case MetricType::Ratio: {
        WARD_TRY(const std::string above, OfInput(*metric.numerator, filters, depth));
        WARD_TRY(const std::string below, OfInput(*metric.denominator, filters, depth));
        return fmt::format("{} / NULLIF({}, 0)", above, below);
      }
      case MetricType::Derived:
        return OfDerived(metric, filters, depth);
      case MetricType::Cumulative:
      case MetricType::Conversion:
      case MetricType::PeriodOverPeriod:
        break;
    }
    return Error(ErrorKind::SqlSyntax,
                 "Ossie has no expression for what it takes from other rows of time");
  }

  Result<std::string> OfInput(const MetricInput& input, std::vector<std::string> filters,
                              int depth) const {
    const Metric* metric = Find(input.metric);
    if (metric == nullptr)
      return Error(ErrorKind::SqlSyntax, "metric " + input.metric + " is not there");
    if (!input.offset.empty()) return Error(ErrorKind::SqlSyntax, "Ossie has no offsets in time");
    filters.insert(filters.end(), input.filters.begin(), input.filters.end());
    WARD_TRY(const std::string text, ExpressionOf(*metric, filters, depth + 1));
    return metric->type == MetricType::Simple ? text : "(" + text + ")";
  }

  /// Names of inputs, as words of the printed expression, become their expressions.
  Result<std::string> OfDerived(const Metric& metric, const std::vector<std::string>& filters,
                                int depth) const {
    std::string text = metric.expression;
    std::string out;
    const auto is_word = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = at;
      while (end < text.size() && is_word(text[end])) ++end;
      const std::string word = text.substr(at, end - at);
      const auto input =
          std::find_if(metric.inputs.begin(), metric.inputs.end(), [&](const MetricInput& one) {
            return word == (one.alias.empty() ? one.metric : one.alias);
          });
      if (word.empty()) {
        out += text[at++];
        continue;
      }
      if (input == metric.inputs.end()) {
        out += word;
      } else {
        WARD_TRY(const std::string inner, OfInput(*input, filters, depth));
        out += inner;
      }
      at = end;
    }
    return out;
  }

  const semantic::Definitions& definitions_;
  Losses losses_;
  Value hidden_ = Value::object();  ///< definitions that have no part of their own
};

}  // namespace

Exported ExportOssie(const semantic::Definitions& definitions, std::string_view model_name) {
  return Exporter(definitions).Run(model_name);
}

}  // namespace schemaward::interchange
