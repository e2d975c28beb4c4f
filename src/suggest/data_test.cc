// How well undeclared keys are found on public schemas; skipped where the data is absent.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/call_context.h"
#include "base/clock.h"
#include "base/sha256.h"
#include "connect/ddl/read_script.h"
#include "suggest/against.h"
#include "suggest/foreign_keys.h"
#include "text/fold.h"

namespace schemaward::suggest {
namespace {

std::optional<std::string> ReadData(const std::string& name) {
  const char* folder = std::getenv("SCHEMAWARD_TEST_DATA");  // NOLINT(concurrency-mt-unsafe)
  const std::filesystem::path root(folder != nullptr ? folder : WARD_SOURCE_DIR "/../shared/data");
  std::ifstream file(root / name);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::vector<catalog::Table> ReadTables(const std::string& script) {
  const SystemClock clock;
  CallContext ctx(clock);
  return connect::ddl::ReadScript(script, {}, ctx).value().tables;
}

std::vector<ColumnLink> LinksOf(const std::vector<catalog::Table>& tables,
                                const std::vector<InferredKey>& keys) {
  std::vector<ColumnLink> links;
  for (const InferredKey& key : keys)
    for (std::size_t i = 0; i < key.columns.size(); ++i)
      links.push_back({catalog::QualifiedName(tables[key.table]), key.columns[i],
                       catalog::QualifiedName(tables[key.target]), key.target_columns[i]});
  return links;
}

/// The half a database belongs to, by its name; the rules were written looking at half 0 only.
int HalfOf(const std::string& schema) {
  return Sha256().Update(text::Fold(schema)).Finish()[0] % 2;
}

std::vector<ColumnLink> OfHalf(std::vector<ColumnLink> links, int half) {
  std::erase_if(links, [&](const ColumnLink& link) {
    return HalfOf(link.table.substr(0, link.table.find('.'))) != half;
  });
  return links;
}

void Print(const std::string& what, const AgainstReport& report) {
  std::cout << what << ": " << ToText(report).substr(0, ToText(report).find('\n')) << '\n';
  if (std::getenv("SUGGEST_SHOW") != nullptr)  // NOLINT(concurrency-mt-unsafe)
    std::cout << ToText(report);
}

TEST(ForeignKeysData, FindsTheKeysOfManyDatabasesByNamesAndTypes) {
  const auto script = ReadData("retrieval/spider_union.sql");
  const auto answers = ReadData("retrieval/spider_foreign_keys.jsonl");
  if (!script || !answers) GTEST_SKIP() << "shared data is absent";
  const auto tables = ReadTables(*script);
  ColumnNames names;
  const auto inferred = LinksOf(tables, InferForeignKeys(tables, {}, names));
  const auto expected = ReadLinks(*answers).value();
  const AgainstReport all = Compare(inferred, expected);
  Print("all", all);
  for (const int half : {0, 1})
    Print("half " + std::to_string(half), Compare(OfHalf(inferred, half), OfHalf(expected, half)));
  EXPECT_GE(all.precision, 0.86);
  EXPECT_GE(all.recall, 0.75);
}

/// Databases whose keys are declared: taken away, found again.
TEST(ForeignKeysData, FindsDeclaredKeysAgain) {
  for (const std::string name : {"schemas/chinook_postgres.sql", "schemas/pagila_schema.sql",
                                 "schemas/adventureworks_postgres.sql"}) {
    const auto script = ReadData(name);
    if (!script) GTEST_SKIP() << "shared data is absent";
    auto tables = ReadTables(*script);
    std::vector<ColumnLink> declared;
    for (catalog::Table& table : tables) {
      for (const catalog::ForeignKey& key : table.foreign_keys)
        for (std::size_t i = 0; i < key.columns.size(); ++i)
          if (key.target_schema == table.schema)
            declared.push_back({catalog::QualifiedName(table), key.columns[i],
                                catalog::QualifiedName(key.target_schema, key.target_table),
                                key.target_columns[i]});
      table.foreign_keys.clear();
    }
    ColumnNames names;
    const AgainstReport report =
        Compare(LinksOf(tables, InferForeignKeys(tables, {}, names)), declared);
    Print(name, report);
    EXPECT_GE(report.precision, 0.8) << name;
    EXPECT_GE(report.recall, 0.7) << name;
  }
}

}  // namespace
}  // namespace schemaward::suggest
