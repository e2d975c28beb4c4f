#include "interchange/testing.h"

#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>

#include "interchange/metricflow.h"
#include "json/access.h"
#include "semantic/files.h"

namespace schemaward::interchange {

std::vector<SourceFile> FileOf(std::string_view text) {
  auto document = ParseDocument(text);
  if (!document) throw std::runtime_error(document.error().ToLogText());
  std::vector<SourceFile> files;
  files.push_back({"x", std::move(*document)});
  return files;
}

const json::Value& Named(const json::Value& list, std::string_view name) {
  for (const json::Value* one : json::ItemsOf(list))
    if (json::TextOf(*one, "name") == name) return *one;
  throw std::runtime_error("nothing is named " + std::string(name));
}

semantic::Definitions ExampleShop() {
  const std::filesystem::path root = WARD_SOURCE_DIR;
  auto loaded = semantic::ReadFolder((root / "examples/shop/definitions").string());
  if (!loaded || !loaded->errors.empty()) throw std::runtime_error("the example cannot be read");
  return std::move(loaded->definitions);
}

semantic::Definitions EveryDefinition() {
  const std::filesystem::path root_folder = WARD_SOURCE_DIR;
  auto imported =
      ImportDbtTarget((root_folder / "tests/fixtures/interchange/dbt_semantic").string());
  if (!imported) throw std::runtime_error(imported.error().ToLogText());
  semantic::Definitions all = std::move(imported->definitions);
  all.entities[0].time_zone = "Europe/Berlin";
  all.entities[0].columns = {"address_id", "city"};
  all.entities[0].dimensions.push_back({"where", "upper(city)", "text", "In capitals", {"place"}});
  all.joins[0].cardinality = semantic::Cardinality::OneToMany;
  all.joins[1].trust.state = semantic::State::Confirmed;
  semantic::Join bridge;
  bridge.name = "tags";
  bridge.from = "order";
  bridge.to = "customer";
  bridge.cardinality = semantic::Cardinality::ManyToMany;
  bridge.through = semantic::Bridge{"x.tags", {{"order_id", "o"}}, {{"c", "customer_id"}}};
  all.joins.push_back(bridge);
  semantic::Metric pop;
  pop.name = "growth";
  pop.type = semantic::MetricType::PeriodOverPeriod;
  pop.input.emplace().metric = "revenue";
  pop.offset = "1 year";
  pop.calculation = "ratio";
  all.metrics.push_back(pop);
  Sort(all);
  return all;
}

}  // namespace schemaward::interchange
