// Drafts of what changed: after any sequence of changes the store has what a run of all makes.
#include "suggest/run.h"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/result_matchers.h"
#include "store/definitions.h"
#include "store/sources.h"
#include "store/testing.h"
#include "suggest/test_support.h"

namespace schemaward::suggest {
namespace {

using Tables = std::vector<catalog::Table>;
using Rows = std::vector<std::tuple<int, std::string, std::string, bool>>;

/// A store with one source that is drafted again and again.
class Drafted {
 public:
  Drafted() {
    store_ = store::Store::Open(folder_.File("store.db"), {.create = true}).value();
    source_ =
        store::PutSource(*store_, {.name = "shop", .engine = "ddl", .location = "/x"}).value();
  }

  Suggestion Suggest(const Tables& tables, const SuggestOptions& options = {}) {
    const SystemClock clock;
    CallContext ctx(clock);
    return suggest::Suggest(*store_, source_, tables, options, ctx).value();
  }

  Rows All() const {
    Rows rows;
    const auto listed = store::ListDefinitions(*store_, source_.id);
    for (const auto& row : listed.value())
      rows.emplace_back(static_cast<int>(row.kind), row.name, row.body_json, row.from_files);
    return rows;
  }

  void Write(store::DefinitionRow row) {
    row.source_id = source_.id;
    ASSERT_THAT(store::ChangeDefinitions(*store_, source_.id, {{std::move(row)}, {}}), IsOk());
  }

 private:
  store::TempFolder folder_;
  std::unique_ptr<store::Store> store_;
  store::Source source_;
};

/// A schema that changes at random, of words that meet often: names clash, tables refer to one
/// another by name, roles and bridges come and go.
class Changing {
 public:
  explicit Changing(unsigned seed) : random_(seed) {}

  void Change() {
    switch (Below(6)) {
      case 0:
      case 1:
        return AddTable();
      case 2:
        return DropTable();
      case 3:
        return AddColumn();
      case 4:
        return DropColumn();
      default:
        return AddKey();
    }
  }

  Tables All() const {
    Tables tables;
    for (const auto& [place, table] : tables_) tables.push_back(table);
    return tables;
  }

 private:
  static constexpr const char* kTables[] = {"order",     "orders",     "order_item", "item",
                                            "customer",  "item_count", "total",      "order_total",
                                            "customers", "product",    "order_count"};
  static constexpr const char* kColumns[] = {"total",
                                             "item_count",
                                             "count",
                                             "order_id",
                                             "customer_id",
                                             "amount",
                                             "rating",
                                             "item_id",
                                             "parent_id",
                                             "placed_at",
                                             "order_no",
                                             "item_total",
                                             "buyer_customer_id",
                                             "product_id"};

  std::size_t Below(std::size_t bound) { return random_() % bound; }
  template <std::size_t N>
  std::string OneOf(const char* const (&words)[N]) {
    return words[Below(N)];
  }

  catalog::Table* Any() {
    if (tables_.empty()) return nullptr;
    return &std::next(tables_.begin(), static_cast<std::ptrdiff_t>(Below(tables_.size())))->second;
  }

  void AddTable() {
    auto table = MakeTable(OneOf(kTables), {{"id", "int"}}, {"id"});
    table.schema = Below(4) == 0 ? "crm" : "public";
    table.comment = fmt::format("made {}", ++made_);
    const std::size_t columns = Below(4);
    for (std::size_t c = 0; c < columns; ++c) AddColumnTo(table);
    if (Below(4) == 0) {
      table.columns.clear();
      for (const char* reference : {"order_id", "item_id"}) {
        table.columns.emplace_back().name = reference;
        table.columns.back().type = "int";
      }
      table.primary_key->columns = {"order_id", "item_id"};
    }
    tables_[{table.schema, table.name}] = std::move(table);
  }

  void DropTable() {
    if (const auto* table = Any()) tables_.erase(std::pair(table->schema, table->name));
  }

  void AddColumnTo(catalog::Table& table) {
    const std::string name = OneOf(kColumns);
    if (catalog::FindColumn(table, name) != std::string_view::npos) return;
    auto& column = table.columns.emplace_back();
    column.name = name;
    column.type = name == "placed_at" ? "timestamp" : "int";
  }

  void AddColumn() {
    if (auto* table = Any()) AddColumnTo(*table);
  }

  void DropColumn() {
    auto* table = Any();
    if (table == nullptr || table->columns.size() < 2) return;
    const std::string name = table->columns.back().name;
    const auto& key = table->primary_key->columns;
    if (std::find(key.begin(), key.end(), name) != key.end()) return;
    std::erase_if(table->foreign_keys,
                  [&](const auto& one) { return one.columns.front() == name; });
    table->columns.pop_back();
  }

  void AddKey() {
    auto* from = Any();
    const auto* to = Any();
    if (from == nullptr || to->primary_key->columns.size() != 1) return;
    from->foreign_keys.push_back({fmt::format("key_{}", ++made_),
                                  {from->columns.back().name},
                                  to->schema,
                                  to->name,
                                  to->primary_key->columns,
                                  {},
                                  {}});
  }

  std::mt19937 random_;
  std::map<std::pair<std::string, std::string>, catalog::Table> tables_;
  int made_ = 0;
};

store::DefinitionRow KeptEntity(const std::string& name, const std::string& table) {
  return {
      0, store::DefinitionKind::Entity, name,
      fmt::format(R"({{"name":"{}","table":"{}","identity":["id"],"trust":{{"state":"applied"}}}})",
                  name, table),
      true};
}

constexpr unsigned kSequences = 8;
constexpr int kChanges = 25;

TEST(Suggest, AfterAnyChangesIsAsIfAllWereMade) {
  std::map<Extent, int> extents;
  for (unsigned seed = 1; seed <= kSequences; ++seed) {
    Drafted drafted, fresh;
    Changing schema(seed);
    for (int change = 0; change < kChanges; ++change) {
      schema.Change();
      if (change % 4 == 0) schema.Change();
      if (change == kChanges / 2)
        for (Drafted* each : {&drafted, &fresh})
          each->Write(KeptEntity("buyer", "public.customer"));
      const Tables tables = schema.All();
      ++extents[drafted.Suggest(tables).extent];
      EXPECT_EQ(drafted.Suggest(tables).extent, Extent::Nothing);
      SuggestOptions anew;
      anew.all_anew = true;
      fresh.Suggest(tables, anew);
      ASSERT_EQ(drafted.All(), fresh.All()) << "seed " << seed << ", change " << change;
    }
  }
  EXPECT_GT(extents[Extent::Changed], 20);  // or little was tried
  EXPECT_GT(extents[Extent::All], 20);
}

Tables Shop() {
  return {MakeTable("customers", {{"id", "int"}}, {"id"}),
          MakeTable("notes", {{"id", "int"}}, {"id"}),
          MakeTable("orders", {{"id", "int"}, {"customer_id", "int"}}, {"id"}),
          MakeTable("products", {{"id", "int"}, {"shop_id", "int"}}, {"id"})};
}

std::vector<std::string> TablesMade(const Suggestion& made) {
  std::vector<std::string> names;
  for (const TableDrafts& table : made.drafts.tables) names.push_back(table.table);
  return names;
}

TEST(Suggest, MakesTheTableThatChangedAndThoseThatItNowMeansSomethingTo) {
  Drafted drafted;
  Tables tables = Shop();
  drafted.Suggest(tables);
  tables.push_back(MakeTable("shops", {{"id", "int"}}, {"id"}));
  const Suggestion made = drafted.Suggest(tables);
  EXPECT_EQ(made.extent, Extent::Changed);
  EXPECT_THAT(TablesMade(made), ::testing::ElementsAre("public.products", "public.shops"));
  EXPECT_EQ(made.summary.added, 3);  // an entity, its count, the join of products
  EXPECT_EQ(made.summary.unchanged, 9);
}

TEST(Suggest, ChecksOfValuesAndOtherPoliciesAndWishesMakeAllAgain) {
  Drafted drafted;
  drafted.Suggest(Shop());
  SuggestOptions anew;
  anew.all_anew = true;
  EXPECT_EQ(drafted.Suggest(Shop(), anew).extent, Extent::All);
  SuggestOptions dev;
  dev.policy = privacy::Policy({}, privacy::Profile::Dev);
  EXPECT_EQ(drafted.Suggest(Shop(), dev).extent, Extent::All);
  EXPECT_EQ(drafted.Suggest(Shop(), dev).extent, Extent::Nothing);
}

TEST(Suggest, VerdictsOfValuesCount) {
  Drafted drafted;
  Tables tables = Shop();
  drafted.Suggest(tables);
  tables[2].columns[1].verdicts = {"payment_card:luhn"};
  EXPECT_EQ(drafted.Suggest(tables).extent, Extent::Changed);
}

}  // namespace
}  // namespace schemaward::suggest
