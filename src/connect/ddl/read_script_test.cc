#include "connect/ddl/read_script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/result_matchers.h"
#include "connect/ddl/test_support.h"

namespace schemaward::connect::ddl {
namespace {

using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::SizeIs;

class ReadScriptTest : public ::testing::Test {
 protected:
  SystemClock clock_;
  CallContext ctx_{clock_};
};

TEST_F(ReadScriptTest, ReadsColumnsKeysAndComments) {
  const catalog::Database database = Read(R"(
CREATE TABLE customer (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email varchar(64) NOT NULL UNIQUE,
  tags text[] DEFAULT '{}',
  at timestamptz(3) DEFAULT now()
);
CREATE TABLE orders (
  id serial,
  customer_id int8 REFERENCES customer ON DELETE CASCADE,
  total numeric(18,4) DEFAULT 0,
  CONSTRAINT orders_pk PRIMARY KEY (id)
);
COMMENT ON TABLE orders IS 'What was bought';
COMMENT ON COLUMN public.orders.total IS 'Before tax';
)");
  EXPECT_THAT(database.missing, IsEmpty());
  ASSERT_THAT(database.tables, SizeIs(2));
  const catalog::Table& customer = TableOf(database, "public.customer");
  EXPECT_THAT(customer.primary_key, Optional(Eq(catalog::Key{"customer_pkey", {"id"}})));
  EXPECT_THAT(customer.unique_keys, ElementsAre(catalog::Key{"customer_email_key", {"email"}}));
  EXPECT_THAT(ColumnOf(customer, "id").identity, Optional(Eq("always")));
  EXPECT_FALSE(ColumnOf(customer, "id").nullable);
  EXPECT_EQ(ColumnOf(customer, "email").type, "character varying(64)");
  EXPECT_EQ(ColumnOf(customer, "tags").type, "text[]");
  EXPECT_TRUE(ColumnOf(customer, "tags").is_array);
  EXPECT_EQ(ColumnOf(customer, "at").type, "timestamp(3) with time zone");
  EXPECT_THAT(ColumnOf(customer, "at").default_value, Optional(Eq("now()")));
  const catalog::Table& orders = TableOf(database, "public.orders");
  EXPECT_EQ(orders.comment, "What was bought");
  EXPECT_EQ(ColumnOf(orders, "id").type, "integer");
  EXPECT_THAT(ColumnOf(orders, "id").default_value,
              Optional(Eq("nextval('public.orders_id_seq'::regclass)")));
  EXPECT_EQ(ColumnOf(orders, "total").comment, "Before tax");
  EXPECT_THAT(orders.foreign_keys, ElementsAre(catalog::ForeignKey{"orders_customer_id_fkey",
                                                                   {"customer_id"},
                                                                   "public",
                                                                   "customer",
                                                                   {"id"},
                                                                   "no action",
                                                                   "cascade"}));
}

TEST_F(ReadScriptTest, NamesStatementsThatCannotBeRead) {
  const catalog::Database database = Read(
      "CREATE TABLE a (id int);\nCREATE TABLE b (id int);\n\nCREATE TABLE c (id int 'secret' "
      "@);\n");
  EXPECT_THAT(database.tables, SizeIs(2));
  ASSERT_THAT(database.missing, SizeIs(1));
  EXPECT_EQ(database.missing[0].object, "line 4");
  EXPECT_THAT(database.missing[0].reason, HasSubstr("CREATE TABLE c"));
  EXPECT_THAT(database.missing[0].reason, ::testing::Not(HasSubstr("secret")));
}

TEST_F(ReadScriptTest, ReportsForeignKeysToTablesThatNeverAppear) {
  const catalog::Database database = Read("CREATE TABLE a (id int REFERENCES far.away (key));");
  EXPECT_EQ(TableOf(database, "public.a").foreign_keys.at(0).target_table, "away");
  ASSERT_THAT(database.missing, SizeIs(1));
  EXPECT_EQ(database.missing[0].object, "public.a");
}

TEST_F(ReadScriptTest, SaysWhatAMySqlScriptIs) {
  const auto read = ReadScript(
      "CREATE TABLE `a` (`id` int NOT NULL AUTO_INCREMENT, PRIMARY KEY (`id`)) ENGINE=InnoDB;", {},
      ctx_);
  ASSERT_THAT(read, IsError(ErrorKind::InputUnreadable));
  EXPECT_THAT(read.error().hint(), HasSubstr("MySQL"));
}

}  // namespace
}  // namespace schemaward::connect::ddl
