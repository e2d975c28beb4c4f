#include "privacy/fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "privacy/classify.h"

namespace schemaward::privacy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<FieldName> Of(std::string type, std::vector<std::string> tags = {}) {
  catalog::Column column;
  column.name = "c";
  column.type = std::move(type);
  column.tags = std::move(tags);
  return FieldsOf(column);
}

TEST(Fields, OfATypesText) {
  EXPECT_THAT(Of("STRUCT(a INTEGER, \"b, \"\"c\" VARCHAR)"),
              ElementsAre(FieldName{"c", "a"}, FieldName{"c", "b, \"c"}));
  EXPECT_THAT(Of("STRUCT(x DECIMAL(12,2), y STRUCT(z DATE, w INTEGER[])[], v VARCHAR)[]"),
              ElementsAre(FieldName{"c", "x"}, FieldName{"c", "y"}, FieldName{"y", "z"},
                          FieldName{"y", "w"}, FieldName{"c", "v"}));
  EXPECT_THAT(Of("MAP(VARCHAR, STRUCT(a INTEGER))"), ElementsAre(FieldName{"c", "a"}));
  EXPECT_THAT(Of("UNION(num INTEGER, str VARCHAR)"),
              ElementsAre(FieldName{"c", "num"}, FieldName{"c", "str"}));
  for (const char* type : {"", "numeric(12,2)", "ENUM('STRUCT(email', 'b')",
                           "MAP(VARCHAR, INTEGER)", "character varying(10)[]"})
    EXPECT_THAT(Of(type), IsEmpty()) << type;
  for (const char* type : {"STRUCT(", "STRUCT(a", "STRUCT(\"a", "STRUCT)(", "STRUCT(a INTEGER"})
    Of(type);
}

TEST(Fields, OfTags) {
  EXPECT_THAT(Of("public.card", {"pii:none", "type:field:c.a", "type:field:\"a b\".\"C\""}),
              ElementsAre(FieldName{"c", "a"}, FieldName{"a b", "C"}));
}

TEST(Fields, TheNameOfATypeTellsWhatAColumnHolds) {
  catalog::Table table;
  table.name = "orders";
  const auto of = [&](std::string type, std::optional<std::string> domain = {}) {
    catalog::Column column;
    column.name = "c1";
    column.type = std::move(type);
    column.domain = std::move(domain);
    return Classify(table, column);
  };
  EXPECT_TRUE(of("text", "public.email_address").Has(Category::Contact));
  EXPECT_TRUE(of("text", "app.\"SSN\"").HasFloor());
  EXPECT_TRUE(of("text", "public.ssn[]").HasFloor());
  for (const char* type : {"public.order_status", "public.card", "public.name[]", "numeric(12,2)",
                           "pg_catalog.date", "timestamp with time zone", "\"ssn\""})
    EXPECT_FALSE(of(type).IsPersonal()) << type;
}

TEST(Fields, TellWhatAColumnHolds) {
  catalog::Table table;
  table.name = "orders";
  const auto holds = [&](std::string name, std::string type, std::vector<std::string> tags = {}) {
    catalog::Column column;
    column.name = std::move(name);
    column.type = std::move(type);
    column.tags = std::move(tags);
    return Classify(table, column);
  };
  EXPECT_TRUE(holds("info", "STRUCT(email VARCHAR, city VARCHAR)").Has(Category::Contact));
  EXPECT_TRUE(holds("info", "STRUCT(a STRUCT(ssn VARCHAR)[])").HasFloor());
  EXPECT_TRUE(holds("info", "public.card", {"type:field:info.card_number"}).HasFloor());
  EXPECT_FALSE(holds("product", "STRUCT(\"name\" VARCHAR, price DOUBLE)").IsPersonal());
  EXPECT_FALSE(holds("dims", "STRUCT(width DOUBLE, height DOUBLE, city VARCHAR)").IsPersonal());
}

}  // namespace
}  // namespace schemaward::privacy
