#include "semantic/files.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/result_matchers.h"

namespace schemaward::semantic {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

LoadedFiles ReadText(std::string_view kind, std::string_view text) {
  LoadedFiles loaded;
  ReadFile(text, "one.yaml", kind, loaded);
  return loaded;
}

class FolderTest : public ::testing::Test {
 protected:
  FolderTest()
      : folder_(fs::temp_directory_path() /
                fmt::format("ward_files_{}_{}",
                            ::testing::UnitTest::GetInstance()->current_test_info()->name(),
                            ::getpid())) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~FolderTest() override { fs::remove_all(folder_); }
  void Put(const std::string& name, std::string_view text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  fs::path folder_;
};

TEST(Files, ReadsShortForms) {
  const LoadedFiles join = ReadText("join", "name: a_b\nfrom: a\nto: b\non: {b_id: id}\n");
  ASSERT_THAT(join.errors, IsEmpty());
  EXPECT_THAT(join.definitions.joins.front().on, ElementsAre(ColumnPair{"b_id", "id"}));

  const LoadedFiles metric = ReadText("metric",
                                      "name: m\ntype: derived\nexpression: a - b\n"
                                      "inputs: [a, {metric: b, offset: 1 month}]\n"
                                      "filters: x = 1\n");
  ASSERT_THAT(metric.errors, IsEmpty());
  const Metric& read = metric.definitions.metrics.front();
  ASSERT_THAT(read.inputs, SizeIs(2));
  EXPECT_EQ(read.inputs[0].metric, "a");
  EXPECT_EQ(read.inputs[1].offset, "1 month");
  EXPECT_THAT(read.filters, ElementsAre("x = 1"));
}

TEST(Files, KnowsTheLineOfEveryMember) {
  const LoadedFiles loaded = ReadText("entity",
                                      "name: order\n"
                                      "table: public.orders\n"
                                      "identity:\n"
                                      "  - id\n"
                                      "dimensions:\n"
                                      "  - name: size\n"
                                      "    expression: total\n");
  ASSERT_THAT(loaded.errors, IsEmpty());
  const FilePlace& place = loaded.places.at("entity order");
  EXPECT_EQ(place.LineOf("table"), 2);
  EXPECT_EQ(place.LineOf("identity[0]"), 4);
  EXPECT_EQ(place.LineOf("dimensions[0].expression"), 7);
  EXPECT_EQ(place.LineOf("dimensions[0].type"), 6) << "the nearest that holds it";
  EXPECT_EQ(place.LineOf("nothing"), 1);
}

struct Wrong {
  const char* name;
  const char* kind;
  const char* text;
  const char* error;
};

class WrongFile : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongFile, SaysWhereAndWhat) {
  const LoadedFiles loaded = ReadText(GetParam().kind, GetParam().text);
  ASSERT_THAT(loaded.errors, SizeIs(::testing::Ge(1u)));
  EXPECT_THAT(loaded.errors.front().ToText(), HasSubstr(GetParam().error));
}

INSTANTIATE_TEST_SUITE_P(
    Files, WrongFile,
    ::testing::Values(
        Wrong{"key", "entity", "name: a\ntabel: t\nidentity: id\ntable: t\n", "one.yaml:2: "},
        Wrong{"nearest_key", "entity", "name: a\ntabel: t\nidentity: id\ntable: t\n",
              "the nearest is \"table\""},
        Wrong{"missing", "entity", "name: a\ntable: t\n", "identity"},
        Wrong{"word", "metric", "name: m\nentity: e\naggregation: summ\ncolumn: c\n",
              "one.yaml:3: "},
        Wrong{"kind", "", "kind: entty\nname: a\n", "the nearest is \"entity\""},
        Wrong{"no_kind", "", "name: a\n", "does not say its kind"},
        Wrong{"syntax", "entity", "name: [a\n", "not readable as YAML"},
        Wrong{"twice", "entity", "name: a\nname: b\n", "one.yaml:2: not readable as YAML"},
        Wrong{"list", "entity", "- a\n- b\n", "one definition"},
        Wrong{"empty", "entity", "", "one definition"},
        Wrong{"comma", "entity", ", a\n", "one definition"},
        Wrong{"control", "entity", "name: a\x01b\n", "not UTF-8"},
        Wrong{"encoding", "entity", "name: \xFF\n", "not UTF-8"},
        Wrong{"documents", "entity", "name: a\n---\nname: b\n", "second document"},
        Wrong{"deep", "entity",
              "name: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: "
              "{a: {a: {a: 1}}}}}}}}}}}}}}}}}}\n",
              "nested too deeply"}),
    [](const auto& wrong) { return std::string(wrong.param.name); });

// Ten levels of ten aliases each would be 10^10 nodes.
TEST(Files, AliasesDoNotMultiply) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    text += fmt::format("a{}: &a{} [", i, i);
    for (int k = 0; k < 10; ++k) text += fmt::format("{}*a{}", k > 0 ? ", " : "", i - 1);
    text += "]\n";
  }
  const LoadedFiles loaded = ReadText("entity", text);
  ASSERT_THAT(loaded.errors, SizeIs(1));
  EXPECT_THAT(loaded.errors.front().message, HasSubstr("too much"));
}

TEST_F(FolderTest, ReadsAllThatIsWrongAtOnce) {
  Put("entities/a.yaml", "name: a\ntable: t\nidentity: id\n");
  Put("entities/b.yaml", "name: b\nwrong: t\n");
  Put("joins/j.yml", "name: j\n");
  Put("elsewhere/a.yaml", "kind: entity\nname: a\ntable: t\nidentity: id\n");
  Put("notes.txt", "nothing");
  const auto loaded = ReadFolder(folder_.string());
  ASSERT_THAT(loaded, IsOk());
  std::string all;
  for (const FileError& error : loaded->errors) all += error.ToText() + "\n";
  EXPECT_THAT(all, HasSubstr("entities/b.yaml:2:"));
  EXPECT_THAT(all, HasSubstr("joins/j.yml:"));
  EXPECT_THAT(all, HasSubstr("entity \"a\" is defined in elsewhere/a.yaml too"));
}

TEST_F(FolderTest, BoundsTheErrors) {
  for (std::size_t i = 0; i < kFileErrorsMax + 5; ++i)
    Put(fmt::format("entities/e{}.yaml", i), "- nothing\n");
  const auto loaded = ReadFolder(folder_.string());
  ASSERT_THAT(loaded, IsOk());
  EXPECT_THAT(loaded->errors, SizeIs(kFileErrorsMax));
}

TEST_F(FolderTest, MustBeThere) {
  EXPECT_THAT(ReadFolder((folder_ / "none").string()), IsError(ErrorKind::InputUnreadable));
}

Definitions Everything() {
  Definitions all;
  Entity entity;
  entity.name = "order";
  entity.table = "public.\"Odd Orders\"";
  entity.identity = {"a", "b"};
  entity.columns = {"a", "b", "yes", "null", "1"};
  entity.dimensions = {{"size",
                        "CASE WHEN total >= 100 THEN 'large: #1' ELSE 'small' END",
                        "text",
                        "two\nlines",
                        {"bulk"}}};
  entity.default_time_dimension = "at";
  entity.time_zone = "Europe/Berlin";
  entity.description = "- a list? no: \"text\" # really";
  entity.synonyms = {"true", "~", "0x1f", "client's"};
  entity.trust = {Method::ObservedInQueryLog, State::Confirmed, 3, {"seen: 3 times"}};
  all.entities = {entity};
  Join join;
  join.name = "order_tag";
  join.from = "order";
  join.to = "tag";
  join.cardinality = Cardinality::ManyToMany;
  join.role = "label";
  join.through = Bridge{"public.order_tags", {{"id", "order_id"}}, {{"tag_id", "id"}}};
  Join self;
  self.name = "parent";
  self.from = self.to = "order";
  self.on = {{"parent_id", "id"}, {"region", "region"}};
  self.role = "parent";
  self.from_role = "child";
  all.joins = {join, self};
  Metric metric;
  metric.name = "net";
  metric.type = MetricType::Derived;
  metric.expression = "a - b";
  metric.inputs = {{"a", "", {"x = 'y'"}, "", Alignment::Calendar},
                   {"a", "b", {}, "1 month", Alignment::Week}};
  metric.unit = "EUR";
  metric.owner = "finance";
  Metric simple;
  simple.name = "p95";
  simple.entity = "order";
  simple.aggregation = Aggregation::Percentile;
  simple.percentile = 0.95;
  simple.column = "total";
  simple.time_grains = {"day", "month"};
  simple.semi_additive = SemiAdditive{"first", {"account"}};
  Metric conversion;
  conversion.name = "rate";
  conversion.type = MetricType::Conversion;
  conversion.base = "visits";
  conversion.conversion = "sales";
  conversion.match = {{"visitor", "customer"}};
  conversion.constant_properties = {{"p", "q"}};
  conversion.window = "7 days";
  all.metrics = {metric, simple, conversion};
  return all;
}

TEST_F(FolderTest, WhatIsWrittenReadsTheSame) {
  const Definitions all = Everything();
  const auto written = WriteFolder(folder_.string(), all, false);
  ASSERT_THAT(written, IsOk());
  EXPECT_EQ(*written, 6u);
  const auto loaded = ReadFolder(folder_.string());
  ASSERT_THAT(loaded, IsOk());
  for (const FileError& error : loaded->errors) ADD_FAILURE() << error.ToText();
  EXPECT_EQ(loaded->definitions, all);
}

TEST_F(FolderTest, WritesOverNothingUnlessForced) {
  Put("entities/order.yaml", "mine");
  const Definitions all = Everything();
  EXPECT_THAT(WriteFolder(folder_.string(), all, false), IsError(ErrorKind::InputUnreadable));
  EXPECT_FALSE(fs::exists(folder_ / "joins")) << "nothing is written where one is in the way";
  EXPECT_THAT(WriteFolder(folder_.string(), all, true), IsOk());
}

}  // namespace
}  // namespace schemaward::semantic
