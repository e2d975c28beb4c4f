// Metrics of MetricFlow as metrics of definitions.
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "interchange/carried.h"
#include "interchange/expressions.h"
#include "interchange/flow_reader.h"
#include "json/access.h"

namespace schemaward::interchange {
namespace {

using json::Member;
using json::TextOf;
using json::Value;
using semantic::Metric;
using semantic::MetricType;

/// "7 days" of a text or of {count, granularity}.
std::string SpanOf(const Value& window) {
  if (window.is_string()) return TextOf(window);
  const std::string count = TextOf(window, "count"), grain = TextOf(window, "granularity");
  return count.empty() ? std::string() : count + " " + grain;
}

}  // namespace

Error Cannot(std::string_view reason) { return {ErrorKind::SqlSyntax, reason}; }

Result<std::string> CheckedSpan(const Value& window, std::string_view member) {
  std::string span = LowerAscii(SpanOf(window));
  if (!span.empty() && !semantic::ParseSpan(span))
    return Cannot(
        fmt::format("{} \"{}\" is no length of time that definitions have", member, span));
  return span;
}

void MetricsReader::Read() {
  for (const auto& [name, node] : project_.metrics) names_.insert(name);
  for (const auto& [name, measure] : project_.measures)
    if (json::IsTrue(Member(*measure.node, "create_metric"))) names_.insert(name);
  for (const auto& [name, measure] : project_.measures)
    if (json::IsTrue(Member(*measure.node, "create_metric")) && !project_.metrics.contains(name))
      Put(name, Simple(name, *measure.node, project_.models[measure.model], {}));
  for (const auto& [name, node] : project_.metrics) Put(name, ReadMetric(name, *node));
}

void MetricsReader::Put(const std::string& name, Result<Metric> metric) {
  if (!metric)
    losses_.Drop("metric " + name, {}, ReasonOf(metric.error()));
  else
    definitions_.metrics.push_back(std::move(*metric));
}

void MetricsReader::Lost(const std::string& metric, std::string_view member,
                         std::string_view reason) {
  losses_.Add("metric " + metric, std::string(member), std::string(reason));
}

std::optional<Metric> MetricsReader::NotedMetric(const Value& node) const {
  const auto measure =
      project_.measures.find(InputOf(Member(node, {"type_params", "measure"})).name);
  const bool is_simple = TextOf(node, "type") == "simple" && measure != project_.measures.end();
  const Value both = {{"metric", NotedPart(node, {})},
                      {"measure", is_simple ? *measure->second.node : Value()}};
  return Noted<Metric>(Member(node, {"config", "meta", kNote}), both);
}

Result<Metric> MetricsReader::ReadMetric(const std::string& name, const Value& node) {
  if (auto noted = NotedMetric(node)) return *std::move(noted);
  const std::string type = LowerAscii(TextOf(node, "type"));
  auto metric = type == "simple"       ? ReadSimple(name, node)
                : type == "ratio"      ? ReadRatio(name, node)
                : type == "derived"    ? ReadDerived(name, node)
                : type == "cumulative" ? ReadCumulative(name, node)
                : type == "conversion" ? ReadConversion(name, node)
                                       : Cannot("metric type \"" + type + "\" has no counterpart");
  if (!metric) return metric;
  Describe(node, *metric);
  TakeWordless(Member(node, {"config", "meta", kNote}), *metric);
  return metric;
}

void MetricsReader::Describe(const Value& node, Metric& metric) {
  metric.description = TextOf(node, "description");
  if (const std::string label = TextOf(node, "label"); !label.empty() && label != metric.name)
    metric.synonyms.push_back(label);
  for (const Value* meta : {&Member(node, "meta"), &Member(node, {"config", "meta"})}) {
    if (metric.unit.empty()) metric.unit = TextOf(*meta, "unit");
    if (metric.owner.empty()) metric.owner = TextOf(*meta, "owner");
  }
}

MetricsReader::Input MetricsReader::InputOf(const Value& node) {
  if (node.is_string()) return {TextOf(node), nullptr, {}};
  return {TextOf(node, "name"), &node, FiltersOf(Member(node, "filter"))};
}

void MetricsReader::NoteFill(const std::string& metric, const Value& node) {
  if (!Member(node, "fill_nulls_with").is_null())
    Lost(metric, "fill_nulls_with", "periods without rows stay null, or absent");
  if (json::IsTrue(Member(node, "join_to_timespine")))
    Lost(metric, "join_to_timespine", "periods without rows are filled where a question asks so");
}

Metric MetricsReader::NewMetric(const std::string& name, MetricType type) {
  Metric metric;
  metric.name = name;
  metric.type = type;
  metric.trust = FlowTrust();
  return metric;
}

void AddMetrics(const FlowProject& project, semantic::Definitions& definitions, Losses& losses) {
  MetricsReader(project, definitions, losses).Read();
}

}  // namespace schemaward::interchange
