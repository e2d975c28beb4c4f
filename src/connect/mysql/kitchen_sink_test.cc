// Every kind of object that introspection must get right, on a real server.

#include <unistd.h>

#include "connect/mysql/server_test.h"

namespace schemaward::connect::mysql {
namespace {

using catalog::Column;
using catalog::ForeignKey;
using catalog::Index;
using catalog::Key;
using catalog::Table;
using catalog::TableKind;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Strings = std::vector<std::string>;

class MysqlKitchenSink : public ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    if (database_ == nullptr) return;
    Given(ReadFile(WARD_SOURCE_DIR "/tests/fixtures/kitchen_sink_mariadb.sql"));
    Read(*Connect());
  }
  void Read(Connector& connector) {
    auto database = connector.Introspect({}, ctx_);
    ASSERT_THAT(database, IsOk());
    catalog_ = *std::move(database);
  }
  const Table& TableOf(std::string_view name) const {
    for (const Table& table : catalog_.tables)
      if (table.name == name) return table;
    throw std::runtime_error("no table " + std::string(name));
  }
  const Column& ColumnOf(std::string_view table, std::string_view column) const {
    const Table& owner = TableOf(table);
    return owner.columns.at(catalog::FindColumn(owner, column));
  }
  Strings Names() const {
    Strings names;
    for (const Table& table : catalog_.tables) names.push_back(table.name);
    return names;
  }
  Strings Missing() const {
    Strings missing;
    for (const catalog::Missing& one : catalog_.missing)
      missing.push_back(one.object.substr(one.object.find('.') + 1) + ": " + one.reason);
    return missing;
  }
  catalog::Database catalog_;
};

TEST_F(MysqlKitchenSink, ListsTablesAndViews) {
  // No sequence, no temporary table.
  EXPECT_THAT(Names(), ElementsAre("customer", "every_type", "movement", "open_order", "order_line",
                                   "orders", "versioned"));
  EXPECT_THAT(Missing(), ElementsAre("broken: the view refers to what is gone, or to what its "
                                     "owner may not read"));
  EXPECT_EQ(TableOf("customer").comment, "People who buy");
  EXPECT_EQ(TableOf("open_order").kind, TableKind::View);
  EXPECT_EQ(TableOf("open_order").comment, "");
  EXPECT_THAT(TableOf("open_order").definition,
              ::testing::HasSubstr("`orders`.`status` <> 'paid'"));
  EXPECT_EQ(TableOf("open_order").row_estimate, std::nullopt);
  EXPECT_EQ(TableOf("movement").kind, TableKind::PartitionedTable);
  EXPECT_EQ(TableOf("movement").partition_count, 3);
  EXPECT_THAT(TableOf("movement").partition_key,
              ::testing::MatchesRegex("RANGE .year.`?moved_on`?.."));
  EXPECT_NEAR(static_cast<double>(TableOf("movement").row_estimate.value_or(0)), 500, 10);
  EXPECT_EQ(catalog_.name, database_->name());
  EXPECT_THAT(catalog_.engine_version, ::testing::HasSubstr("MariaDB"));
}

TEST_F(MysqlKitchenSink, ReadsColumns) {
  EXPECT_EQ(ColumnOf("customer", "customer_id").identity, "by default");
  EXPECT_EQ(ColumnOf("customer", "customer_id").type, "int(10) unsigned");
  EXPECT_EQ(ColumnOf("customer", "customer_id").comment, "Number on the card");
  EXPECT_FALSE(ColumnOf("customer", "email").nullable);
  EXPECT_TRUE(ColumnOf("customer", "born").nullable);
  EXPECT_EQ(ColumnOf("customer", "born").default_value, std::nullopt);
  EXPECT_EQ(ColumnOf("customer", "segment").default_value, "'consumer'");
  EXPECT_EQ(ColumnOf("customer", "created_at").type, "timestamp(3)");
  EXPECT_EQ(ColumnOf("customer", "created_at").default_value, "current_timestamp(3)");
  EXPECT_EQ(ColumnOf("orders", "total").default_value, "0.00");
  EXPECT_EQ(ColumnOf("orders", "total_with_tax").generated, "`total` * 1.20");
  EXPECT_EQ(ColumnOf("orders", "total_stored").generated, "`total` * 2");
  EXPECT_EQ(ColumnOf("orders", "total_stored").default_value, std::nullopt);
  EXPECT_EQ(ColumnOf("orders", "note").default_value, std::nullopt);
  EXPECT_EQ(ColumnOf("orders", "ref").default_value, "uuid()");
}

TEST_F(MysqlKitchenSink, ReadsTypesNamesAndLabels) {
  EXPECT_EQ(ColumnOf("every_type", "c_bool").type, "tinyint(1)");
  EXPECT_EQ(ColumnOf("every_type", "c_medium").type, "mediumint(8) unsigned");
  EXPECT_EQ(ColumnOf("every_type", "c_bit").type, "bit(9)");
  EXPECT_EQ(ColumnOf("every_type", "c_datetime").type, "datetime(6)");
  EXPECT_EQ(ColumnOf("every_type", "c_uuid").type, "uuid");
  EXPECT_EQ(ColumnOf("every_type", "c_point").type, "point");
  for (const char* name : {"Mixed Case", "back`tick", "with\"quote",
                           "\xD1\x82\xD0\xB0\xD0\xB1\xD0\xBB\xD0\xB8\xD1\x86\xD0\xB0"})
    EXPECT_EQ(ColumnOf("every_type", name).type, "int(11)") << name;
  EXPECT_EQ(ColumnOf("orders", "status").labels, (Strings{"new", "paid", "it's back"}));
  EXPECT_EQ(ColumnOf("customer", "flags").labels, (Strings{"vip", "blocked"}));
  EXPECT_EQ(ColumnOf("customer", "segment").labels,
            (Strings{"consumer", "business", "it's public"}));
  EXPECT_EQ(ColumnOf("customer", "tier").labels, (Strings{"1", "2", "3"}));
  EXPECT_THAT(ColumnOf("order_line", "quantity").labels, IsEmpty());
}

TEST_F(MysqlKitchenSink, ReadsKeysIndexesAndChecks) {
  const std::string schema = database_->name();
  EXPECT_EQ(TableOf("orders").primary_key->columns, (Strings{"region_code", "order_no"}));
  EXPECT_THAT(TableOf("customer").unique_keys, ElementsAre(Key{"customer_email_key", {"email"}}));
  EXPECT_THAT(TableOf("order_line").foreign_keys,
              ElementsAre(ForeignKey{"order_line_order_fk",
                                     {"region_code", "order_no"},
                                     schema,
                                     "orders",
                                     {"region_code", "order_no"},
                                     "restrict",
                                     "restrict"},
                          ForeignKey{"order_line_parent_fk",
                                     {"parent_line"},
                                     schema,
                                     "order_line",
                                     {"line_id"},
                                     "restrict",
                                     "restrict"}));
  EXPECT_EQ(TableOf("orders").foreign_keys.at(0).on_delete, "set null");
  EXPECT_EQ(TableOf("orders").foreign_keys.at(0).on_update, "cascade");
  EXPECT_THAT(
      TableOf("customer").indexes,
      ElementsAre(
          Index{"customer_name_idx", {"full_name", "created_at"}, false, "btree", std::nullopt},
          Index{"customer_prefix_key", {"full_name(10)"}, true, "btree", std::nullopt},
          Index{"customer_text_idx", {"full_name"}, false, "fulltext", std::nullopt}));
  EXPECT_THAT(TableOf("customer").checks, SizeIs(3));
  EXPECT_EQ(TableOf("order_line").checks.at(0).expression, "`quantity` > 0");
}

TEST_F(MysqlKitchenSink, LeavesOutAndNamesWhatTheRoleMayNotRead) {
  const std::string reader = "ward_reader_" + std::to_string(getpid());
  Given("CREATE OR REPLACE USER '" + reader + "'@'%'; GRANT SELECT ON orders TO '" + reader +
        "'@'%'; GRANT INSERT ON customer TO '" + reader +
        "'@'%'; GRANT SELECT (line_id, quantity), "
        "INSERT (order_no) ON order_line TO '" +
        reader + "'@'%'");
  Read(*ConnectAs(database_->UriFor(reader, database_->name())));
  EXPECT_THAT(Names(), ElementsAre("order_line", "orders"));
  EXPECT_THAT(Missing(), ElementsAre("customer: no privilege to read it",
                                     "order_line: no privilege to read the columns order_no"));
  EXPECT_THAT(TableOf("order_line").columns,
              ElementsAre(Field(&Column::name, "line_id"), Field(&Column::name, "quantity")));
  EXPECT_THAT(TableOf("order_line").foreign_keys, IsEmpty());
  EXPECT_EQ(TableOf("order_line").primary_key->columns, Strings{"line_id"});
  // Who may only read sees the keys, and not what they do.
  ASSERT_THAT(TableOf("orders").foreign_keys, SizeIs(1));
  EXPECT_EQ(TableOf("orders").foreign_keys[0].on_delete, "");
  (void)database_->Execute("DROP USER '" + reader + "'@'%'");
}

}  // namespace
}  // namespace schemaward::connect::mysql
