// COVERS: R-PAT-1
// The pattern family's tools on real catalogs: what is proposed for a schema passes the guard, what
// the policy hides is not proposed, and a name that is not there is a question back.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/application.h"
#include "app/server.h"
#include "base/result_matchers.h"
#include "guard/guard.h"
#include "index/run.h"
#include "patterns/library.h"
#include "store/testing.h"
#include "tool/lint.h"

namespace schemaward::app {
namespace {

namespace fs = std::filesystem;
using Json = json::Value;
using patterns::Pattern;
using ::testing::IsEmpty;
using ::testing::Not;

std::string TextOf(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Every fixture of the library as one script.
std::string Fixtures() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(WARD_SOURCE_DIR "/patterns/fixtures"))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::string script;
  for (const fs::path& file : files) script += TextOf(file);
  return script;
}

class PatternCallsTest : public ::testing::Test {
 protected:
  PatternCallsTest() {
    const auto nothing = [](const std::string&) { return std::optional<std::string>(); };
    application_ = std::make_unique<Application>(
        *Config::Load({{"store", folder_.File("store.db")}}, nothing, folder_.File("")));
  }

  std::unique_ptr<connect::Connector> Open(const std::string& name, const std::string& script) {
    std::ofstream(folder_.File(name + ".sql")) << script;
    const auto source = application_->AddSource("ddl:" + folder_.File(name + ".sql"), name);
    EXPECT_THAT(source, IsOk());
    CallContext ctx = application_->CommandContext();
    auto connector = application_->Connect(*source, ctx);
    EXPECT_THAT(connector, IsOk());
    return *std::move(connector);
  }

  void Index(const std::string& name, const std::string& script) {
    const auto connector = Open(name, script);
    CallContext ctx = application_->CommandContext();
    const auto source = (*application_->Store(true))->FindSource(name);
    ASSERT_THAT(index::Run(*connector, **application_->Store(true), **source, {}, ctx), IsOk());
  }

  ToolServer& Server() {
    if (server_ == nullptr)
      server_ = *ToolServer::Create(*application_, {.sets = {"patterns"}, .served = {}});
    return *server_;
  }

  tool::Answer Call(const std::string& tool, const Json& args) {
    CallContext ctx = application_->CommandContext();
    return Server().invoker().Invoke(tool, args, ctx);
  }

  Json BindingOf(const std::string& id, const std::string& source) {
    const auto answer = Call("get_pattern", {{"id", id}, {"source", source}});
    EXPECT_FALSE(answer.is_error) << id << answer.text;
    return Json::parse(answer.structured)["binding"];
  }

  const std::vector<Pattern>& Patterns() {
    const auto all = library_.All();
    EXPECT_THAT(all, IsOk());
    return **all;
  }

  store::TempFolder folder_;
  std::unique_ptr<Application> application_;
  std::unique_ptr<ToolServer> server_;
  text::Lexicon lexicon_;
  patterns::Library library_{patterns::BuiltIn(),
                             [this]() -> const text::Lexicon& { return lexicon_; }};
};

TEST_F(PatternCallsTest, EveryExampleThatReadsPassesTheGuardInEachDialect) {
  const auto connector = Open("fixtures", Fixtures());
  CallContext ctx = application_->CommandContext();
  auto database = connector->Introspect({}, ctx);
  ASSERT_THAT(database, IsOk());
  for (catalog::Table& table : database->tables) table.schema = "main";
  const privacy::Policy policy;
  const guard::Guard guard(policy);
  guard::TableList lookup(database->tables);
  std::size_t passed = 0;
  for (const Pattern& pattern : Patterns())
    for (const patterns::Text& text : pattern.texts)
      for (const std::string& name : text.dialects) {
        if (pattern.writes) continue;
        const std::string sql = patterns::ExampleOf(pattern, text.sql);
        const auto approved =
            guard.ApproveText({sql, {}}, *sql::FindDialect(name), lookup, {}, nullptr);
        EXPECT_THAT(approved, IsOk()) << pattern.id << " in " << name;
        if (approved) ++passed;
      }
  EXPECT_GT(passed, 100U);
}

TEST_F(PatternCallsTest, EveryPatternIsBoundToATableThatItsFixtureHas) {
  Index("fixtures", Fixtures());
  std::size_t as_in_the_example = 0, bound = 0;
  for (const Pattern& pattern : Patterns()) {
    const Json binding = BindingOf(pattern.id, "fixtures");
    EXPECT_EQ(binding["decision"], pattern.writes ? "writes" : "allowed")
        << pattern.id << binding.dump(1);
    ++bound;
    bool is_example = true;
    for (std::size_t i = 0; i < pattern.parameters.size(); ++i) {
      const auto value = binding["fillings"][i]["value"].get<std::string>();
      const std::string& example = pattern.parameters[i].example;
      is_example &= value == example || value == "public." + example;
    }
    if (is_example)
      ++as_in_the_example;
    else
      RecordProperty("other_than_the_example_" + std::to_string(bound), pattern.id);
  }
  EXPECT_GE(as_in_the_example * 100, bound * 60) << as_in_the_example << " of " << bound;
  RecordProperty("bound_as_in_the_example", static_cast<int>(as_in_the_example));
}

TEST_F(PatternCallsTest, WhatIsProposedForTheSampleShopPassesTheGuard) {
  Index("shop", TextOf(WARD_SOURCE_DIR "/examples/shop/shop.sql"));
  std::size_t allowed = 0, read = 0;
  for (const Pattern& pattern : Patterns()) {
    if (pattern.writes) continue;
    ++read;
    const Json binding = BindingOf(pattern.id, "shop");
    EXPECT_NE(binding["decision"], "refused") << pattern.id << binding.dump(1);
    if (binding["decision"] == "allowed") ++allowed;
  }
  EXPECT_GE(allowed * 100, read * 80) << allowed << " of " << read;
}

TEST_F(PatternCallsTest, ABlockedColumnIsNeverProposed) {
  Index("people", R"(CREATE TABLE people (id integer PRIMARY KEY, email text, phone text);)");
  const Json binding = BindingOf("values-in-one-row", "people");
  EXPECT_EQ(binding["decision"], "unfilled");
  EXPECT_EQ(binding.dump().find("email"), std::string::npos) << binding.dump(1);
}

TEST_F(PatternCallsTest, AGivenTableThatIsNotThereIsAQuestionBackInEachFormat) {
  Index("shop", "CREATE TABLE orders (id integer PRIMARY KEY, total numeric);");
  for (const char* format : {"markdown", "json", "both"}) {
    const auto answer =
        Call("get_pattern", {{"id", "running-total"},
                             {"source", "shop"},
                             {"format", format},
                             {"bind", {{{"parameter", "orders"}, {"fills", "public.ordrs"}}}}});
    EXPECT_FALSE(answer.is_error) << format;
    const Json structured = Json::parse(answer.structured);
    EXPECT_EQ(structured["kind"], "needsInput:v1");
    EXPECT_EQ(structured["needsInput"]["suggestions"]["bind"][0], "public.orders");
    EXPECT_EQ(answer.blocks.size(), std::string_view(format) == "both" ? 2U : 1U);
  }
}

TEST_F(PatternCallsTest, AStatementCannotHideInAValueOrAName) {
  Index("shop",
        "CREATE TABLE orders (id integer PRIMARY KEY, customer_id integer, total numeric);");
  const auto kind = [&](const char* parameter, const char* fills) {
    const auto answer =
        Call("get_pattern", {{"id", "top-n-per-group"},
                             {"source", "shop"},
                             {"bind", {{{"parameter", parameter}, {"fills", fills}}}}});
    return Json::parse(answer.structured)["kind"].get<std::string>();
  };
  EXPECT_EQ(kind("n", "1; DROP TABLE orders"), "needsInput:v1");
  EXPECT_EQ(kind("n", "1 OR 1"), "needsInput:v1");
  EXPECT_EQ(kind("amount", "total\" FROM secrets --"), "needsInput:v1");
  EXPECT_EQ(kind("n", "-1.5"), "patternDetails:v1");
}

TEST_F(PatternCallsTest, ASourceThatIsNotThereIsNotFound) {
  Index("shop", "CREATE TABLE orders (id integer PRIMARY KEY);");
  const auto answer = Call("get_pattern", {{"id", "running-total"}, {"source", "nowhere"}});
  EXPECT_TRUE(answer.is_error);
  EXPECT_EQ(Json::parse(answer.structured)["code"], "NOT_FOUND");
}

// Twenty hits without a filter are given, one more is a question back; a filter is never asked
// about.
TEST_F(PatternCallsTest, MoreThanTwentyHitsAreAQuestionBackUnlessAFilterNarrowsThem) {
  std::set<std::string> phrases;
  for (const Pattern& pattern : Patterns()) {
    phrases.insert(pattern.title);
    std::istringstream words(pattern.title);
    for (std::string word; words >> word;) phrases.insert(word);
    phrases.insert(pattern.tags.begin(), pattern.tags.end());
  }
  std::int64_t most_given = 0, least_asked = std::numeric_limits<std::int64_t>::max();
  for (const std::string& phrase : phrases) {
    std::int64_t total = 0;
    for (const char* difficulty : {"beginner", "intermediate", "advanced"}) {
      const auto some = Json::parse(
          Call("search_patterns", {{"q", phrase}, {"difficulty", difficulty}, {"limit", 1}})
              .structured);
      ASSERT_EQ(some["kind"], "patternSearchResults:v1") << phrase;
      total += some["metadata"]["totalCount"].get<std::int64_t>();
    }
    const auto all = Call("search_patterns", {{"q", phrase}});
    EXPECT_FALSE(all.is_error);
    const auto said = Json::parse(all.structured);
    EXPECT_EQ(said["kind"], total > 20 ? "needsInput:v1" : "patternSearchResults:v1")
        << phrase << ' ' << total;
    if (said["kind"] != "needsInput:v1")
      most_given = std::max(most_given, total);
    else
      least_asked = std::min(least_asked, total);
  }
  EXPECT_EQ(most_given, 20);  // the library has phrases on both sides, and one at the bound
  EXPECT_LT(least_asked, 30);
}

TEST_F(PatternCallsTest, TheSetIsAsTheLintWantsIt) {
  Index("shop", "CREATE TABLE orders (id integer PRIMARY KEY);");
  CallContext ctx = application_->CommandContext();
  for (const tool::LintFinding& finding : tool::LintAll(Server().invoker(), false, ctx))
    ADD_FAILURE() << finding.tool << ' ' << finding.rule << ": " << finding.what;
}

TEST_F(PatternCallsTest, TheWholeLibraryFitsAnAnswer) {
  const auto answer =
      Call("search_patterns", {{"q", "*"}, {"difficulty", "intermediate"}, {"format", "both"}});
  EXPECT_FALSE(answer.is_error);
  for (const tool::TextBlock& block : answer.blocks) EXPECT_LT(block.text.size(), 40'000U);
  for (const Pattern& pattern : Patterns()) {
    const auto details = Call("get_pattern", {{"id", pattern.id}, {"format", "both"}});
    for (const tool::TextBlock& block : details.blocks) EXPECT_LT(block.text.size(), 40'000U);
  }
}

TEST_F(PatternCallsTest, TheProvenancePanelSaysTheVersionOfTheLibrary) {
  const Json found = Json::parse(
      Call("search_patterns", {{"q", "running total"}, {"includeProvenancePanel", true}})
          .structured);
  EXPECT_EQ(found["provenance"]["version"], *library_.Version());
  const Json one = Json::parse(
      Call("get_pattern", {{"id", "running-total"}, {"includeProvenancePanel", true}}).structured);
  EXPECT_EQ(one["provenance"]["version"], *library_.Version());
  EXPECT_THAT(one["provenance"]["timestamp"].get<std::string>(), Not(IsEmpty()));
}

}  // namespace
}  // namespace schemaward::app
