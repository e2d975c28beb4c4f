#include "connect/duckdb/plan.h"

#include <array>
#include <charconv>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "json/value.h"

namespace schemaward::connect::duckdb {
namespace {

constexpr std::size_t kPlanDepthMax = 200;
constexpr std::size_t kPlanTextMax = 64u << 10;

const json::Value* Member(const json::Value& node, const char* key) {
  if (!node.is_object()) return nullptr;
  const auto found = node.find(key);
  return found == node.end() ? nullptr : &*found;
}

std::string TextOf(const json::Value* node) {
  return node != nullptr && node->is_string() ? node->get<std::string>() : std::string();
}

// "Estimated Cardinality" is a number in a text.
double RowsOf(const json::Value& node) {
  const json::Value* extra = Member(node, "extra_info");
  const std::string text = extra == nullptr ? "" : TextOf(Member(*extra, "Estimated Cardinality"));
  double rows = -1;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), rows);
  return failed == std::errc() && end == text.data() + text.size() ? rows : -1;
}

// Projections give as many rows as they take and often say nothing; an aggregate without groups
// gives one.
double RowsOut(const json::Value& node, std::size_t depth) {
  const std::string name = TextOf(Member(node, "name"));
  if (name == "UNGROUPED_AGGREGATE") return 1;
  // DuckDB prints 0 for joins of which it knows nothing.
  const double rows = RowsOf(node);
  if (rows > 0 || (rows == 0 && name.ends_with("_SCAN"))) return rows;
  const json::Value* children = Member(node, "children");
  const bool passes = name == "PROJECTION" || name == "ORDER_BY";
  if (!passes || children == nullptr || !children->is_array() || children->size() != 1 ||
      depth > kPlanDepthMax)
    return -1;
  return RowsOut((*children)[0], depth + 1);
}

void Print(const json::Value& node, std::size_t depth, std::string& out) {
  if (!node.is_object() || depth > kPlanDepthMax || out.size() > kPlanTextMax) return;
  out += std::string(depth * 2, ' ') + TextOf(Member(node, "name"));
  if (const json::Value* extra = Member(node, "extra_info"))
    if (const std::string table = TextOf(Member(*extra, "Table")); !table.empty())
      out += " on " + table;
  if (const double rows = RowsOf(node); rows >= 0) out += fmt::format(" (rows {})", rows);
  out += '\n';
  const json::Value* children = Member(node, "children");
  if (children == nullptr || !children->is_array()) return;
  for (const json::Value& child : *children) Print(child, depth + 1, out);
}

}  // namespace

Result<PlanEstimate> ReadPlan(std::string_view text) {
  constexpr std::size_t kBytesMax = 16u << 20;
  auto document = json::Parse(text, {kBytesMax, 3 * kPlanDepthMax});
  if (!document || !document->value().is_array() || document->value().empty())
    return Error(ErrorKind::Internal, "the engine's plan cannot be read");
  PlanEstimate estimate;
  estimate.rows = RowsOut(document->value()[0], 0);
  for (const json::Value& root : document->value()) Print(root, 0, estimate.text);
  return estimate;
}

}  // namespace schemaward::connect::duckdb
