#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/result_matchers.h"
#include "json/read.h"
#include "json/schema.h"
#include "json/value.h"
#include "json/write.h"

namespace schemaward::json {
namespace {

enum class Mode : std::uint8_t { Concise, Detailed };

struct Leaf {
  std::string column;
  std::optional<std::string> value;
  void Bind(Fields& f) {
    f("column", column, "a column", {.required = true});
    f("value", value, "a value");
  }
};

struct In {
  std::string name;
  std::int64_t limit = 10;
  bool deep = false;
  Mode mode = Mode::Concise;
  std::vector<std::string> tables;
  std::vector<Leaf> filters;
  void Bind(Fields& f) {
    f("name", name, "the name", {.required = true});
    f("limit", limit, "how many", {.minimum = 1, .maximum = 100});
    f("deep", deep, "all of it");
    f("mode", mode, "how much");
    f("tables", tables, "some tables", {.items_max = 3});
    f("filters", filters, "conditions");
  }
};

}  // namespace

template <>
struct EnumNames<Mode> {
  static constexpr std::array<std::string_view, 2> kNames = {"concise", "detailed"};
};

namespace {

ReadReport ReadText(const std::string& text, In& in) {
  return Read(Value::parse(text), in, R"({"name":"example"})");
}

TEST(Read, TakesWhatIsDeclared) {
  In in;
  const auto report = ReadText(
      R"({"name":"a","limit":3,"deep":true,"mode":"detailed","tables":["x"],"filters":[{"column":"c","value":"v"}]})",
      in);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(in.name, "a");
  EXPECT_EQ(in.limit, 3);
  EXPECT_TRUE(in.deep);
  EXPECT_EQ(in.mode, Mode::Detailed);
  EXPECT_THAT(in.tables, ::testing::ElementsAre("x"));
  EXPECT_EQ(in.filters.at(0).value, "v");
}

// COVERS: R-ARG-1
TEST(Read, TakesObviousSpellings) {
  In in;
  const auto report = ReadText(
      R"({"name":"a","limit":"1e1","deep":"true","tables":"x","filters":"[{\"column\":\"c\"}]","mode":null})",
      in);
  ASSERT_TRUE(report.ok()) << report.problems.front().text;
  EXPECT_EQ(in.limit, 10);
  EXPECT_TRUE(in.deep);
  EXPECT_THAT(in.tables, ::testing::ElementsAre("x"));
  EXPECT_EQ(in.filters.at(0).column, "c");
}

// COVERS: R-ARG-2
struct Ordered {
  std::optional<Leaf> first;
  std::vector<Leaf> order;
  void Bind(Fields& f) {
    f("first", first, "one", {.shorthand = "column"});
    f("order", order, "some", {.items_max = 3, .shorthand = "column"});
  }
};

// COVERS: R-ARG-1
TEST(Read, TakesAStringForTheShorthandMemberOfAnObject) {
  Ordered in;
  ASSERT_TRUE(
      Read(Value::parse(R"({"first":"a","order":["b",{"column":"c","value":"1"}]})"), in).ok());
  EXPECT_EQ(in.first->column, "a");
  ASSERT_EQ(in.order.size(), 2U);
  EXPECT_EQ(in.order[0].column, "b");
  EXPECT_EQ(in.order[1].value, "1");
  Ordered one;
  ASSERT_TRUE(Read(Value::parse(R"({"order":"d"})"), one).ok());
  EXPECT_EQ(one.order.front().column, "d");
  In without;
  EXPECT_FALSE(ReadText(R"({"name":"x","filters":["d"]})", without).ok());
}

TEST(Read, NamesWhatIsWrongAndRepairsIt) {
  struct Case {
    std::string given, problem, repaired;
  };
  const Case cases[] = {
      {R"({"nme":"a"})", "argument \"name\" is required", R"({"name":"a"})"},
      {R"({"identifier":"a"})", "argument \"name\" is required", R"({"name":"a"})"},
      {R"({})", "argument \"name\" is required", R"({"name":"example"})"},
      {R"({"name":"a","limit":0})", "argument \"limit\" must be from 1 to 100, not 0",
       R"({"limit":1,"name":"a"})"},
      {R"({"name":"a","limit":"many"})", "argument \"limit\" must be an integer, not string",
       R"({"name":"a"})"},
      {R"({"name":"a","mode":"detail"})", "argument \"mode\" must be one of concise, detailed",
       R"({"mode":"detailed","name":"a"})"},
      {R"({"name":7})", "argument \"name\" must be a string, not number", R"({"name":"example"})"},
      {R"({"name":"a","zzzzzzzz":1})",
       "argument \"zzzzzzzz\" is not known; allowed: name, limit, deep, mode, tables, filters",
       R"({"name":"a"})"},
      {R"({"name":"a","filters":[{"colum":"c"}]})", "argument \"filters[0].column\" is required",
       R"({"filters":[{"column":"c"}],"name":"a"})"},
      {R"({"name":"a","tables":["1","2","3","4"]})",
       "argument \"tables\" has 4 items, more than the 3 allowed",
       R"({"name":"a","tables":["1","2","3"]})"},
      {R"([1])", "the arguments must be an object, not array", R"({"name":"example"})"},
  };
  for (const Case& c : cases) {
    In in;
    const auto report = ReadText(c.given, in);
    ASSERT_FALSE(report.ok()) << c.given;
    EXPECT_EQ(report.problems.front().text, c.problem);
    EXPECT_EQ(report.repaired, c.repaired) << c.given;
  }
}

TEST(Write, WritesInOrderWithNulls) {
  In in;
  in.name = "a\"\n\x01\xff";
  in.filters.push_back({"c", std::nullopt});
  EXPECT_EQ(
      Write(in),
      R"({"name":"a\"\n\u0001)"
      "\xEF\xBF\xBD"
      R"(","limit":10,"deep":false,"mode":"concise","tables":[],"filters":[{"column":"c","value":null}]})");
}

struct Sparse {
  std::string comment;
  std::optional<std::string> note;
  std::vector<std::string> labels;
  bool hidden = false;
  void Bind(Fields& f) {
    f("comment", comment, "", {.omit_empty = true});
    f("note", note, "", {.omit_empty = true});
    f("labels", labels, "", {.omit_empty = true});
    f("hidden", hidden, "", {.omit_empty = true});
  }
};

TEST(Write, LeavesOutEmptyMembersWhereAsked) {
  EXPECT_EQ(Write(Sparse{}), "{}");
  EXPECT_EQ(Write(Sparse{"c", "n", {"l"}, true}),
            R"({"comment":"c","note":"n","labels":["l"],"hidden":true})");
  EXPECT_EQ(
      SchemaOf<Sparse>(SchemaUse::Output),
      R"({"type":"object","properties":{"comment":{"type":"string"},"note":{"type":"string"},"labels":{"type":"array","items":{"type":"string"}},"hidden":{"type":"boolean"}}})");
}

// COVERS: R-REC-1
TEST(WriteArguments, LeavesOutDefaultsAndNulls) {
  In in;
  in.name = "a";
  EXPECT_EQ(WriteArguments(in), R"({"name":"a"})");
  in.limit = 3;
  in.tables = {"x"};
  EXPECT_EQ(WriteArguments(in), R"({"name":"a","limit":3,"tables":["x"]})");
}

// COVERS: R-VAL-1
TEST(Write, KeepsNumbersExact) {
  std::string out;
  AppendInt(out, std::int64_t{1} << 53);
  out += ' ';
  AppendInt(out, (std::int64_t{1} << 53) + 1);
  out += ' ';
  AppendInt(out, std::numeric_limits<std::int64_t>::min());
  out += ' ';
  AppendDouble(out, std::numeric_limits<double>::quiet_NaN());
  out += ' ';
  AppendDouble(out, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(out, R"(9007199254740992 "9007199254740993" "-9223372036854775808" "NaN" "-Infinity")");
}

// COVERS: R-ENV-6
TEST(Schema, StaysInTheSubsetThatClientsAccept) {
  EXPECT_EQ(
      SchemaOf<Leaf>(SchemaUse::Input),
      R"({"type":"object","properties":{"column":{"type":"string","description":"a column"},"value":{"type":"string","description":"a value"}},"required":["column"]})");
  EXPECT_EQ(
      SchemaOf<Leaf>(SchemaUse::Output),
      R"({"type":"object","properties":{"column":{"type":"string","description":"a column"},"value":{"anyOf":[{"type":"string"},{"type":"null"}],"description":"a value"}},"required":["column","value"]})");
  const std::string in = SchemaOf<In>(SchemaUse::Input);
  EXPECT_THAT(
      in,
      ::testing::HasSubstr(
          R"("limit":{"type":"integer","minimum":1,"maximum":100,"description":"how many","default":10})"));
  EXPECT_THAT(
      in,
      ::testing::HasSubstr(
          R"("mode":{"type":"string","enum":["concise","detailed"],"description":"how much","default":"concise"})"));
}

TEST(Parse, RefusesWhatIsTooLargeTooDeepOrNotJson) {
  EXPECT_THAT(Parse("[1,2", {}), IsError(ErrorKind::InvalidArgument,
                                         "the text is not JSON: reading stopped at byte 5"));
  EXPECT_THAT(Parse("[[1]]", {.depth_max = 1}),
              IsError(ErrorKind::InvalidArgument, "the JSON text is nested more than 1 deep"));
  EXPECT_THAT(Parse("\"[[[[\"", {.depth_max = 1}), IsOk());
  EXPECT_THAT(Parse("[1]", {.bytes_max = 2}), IsError(ErrorKind::ByteCap));
  EXPECT_THAT(Parse("\"\xff\"", {}), IsError(ErrorKind::InvalidArgument));
  EXPECT_THAT(Parse("1e999"), IsError(ErrorKind::InvalidArgument));
}

TEST(Canonical, SortsMembers) {
  EXPECT_EQ(Canonical(Value::parse(R"({"b":1,"a":[true,null],"b":2})")),
            R"({"a":[true,null],"b":2})");
}

// Text is passed over in words of eight bytes: what needs an escape is found wherever it stands.
TEST(Quote, FindsWhatNeedsAnEscapeAtEveryPlace) {
  const std::pair<std::string, std::string> cases[] = {{"\"", "\\\""},
                                                       {"\\", "\\\\"},
                                                       {"\n", "\\n"},
                                                       {std::string(1, '\x01'), "\\u0001"},
                                                       {"\x1f", "\\u001f"},
                                                       {"\x80", "\xEF\xBF\xBD"},
                                                       {"\xC3\xA9", "\xC3\xA9"},
                                                       {"\x7f", "\x7f"},
                                                       {" ", " "},
                                                       {"!", "!"},
                                                       {"#", "#"}};
  for (const auto& [bytes, written] : cases)
    for (std::size_t size = 0; size < 20; ++size)
      for (std::size_t at = 0; at <= size; ++at) {
        const std::string before(at, 'a'), after(size - at, '~');
        EXPECT_EQ(Quote(before + bytes + after), '"' + before + written + after + '"');
        EXPECT_EQ(Quote(before + bytes + after + bytes),
                  '"' + before + written + after + written + '"');
      }
}

}  // namespace
}  // namespace schemaward::json
