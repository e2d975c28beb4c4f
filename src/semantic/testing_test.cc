#include "semantic/testing.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "json/read.h"
#include "json/value.h"

namespace schemaward::semantic {
namespace {

template <class T>
void ReadList(const json::Value& all, const char* name, std::vector<T>& into) {
  if (!all.contains(name)) return;
  for (const json::Value& one : all[name]) {
    T definition;
    const json::ReadReport report = json::Read(one, definition);
    EXPECT_TRUE(report.ok()) << one.dump() << ": "
                             << (report.problems.empty() ? "" : report.problems.front().text);
    into.push_back(std::move(definition));
  }
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

catalog::Table TableOf(std::string_view name, std::string_view columns,
                       const std::vector<std::string>& key) {
  catalog::Table table;
  table.schema = "main";
  table.name = std::string(name);
  while (!columns.empty()) {
    const std::size_t comma = std::min(columns.find(','), columns.size());
    const std::string_view one = Trim(columns.substr(0, comma));
    columns.remove_prefix(std::min(comma + 1, columns.size()));
    const std::size_t blank = one.find(' ');
    catalog::Column& column = table.columns.emplace_back();
    column.name = std::string(one.substr(0, blank));
    column.type = std::string(Trim(one.substr(blank)));
  }
  table.primary_key =
      catalog::Key{"pk", key.empty() ? std::vector{table.columns.front().name} : key};
  return table;
}

Definitions DefinitionsOf(std::string_view text) {
  Definitions definitions;
  const auto parsed = json::Parse(text);
  EXPECT_TRUE(parsed.has_value()) << text;
  if (!parsed) return definitions;
  ReadList(parsed->value(), "entities", definitions.entities);
  ReadList(parsed->value(), "joins", definitions.joins);
  ReadList(parsed->value(), "metrics", definitions.metrics);
  return definitions;
}

std::shared_ptr<const Model> ShopModel() {
  std::vector<catalog::Table> tables = {
      TableOf("customers", "id integer, name text, country text, created_at timestamp"),
      TableOf("addresses", "id integer, city text, customer_id integer"),
      TableOf("orders",
              "id integer, customer_id integer, billing_id integer, shipping_id integer, status "
              "text, placed_at timestamptz, shipped_on date, is_gift boolean"),
      TableOf("order_items",
              "order_id integer, line integer, product_id integer, quantity integer, price numeric",
              {"order_id", "line"}),
      TableOf("payments", "id integer, order_id integer, amount numeric, paid_on date"),
      TableOf("products", "id integer, name text, category text"),
      TableOf("product_tags", "product_id integer, tag_id integer", {"product_id", "tag_id"}),
      TableOf("tags", "id integer, name text"),
      TableOf("tickets",
              "id integer, customer_id integer, opened_at timestamp, closed_at timestamp"),
      TableOf("employees", "id integer, name text, manager_id integer"),
      TableOf("balances", "account_id integer, day date, amount numeric", {"account_id", "day"}),
  };
  auto definitions = DefinitionsOf(R"({
    "entities": [
      {"name":"customer","table":"customers","identity":"id","synonyms":["client"],
       "default_time_dimension":"created_at",
       "dimensions":[{"name":"region","expression":"CASE WHEN country = 'DE' THEN 'home' ELSE 'abroad' END","type":"text"}]},
      {"name":"address","table":"addresses","identity":"id"},
      {"name":"order","table":"orders","identity":"id","default_time_dimension":"placed_at"},
      {"name":"order_item","table":"order_items","identity":["order_id","line"]},
      {"name":"payment","table":"payments","identity":"id"},
      {"name":"product","table":"products","identity":"id"},
      {"name":"tag","table":"tags","identity":"id"},
      {"name":"ticket","table":"tickets","identity":"id"},
      {"name":"employee","table":"employees","identity":"id"},
      {"name":"balance","table":"balances","identity":["account_id","day"]}],
    "joins": [
      {"name":"order_customer","from":"order","to":"customer","on":[{"from":"customer_id","to":"id"}]},
      {"name":"order_billing","from":"order","to":"address","on":[{"from":"billing_id","to":"id"}],"role":"billing"},
      {"name":"order_shipping","from":"order","to":"address","on":[{"from":"shipping_id","to":"id"}],"role":"shipping"},
      {"name":"item_order","from":"order_item","to":"order","on":[{"from":"order_id","to":"id"}]},
      {"name":"item_product","from":"order_item","to":"product","on":[{"from":"product_id","to":"id"}]},
      {"name":"payment_order","from":"payment","to":"order","on":[{"from":"order_id","to":"id"}]},
      {"name":"product_tag","from":"product","to":"tag","cardinality":"many_to_many",
       "through":{"table":"product_tags","from":[{"from":"id","to":"product_id"}],"to":[{"from":"tag_id","to":"id"}]}},
      {"name":"ticket_customer","from":"ticket","to":"customer","on":[{"from":"customer_id","to":"id"}]},
      {"name":"employee_manager","from":"employee","to":"employee","on":[{"from":"manager_id","to":"id"}],"role":"manager","from_role":"report"}],
    "metrics": [
      {"name":"revenue","entity":"order_item","aggregation":"sum","expression":"quantity * price","filters":["order.status <> 'cancelled'"],"unit":"EUR"},
      {"name":"orders","entity":"order","aggregation":"count"},
      {"name":"paid","entity":"payment","aggregation":"sum","column":"amount"},
      {"name":"tickets","entity":"ticket","aggregation":"count"},
      {"name":"employees","entity":"employee","aggregation":"count"},
      {"name":"tags","entity":"tag","aggregation":"count"},
      {"name":"median_payment","entity":"payment","aggregation":"median","column":"amount"},
      {"name":"order_value","type":"ratio","numerator":{"metric":"revenue"},"denominator":{"metric":"orders"}},
      {"name":"unpaid","type":"derived","expression":"revenue - paid","inputs":[{"metric":"revenue"},{"metric":"paid"}]},
      {"name":"revenue_so_far","type":"cumulative","input":{"metric":"revenue"}},
      {"name":"revenue_28","type":"cumulative","input":{"metric":"revenue"},"window":"28 days"},
      {"name":"revenue_mtd","type":"cumulative","input":{"metric":"revenue"},"grain_to_date":"month"},
      {"name":"revenue_growth","type":"period_over_period","input":{"metric":"revenue"},"offset":"1 year","calculation":"percent_change"},
      {"name":"balance","entity":"balance","aggregation":"sum","column":"amount","time_dimension":"day","semi_additive":{"take":"last","by":["account_id"]}},
      {"name":"asked_after_order","type":"conversion","base":"orders","conversion":"tickets","match":[{"from":"customer_id","to":"customer_id"}],"window":"7 days"}]
  })");
  for (Metric& metric : definitions.metrics)
    if (metric.name == "tickets") metric.time_dimension = "opened_at";
  return Model::Build(std::move(definitions), tables);
}

}  // namespace schemaward::semantic
