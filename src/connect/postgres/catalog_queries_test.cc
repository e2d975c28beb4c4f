#include "connect/postgres/catalog_queries.h"

#include "base/result_matchers.h"

namespace schemaward::connect::postgres {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Before 14 a table that was never analysed says 0 rows, since then -1.
TEST(CatalogQueries, ReadsRowEstimatesByVersion) {
  for (const int version : {120022, 130000, 139999})
    EXPECT_THAT(QueriesFor(version).relations, HasSubstr("c.relpages > 0")) << version;
  for (const int version : {140000, 150020, 170010})
    EXPECT_THAT(QueriesFor(version).relations, HasSubstr("c.reltuples >= 0")) << version;
}

TEST(CatalogQueries, NeverReadsValuesOfRows) {
  const CatalogQueries queries = QueriesFor(170000);
  for (const std::string& query :
       {queries.relations, queries.columns, queries.types, queries.constraints, queries.indexes,
        queries.statistics, queries.fingerprint}) {
    EXPECT_THAT(query, Not(HasSubstr("most_common")));
    EXPECT_THAT(query, Not(HasSubstr("information_schema.")));
    EXPECT_THAT(query, Not(HasSubstr("{")));  // every placeholder is filled
  }
}

TEST(CatalogQueries, ReadsArraysAsTheServerPrintsThem) {
  EXPECT_THAT(ParseArray("{}"), IsEmpty());
  EXPECT_THAT(ParseArray(""), IsEmpty());
  EXPECT_THAT(ParseArray("{1,2}"), ElementsAre("1", "2"));
  EXPECT_THAT(ParseArray("[0:1]={1,2}"), ElementsAre("1", "2"));
  EXPECT_THAT(ParseArray(R"({a,"b c","d\"e","f\\g","","NULL",NULL})"),
              ElementsAre("a", "b c", "d\"e", "f\\g", "", "NULL", ""));
  EXPECT_THAT(ParseArray("{\"open"), ElementsAre("open"));
}

TEST(CatalogQueries, ArraysRoundTrip) {
  const std::vector<std::string> items = {"plain", "with \"quote\"", "back\\slash", "", "a,b",
                                          "{x}"};
  EXPECT_EQ(ParseArray(ArrayLiteral(items)), items);
}

}  // namespace
}  // namespace schemaward::connect::postgres
