#include "store/search_store.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"

namespace schemaward::store {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

sqlite::Database Memory() {
  auto opened = sqlite::Database::Open(":memory:", {.create = true});
  EXPECT_THAT(opened, IsOk());
  EXPECT_THAT(opened->Execute(kSearchSchemaSql), IsOk());
  return *std::move(opened);
}

SearchDocument Doc(const std::string& name, std::vector<std::pair<std::string, int>> terms,
                   std::int64_t source = 1) {
  SearchDocument document;
  document.source_id = source;
  document.name = name;
  document.schema_key = SearchHash("public");
  document.name_words = 1;
  std::sort(terms.begin(), terms.end());
  for (const auto& [text, impact] : terms) {
    document.terms.push_back({text, static_cast<std::uint8_t>(impact), kInColumn, 1});
  }
  document.columns = {"a", "b"};
  return document;
}

QueryConcept Word(SearchReader& reader, const std::vector<std::string>& readings,
                  std::uint32_t weight = 10) {
  QueryConcept word;
  for (const auto& text : readings) {
    auto term = reader.FindTerm(text);
    EXPECT_THAT(term, IsOk());
    if (*term) word.terms.push_back({**term, weight});
  }
  return word;
}

std::vector<std::int64_t> Ids(const std::vector<LexicalHit>& hits) {
  std::vector<std::int64_t> ids;
  for (const auto& hit : hits) ids.push_back(hit.table_id);
  return ids;
}

/// Scores every table by its record and keeps the k best: what TopTables must equal.
std::vector<LexicalHit> Exhaustive(SearchReader& reader, const std::vector<QueryConcept>& query,
                                   std::size_t k, std::int64_t source) {
  std::vector<LexicalHit> hits;
  const auto ids = reader.ListTables().value();
  for (const auto id : ids) {
    const auto record = reader.ReadRecord(id).value().value();
    const auto score = ScoreRecord(query, record);
    const auto tie = static_cast<std::uint32_t>(SearchHash(record.name) >> 32);
    if (score > 0 && (source == 0 || record.source_id == source)) hits.push_back({id, score, tie});
  }
  std::sort(hits.begin(), hits.end(), [](const LexicalHit& a, const LexicalHit& b) {
    return std::tie(b.score, a.tie, a.table_id) < std::tie(a.score, b.tie, b.table_id);
  });
  hits.resize(std::min(k, hits.size()));
  return hits;
}

TEST(SearchStore, FindsWhatWasPutAndForgetsWhatWasRemoved) {
  auto database = Memory();
  auto writer = SearchWriter::Open(database).value();
  ASSERT_THAT(writer.Put(1, Doc("a", {{"order", 200}, {"date", 50}})), IsOk());
  ASSERT_THAT(writer.Put(2, Doc("b", {{"order", 100}})), IsOk());
  ASSERT_THAT(writer.Finish(), IsOk());
  SearchReader reader(database);
  EXPECT_EQ(reader.CountTables().value(), 2);
  EXPECT_THAT(Ids(reader.TopTables(std::vector{Word(reader, {"order"})}, 10, {}).value()),
              ElementsAre(1, 2));
  ASSERT_THAT(writer.Remove(1), IsOk());
  ASSERT_THAT(writer.Remove(77), IsOk());
  ASSERT_THAT(writer.Finish(), IsOk());
  EXPECT_EQ(reader.CountTables().value(), 1);
  EXPECT_THAT(Ids(reader.TopTables(std::vector{Word(reader, {"order"})}, 10, {}).value()),
              ElementsAre(2));
  EXPECT_FALSE(reader.FindTerm("date").value().has_value()) << "a word of no table is forgotten";
}

TEST(SearchStore, PutReplacesAndLastPutWins) {
  auto database = Memory();
  auto writer = SearchWriter::Open(database).value();
  ASSERT_THAT(writer.Put(5, Doc("a", {{"old", 100}, {"kept", 10}})), IsOk());
  ASSERT_THAT(writer.Put(5, Doc("a", {{"new", 100}, {"kept", 20}})), IsOk());
  ASSERT_THAT(writer.Finish(), IsOk());
  SearchReader reader(database);
  EXPECT_FALSE(reader.FindTerm("old").value().has_value());
  EXPECT_EQ(reader.FindTerm("kept").value()->ranges, (std::vector<RangeEntry>{{0, 20, 1}}));
  EXPECT_EQ(reader.CountTables().value(), 1);
}

TEST(SearchStore, TakesTheBestReadingOfAWordAndAddsWordsUp) {
  auto database = Memory();
  auto writer = SearchWriter::Open(database).value();
  ASSERT_THAT(writer.Put(1, Doc("a", {{"client", 50}, {"customer", 80}})), IsOk());
  ASSERT_THAT(writer.Put(2, Doc("b", {{"customer", 40}, {"order", 60}})), IsOk());
  ASSERT_THAT(writer.Finish(), IsOk());
  SearchReader reader(database);
  const std::vector query{Word(reader, {"client", "customer"}), Word(reader, {"order"})};
  const auto hits = reader.TopTables(query, 10, {}).value();
  ASSERT_THAT(Ids(hits), ElementsAre(2, 1));
  EXPECT_EQ(hits[0].score, 1000U);
  EXPECT_EQ(hits[1].score, 800U);
}

TEST(SearchStore, KeepsSourcesApart) {
  auto database = Memory();
  auto writer = SearchWriter::Open(database).value();
  ASSERT_THAT(writer.Put(1, Doc("a", {{"order", 10}}, 1)), IsOk());
  ASSERT_THAT(writer.Put(2, Doc("b", {{"order", 10}}, 2)), IsOk());
  ASSERT_THAT(writer.Finish(), IsOk());
  SearchReader reader(database);
  const std::vector<std::int64_t> second{2};
  EXPECT_THAT(Ids(reader.TopTables(std::vector{Word(reader, {"order"})}, 10, second).value()),
              ElementsAre(2));
}

TEST(SearchStore, FindsStemsPrefixesAndTypos) {
  auto database = Memory();
  auto writer = SearchWriter::Open(database).value();
  ASSERT_THAT(writer.Put(1, Doc("a", {{"enroll", 1}, {"enrolled", 1}, {"customer", 1}, {"c2", 1}})),
              IsOk());
  ASSERT_THAT(writer.Finish(), IsOk());
  SearchReader reader(database);
  EXPECT_EQ(
      reader.FindStem("enrol", 5).value().size() + reader.FindStem("enroll", 5).value().size(), 2U);
  EXPECT_EQ(reader.FindPrefix("cust", 5).value().at(0).text, "customer");
  const auto near = reader.FindNear("custmoer", 2, 5).value();
  ASSERT_EQ(near.size(), 1U);
  EXPECT_EQ(near[0].first.text, "customer");
  EXPECT_EQ(near[0].second, 1U);
  EXPECT_THAT(reader.FindNear("d2", 1, 5).value(), IsEmpty()) << "numbers have no typos";
}

TEST(SearchStore, FollowsKeysButNotThoseThatEveryoneUses) {
  auto database = Memory();
  auto writer = SearchWriter::Open(database).value();
  auto parent = Doc("parent", {{"x", 1}});
  parent.offers = {7};
  ASSERT_THAT(writer.Put(1, parent), IsOk());
  const auto limit = static_cast<std::int64_t>(SearchReader::kLinkFanMax);
  for (std::int64_t id = 2; id < 2 + limit; ++id) {
    auto child = Doc("child", {{"x", 1}});
    child.wants = {7};
    ASSERT_THAT(writer.Put(id, child), IsOk());
  }
  ASSERT_THAT(writer.Finish(), IsOk());
  SearchReader reader(database);
  EXPECT_THAT(reader.FindOffering(7).value(), ElementsAre(1));
  EXPECT_EQ(reader.FindWanting(7).value().size(), SearchReader::kLinkFanMax);
  auto one_more = Doc("child", {{"x", 1}});
  one_more.wants = {7};
  ASSERT_THAT(writer.Put(2 + limit, one_more), IsOk());
  EXPECT_THAT(reader.FindWanting(7).value(), IsEmpty());
  ASSERT_THAT(writer.Remove(2), IsOk());
  EXPECT_EQ(reader.FindWanting(7).value().size(), SearchReader::kLinkFanMax);
}

/// A store of random tables, written, changed and removed in random order.
class RandomTables {
 public:
  explicit RandomTables(unsigned seed) : random_(seed) {}

  void Change(SearchWriter& writer, int times) {
    for (int i = 0; i < times; ++i) {
      const std::int64_t id = Id();
      if (random_() % 5 == 0) {
        ASSERT_THAT(writer.Remove(id), IsOk());
      } else {
        ASSERT_THAT(writer.Put(id, Random(id)), IsOk());
      }
    }
  }

  std::vector<QueryConcept> Query(SearchReader& reader) {
    std::vector<QueryConcept> query;
    for (unsigned i = 0; i <= random_() % 4; ++i) {
      std::vector<std::string> readings;
      for (unsigned j = 0; j <= random_() % 3; ++j) readings.push_back(Term());
      query.push_back(Word(reader, readings, 1 + static_cast<std::uint32_t>(random_() % 50)));
    }
    return query;
  }

 private:
  std::int64_t Id() {  // five ranges, unevenly filled
    return static_cast<std::int64_t>((random_() % 5) * kRangeSize + random_() % 60);
  }
  std::string Term() {  // a few words are common, most are rare
    const auto rare = random_() % 40;
    return "t" + std::string(1, static_cast<char>('a' + (rare < 20 ? rare % 3 : rare - 17)));
  }
  SearchDocument Random(std::int64_t id) {
    std::vector<std::pair<std::string, int>> terms;
    for (unsigned i = 0; i < 1 + random_() % 6; ++i) {
      const std::string term = Term();
      const bool seen = std::any_of(terms.begin(), terms.end(),
                                    [&](const auto& entry) { return entry.first == term; });
      if (!seen) terms.emplace_back(term, static_cast<int>(1 + random_() % 4));
    }
    return Doc("t" + std::to_string(id), terms, static_cast<std::int64_t>(1 + random_() % 2));
  }
  std::mt19937 random_;
};

TEST(SearchStore, TopTablesEqualExhaustiveScoring) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    auto database = Memory();
    RandomTables tables(seed);
    auto writer = SearchWriter::Open(database, 200).value();  // many flushes
    tables.Change(writer, 400);
    ASSERT_THAT(writer.Finish(), IsOk());
    SearchReader reader(database);
    for (int i = 0; i < 25; ++i) {
      const auto query = tables.Query(reader);
      for (const std::size_t k : {1U, 7U, 64U}) {
        for (const std::int64_t source : {0, 1}) {
          const std::vector<std::int64_t> sources(source == 0 ? 0U : 1U, source);
          ASSERT_EQ(reader.TopTables(query, k, sources).value(),
                    Exhaustive(reader, query, k, source))
              << "seed " << seed << " k " << k;
        }
      }
    }
    EXPECT_GT(reader.cost().ranges_skipped, 0) << "the bounds rule nothing out";
  }
}

// What is in the store must not depend on the way it came there.
TEST(SearchStore, ChangesLeaveTheSameAsAFreshBuild) {
  auto changed = Memory(), fresh = Memory();
  RandomTables tables(99);
  auto writer = SearchWriter::Open(changed, 30).value();
  tables.Change(writer, 500);
  ASSERT_THAT(writer.Finish(), IsOk());
  SearchReader before(changed);
  auto again = SearchWriter::Open(fresh).value();
  std::vector<std::string> words;
  const auto ids = before.ListTables().value();
  for (const auto id : ids) {
    const auto record = before.ReadRecord(id).value().value();
    std::vector<std::pair<std::string, int>> terms;
    for (char c = 'a'; c <= 'z'; ++c) {
      const auto term = before.FindTerm(std::string("t") + c).value();
      for (const auto& entry : record.terms) {
        if (term && entry.term_id == term->id) terms.emplace_back(term->text, entry.impact);
      }
    }
    ASSERT_THAT(again.Put(id, Doc(record.name, terms, record.source_id)), IsOk());
  }
  ASSERT_THAT(again.Finish(), IsOk());
  SearchReader after(fresh);
  EXPECT_EQ(after.CountTables().value(), before.CountTables().value());
  for (char c = 'a'; c <= 'z'; ++c) {
    const auto x = before.FindTerm(std::string("t") + c).value();
    const auto y = after.FindTerm(std::string("t") + c).value();
    ASSERT_EQ(x.has_value(), y.has_value()) << c;
    if (x) {
      EXPECT_EQ(x->ranges, y->ranges) << c;
    }
  }
}

TEST(SearchStore, SaysSoWhenABlobIsDamaged) {
  auto database = Memory();
  auto writer = SearchWriter::Open(database).value();
  ASSERT_THAT(writer.Put(1, Doc("a", {{"order", 10}})), IsOk());
  ASSERT_THAT(writer.Finish(), IsOk());
  ASSERT_THAT(database.Execute("UPDATE search_posting SET data = x'ffffffffffffffffffff'"), IsOk());
  SearchReader reader(database);
  const std::vector query{Word(reader, {"order"})};
  EXPECT_THAT(reader.TopTables(query, 3, {}), IsError(ErrorKind::StoreUnusable));
}

TEST(SearchCodec, RefusesWhatItDidNotWrite) {
  EXPECT_FALSE(DecodePostings("\x05").has_value());
  EXPECT_FALSE(DecodePostings(std::string("\xff\xff\x7f\x01", 4)).has_value());
  EXPECT_FALSE(DecodeRangeTables("\x01\x01\x01").has_value());
  EXPECT_FALSE(DecodeRangeTables(std::string("\x01\x09\x09\x09\x09\x02\x01", 7)).has_value());
  EXPECT_FALSE(DecodeKeys("abc").has_value());
  EXPECT_FALSE(DecodeNames("\x09short").has_value());
  EXPECT_FALSE(DecodeRecord("\x01").has_value());
  EXPECT_TRUE(DecodePostings("").has_value());
}

TEST(SearchCodec, ReadsWhatItWrote) {
  const std::vector<Posting> postings{{0, 1}, {1, 255}, {300, 7}, {kRangeSize - 1, 9}};
  EXPECT_EQ(DecodePostings(EncodePostings(postings)), postings);
  const std::vector<RangeEntry> ranges{{0, 5, 8192}, {7, 255, 1}};
  EXPECT_EQ(DecodeRanges(EncodeRanges(ranges)), ranges);
  const std::vector<RangeTable> tables{
      {0, 1, 0xFFFFFFFFU}, {5, 1, 7}, {6, 1, 8}, {7, 2, 9}, {8191, 300, 0}};
  EXPECT_EQ(DecodeRangeTables(EncodeRangeTables(tables)), tables);
  const std::vector<RecordTerm> terms{{1, 2, 63, 0}, {1'000'000'007, 255, 1, 65535}};
  EXPECT_EQ(DecodeRecord(EncodeRecord(terms)), terms);
  const std::vector<std::uint64_t> keys{1, UINT64_MAX};
  EXPECT_EQ(DecodeKeys(EncodeKeys(keys)), keys);
  const std::vector<std::string> names{"", "order", std::string(300, 'x')};
  EXPECT_EQ(DecodeNames(EncodeNames(names)), names);
}

}  // namespace
}  // namespace schemaward::store
