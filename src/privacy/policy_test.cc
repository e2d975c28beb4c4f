#include "privacy/policy.h"

#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "privacy/pattern.h"
#include "privacy/policy_data.h"

namespace schemaward::privacy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

catalog::Table TableOf(const std::string& name, const std::vector<std::string>& columns) {
  catalog::Table table;
  table.schema = "main";
  table.name = name;
  for (const std::string& column : columns) {
    table.columns.emplace_back();
    table.columns.back().name = column;
    table.columns.back().type = "text";
  }
  return table;
}

catalog::Table People() {
  return TableOf("people", {"id", "email", "ssn", "city", "gender", "diagnosis"});
}

const catalog::Column& Col(const catalog::Table& table, const char* name) {
  return table.columns.at(catalog::FindColumn(table, name));
}

Allowance Of(const Policy& policy, const char* column) {
  const catalog::Table people = People();
  return policy.RuleOf(people, Col(people, column)).allowance;
}

TEST(Allowance, IntersectsToWhatBothAllow) {
  EXPECT_EQ(Intersect(kAllow, kMask), kMask);
  EXPECT_EQ(Intersect(kMask, kAllowInPredicate), kRefuse);
  EXPECT_EQ(Intersect(AllowAggregate(5), AllowAggregate(20)), AllowAggregate(20));
  EXPECT_EQ(Intersect(AllowAggregate(5), kAllow), AllowAggregate(5));
  EXPECT_EQ(Intersect(Unite(kMask, AllowAggregate(5)), kMask), kMask);
  EXPECT_EQ(Unite(AllowAggregate(5), kMask), (Allowance{false, true, false, true, 5}));
  EXPECT_TRUE(IsWithin(AllowAggregate(20), AllowAggregate(5)));
  EXPECT_FALSE(IsWithin(AllowAggregate(5), AllowAggregate(20)));
  EXPECT_TRUE(IsWithin(kRefuse, kMask));
  EXPECT_FALSE(IsWithin(kAllow, kMask));
}

TEST(Policy, BlocksByProfile) {
  const Policy team;
  EXPECT_EQ(Of(team, "email"), kRefuse);
  EXPECT_EQ(Of(team, "diagnosis"), kRefuse);
  EXPECT_EQ(Of(team, "gender"), kAllow);
  EXPECT_EQ(Of(team, "city"), kAllow);
  EXPECT_EQ(Of(team, "ssn"), kRefuse);
  const Policy dev(PolicyData{}, Profile::Dev);
  EXPECT_EQ(Of(dev, "email"), kMask);
  EXPECT_EQ(Of(dev, "ssn"), kRefuse);
  EXPECT_FALSE(dev.hide_names());
  EXPECT_TRUE(Policy(PolicyData{}, Profile::Strict).hide_names());
}

TEST(Policy, NamesOnlyBlockedCategories) {
  catalog::Table people = People();
  people.columns[1].tags = {"pii:gender"};
  const ColumnRule rule = Policy().RuleOf(people, people.columns[1]);
  EXPECT_THAT(rule.blocked, ElementsAre(Category::Contact));
  EXPECT_TRUE(rule.classification.Has(Category::DemographicProtected));
}

TEST(Policy, OverridesSayWhatAColumnHolds) {
  PolicyData data;
  data.overrides = {{"people.email", {}, Sensitivity::Public, ""},
                    {"main.people.city", {Category::Contact}, Sensitivity::Pii, ""},
                    {"other.people.gender", {Category::Health}, Sensitivity::Pii, ""}};
  const Policy policy(data);
  EXPECT_EQ(Of(policy, "email"), kAllow);
  EXPECT_EQ(Of(policy, "city"), kRefuse);
  EXPECT_EQ(Of(policy, "gender"), kAllow);
}

TEST(Policy, OverridesHoldForWhatRefersToTheColumn) {
  catalog::Table visit = TableOf("visit", {"ref", "other", "said"});
  visit.foreign_keys = {{"", {"ref"}, "main", "patient", {"code"}, "", ""},
                        {"", {"other"}, "main", "place", {"code"}, "", ""},
                        {"", {"said"}, "main", "patient", {"code"}, "", ""}};
  PolicyData data;
  data.overrides = {{"patient.code", {Category::Health}, Sensitivity::Pii, ""},
                    {"visit.said", {}, Sensitivity::Public, ""}};
  const Policy policy(data);
  EXPECT_TRUE(policy.RuleOf(visit, Col(visit, "ref")).IsBlocked());
  EXPECT_FALSE(policy.RuleOf(visit, Col(visit, "other")).IsBlocked());
  EXPECT_FALSE(policy.RuleOf(visit, Col(visit, "said")).IsBlocked());
}

TEST(Policy, OverridesOfParentsAndChildrenAddUp) {
  catalog::Table table = TableOf("thing", {"x", "y"});
  PolicyData data;
  data.overrides = {{"main.low.x", {Category::Health}, Sensitivity::Pii, ""},
                    {"far.x", {Category::Genetic}, Sensitivity::Pii, ""},
                    {"top.y", {}, Sensitivity::Public, "counts words"}};
  const Policy policy(data);
  EXPECT_FALSE(policy.RuleOf(table, Col(table, "x")).IsBlocked());
  table.children = {"main.low"};
  table.parents = {"main.top", "main.\"Other\""};
  EXPECT_THAT(policy.RuleOf(table, Col(table, "x")).blocked, ElementsAre(Category::Health));
  table.columns[1].comment = "pii:ssn";  // what a parent's override takes away stays
  EXPECT_THAT(policy.RuleOf(table, Col(table, "y")).blocked, ElementsAre(Category::GovernmentId));
}

TEST(Policy, KeepsTheFloorUnlessAReasonIsGivenForTheColumn) {
  PolicyData data;
  data.first.categories[static_cast<std::size_t>(Category::GovernmentId)] = kAllow;
  data.overrides = {{"people.ssn", {}, Sensitivity::Public, ""}};
  EXPECT_EQ(Of(Policy(data), "ssn"), kRefuse);
  data.overrides[0].reason = "holds ship serial numbers";
  EXPECT_EQ(Of(Policy(data), "ssn"), kAllow);
}

TEST(CallerPolicy, AppliesListsInOrder) {
  PolicyData data;
  NameLists allow;
  allow.schemas = {"main"};
  allow.metrics = {"rev*"};
  data.everyone.allow = {allow};
  data.everyone.deny.tables = {"main.secret_*", "hr"};
  const Policy policy(data);
  const CallerPolicy caller = policy.For({});
  EXPECT_EQ(caller.OfTable("main", "orders"), Access::Allowed);
  EXPECT_EQ(caller.OfTable("MAIN", "Secret_plans"), Access::Denied);
  EXPECT_EQ(caller.OfTable("other", "hr"), Access::NotListed);
  EXPECT_EQ(caller.OfTable("main", "hr"), Access::Denied);
  EXPECT_EQ(caller.OfMetric("revenue"), Access::Allowed);
  EXPECT_EQ(caller.OfMetric("orders"), Access::NotListed);
  EXPECT_EQ(caller.OfEntity("anything"), Access::Allowed);
}

TEST(CallerPolicy, ChoosesRulesByCaller) {
  PolicyData data;
  CallerRules analyst;
  analyst.match.principal = "ana*";
  analyst.rules.row_filters = {{"orders", "region = '${claims.region}'"}};
  analyst.rules.session = Session{"reporting", {}};
  analyst.rules.limits.rows_max = 10;
  analyst.rules.tools = {{std::nullopt, {"set:sql"}}};
  data.callers = {{analyst}};
  data.allow_unlisted = {false};
  data.everyone.limits.rows_max = 100;
  const Policy policy(data);
  Principal ana;
  ana.id = "ana";
  const CallerPolicy caller = policy.For(ana);
  EXPECT_THAT(caller.RowFiltersOf("main", "orders"), SizeIs(1));
  EXPECT_THAT(caller.RowFiltersOf("main", "items"), IsEmpty());
  ASSERT_NE(caller.session(), nullptr);
  EXPECT_EQ(caller.session()->role, "reporting");
  EXPECT_EQ(caller.limits().rows_max, 10);
  EXPECT_FALSE(caller.AllowsTool("execute_query", "sql"));
  EXPECT_TRUE(caller.AllowsTool("describe_table", "catalog"));
  const CallerPolicy stranger = policy.For({});
  EXPECT_EQ(stranger.OfTable("main", "orders"), Access::NotListed);
  EXPECT_FALSE(stranger.AllowsTool("describe_table", "catalog"));
}

// Which role is taken with a source; "-" for none.
std::string RoleWith(const Policy& policy, const char* source, const char* caller) {
  Principal principal;
  principal.id = caller;
  const Policy own = policy.Of(source, Profile::Team);
  const CallerPolicy of_caller = own.For(principal);
  const Session* session = of_caller.session();
  return session == nullptr ? "-" : session->role;
}

TEST(Policy, TheSessionOfASourceStandsForTheCommonOne) {
  PolicyData data;
  data.everyone.session = Session{"all", {}};
  data.everyone.source_sessions = {{"files", std::nullopt}, {"sales*", Session{"sales", {}}}};
  CallerRules ana;
  ana.match.principal = "ana";
  ana.rules.session = Session{"ana", {}};
  ana.rules.source_sessions = {{"sales_eu", Session{"ana_eu", {}}}};
  data.callers = {{ana}};
  const Policy policy(data);
  EXPECT_EQ(RoleWith(policy, "hr", "bob"), "all");
  EXPECT_EQ(RoleWith(policy, "hr", "ana"), "ana");
  EXPECT_EQ(RoleWith(policy, "sales_eu", "bob"), "sales");
  EXPECT_EQ(RoleWith(policy, "sales_eu", "ana"), "ana_eu");
  EXPECT_EQ(RoleWith(policy, "sales_us", "ana"),
            "sales");  // the source's comes before the caller's
  EXPECT_EQ(RoleWith(policy, "files", "ana"), "-");
}

TEST(Policy, KnowsItsExemptionsFromTheFloor) {
  PolicyData data;
  data.overrides = {{"usage.access_token", {}, Sensitivity::Public, "counts words"},
                    {"main.people.ssn", {Category::Contact}, Sensitivity::Pii, "a shoe size"},
                    {"people.city", {Category::Contact}, Sensitivity::Pii, ""}};
  const Policy policy(data);
  EXPECT_THAT(policy.Exemptions(),
              ElementsAre("main.people.ssn: a shoe size", "usage.access_token: counts words"));
  EXPECT_TRUE(policy.IsExempted("any", "Usage", "access_token"));
  EXPECT_TRUE(policy.IsExempted("main", "people", "ssn"));
  EXPECT_FALSE(policy.IsExempted("other", "people", "ssn"));
  EXPECT_FALSE(policy.IsExempted("main", "people", "city"));
  EXPECT_THAT(Policy().Exemptions(), IsEmpty());
}

// Two callers of a provider can differ in case alone.
TEST(Policy, MatchesPrincipalsAndScopesWithCase) {
  CallerRules ana;
  ana.match.principal = "ana*";
  ana.match.scope = "Reads";
  PolicyData data;
  data.callers = {{ana}};
  data.allow_unlisted = {false};
  const Policy policy(data);
  const auto is_refused = [&](const char* id, const char* scope) {
    Principal principal;
    principal.id = id;
    principal.scopes = {scope};
    return policy.For(principal).OfTable("main", "t") != Access::Allowed;
  };
  EXPECT_FALSE(is_refused("ana-1", "Reads"));
  EXPECT_TRUE(is_refused("Ana-1", "Reads"));
  EXPECT_TRUE(is_refused("ana-1", "reads"));
}

TEST(Pattern, MatchesStarsWithoutCase) {
  EXPECT_TRUE(MatchesPattern("a*c", "ABBC"));
  EXPECT_TRUE(MatchesPattern("*", ""));
  EXPECT_FALSE(MatchesPattern("a*c", "abcd"));
  EXPECT_TRUE(MatchesPattern("*a*b*", "xxaxxbxx"));
  EXPECT_FALSE(MatchesPattern("", "a"));
  EXPECT_TRUE(MatchesTable("orders", "any", "Orders"));
  EXPECT_TRUE(MatchesTable("sales.*", "sales", "orders"));
  EXPECT_FALSE(MatchesTable("sales.*", "hr", "orders"));
  EXPECT_TRUE(MatchesTable("\"my.schema\".t", "my.schema", "t"));
}

TEST(Placeholder, IsAWholeLiteral) {
  EXPECT_EQ(PlaceholderOf("${claims.tenant}"), "claims.tenant");
  EXPECT_EQ(PlaceholderOf("${principal.id}"), "principal.id");
  EXPECT_FALSE(PlaceholderOf("x${claims.tenant}"));
  EXPECT_FALSE(PlaceholderOf("${home}"));
  EXPECT_FALSE(PlaceholderOf("${claims.}"));
}

// Random policies, for the property that no merge widens.
class RandomPolicy {
 public:
  explicit RandomPolicy(unsigned seed) : random_(seed) {}

  PolicyData Make() {
    PolicyData data;
    if (Coin()) data.first.profile = static_cast<Profile>(Below(3));
    if (Coin()) data.first.hide_names = Coin();
    for (auto& action : data.first.categories)
      if (Coin()) action = Action();
    for (const char* column : {"people.email", "main.people.email", "people.ssn", "people.city"})
      if (Coin()) data.overrides.push_back(Override(column));
    data.everyone = MakeRules();
    if (Coin()) {
      data.callers.push_back({});
      for (std::size_t i = Below(3); i > 0; --i)
        data.callers.back().push_back({{Coin() ? "ana" : "*", "", "", ""}, MakeRules()});
      data.allow_unlisted.push_back(Coin());
    }
    return data;
  }

 private:
  std::size_t Below(std::size_t bound) { return random_() % bound; }
  bool Coin() { return Below(2) == 0; }
  Allowance Action() {
    const Allowance all[] = {kRefuse,
                             kMask,
                             kAllowInPredicate,
                             AllowAggregate(5),
                             AllowAggregate(50),
                             kAllow,
                             Unite(kMask, AllowAggregate(7))};
    return all[Below(std::size(all))];
  }
  ColumnOverride Override(const char* column) {
    ColumnOverride made{column, {}, Sensitivity::Public, Coin() ? "" : "why"};
    for (std::size_t i = 0; i < kCategoryCount; ++i)
      if (Below(4) == 0) made.categories.push_back(static_cast<Category>(i));
    return made;
  }
  std::vector<std::string> Names() {
    std::vector<std::string> names;
    for (const char* name : {"orders", "people", "main.*", "*"})
      if (Below(3) == 0) names.emplace_back(name);
    return names;
  }
  NameLists Lists() { return {{Coin() ? "main" : "other"}, Names(), Names(), Names()}; }
  Rules MakeRules() {
    Rules rules;
    if (Coin()) rules.allow = {Lists()};
    if (Below(3) == 0) rules.deny = Lists();
    if (Coin()) rules.row_filters = {{Coin() ? "orders" : "*", "id > 1"}};
    if (Coin()) rules.session = Session{Coin() ? "a" : "b", {}};
    if (Coin()) rules.limits.rows_max = static_cast<std::int64_t>(Below(100));
    if (Coin()) rules.tools = {{Names(), Names()}};
    return rules;
  }

  std::mt19937 random_;
};

// All that `inner` lets be done with the tables, `outer` does too.
void ExpectWithin(const Policy& inner, const Policy& outer, unsigned seed) {
  const catalog::Table people = People();
  for (const catalog::Column& column : people.columns)
    EXPECT_TRUE(
        IsWithin(inner.RuleOf(people, column).allowance, outer.RuleOf(people, column).allowance))
        << "seed " << seed << " column " << column.name;
  EXPECT_GE(inner.profile(), outer.profile()) << seed;
  EXPECT_GE(inner.hide_names(), outer.hide_names()) << seed;
  for (const char* id : {"ana", "bob"}) {
    Principal principal;
    principal.id = id;
    const CallerPolicy in = inner.For(principal);
    const CallerPolicy out = outer.For(principal);
    for (const char* table : {"orders", "people", "items"}) {
      for (const char* schema : {"main", "other"}) {
        if (in.OfTable(schema, table) == Access::Allowed) {
          EXPECT_EQ(out.OfTable(schema, table), Access::Allowed) << "seed " << seed;
        }
        EXPECT_GE(in.RowFiltersOf(schema, table).size(), out.RowFiltersOf(schema, table).size());
      }
      if (in.OfMetric(table) == Access::Allowed) {
        EXPECT_EQ(out.OfMetric(table), Access::Allowed) << "seed " << seed;
      }
      if (in.AllowsTool(table, "x")) {
        EXPECT_TRUE(out.AllowsTool(table, "x")) << "seed " << seed;
      }
    }
    if (out.limits().rows_max) {
      EXPECT_LE(in.limits().rows_max.value_or(1'000), *out.limits().rows_max) << "seed " << seed;
    }
    if (in.session() == nullptr || out.session() == nullptr) {
      EXPECT_EQ(in.session(), nullptr) << "seed " << seed;
      EXPECT_EQ(out.session(), nullptr) << "seed " << seed;
    } else {
      EXPECT_EQ(*in.session(), *out.session()) << "seed " << seed;
    }
  }
}

TEST(Narrow, NeverWidens) {
  constexpr unsigned kPolicies = 400;
  for (unsigned seed = 0; seed < kPolicies && !HasFailure(); ++seed) {
    RandomPolicy random(seed);
    const PolicyData base = random.Make();
    const PolicyData once = Narrow(base, random.Make(), nullptr);
    const PolicyData twice = Narrow(once, random.Make(), nullptr);
    const auto fallback = static_cast<Profile>(seed % 3);
    ExpectWithin(Policy(once, fallback), Policy(base, fallback), seed);
    ExpectWithin(Policy(twice, fallback), Policy(once, fallback), seed);
  }
}

TEST(Narrow, SaysWhatHadNoEffect) {
  PolicyData base;
  base.first.profile = Profile::Team;
  PolicyData other;
  other.first.profile = Profile::Dev;
  other.first.categories[static_cast<std::size_t>(Category::Contact)] = kAllow;
  other.overrides = {{"people.email", {}, Sensitivity::Public, "cleared"}};
  other.everyone.session = Session{"root", {}};
  other.everyone.source_sessions = {{"*", Session{"root", {}}}};
  Notes notes;
  const Policy policy(Narrow(base, other, &notes));
  EXPECT_THAT(notes, SizeIs(4));
  EXPECT_EQ(policy.profile(), Profile::Team);
  EXPECT_EQ(Of(policy, "email"), kRefuse);
  EXPECT_EQ(RoleWith(policy, "any", "bob"), "-");
}

TEST(Narrow, TakesWhatIsTighter) {
  PolicyData other;
  other.first.profile = Profile::Strict;
  other.first.categories[static_cast<std::size_t>(Category::DemographicProtected)] = kRefuse;
  other.overrides = {{"people.city", {Category::Contact}, Sensitivity::Pii, ""}};
  const Policy policy(Narrow({}, other, nullptr), Profile::Dev);
  EXPECT_EQ(Of(policy, "gender"), kRefuse);
  EXPECT_EQ(Of(policy, "city"), kRefuse);
  EXPECT_EQ(Of(policy, "email"), kRefuse);
  EXPECT_TRUE(policy.hide_names());
}

TEST(Policy, HashTellsPoliciesApart) {
  PolicyData data;
  EXPECT_EQ(Policy(data).hash(), Policy().hash());
  EXPECT_NE(Policy(data, Profile::Dev).hash(), Policy().hash());
  data.everyone.limits.rows_max = 1;
  EXPECT_NE(Policy(data).hash(), Policy().hash());
  PolicyData session;
  session.everyone.source_sessions = {{"a", std::nullopt}};
  EXPECT_NE(Policy(session).hash(), Policy().hash());
  EXPECT_THAT(Policy().hash(), SizeIs(64));
}

}  // namespace
}  // namespace schemaward::privacy
