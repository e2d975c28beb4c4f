// Every kind of object that introspection must get right, on each version.

#include "connect/postgres/server_test.h"

namespace schemaward::connect::postgres {
namespace {

using catalog::Column;
using catalog::ForeignKey;
using catalog::Key;
using catalog::Table;
using catalog::TableKind;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::SizeIs;

using Strings = std::vector<std::string>;

class KitchenSink : public ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    if (database_ == nullptr) return;
    Given(ReadFile(WARD_SOURCE_DIR "/tests/fixtures/kitchen_sink_postgres.sql"));
    auto database = Connect()->Introspect({}, ctx_);
    ASSERT_THAT(database, IsOk());
    catalog_ = *std::move(database);
  }

  const Table& TableOf(std::string_view schema, std::string_view name) const {
    for (const Table& table : catalog_.tables)
      if (table.schema == schema && table.name == name) return table;
    throw std::runtime_error("no table " + std::string(name));
  }
  const Column& ColumnOf(std::string_view schema, std::string_view table,
                         std::string_view column) const {
    const Table& owner = TableOf(schema, table);
    return owner.columns.at(catalog::FindColumn(owner, column));
  }
  Strings NamesIn(std::string_view schema) const {
    Strings names;
    for (const Table& table : catalog_.tables)
      if (table.schema == schema) names.push_back(table.name);
    return names;
  }

  void ExpectTables() const;
  void ExpectColumns() const;
  void ExpectTypes() const;
  void ExpectKeys() const;
  void ExpectIndexesAndChecks() const;
  void ExpectEstimates() const;
  catalog::Database catalog_;
};

void KitchenSink::ExpectTables() const {
  EXPECT_THAT(catalog_.missing, IsEmpty());
  // Extension-owned views of public and the temporary table are not there; partitions are folded.
  EXPECT_THAT(NamesIn("public"), ElementsAre("product"));
  EXPECT_THAT(NamesIn("stock"), ElementsAre("movement", "product", "reading"));
  EXPECT_THAT(NamesIn("hidden"), ElementsAre("secret"));
  EXPECT_THAT(NamesIn("sales"),
              ElementsAre("customer", "customer_product", "daily_revenue", "open_order",
                          "open_order_count", "order_line", "orders", "product", "product_l10n",
                          "refund", "transfer", "unfilled"));
  EXPECT_THAT(NamesIn("Mixed Case"),
              ElementsAre("Order Items", "order items", "semi;colon--and/*comment", "user",
                          "\xD1\x82\xD0\xB0\xD0\xB1\xD0\xBB\xD0\xB8\xD1\x86\xD0\xB0"));
  EXPECT_THAT(NamesIn("legacy"), SizeIs(10));
  EXPECT_EQ(TableOf("stock", "movement").kind, TableKind::PartitionedTable);
  EXPECT_EQ(TableOf("stock", "movement").partition_count, 5);
  EXPECT_EQ(TableOf("stock", "reading").partition_count, 2);
  EXPECT_EQ(TableOf("stock", "movement").partition_key, "RANGE (moved_on); LIST (warehouse)");
  EXPECT_EQ(TableOf("stock", "reading").partition_key, "HASH (sensor)");
  EXPECT_EQ(TableOf("sales", "open_order").kind, TableKind::View);
  EXPECT_EQ(TableOf("sales", "open_order").comment, "Orders that still need work");
  EXPECT_EQ(TableOf("sales", "daily_revenue").kind, TableKind::MaterializedView);
  EXPECT_EQ(TableOf("sales", "daily_revenue").comment, "Refreshed every night");
  EXPECT_EQ(TableOf("legacy", "os_release").kind, TableKind::ForeignTable);
  EXPECT_EQ(TableOf("legacy", "login_event").kind, TableKind::Table);
  EXPECT_THAT(TableOf("legacy", "no_columns").columns, IsEmpty());
  EXPECT_THAT(TableOf("stock", "product").columns, SizeIs(3));  // one was dropped
}

void KitchenSink::ExpectColumns() const {
  EXPECT_EQ(ColumnOf("sales", "customer", "customer_id").identity, "always");
  EXPECT_EQ(ColumnOf("sales", "product", "product_id").identity, "by default");
  EXPECT_EQ(ColumnOf("sales", "refund", "refund_id").default_value,
            "nextval('sales.refund_refund_id_seq'::regclass)");
  EXPECT_EQ(ColumnOf("sales", "orders", "status").default_value, "'new'::sales.order_status");
  EXPECT_EQ(ColumnOf("sales", "orders", "total_with_tax").generated, "((total)::numeric * 1.20)");
  EXPECT_EQ(ColumnOf("sales", "orders", "total_with_tax").default_value, std::nullopt);
  EXPECT_FALSE(ColumnOf("sales", "customer", "email").nullable);
  EXPECT_TRUE(ColumnOf("sales", "customer", "tier").nullable);
  EXPECT_EQ(ColumnOf("sales", "customer", "segment").comment, "Market segment, set by hand");
  EXPECT_EQ(ColumnOf("sales", "open_order", "total").comment, "Before tax");
  EXPECT_EQ(ColumnOf("sales", "daily_revenue", "revenue").comment,
            "Sum of order totals before tax");
  EXPECT_EQ(ColumnOf("Mixed Case", "Order Items", "\xE4\xBE\xA1\xE6\xA0\xBC").comment,
            "Price, in yen");
  EXPECT_EQ(ColumnOf("Mixed Case", "Order Items", "with\"quote").type, "text");
  EXPECT_EQ(ColumnOf("Mixed Case", "Order Items", " padded ").type, "text");
}

void KitchenSink::ExpectTypes() const {
  const Strings status = {"new", "paid", "packed", "shipped", "cancelled", "Zur\303\274ck"};
  EXPECT_EQ(ColumnOf("sales", "orders", "status").labels, status);
  EXPECT_EQ(ColumnOf("sales", "orders", "status").type, "sales.order_status");
  EXPECT_EQ(ColumnOf("legacy", "every_type", "c_enum_array").labels, status);
  EXPECT_TRUE(ColumnOf("legacy", "every_type", "c_enum_array").is_array);
  EXPECT_TRUE(ColumnOf("legacy", "every_type", "c_text_matrix").is_array);
  EXPECT_EQ(ColumnOf("legacy", "every_type", "c_numeric_ps").type, "numeric(9,4)");
  EXPECT_EQ(ColumnOf("legacy", "every_type", "c_interval_f").type, "interval day to second(2)");
  EXPECT_EQ(ColumnOf("legacy", "every_type", "c_citext").type, "public.citext");
  const Column& price =
      ColumnOf("sales", "product", "unit_price");  // a domain over a domain that forbids nulls
  EXPECT_EQ(price.domain, "sales.price");
  EXPECT_EQ(price.type, "numeric(12,2)");
  EXPECT_FALSE(price.nullable);
  EXPECT_EQ(ColumnOf("legacy", "every_type", "c_domain_array").type, "sales.positive_amount[]");
  EXPECT_EQ(ColumnOf("legacy", "every_type", "c_domain_array").domain, std::nullopt);
  EXPECT_EQ(ColumnOf("sales", "customer", "segment").labels,
            (Strings{"consumer", "business", "public sector"}));
  EXPECT_EQ(ColumnOf("sales", "customer", "tier").labels, (Strings{"1", "2", "3"}));
  EXPECT_EQ(ColumnOf("sales", "refund", "reason").labels,
            (Strings{"damaged", "late", "it's wrong", "other"}));
}

void KitchenSink::ExpectKeys() const {
  EXPECT_EQ(TableOf("sales", "product_l10n").primary_key->columns,
            (Strings{"locale", "product_id"}));
  EXPECT_THAT(TableOf("sales", "customer").unique_keys,
              ElementsAre(Key{"customer_email_key", {"email"}},
                          Key{"customer_name_created_idx", {"full_name", "created_at"}}));
  EXPECT_THAT(TableOf("sales", "daily_revenue").unique_keys,
              ElementsAre(Key{"daily_revenue_day_idx", {"day"}}));
  EXPECT_THAT(TableOf("sales", "order_line").foreign_keys,
              ElementsAre(ForeignKey{"order_line_l10n_fk",
                                     {"product_id", "locale"},
                                     "sales",
                                     "product_l10n",
                                     {"product_id", "locale"},
                                     "no action",
                                     "no action"},
                          ForeignKey{"order_line_order_fk",
                                     {"region_code", "order_no"},
                                     "sales",
                                     "orders",
                                     {"region_code", "order_no"},
                                     "cascade",
                                     "cascade"}));
  EXPECT_THAT(TableOf("sales", "refund").foreign_keys, SizeIs(2));  // one of them is not validated
  EXPECT_THAT(TableOf("sales", "transfer").foreign_keys, SizeIs(2));
  EXPECT_EQ(TableOf("sales", "customer").foreign_keys.at(0).on_delete, "set null");
  EXPECT_EQ(TableOf("stock", "product").foreign_keys.at(0).target_schema, "sales");
  EXPECT_THAT(TableOf("stock", "movement").foreign_keys, SizeIs(1));
  EXPECT_EQ(TableOf("stock", "movement").primary_key->columns,
            (Strings{"movement_id", "moved_on", "warehouse"}));
  EXPECT_EQ(TableOf("Mixed Case", "order items").foreign_keys.at(0).target_columns,
            Strings{"Item Id"});
}

void KitchenSink::ExpectIndexesAndChecks() const {
  const Table& customer = TableOf("sales", "customer");
  EXPECT_THAT(
      customer.indexes,
      ElementsAre(
          catalog::Index{
              "customer_lower_email_idx", {"lower(full_name)"}, false, "btree", std::nullopt},
          catalog::Index{"customer_name_created_idx",
                         {"full_name", "created_at"},
                         true,
                         "btree",
                         std::nullopt},
          catalog::Index{"customer_one_vip_idx", {"segment"}, true, "btree", "tier = 3"},
          catalog::Index{"customer_tags_idx", {"tags"}, false, "gin", std::nullopt}));
  EXPECT_THAT(customer.checks, SizeIs(2));
  EXPECT_EQ(TableOf("sales", "order_line").checks.at(0).expression, "quantity > 0");
}

void KitchenSink::ExpectEstimates() const {
  EXPECT_EQ(TableOf("sales", "orders").row_estimate, 2000);
  EXPECT_EQ(TableOf("stock", "movement").row_estimate, 1000);
  EXPECT_EQ(TableOf("legacy", "event").row_estimate, std::nullopt);
  EXPECT_EQ(TableOf("sales", "unfilled").row_estimate, std::nullopt);
  EXPECT_EQ(TableOf("sales", "open_order").row_estimate, std::nullopt);
  const auto tier = ColumnOf("sales", "customer", "tier").statistic;
  EXPECT_THAT(tier, Optional(Field(&catalog::Statistic::null_fraction, 0.25)));
  EXPECT_THAT(tier, Optional(Field(&catalog::Statistic::distinct_estimate, 2)));
  // As a share of the rows, and of a partitioned table.
  EXPECT_EQ(ColumnOf("sales", "orders", "order_no").statistic->distinct_estimate, 2000);
  EXPECT_EQ(ColumnOf("stock", "movement", "movement_id").statistic->distinct_estimate, 1000);
  EXPECT_EQ(ColumnOf("legacy", "event", "id").statistic, std::nullopt);
}

TEST_P(KitchenSink, IsReadRight) {
  ExpectTables();
  ExpectColumns();
  ExpectTypes();
  ExpectKeys();
  ExpectIndexesAndChecks();
  ExpectEstimates();
}

TEST_P(KitchenSink, LeavesOutAndNamesWhatTheRoleMayNotRead) {
  const std::string uri = database_->UriFor("ward_reader");
  auto connector = Open(uri, "p@ss+w%rd");
  ASSERT_THAT(connector, IsOk());
  auto read = (*connector)->Introspect({}, ctx_);
  ASSERT_THAT(read, IsOk());
  catalog_ = *std::move(read);
  Strings missing;
  for (const catalog::Missing& one : catalog_.missing)
    missing.push_back(one.object + ": " + one.reason);
  EXPECT_THAT(missing, ElementsAre("\"Mixed Case\": no privilege to use the schema",
                                   "hidden: no privilege to use the schema",
                                   "legacy: no privilege to use the schema",
                                   "public.product: no privilege to read it",
                                   "sales.refund: no privilege to read it",
                                   "stock.movement: no privilege to read it",
                                   "stock.product: no privilege to read the columns bin, on_hand",
                                   "stock.reading: no privilege to read it"));
  EXPECT_THAT(NamesIn("sales"), SizeIs(11));
  EXPECT_THAT(TableOf("stock", "product").columns, ElementsAre(Field(&Column::name, "product_id")));
  EXPECT_THAT(TableOf("stock", "product").foreign_keys, SizeIs(1));
}

class ForeignNames : public KitchenSink {};

// A query of a parent reads its children and partitions.
TEST_P(ForeignNames, AreReadForTheTableAndThoseAbove) {
  Given(R"(
CREATE FOREIGN TABLE legacy.far (x text OPTIONS (column_name 'ssn'), y int) SERVER elsewhere OPTIONS (table_name 'people');
CREATE FOREIGN DATA WRAPPER any_options;
CREATE SERVER documents FOREIGN DATA WRAPPER any_options;
CREATE FOREIGN TABLE legacy.documents (x text) SERVER documents OPTIONS (collection 'patients');
CREATE TABLE sales.whole (y int, x text) PARTITION BY LIST (y);
CREATE FOREIGN TABLE legacy.part (x text OPTIONS (column_name 'iban'), y int) SERVER elsewhere;
ALTER TABLE sales.whole ATTACH PARTITION legacy.part FOR VALUES IN (1);
CREATE TABLE sales.top (x text);
CREATE TABLE sales.middle () INHERITS (sales.top);
CREATE FOREIGN TABLE legacy.low (x text OPTIONS (column_name 'pin')) INHERITS (sales.middle) SERVER elsewhere;)");
  const auto read = [&](const Scope& scope) {
    auto database = Connect()->Introspect(scope, ctx_);
    ASSERT_THAT(database, IsOk());
    catalog_ = *std::move(database);
  };
  using catalog::Remote;
  read({});
  EXPECT_THAT(ColumnOf("legacy", "far", "x").remotes, ElementsAre(Remote{"people", "ssn"}));
  EXPECT_THAT(ColumnOf("legacy", "far", "y").remotes, ElementsAre(Remote{"people", "y"}));
  EXPECT_THAT(ColumnOf("legacy", "documents", "x").remotes, ElementsAre(Remote{"patients", "x"}));
  EXPECT_THAT(ColumnOf("legacy", "remote_ledger", "amount").remotes, IsEmpty());
  EXPECT_THAT(ColumnOf("legacy", "low", "x").remotes, ElementsAre(Remote{"low", "pin"}));
  Scope sales;
  sales.schemas = {"sales"};  // what stands in another schema is read through these all the same
  read(sales);
  EXPECT_THAT(ColumnOf("sales", "whole", "x").remotes, ElementsAre(Remote{"part", "iban"}));
  EXPECT_THAT(ColumnOf("sales", "whole", "y").remotes, IsEmpty());
  EXPECT_THAT(ColumnOf("sales", "middle", "x").remotes, ElementsAre(Remote{"low", "pin"}));
  EXPECT_THAT(ColumnOf("sales", "top", "x").remotes, ElementsAre(Remote{"low", "pin"}));
}

TEST_P(ForeignNames, ChangeTheFingerprint) {
  const auto fingerprint = [&] { return Connect()->Fingerprint(ctx_).value(); };
  const std::string before = fingerprint();
  Given("ALTER FOREIGN TABLE legacy.remote_ledger ALTER COLUMN id OPTIONS (column_name 'ssn')");
  const std::string renamed = fingerprint();
  EXPECT_NE(renamed, before);
  Given("ALTER FOREIGN TABLE legacy.remote_ledger OPTIONS (table_name 'people')");
  const std::string moved = fingerprint();
  EXPECT_NE(moved, renamed);
  Given("ALTER FOREIGN TABLE legacy.remote_ledger OPTIONS (SET table_name 'patients')");
  EXPECT_NE(fingerprint(), moved);
}

class Kin : public KitchenSink {};

// A query of a parent reads its children and partitions.
TEST_P(Kin, GivesItsTagsToWhatIsReadWithIt) {
  Given(R"(
CREATE TABLE sales.whole (y int, x text, z text) PARTITION BY LIST (y);
CREATE TABLE legacy.part PARTITION OF sales.whole FOR VALUES IN (1, 2) PARTITION BY LIST (y);
CREATE TABLE legacy.leaf (z text, x text, y int);
ALTER TABLE legacy.part ATTACH PARTITION legacy.leaf FOR VALUES IN (1);
COMMENT ON COLUMN legacy.leaf.x IS 'PII: ssn';
COMMENT ON COLUMN legacy.part.z IS 'pii:email';
COMMENT ON COLUMN legacy.leaf.z IS 'plain words';
CREATE TABLE sales.top (x text, y int);
CREATE TABLE sales.middle (z text) INHERITS (sales.top);
CREATE TABLE legacy."Low.er" () INHERITS (sales.middle);
CREATE TABLE sales.beside () INHERITS (sales.top);
COMMENT ON COLUMN sales.top.y IS 'pii:health';
COMMENT ON COLUMN legacy."Low.er".x IS 'pii:dna';)");
  const auto read = [&](const Scope& scope) {
    auto database = Connect()->Introspect(scope, ctx_);
    ASSERT_THAT(database, IsOk());
    catalog_ = *std::move(database);
  };
  Scope sales;
  sales.schemas = {"sales"};  // what stands in another schema is read through these all the same
  for (const Scope& scope : {Scope(), sales}) {
    read(scope);
    EXPECT_THAT(ColumnOf("sales", "whole", "x").kin_comments, ElementsAre("PII: ssn"));
    EXPECT_THAT(ColumnOf("sales", "whole", "y").kin_comments, IsEmpty());
    EXPECT_THAT(ColumnOf("sales", "whole", "z").kin_comments, ElementsAre("pii:email"));
    EXPECT_THAT(TableOf("sales", "whole").children, IsEmpty());  // partitions are no tables here
    EXPECT_THAT(ColumnOf("sales", "top", "x").kin_comments, ElementsAre("pii:dna"));
    EXPECT_THAT(ColumnOf("sales", "top", "y").kin_comments, IsEmpty());
    EXPECT_THAT(ColumnOf("sales", "middle", "x").kin_comments, ElementsAre("pii:dna"));
    EXPECT_THAT(ColumnOf("sales", "middle", "y").kin_comments, ElementsAre("pii:health"));
    EXPECT_THAT(ColumnOf("sales", "beside", "y").kin_comments, ElementsAre("pii:health"));
    EXPECT_THAT(ColumnOf("sales", "beside", "x").kin_comments, IsEmpty());
    EXPECT_THAT(TableOf("sales", "top").parents, IsEmpty());
    EXPECT_THAT(TableOf("sales", "top").children,
                ElementsAre("legacy.\"Low.er\"", "sales.beside", "sales.middle"));
    EXPECT_THAT(TableOf("sales", "middle").parents, ElementsAre("sales.top"));
    EXPECT_THAT(TableOf("sales", "middle").children, ElementsAre("legacy.\"Low.er\""));
  }
  read({});
  EXPECT_THAT(ColumnOf("legacy", "Low.er", "y").kin_comments, ElementsAre("pii:health"));
  EXPECT_THAT(TableOf("legacy", "Low.er").parents, ElementsAre("sales.middle", "sales.top"));
}

TEST_P(Kin, IndexesThatGiveAnOrderAreToldOfOnColumns) {
  Given(R"(
CREATE TABLE sales.carried (x text, y int, z text UNIQUE);
CREATE INDEX carries ON sales.carried (x) INCLUDE (y);
CREATE INDEX plain ON sales.carried (x, z);
CREATE TABLE sales.whole (x text, y int, z text) PARTITION BY LIST (y);
CREATE INDEX "of all" ON sales.whole (y);
CREATE TABLE legacy.leaf (z text, x text, y int);
ALTER TABLE sales.whole ATTACH PARTITION legacy.leaf FOR VALUES IN (1);
CREATE INDEX of_leaf ON legacy.leaf (lower(x), z);
CREATE TABLE sales.sorted (x text, y int);
CREATE INDEX sorts ON sales.sorted (x);)");
  const std::string before = Connect()->Fingerprint(ctx_).value();
  Given("CLUSTER sales.sorted USING sorts");
  EXPECT_NE(Connect()->Fingerprint(ctx_).value(), before);
  Scope sales;
  sales.schemas = {"sales"};
  for (const Scope& scope : {Scope(), sales}) {
    auto database = Connect()->Introspect(scope, ctx_);
    ASSERT_THAT(database, IsOk());
    catalog_ = *std::move(database);
    EXPECT_THAT(ColumnOf("sales", "carried", "x").tags, ElementsAre("index:member:carries"));
    EXPECT_THAT(ColumnOf("sales", "carried", "y").tags, ElementsAre("index:member:carries"));
    EXPECT_THAT(ColumnOf("sales", "carried", "z").tags, IsEmpty());
    EXPECT_THAT(TableOf("sales", "carried").indexes, SizeIs(2));
    EXPECT_THAT(ColumnOf("sales", "whole", "x").tags, ElementsAre("index:member:of_leaf"));
    EXPECT_THAT(ColumnOf("sales", "whole", "y").tags, IsEmpty());
    EXPECT_THAT(ColumnOf("sales", "whole", "z").tags, ElementsAre("index:member:of_leaf"));
    EXPECT_THAT(TableOf("sales", "whole").indexes, SizeIs(1));
    EXPECT_THAT(ColumnOf("sales", "sorted", "x").tags, ElementsAre("index:clustered"));
  }
}

TEST_P(Kin, ChangesTheFingerprint) {
  Given(R"(CREATE TABLE legacy.top (x text); CREATE TABLE legacy.low (x text);
CREATE TABLE legacy.whole (x text) PARTITION BY LIST (x);
CREATE TABLE legacy.part PARTITION OF legacy.whole FOR VALUES IN ('1');)");
  std::string before = Connect()->Fingerprint(ctx_).value();
  for (const char* change :
       {"ALTER TABLE legacy.low INHERIT legacy.top", "COMMENT ON COLUMN legacy.low.x IS 'pii:ssn'",
        "COMMENT ON COLUMN legacy.part.x IS 'pii:ssn'",
        "ALTER TABLE legacy.low NO INHERIT legacy.top"}) {
    Given(change);
    std::string after = Connect()->Fingerprint(ctx_).value();
    EXPECT_NE(after, before) << change;
    before = std::move(after);
  }
}

INSTANTIATE_TEST_SUITE_P(Postgres, Kin, ::testing::Values(12, 15, 17),
                         ::testing::PrintToStringParamName());

INSTANTIATE_TEST_SUITE_P(Postgres, ForeignNames, ::testing::Values(12, 15, 17),
                         ::testing::PrintToStringParamName());

INSTANTIATE_TEST_SUITE_P(Postgres, KitchenSink, ::testing::Values(12, 15, 17),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace schemaward::connect::postgres
