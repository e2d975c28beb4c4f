#include "privacy/policy_file.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "privacy/policy.h"

namespace schemaward::privacy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

/// Of one fault the message is all that is said.
std::string FaultsOf(std::string_view text) {
  const auto read = ReadPolicy(text, "p.yaml");
  if (read) return "";
  return read.error().detail().empty() ? read.error().message() : read.error().detail();
}

Allowance ActionOf(const PolicyData& data, Category category) {
  return ResolvedActions(data, Profile::Team)[static_cast<std::size_t>(category)];
}

TEST(ReadPolicy, SaysOneFaultOnceAndOfMoreTheFirstAndAll) {
  const auto one = ReadPolicy("versin: 1\n", "p.yaml");
  ASSERT_FALSE(one);
  EXPECT_EQ(one.error().message(),
            "p.yaml:1: there is no key \"versin\"; the nearest is \"version\"");
  EXPECT_EQ(one.error().detail(), "");
  const auto two = ReadPolicy("versin: 1\nprofil: team\n", "p.yaml");
  ASSERT_FALSE(two);
  EXPECT_THAT(two.error().message(), HasSubstr("p.yaml:1: there is no key \"versin\""));
  EXPECT_THAT(two.error().message(), HasSubstr("(and 1 more)"));
  EXPECT_THAT(two.error().detail(), HasSubstr("p.yaml:2: there is no key \"profil\""));
}

TEST(ReadPolicy, ReadsEveryKey) {
  const auto read = ReadPolicy(R"(
version: 1
profile: strict
hide_names: false
categories:
  contact: mask
  health: {allow_aggregate: 20}
  location: [mask, allow_in_predicate]
  financial: refuse
  credential: refuse
column_overrides:
  people.name: {sensitivity: public, categories: []}
  main.people.code: {categories: [health, contact]}
  usage.token: {categories: [], reason: counts words}
allow: {schemas: [sales, ref], tables: [hr.offices], metrics: "rev*"}
deny: {tables: [sales.secret_*]}
row_filters:
  sales.orders: region = '${claims.region}'
session: {role: reader, settings: {app.tenant: "${claims.tenant}"}}
sources:
  files: {session: none}
  "sales*": {profile: dev, session: {role: seller}}
limits: {rows_max: 50, time_ms_max: 2000}
tools: {deny: [execute_query, "set:explore"]}
unlisted_callers: refuse
callers:
  - match: {principal: "ana*", transport: http}
    allow: {tables: [sales.orders]}
    limits: {rows_max: 10}
    sources: {sales_eu: {session: {role: seller_eu}}}
)",
                               "p.yaml");
  ASSERT_TRUE(read) << read.error().detail();
  const PolicyData& data = *read;
  EXPECT_EQ(data.first.profile, Profile::Strict);
  EXPECT_EQ(data.first.hide_names, false);
  EXPECT_EQ(ActionOf(data, Category::Contact), kMask);
  EXPECT_EQ(ActionOf(data, Category::Health), AllowAggregate(20));
  EXPECT_EQ(ActionOf(data, Category::Location), Unite(kMask, kAllowInPredicate));
  EXPECT_EQ(ActionOf(data, Category::Financial), kRefuse);
  ASSERT_THAT(data.overrides, SizeIs(3));
  EXPECT_THAT(data.overrides[1].categories, ElementsAre(Category::Contact, Category::Health));
  EXPECT_EQ(data.overrides[2].reason, "counts words");
  EXPECT_THAT(data.everyone.allow, SizeIs(1));
  EXPECT_EQ(data.everyone.session->settings.at("app.tenant"), "${claims.tenant}");
  EXPECT_EQ(data.everyone.row_filters[0].expression, "region = '${claims.region}'");
  ASSERT_THAT(data.everyone.source_sessions, SizeIs(2));
  EXPECT_EQ(data.everyone.source_sessions[0], (SourceSession{"files", std::nullopt}));
  EXPECT_EQ(data.everyone.source_sessions[1].session->role, "seller");
  ASSERT_THAT(data.first.sources, SizeIs(1));
  EXPECT_EQ(data.first.sources[0], (SourceProfile{"sales*", Profile::Dev}));
  EXPECT_EQ(data.callers[0][0].match.principal, "ana*");
  EXPECT_EQ(data.callers[0][0].rules.source_sessions[0].session->role, "seller_eu");
  EXPECT_FALSE(data.allow_unlisted[0]);
}

TEST(ReadPolicy, SaysEveryFaultWithItsLine) {
  const std::string faults = FaultsOf(
      "profil: team\n"
      "categories:\n"
      "  contakt: allow\n"
      "  credential: allow\n"
      "  health: masked\n"
      "column_overrides:\n"
      "  people.ssn: {categories: []}\n"
      "  people: {categories: []}\n"
      "limits: {rows_max: many}\n");
  EXPECT_THAT(faults,
              HasSubstr("p.yaml:1: there is no key \"profil\"; the nearest is \"profile\""));
  EXPECT_THAT(faults, HasSubstr("p.yaml:3: there is no category \"contakt\""));
  EXPECT_THAT(faults, HasSubstr("p.yaml:4: category credential cannot be let out"));
  EXPECT_THAT(faults,
              HasSubstr("p.yaml:5: there is no action \"masked\"; the nearest is \"mask\""));
  EXPECT_THAT(faults, HasSubstr("p.yaml:7: column \"people.ssn\" holds government_id"));
  EXPECT_THAT(faults, HasSubstr("p.yaml:8: \"people\" is no table.column"));
  EXPECT_THAT(faults, HasSubstr("p.yaml:9: \"many\" is no number"));
}

TEST(ReadPolicy, RefusesWhatIsNoPolicy) {
  EXPECT_THAT(FaultsOf("- a\n"), HasSubstr("p.yaml:1: a policy is a mapping"));
  EXPECT_THAT(FaultsOf("a: [1\n"), HasSubstr("this is not YAML"));
  EXPECT_THAT(FaultsOf("version: 2\n"), HasSubstr("version 2 is not known"));
  EXPECT_THAT(FaultsOf("callers: [{allow: {}}]\n"), HasSubstr("a caller needs a match"));
  EXPECT_THAT(FaultsOf("sources: {a: {session: nobody}}\n"), HasSubstr("a mapping is expected"));
  EXPECT_THAT(FaultsOf("callers: [{match: {}, sources: {a: {profile: dev}}}]\n"),
              HasSubstr("there is no key \"profile\""));
  EXPECT_THAT(FaultsOf("profile: team\nprofile: dev\n"), HasSubstr("there twice"));
  EXPECT_THAT(FaultsOf("categories: {contact: {allow_aggregate: 1}}\n"), HasSubstr("fewer than 2"));
  EXPECT_FALSE(ReadPolicy(std::string(kPolicyBytesMax + 1, ' '), "p.yaml"));
  EXPECT_TRUE(ReadPolicy("", "p.yaml"));
  EXPECT_FALSE(ReadPolicyFile("/nonexistent/policy.yaml"));
}

// Each would leave out, without a word, what somebody wrote to keep something back.
TEST(ReadPolicy, SaysWhatWouldHoldNothingBack) {
  struct Row {
    const char* text;
    const char* said;
  };
  constexpr Row kRows[] = {
      {"categories: {contact: refuse, contact: allow}", "key \"contact\" is there twice"},
      {"row_filters: {orders: a = 1, orders: b = 2}", "key \"orders\" is there twice"},
      {"column_overrides: {a.b: {categories: [health]}, a.b: {categories: []}}", "twice"},
      {"sources: {a: {profile: strict}, a: {profile: dev}}", "key \"a\" is there twice"},
      {"session: {settings: {app.a: x, app.a: y}}", "key \"app.a\" is there twice"},
      {"deny: {tables: [a]}\n---\ndeny: {tables: [b]}", "p.yaml:3: a policy is one document"},
      {"---\n---\ndeny: {tables: [a]}", "a policy is one document"},
      {"allow: {tables: []}", "an empty list limits nothing"},
      {"allow: {metrics: }", "an empty list limits nothing"},
      {"callers: [{match: {}, allow: {schemas: []}}]", "an empty list limits nothing"},
      {"row_filters: {orders: }", "an empty filter lets every row through"},
      {"row_filters: {orders: []}", "an empty filter lets every row through"},
      {"row_filters: {orders: '  '}", "an empty filter lets every row through"},
      {"deny: {tables: [' hr.salaries']}", "\" hr.salaries\" fits nothing"},
      {"deny:\n  schemas:\n    - |\n      hr", "\"hr \" fits nothing"},
      {"deny: {metrics: [\"a\\0b\"]}", "\"a b\" fits nothing"},
      {"deny: {entities: ['']}", "a name is expected here"},
      {"tools: {deny: ['execute_query ']}", "\"execute_query \" fits nothing"},
      {"callers: [{match: {principal: 'svc '}, deny: {tables: [a]}}]", "\"svc \" fits nothing"},
      {"column_overrides: {people.ssn: {categories: [], reason: '  '}}", "a reason says something"},
      {"column_overrides: {people.ssn: {categories: [], reason: \"\\u202e\\u200b\"}}",
       "a reason says something"},
  };
  for (const Row& row : kRows)
    EXPECT_THAT(FaultsOf(std::string(row.text) + "\n"), HasSubstr(row.said)) << row.text;
  EXPECT_EQ(FaultsOf("column_overrides: {p.ssn: {categories: [], reason: \"Z\\u00e4hler\"}}\n"),
            "");
  EXPECT_EQ(FaultsOf("tools: {allow: []}\ndeny: {tables: ['\" a\".b']}\n"), "");
}

TEST(ReadPolicies, LaterFilesOnlyNarrow) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "ward_policy_files";
  std::filesystem::create_directories(folder);
  const std::string first = (folder / "first.yaml").string();
  const std::string second = (folder / "second.yaml").string();
  std::ofstream(first) << "profile: team\ncolumn_overrides:\n  people.name: {categories: []}\n";
  std::ofstream(second) << "profile: dev\ncategories: {contact: allow, location: refuse}\n";
  Notes notes;
  const auto read = ReadPolicies(
      {{first, true}, {(folder / "absent.yaml").string(), false}, {second, true}}, &notes);
  ASSERT_TRUE(read);
  EXPECT_THAT(notes, SizeIs(2));
  EXPECT_EQ(ActionOf(*read, Category::Contact), kRefuse);
  EXPECT_EQ(ActionOf(*read, Category::Location), kRefuse);
  EXPECT_EQ(ResolvedProfile(*read, Profile::Dev), Profile::Team);
  EXPECT_FALSE(ReadPolicies({{(folder / "absent.yaml").string(), true}}, nullptr));
  std::filesystem::remove_all(folder);
}

TEST(ReadPolicies, TakesTheFileAloneAsThePolicy) {
  const char* data = std::getenv("SCHEMAWARD_TEST_DATA");  // NOLINT(concurrency-mt-unsafe)
  const std::string path = data != nullptr
                               ? std::string(data) + "/guard/policy.yaml"
                               : std::string(WARD_SOURCE_DIR) + "/../shared/data/guard/policy.yaml";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no shared data at " << path;
  const auto read = ReadPolicyFile(path);
  ASSERT_TRUE(read) << read.error().detail();
  EXPECT_THAT(read->overrides, SizeIs(3));
}

}  // namespace
}  // namespace schemaward::privacy
