// Catalogs from recorded answers. Those of MySQL 8.4 and SingleStore 8.7 are written down from
// their manuals in the columns of catalog_queries.cc: there is no server of these to ask. What
// MariaDB answers is tested on a server, in kitchen_sink_test.cc.

#include "connect/mysql/build_catalog.h"

#include "base/result_matchers.h"
#include "connect/mysql/catalog_queries.h"

namespace schemaward::connect::mysql {
namespace {

using catalog::Column;
using catalog::ForeignKey;
using catalog::Key;
using catalog::Table;
using catalog::TableKind;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

using Strings = std::vector<std::string>;
constexpr std::nullopt_t kNull = std::nullopt;

ServerInfo ServerOf(Flavour flavour, bool folds_names = false) {
  ServerInfo server;
  server.flavour = flavour;
  server.version = 80403;
  server.database = "shop";
  server.folds_names = folds_names;
  return server;
}

// shop.orders, shop.customer and a view, as MySQL 8.4 answers.
CatalogReplies MySqlReplies() {
  CatalogReplies replies;
  const std::string broken =
      "View 'shop.broken' references invalid table(s) or column(s) or "
      "function(s) or definer/invoker of view lack rights to use them";
  replies.tables.rows = {{"shop", "customer", "BASE TABLE", "8", "who buys"},
                         {"shop", "orders", "BASE TABLE", "60", ""},
                         {"shop", "broken", "VIEW", kNull, broken},
                         {"shop", "open_order", "VIEW", kNull, "VIEW"}};
  const std::string all = "select,insert,update,references";
  replies.columns.rows = {
      {"shop", "customer", "id", "int", "NO", kNull, "auto_increment", "", "", all},
      {"shop", "customer", "tier", "enum('gold','it''s')", "YES", "gold", "", "rank", "", all},
      {"shop", "orders", "id", "bigint unsigned", "NO", kNull, "", "", "", all},
      {"shop", "orders", "customer_id", "int", "YES", kNull, "", "", "", all},
      {"shop", "orders", "status", "varchar(10)", "NO", "it's new", "", "", "", all},
      {"shop", "orders", "code", "varchar(36)", "NO", "uuid()", "DEFAULT_GENERATED", "", "", all},
      {"shop", "orders", "at", "timestamp", "YES", "CURRENT_TIMESTAMP",
       "DEFAULT_GENERATED on update CURRENT_TIMESTAMP", "", "", all},
      {"shop", "orders", "twice", "int", "YES", kNull, "VIRTUAL GENERATED", "", "(`total` * 2)",
       all},
      {"shop", "orders", "total", "decimal(12,2)", "YES", "0.00", "", "", "", all},
      {"shop", "open_order", "id", "bigint unsigned", "NO", kNull, "", "", "", all}};
  replies.indexes.rows = {
      {"shop", "customer", "PRIMARY", "0", "id", kNull, "BTREE", kNull},
      {"shop", "orders", "by_status", "1", "status", "3", "BTREE", kNull},
      {"shop", "orders", "lower_code", "0", kNull, kNull, "BTREE", "lower(`code`)"},
      {"shop", "orders", "once", "0", "customer_id", kNull, "BTREE", kNull},
      {"shop", "orders", "once", "0", "at", kNull, "BTREE", kNull},
      {"shop", "orders", "PRIMARY", "0", "id", kNull, "BTREE", kNull}};
  replies.keys.rows = {
      {"shop", "orders", "orders_customer", "customer_id", "shop", "customer", "id"}};
  replies.actions.rows = {{"shop", "orders", "orders_customer", "NO ACTION", "SET NULL"}};
  replies.checks.rows = {
      {"shop", "orders", "status_known", "(`status` in (_utf8mb4\\'new\\',_utf8mb4\\'paid\\'))"}};
  replies.views.rows = {
      {"shop", "open_order", "select `shop`.`orders`.`id` AS `id` from `shop`.`orders`"},
      {"shop", "broken", ""}};
  replies.partitions.rows = {{"shop", "orders", "4", "HASH (id)"}};
  return replies;
}

const Table& TableOf(const catalog::Database& database, std::string_view name) {
  for (const Table& table : database.tables)
    if (table.name == name) return table;
  throw std::runtime_error("no table " + std::string(name));
}

const Column& ColumnOf(const catalog::Database& database, std::string_view table,
                       std::string_view name) {
  const Table& owner = TableOf(database, table);
  return owner.columns.at(catalog::FindColumn(owner, name));
}

TEST(MysqlCatalog, ReadsTheColumnsOfMySql8) {
  const auto database = BuildCatalog(ServerOf(Flavour::MySql), MySqlReplies());
  EXPECT_EQ(ColumnOf(database, "customer", "id").identity, "by default");
  EXPECT_EQ(ColumnOf(database, "customer", "tier").labels, (Strings{"gold", "it's"}));
  EXPECT_EQ(ColumnOf(database, "customer", "tier").default_value, "'gold'");
  EXPECT_EQ(ColumnOf(database, "customer", "tier").comment, "rank");
  EXPECT_FALSE(ColumnOf(database, "orders", "id").nullable);
  EXPECT_EQ(ColumnOf(database, "orders", "id").type, "bigint unsigned");
  EXPECT_EQ(ColumnOf(database, "orders", "status").default_value, "'it''s new'");
  EXPECT_EQ(ColumnOf(database, "orders", "status").labels, (Strings{"new", "paid"}));
  EXPECT_EQ(ColumnOf(database, "orders", "code").default_value, "uuid()");
  EXPECT_EQ(ColumnOf(database, "orders", "at").default_value, "CURRENT_TIMESTAMP");
  EXPECT_EQ(ColumnOf(database, "orders", "at").generated, std::nullopt);
  EXPECT_EQ(ColumnOf(database, "orders", "twice").generated, "(`total` * 2)");
  EXPECT_EQ(ColumnOf(database, "orders", "total").default_value, "0.00");
}

TEST(MysqlCatalog, ReadsTheTablesAndKeysOfMySql8) {
  const auto database = BuildCatalog(ServerOf(Flavour::MySql), MySqlReplies());
  ASSERT_THAT(database.tables, SizeIs(3));
  EXPECT_EQ(TableOf(database, "customer").comment, "who buys");
  EXPECT_EQ(TableOf(database, "customer").row_estimate, 8);
  EXPECT_EQ(TableOf(database, "open_order").kind, TableKind::View);
  EXPECT_EQ(TableOf(database, "open_order").comment, "");
  EXPECT_THAT(TableOf(database, "open_order").definition, HasSubstr("from `shop`.`orders`"));
  const Table& orders = TableOf(database, "orders");
  EXPECT_EQ(orders.kind, TableKind::PartitionedTable);
  EXPECT_EQ(orders.partition_count, 4);
  EXPECT_EQ(orders.partition_key, "HASH (id)");
  EXPECT_EQ(orders.primary_key->columns, Strings{"id"});
  EXPECT_THAT(orders.unique_keys, ElementsAre(Key{"once", {"customer_id", "at"}}));
  EXPECT_THAT(orders.foreign_keys, ElementsAre(ForeignKey{"orders_customer",
                                                          {"customer_id"},
                                                          "shop",
                                                          "customer",
                                                          {"id"},
                                                          "no action",
                                                          "set null"}));
  EXPECT_THAT(
      orders.indexes,
      ElementsAre(catalog::Index{"by_status", {"status(3)"}, false, "btree", std::nullopt},
                  catalog::Index{"lower_code", {"lower(`code`)"}, true, "btree", std::nullopt}));
  EXPECT_THAT(database.missing, ElementsAre(Field(&catalog::Missing::object, "shop.broken")));
}

TEST(MysqlCatalog, LeavesOutAndNamesWhatMayNotBeRead) {
  CatalogReplies replies = MySqlReplies();
  for (Row& row : replies.columns.rows) {
    const auto at = static_cast<std::size_t>(ColumnField::Privileges);
    if (row[1] == "customer") row[at] = "insert";
    if (row[2] == "customer_id") row[at] = "";
  }
  const auto database = BuildCatalog(ServerOf(Flavour::MySql), replies);
  Strings missing;
  for (const catalog::Missing& one : database.missing)
    missing.push_back(one.object + ": " + one.reason);
  EXPECT_THAT(missing,
              ElementsAre("shop.broken: the view refers to what is gone, or to what its owner may "
                          "not read",
                          "shop.customer: no privilege to read it",
                          "shop.orders: no privilege to read the columns customer_id"));
  const Table& orders = TableOf(database, "orders");
  EXPECT_THAT(orders.foreign_keys, IsEmpty());
  EXPECT_THAT(orders.unique_keys, IsEmpty());
  EXPECT_THAT(orders.indexes, SizeIs(1));  // the expression may name the column
}

TEST(MysqlCatalog, FindsTheTableOfAKeyWhereNamesFold) {
  CatalogReplies replies = MySqlReplies();
  replies.keys.rows[0][5] = "CUSTOMER";
  EXPECT_EQ(TableOf(BuildCatalog(ServerOf(Flavour::MySql, true), replies), "orders")
                .foreign_keys.at(0)
                .target_table,
            "customer");
  EXPECT_EQ(TableOf(BuildCatalog(ServerOf(Flavour::MySql, false), replies), "orders")
                .foreign_keys.at(0)
                .target_table,
            "CUSTOMER");
}

TEST(MysqlCatalog, ReadsSingleStore) {
  CatalogReplies replies;
  replies.tables.rows = {{"shop", "event", "BASE TABLE", "1000", ""}};
  replies.columns.rows = {
      {"shop", "event", "id", "bigint(11)", "NO", kNull, "auto_increment", "", kNull, ""},
      {"shop", "event", "kind", "varchar(20) CHARACTER SET utf8", "YES", "x", "", "", kNull, ""}};
  replies.indexes.rows = {
      {"shop", "event", "PRIMARY", "0", "id", kNull, "HASH", kNull},
      {"shop", "event", "__SHARDKEY", "1", "id", kNull, "METADATA_ONLY", kNull}};
  const auto database = BuildCatalog(ServerOf(Flavour::SingleStore), replies);
  ASSERT_THAT(database.tables, SizeIs(1));
  EXPECT_EQ(database.tables[0].primary_key->columns, Strings{"id"});
  EXPECT_EQ(ColumnOf(database, "event", "kind").default_value, "'x'");
  EXPECT_THAT(database.missing, IsEmpty());
}

TEST(MysqlCatalog, AsksEachFlavourOnlyWhatItHas) {
  EXPECT_THAT(QueriesFor(ServerOf(Flavour::SingleStore), {}).columns.sql,
              Not(HasSubstr("generation_expression")));
  EXPECT_EQ(QueriesFor(ServerOf(Flavour::SingleStore), {}).checks.sql, "");
  EXPECT_THAT(QueriesFor(ServerOf(Flavour::MySql), {}).indexes.sql, HasSubstr("s.expression"));
  EXPECT_THAT(QueriesFor(ServerOf(Flavour::MariaDb), {}).indexes.sql,
              Not(HasSubstr("s.expression")));
  ServerInfo no_database = ServerOf(Flavour::MariaDb);
  no_database.database.clear();
  EXPECT_THAT(QueriesFor(no_database, {}).tables.sql, HasSubstr("NOT IN ('information_schema'"));
  const CatalogQueries two = QueriesFor(no_database, {.schemas = {"a", "b'c"}});
  EXPECT_THAT(two.tables.sql, HasSubstr("IN (?, ?)"));
  EXPECT_THAT(two.tables.parameters, SizeIs(2));
  EXPECT_THAT(two.fingerprint.parameters, SizeIs(10));
}

}  // namespace
}  // namespace schemaward::connect::mysql
