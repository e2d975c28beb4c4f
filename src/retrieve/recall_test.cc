// Recall on public questions over many schemas; skipped where the data is absent.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "index/documents.h"
#include "retrieve/eval.h"
#include "retrieve/testing.h"

namespace schemaward::retrieve {
namespace {

/// A bench with the documents that an index makes.
class Bench : public SearchBench {
 public:
  explicit Bench(const std::vector<catalog::Table>& tables)
      : SearchBench(tables, [](const text::Lexicon& lexicon, std::int64_t source_id,
                               const catalog::Table& table) {
          return index::DocumentMaker(lexicon).Make(source_id, table);
        }) {}
};

std::optional<std::string> ReadData(const std::string& name) {
  const char* folder = std::getenv("SCHEMAWARD_TEST_DATA");  // NOLINT(concurrency-mt-unsafe)
  const std::filesystem::path root(folder != nullptr ? folder : WARD_SOURCE_DIR "/../shared/data");
  std::ifstream file(root / "retrieval" / name);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// The quoted names of a line, in order.
std::vector<std::string> QuotedNames(const std::string& line) {
  std::vector<std::string> names;
  for (std::size_t at = line.find('"'); at != std::string::npos; at = line.find('"', at)) {
    const auto end = line.find('"', at + 1);
    if (end == std::string::npos) break;
    names.push_back(line.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return names;
}

/// Reads the one form of DDL that the data file has: a column a line.
std::vector<catalog::Table> ReadTables(const std::string& sql) {
  std::vector<catalog::Table> tables;
  std::size_t begin = 0;
  while (begin < sql.size()) {
    const auto end = std::min(sql.find('\n', begin), sql.size());
    const std::string line = sql.substr(begin, end - begin);
    begin = end + 1;
    const auto names = QuotedNames(line);
    if (line.starts_with("CREATE TABLE") && names.size() == 2) {
      tables.emplace_back();
      tables.back().schema = names[0];
      tables.back().name = names[1];
    } else if (line.starts_with("  PRIMARY KEY")) {
      tables.back().primary_key = catalog::Key{"", names};
    } else if (line.starts_with("  \"") && names.size() == 1) {
      tables.back().columns.emplace_back();
      tables.back().columns.back().name = names[0];
      const auto type = line.rfind(' ') + 1;
      tables.back().columns.back().type = line.substr(type, line.find(',', type) - type);
    }
  }
  return tables;
}

EvalReport Evaluate(SearchBench& bench, const std::vector<GoldQuestion>& questions) {
  const auto search = [&](const std::string& question,
                          std::size_t limit) -> Result<std::vector<std::string>> {
    return bench.Names(question, limit);
  };
  return EvaluateRetrieval(questions, search, SystemClock()).value();
}

constexpr std::size_t kEvery = 3;  // question is asked, to keep the test short

// The mark must be reached on each half of the schemas (every second by name), not on the average
// of one that fits and one that does not.
TEST(Recall, ReachesItsMarkOnBothHalvesOfTheSchemas) {
  const auto sql = ReadData("spider_union.sql"), jsonl = ReadData("spider_dev.jsonl");
  if (!sql || !jsonl) GTEST_SKIP() << "the retrieval data is absent";
  Bench bench(ReadTables(*sql));
  const auto questions = ReadQuestions(*jsonl).value();
  std::set<std::string> schemas;
  const auto schema_of = [](const GoldQuestion& q) {
    return q.gold_tables[0].substr(0, q.gold_tables[0].find('.'));
  };
  for (const auto& question : questions) schemas.insert(schema_of(question));
  std::vector<GoldQuestion> halves[2];
  for (std::size_t i = 0; i < questions.size(); i += kEvery) {
    const auto place = std::distance(schemas.begin(), schemas.find(schema_of(questions[i])));
    halves[place % 2].push_back(questions[i]);
  }
  for (const auto& half : halves) {
    const auto report = Evaluate(bench, half);
    std::cout << ToText(report);
    EXPECT_GE(report.depths[2].recall, 91.0);
    EXPECT_GE(report.depths[3].recall, 94.5);
    EXPECT_GE(report.depths[3].all_gold, 93.0);
  }
}

// The bound proves itself: reading only what can matter gives the very same answer.
TEST(Recall, PostingsAndExhaustiveScoringAnswerAlike) {
  const auto sql = ReadData("spider_union.sql"), jsonl = ReadData("spider_dev.jsonl");
  if (!sql || !jsonl) GTEST_SKIP() << "the retrieval data is absent";
  Bench bench(ReadTables(*sql));
  const auto questions = ReadQuestions(*jsonl).value();
  for (std::size_t i = 0; i < questions.size(); i += 40) {
    const auto fast = bench.Search(questions[i].question, 50);
    const auto slow = bench.Search(questions[i].question, 50, true);
    ASSERT_EQ(fast.hits.size(), slow.hits.size());
    for (std::size_t h = 0; h < fast.hits.size(); ++h) {
      ASSERT_EQ(fast.hits[h].name, slow.hits[h].name) << questions[i].question;
      ASSERT_EQ(fast.hits[h].score, slow.hits[h].score);
    }
  }
}

}  // namespace
}  // namespace schemaward::retrieve
