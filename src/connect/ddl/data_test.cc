// Real scripts: those that every checkout has, and those of the shared test data where it is there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "connect/ddl/test_support.h"

namespace schemaward::connect::ddl {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

catalog::Database ReadFixture(std::string_view name) {
  return Read(Contents(std::filesystem::path(WARD_SOURCE_DIR) / "tests/fixtures" / name));
}

struct Counts {
  const char* file;
  std::size_t tables;  ///< with views
  std::size_t views;   ///< materialized ones too
  std::size_t foreign_keys;
  std::size_t primary_keys;
};

Counts CountsOf(const char* file, const catalog::Database& database) {
  Counts counts{file, database.tables.size(), 0, 0, 0};
  for (const catalog::Table& table : database.tables) {
    counts.views +=
        table.kind == catalog::TableKind::View || table.kind == catalog::TableKind::MaterializedView
            ? 1
            : 0;
    counts.foreign_keys += table.foreign_keys.size();
    counts.primary_keys += table.primary_key ? 1 : 0;
  }
  return counts;
}

class SharedScript : public ::testing::TestWithParam<Counts> {};

TEST_P(SharedScript, IsReadWhole) {
  const std::filesystem::path path = SharedData(GetParam().file);
  if (path.empty()) GTEST_SKIP() << "the shared test data is not on this machine";
  const catalog::Database database = Read(Contents(path));
  const Counts counts = CountsOf(GetParam().file, database);
  EXPECT_THAT(database.missing, IsEmpty());
  EXPECT_EQ(counts.tables, GetParam().tables);
  EXPECT_EQ(counts.views, GetParam().views);
  EXPECT_EQ(counts.foreign_keys, GetParam().foreign_keys);
  EXPECT_EQ(counts.primary_keys, GetParam().primary_keys);
}

INSTANTIATE_TEST_SUITE_P(All, SharedScript,
                         ::testing::Values(Counts{"schemas/pagila_schema.sql", 24, 8, 19, 16},
                                           Counts{"schemas/adventureworks_postgres.sql", 157, 89,
                                                  90, 68},
                                           Counts{"schemas/chinook_postgres.sql", 11, 0, 11, 11},
                                           Counts{"retrieval/spider_union.sql", 876, 0, 0, 781}));

TEST(SharedScript, PagilaFoldsItsPartitions) {
  const std::filesystem::path path = SharedData("schemas/pagila_schema.sql");
  if (path.empty()) GTEST_SKIP() << "the shared test data is not on this machine";
  const catalog::Database database = Read(Contents(path));
  const catalog::Table& payment = TableOf(database, "public.payment");
  EXPECT_EQ(payment.kind, catalog::TableKind::PartitionedTable);
  EXPECT_EQ(payment.partition_count, 55);
  const catalog::Table& film = TableOf(database, "public.film");
  EXPECT_THAT(ColumnOf(film, "rating").labels, ElementsAre("G", "PG", "PG-13", "R", "NC-17"));
  EXPECT_EQ(ColumnOf(film, "release_year").domain, "public.year");
  EXPECT_EQ(ColumnOf(film, "release_year").type, "integer");
}

TEST(Fixture, TheDumpAndTheScriptThatMadeItAreTheSameCatalog) {
  catalog::Database script = ReadFixture("kitchen_sink_postgres.sql");
  catalog::Database dump = ReadFixture("kitchen_sink_dump.sql");
  EXPECT_THAT(script.missing, IsEmpty());
  EXPECT_THAT(dump.missing, IsEmpty());
  ASSERT_EQ(script.tables.size(), dump.tables.size());
  for (std::size_t i = 0; i < script.tables.size(); ++i) {
    catalog::Table& a = script.tables[i];
    catalog::Table& b = dump.tables[i];
    for (catalog::Table* table : {&a, &b}) {
      // The dump prints expressions and the schemas of extensions' types as the server does.
      table->checks.clear();
      table->definition.clear();
      for (catalog::Column& column : table->columns) {
        column.default_value = column.generated = std::nullopt;
        if (column.type == "public.citext") column.type = "citext";
        if (column.type == "public.hstore") column.type = "hstore";
      }
    }
    EXPECT_EQ(a, b) << catalog::QualifiedName(a);
  }
}

TEST(Fixture, RailsStructureIsReadWhole) {
  const catalog::Database database = ReadFixture("rails_structure.sql");
  EXPECT_THAT(database.missing, IsEmpty());
  ASSERT_THAT(database.tables, SizeIs(4));
  const catalog::Table& posts = TableOf(database, "public.posts");
  EXPECT_EQ(posts.comment, "What people write");
  EXPECT_EQ(ColumnOf(posts, "id").default_value, "nextval('public.posts_id_seq'::regclass)");
  EXPECT_EQ(ColumnOf(posts, "created_at").type, "timestamp(6) without time zone");
  EXPECT_EQ(posts.foreign_keys.at(0).target_table, "users");
  EXPECT_THAT(posts.unique_keys,
              ElementsAre(catalog::Key{"index_posts_on_user_id_and_slug", {"user_id", "slug"}}));
}

}  // namespace
}  // namespace schemaward::connect::ddl
