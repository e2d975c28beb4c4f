#include "connect/postgres/plan.h"

#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "json/value.h"

namespace schemaward::connect::postgres {
namespace {

constexpr int kPlanDepthMax = 200;
constexpr std::size_t kPlanTextMax = 64u << 10;

std::string TextOf(const json::Value& node, const char* key) {
  const auto found = node.find(key);
  return found != node.end() && found->is_string() ? found->get<std::string>() : std::string();
}

double NumberOf(const json::Value& node, const char* key) {
  const auto found = node.find(key);
  return found != node.end() && found->is_number() ? found->get<double>() : -1;
}

void Print(const json::Value& node, std::size_t depth, std::string& out) {
  if (!node.is_object() || depth > kPlanDepthMax || out.size() > kPlanTextMax) return;
  const std::string index = TextOf(node, "Index Name"), relation = TextOf(node, "Relation Name");
  out += std::string(depth * 2, ' ') + TextOf(node, "Node Type");
  if (!index.empty()) out += " using " + index;
  if (!relation.empty()) out += " on " + relation;
  out += fmt::format(" (cost {}, rows {})\n", NumberOf(node, "Total Cost"),
                     NumberOf(node, "Plan Rows"));
  const auto children = node.find("Plans");
  if (children == node.end() || !children->is_array()) return;
  for (const json::Value& child : *children) Print(child, depth + 1, out);
}

}  // namespace

Result<PlanEstimate> ReadPlan(std::string_view text) {
  constexpr std::size_t kBytesMax = 16u << 20;
  auto document = json::Parse(text, {kBytesMax, 2 * kPlanDepthMax});
  Error unreadable(ErrorKind::Internal, "the engine's plan cannot be read");
  if (!document || !document->value().is_array() || document->value().empty()) return unreadable;
  const json::Value& first = document->value()[0];
  const auto plan = first.is_object() ? first.find("Plan") : first.end();
  if (!first.is_object() || plan == first.end() || !plan->is_object()) return unreadable;
  PlanEstimate estimate{NumberOf(*plan, "Total Cost"), NumberOf(*plan, "Plan Rows"), {}};
  if (estimate.cost < 0 || estimate.rows < 0) return unreadable;
  Print(*plan, 0, estimate.text);
  return estimate;
}

}  // namespace schemaward::connect::postgres
