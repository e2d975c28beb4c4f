// A semantic model of Apache Ossie as definitions.
#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "catalog/catalog.h"
#include "interchange/aggregate_metrics.h"
#include "interchange/aggregate_text.h"
#include "interchange/expressions.h"
#include "interchange/ossie.h"
#include "json/access.h"
#include "json/read.h"

namespace schemaward::interchange {
namespace {

using json::ItemsOf;
using json::Member;
using json::TextOf;
using json::TextsOf;
using json::Value;

/// What our extension of a part holds; null where it has none that can be read.
Value OwnExtension(const Value& part) {
  for (const Value* extension : ItemsOf(Member(part, "custom_extensions")))
    if (TextOf(*extension, "vendor_name") == kOssieVendor)
      if (auto data = json::Parse(TextOf(*extension, "data"))) return std::move(data->value());
  return nullptr;
}

/// The expression in SQL that we read: ANSI where it is there.
std::optional<std::string> SqlOf(const Value& expression) {
  constexpr std::array<std::string_view, 4> kDialects = {"ANSI_SQL", "SNOWFLAKE", "DATABRICKS",
                                                         "BIGQUERY"};
  for (const std::string_view dialect : kDialects)
    for (const Value* one : ItemsOf(Member(expression, "dialects")))
      if (TextOf(*one, "dialect") == dialect) return TextOf(*one, "expression");
  return std::nullopt;
}

std::string TableOf(const Value& source) {
  const std::string name = source.is_object() ? TextOf(source, "object") : TextOf(source);
  if (TextOf(source, "kind") == "query") return {};
  std::vector<std::string> parts = catalog::SplitName(name);
  for (const std::string& part : parts)
    if (part.find_first_of(" \n\t(") != std::string::npos && name.find('"') == std::string::npos)
      return {};
  if (parts.size() > 3 || parts.empty()) return {};
  return parts.size() == 1 ? catalog::QuoteName(parts[0])
                           : catalog::QualifiedName(parts[parts.size() - 2], parts.back());
}

semantic::Trust Authored() { return {}; }

class Importer {
 public:
  Imported Run(const std::vector<SourceFile>& files) {
    for (const SourceFile& file : files) ReadFile(file);
    Sort(imported_.definitions);
    DropWhatHangs(imported_.definitions, losses_);
    imported_.losses = losses_.Take();
    return std::move(imported_);
  }

 private:
  void ReadFile(const SourceFile& file) {
    const Value& content = file.content.value();
    const std::string version = TextOf(content, "version");
    const auto models = ItemsOf(Member(content, "semantic_model"));
    if (models.empty()) return losses_.Drop("file " + file.name, {}, "it holds no semantic_model");
    if (version != kOssieVersion)
      losses_.Add("file " + file.name, "version",
                  fmt::format("\"{}\" is read as {}", version, kOssieVersion));
    for (const Value* model : models) ReadModel(*model);
  }

  void ReadModel(const Value& model) {
    for (const Value* dataset : ItemsOf(Member(model, "datasets"))) ReadDataset(*dataset);
    for (const Value* one : ItemsOf(Member(model, "relationships"))) ReadRelationship(*one);
    const Value hidden = OwnExtension(model);
    ReadHidden(Member(hidden, "joins"), "join ", imported_.definitions.joins);
    ReadHidden(Member(hidden, "metrics"), "metric ", imported_.definitions.metrics);
    for (const Value* metric : ItemsOf(Member(model, "metrics"))) ReadMetric(*metric);
    if (!Member(model, "ai_context").is_null())
      losses_.Add("model " + TextOf(model, "name"), "ai_context",
                  "definitions have no word for it");
  }

  template <class T>
  void ReadHidden(const Value& list, const std::string& kind, std::vector<T>& into) {
    for (const Value* one : ItemsOf(list)) {
      T definition;
      if (json::Read(*one, definition).ok() && IsNew(kind, definition.name))
        into.push_back(std::move(definition));
    }
  }

  bool IsNew(const std::string& kind, const std::string& name) {
    if (!semantic::IsDefinitionName(name)) {
      losses_.Drop(kind + name, "name", "it is no name that definitions may have");
      return false;
    }
    if (names_.insert(kind + name).second) return true;
    losses_.Drop(kind + name, "name", "it is there twice; the first is read");
    return false;
  }

  /// What ai_context says besides synonyms has no place.
  std::vector<std::string> Synonyms(const std::string& object, const Value& part) {
    const Value& context = Member(part, "ai_context");
    if (context.is_string() || !Member(context, "instructions").is_null() ||
        !Member(context, "examples").is_null())
      losses_.Add(object, "ai_context", "only its synonyms are carried");
    return context.is_object() ? TextsOf(Member(context, "synonyms")) : std::vector<std::string>();
  }

  void NoteVendors(const std::string& object, const Value& part) {
    for (const Value* extension : ItemsOf(Member(part, "custom_extensions")))
      if (const std::string vendor = TextOf(*extension, "vendor_name"); vendor != kOssieVendor)
        losses_.Add(object, "custom_extensions", "of vendor " + vendor);
  }

  void ReadDataset(const Value& dataset) {
    semantic::Entity entity;
    entity.name = TextOf(dataset, "name");
    const std::string object = "entity " + entity.name;
    if (!IsNew("entity ", entity.name)) return;
    const Value rest = OwnExtension(dataset);
    if (rest.is_object()) (void)json::Read(rest, entity);
    entity.name = TextOf(dataset, "name");
    entity.table = TableOf(Member(dataset, "source"));
    entity.identity = TextsOf(Member(dataset, "primary_key"));
    const auto unique = ItemsOf(Member(dataset, "unique_keys"));
    if (entity.identity.empty() && !unique.empty()) entity.identity = TextsOf(*unique.front());
    entity.description = TextOf(dataset, "description");
    entity.synonyms = Synonyms(object, dataset);
    NoteVendors(object, dataset);
    if (entity.table.empty())
      return losses_.Drop(object, "source", "it is no table or view, by name");
    if (entity.identity.empty())
      return losses_.Drop(object, "primary_key", "nothing tells one row from another");
    for (const Value* field : ItemsOf(Member(dataset, "fields"))) ReadField(*field, entity);
    imported_.definitions.entities.push_back(std::move(entity));
  }

  void ReadField(const Value& field, semantic::Entity& entity) {
    semantic::Dimension dimension;
    dimension.name = TextOf(field, "name");
    const std::string object = "dimension " + entity.name + "." + dimension.name;
    const auto sql = SqlOf(Member(field, "expression"));
    if (!sql) return losses_.Drop(object, "expression", "it has no dialect of SQL that is read");
    const Value own = OwnExtension(field);
    dimension.synonyms = Synonyms(object, field);
    dimension.description = TextOf(field, "description");
    if (const std::string label = TextOf(field, "label"); !label.empty())
      losses_.Add(object, "label", "definitions have no categories of fields");
    NoteVendors(object, field);
    const auto expression = Normalized(*sql);
    if (!expression) return losses_.Drop(object, "expression", ReasonOf(expression.error()));
    if (own.is_null() && PlainColumn(*sql) == dimension.name) {  // the column itself
      if (!dimension.description.empty() || !dimension.synonyms.empty())
        losses_.Add(object, "description", "columns have the descriptions of the database");
      return;
    }
    if (!semantic::IsDefinitionName(dimension.name))
      return losses_.Drop(object, "name", "it is no name that definitions may have");
    dimension.expression = own.is_null() ? *expression : *sql;
    dimension.type = own.is_null() ? TypeOf(field) : TextOf(own, "type");
    entity.dimensions.push_back(std::move(dimension));
  }

  static std::string TypeOf(const Value& field) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kTypes = {
        {{"String", "text"},
         {"Integer", "number"},
         {"Decimal", "number"},
         {"Float", "number"},
         {"Boolean", "boolean"},
         {"Date", "date"},
         {"DateTime", "timestamp"},
         {"DateTimeTz", "timestamptz"}}};
    const std::string type = TextOf(field, "datatype");
    for (const auto& [theirs, ours] : kTypes)
      if (theirs == type) return std::string(ours);
    return {};
  }

  void ReadRelationship(const Value& relationship) {
    semantic::Join join;
    join.name = TextOf(relationship, "name");
    const std::string object = "join " + join.name;
    if (!IsNew("join ", join.name)) return;
    const Value rest = OwnExtension(relationship);
    if (rest.is_object()) (void)json::Read(rest, join);
    join.name = TextOf(relationship, "name");
    join.from = TextOf(relationship, "from");
    join.to = TextOf(relationship, "to");
    const auto from = TextsOf(Member(relationship, "from_columns"));
    const auto to = TextsOf(Member(relationship, "to_columns"));
    if (from.size() != to.size() || from.empty())
      return losses_.Drop(object, "from_columns", "they do not pair with to_columns");
    join.on.clear();
    for (std::size_t i = 0; i < from.size(); ++i) join.on.push_back({from[i], to[i]});
    if (join.cardinality == semantic::Cardinality::OneToMany) {
      std::swap(join.from, join.to);
      for (semantic::ColumnPair& pair : join.on) std::swap(pair.from, pair.to);
    }
    NoteVendors(object, relationship);
    if (!Member(relationship, "ai_context").is_null())
      losses_.Add(object, "ai_context", "joins have no synonyms");
    imported_.definitions.joins.push_back(std::move(join));
  }

  void ReadMetric(const Value& node) {
    const std::string name = TextOf(node, "name");
    const std::string object = "metric " + name;
    if (!IsNew("metric ", name)) return;
    const auto sql = SqlOf(Member(node, "expression"));
    if (!sql) return losses_.Drop(object, "expression", "it has no dialect of SQL that is read");
    NoteVendors(object, node);
    const Value own = OwnExtension(node);
    semantic::Metric metric;
    if (TextOf(own, "expression") == *sql && json::Read(Member(own, "metric"), metric).ok()) {
      metric.name = name;
      metric.description = TextOf(node, "description");
      metric.synonyms = Synonyms(object, node);
      imported_.definitions.metrics.push_back(std::move(metric));
      return;
    }
    auto metrics = MetricsOfAggregates(name, *sql, EntityNames(), Authored());
    if (!metrics) return losses_.Drop(object, "expression", ReasonOf(metrics.error()));
    metrics->back().description = TextOf(node, "description");
    metrics->back().synonyms = Synonyms(object, node);
    for (semantic::Metric& one : *metrics) imported_.definitions.metrics.push_back(std::move(one));
  }

  std::vector<std::string> EntityNames() const {
    std::vector<std::string> names;
    for (const semantic::Entity& entity : imported_.definitions.entities)
      names.push_back(entity.name);
    return names;
  }

  Imported imported_;
  Losses losses_;
  std::set<std::string> names_;
};

}  // namespace

Imported ImportOssie(const std::vector<SourceFile>& files) { return Importer().Run(files); }

}  // namespace schemaward::interchange
