#include "connect/mysql/plan.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "json/value.h"

namespace schemaward::connect::mysql {
namespace {

constexpr int kPlanDepthMax = 200;
constexpr std::size_t kPlanTextMax = 64u << 10;
constexpr double kPercent = 100;

Error Unreadable() { return {ErrorKind::Internal, "the engine's plan cannot be read"}; }

const json::Value* Find(const json::Value& node, const char* key) {
  if (!node.is_object()) return nullptr;
  const auto found = node.find(key);
  return found == node.end() ? nullptr : &*found;
}

std::string TextOf(const json::Value& node, const char* key) {
  const json::Value* found = Find(node, key);
  return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
}

// MySQL prints costs as texts.
std::optional<double> NumberOf(const json::Value& node, const char* key) {
  const json::Value* found = Find(node, key);
  if (found == nullptr) return std::nullopt;
  if (found->is_number()) return found->get<double>();
  if (!found->is_string()) return std::nullopt;
  const auto text = found->get<std::string>();
  double number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// MariaDB prints conditions with SQL's escapes, which JSON does not know, and with bare quotes; but
// each member stands on its own line. Texts are escaped anew, line by line.
std::string Mended(std::string_view text) {
  constexpr std::string_view kOpens = R"(": ")";
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t opens = line.find(kOpens);
    const std::size_t closes = line.rfind('"');
    const std::size_t begin = opens + kOpens.size();
    if (opens == std::string_view::npos || closes < begin) {
      out.append(line).append("\n");
      continue;
    }
    out.append(line.substr(0, begin));
    for (const char c : line.substr(begin, closes - begin)) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    out.append(line.substr(closes)).append("\n");
  }
  return out;
}

std::string AccessOf(const json::Value& table) {
  const std::string access = TextOf(table, "access_type");
  if (access == "ALL") return "full scan of";
  return access == "index" ? "full index scan of" : access + " on";
}

// Sums what each table of a plan reads, and prints it.
class Reader {
 public:
  // Returns the rows that come out of the node, once for each of the `times` that it is entered.
  double Node(const json::Value& node, double times, std::size_t depth) {
    if (depth > kPlanDepthMax || (!node.is_object() && !node.is_array())) return times;
    if (node.is_array()) {
      for (const json::Value& part : node) (void)Node(part, 1, depth);
      return times;
    }
    double rows = times;
    for (const auto& [key, part] : node.items()) {
      if (key == "table" || key == "block-nl-join")
        rows = Table(part, rows, depth);
      else if (key == "nested_loop" && part.is_array())
        for (const json::Value& step : part) rows = Node(step, rows, depth);
      else if (IsUnion(key))
        rows = SumOf(part, depth + 1);
      else if (IsOnce(key))
        (void)Node(part, 1, depth + 1);
      else if (part.is_object())
        rows = Node(part, rows, depth);
    }
    return rows;
  }

  double reads = 0;
  bool has_table = false;
  bool is_complete = true;
  std::string text;

 private:
  static bool IsUnion(std::string_view key) { return key == "query_specifications"; }
  // Parts that stand beside a query's own rows.
  static bool IsOnce(std::string_view key) {
    return key == "subqueries" || key == "attached_subqueries" || key == "select_list_subqueries" ||
           key == "having_subqueries" || key == "group_by_subqueries" ||
           key == "order_by_subqueries" || key == "optimized_away_subqueries" ||
           key == "materialized" || key == "materialized_from_subquery";
  }

  double SumOf(const json::Value& parts, std::size_t depth) {
    double rows = 0;
    if (parts.is_array())
      for (const json::Value& part : parts) rows += Node(part, 1, depth);
    return rows;
  }

  double Table(const json::Value& table, double times, std::size_t depth) {
    // MariaDB's block-nl-join holds the table beside how it is joined.
    if (const json::Value* inner = Find(table, "table")) return Table(*inner, times, depth);
    if (Find(table, "message") != nullptr) return times;
    auto rows = NumberOf(table, "rows");
    if (!rows) rows = NumberOf(table, "rows_examined_per_scan");
    const double filtered = NumberOf(table, "filtered").value_or(kPercent);
    for (const char* const once :
         {"materialized", "materialized_from_subquery", "attached_subqueries"})
      if (const json::Value* inner = Find(table, once)) (void)Node(*inner, 1, depth + 1);
    has_table = true;
    if (!rows) {
      is_complete = false;
      return times;
    }
    reads += times * *rows;
    Print(table, *rows, depth);
    return times * *rows * filtered / kPercent;
  }

  void Print(const json::Value& table, double rows, std::size_t depth) {
    if (text.size() > kPlanTextMax) return;
    const std::string key = TextOf(table, "key");
    text += std::string(depth * 2, ' ') + AccessOf(table) + ' ' + TextOf(table, "table_name");
    if (!key.empty()) text += " using " + key;
    text += fmt::format(" (rows {})\n", rows);
  }
};

}  // namespace

Result<PlanEstimate> ReadPlan(std::string_view text) {
  constexpr std::size_t kBytesMax = 16u << 20;
  if (text.size() > kBytesMax) return Unreadable();
  auto document = json::Parse(text, {kBytesMax, 2 * kPlanDepthMax});
  if (!document) document = json::Parse(Mended(text), {2 * kBytesMax, 2 * kPlanDepthMax});
  if (!document) return Unreadable();
  const json::Value* block = Find(document->value(), "query_block");
  if (block == nullptr || !block->is_object()) return Unreadable();
  Reader reader;
  PlanEstimate estimate;
  estimate.rows = reader.Node(*block, 1, 0);
  estimate.text = reader.has_table ? std::move(reader.text) : "no table is read\n";
  const json::Value* cost = Find(*block, "cost_info");
  const auto own = cost == nullptr ? std::nullopt : NumberOf(*cost, "query_cost");
  if (!own && !reader.is_complete) return Unreadable();
  estimate.cost = own.value_or(reader.reads);
  return estimate;
}

}  // namespace schemaward::connect::mysql
