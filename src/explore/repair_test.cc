#include "explore/repair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/result_matchers.h"
#include "explore/digest.h"
#include "explore/fake_warehouse.h"
#include "explore/limits.h"
#include "explore/named_tables.h"
#include "llm/scripted.h"

namespace schemaward::explore {
namespace {

using llm::ScriptedLlm;
using llm::ScriptedTurn;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kPrompt =
    "Tables:\n{{SCHEMA_INFO}}SQL: {{ORIGINAL_SQL}}\nError: {{ERROR_MESSAGE}}\n"
    "{{#VERIFICATION_CONTEXT}}Known: {{VERIFICATION_CONTEXT}}{{/VERIFICATION_CONTEXT}}";

class Repairing : public ::testing::Test {
 protected:
  Repairing() {
    warehouse_.Add("sales.orders", {"id", "total"});
    warehouse_.Add("sales.customers", {"id", "city"});
    warehouse_.Add("hr.people", {"id", "salary"});
    QueryResult one;
    one.columns = {{"n"}};
    one.rows = {{std::int64_t{42}}};
    one.statement = "SELECT count(*) AS n FROM sales.orders";
    warehouse_.results["SELECT right"] = one;
  }

  Result<QueryResult> Query(const std::string& sql, std::vector<ScriptedTurn> turns) {
    model_ = std::make_unique<ScriptedLlm>(llm::ModelInfo{"scripted", "test", 32'000, 2'000},
                                           std::move(turns));
    repairing_ = std::make_unique<RepairingWarehouse>(warehouse_, *model_,
                                                      *TemplateText::Parse(kPrompt, "prompt"));
    repairing_->SetEvidence(evidence_);
    return repairing_->Query(sql, ctx_);
  }
  std::string Prompt(std::size_t n) const { return model_->Requests().at(n).system; }

  FakeClock clock_;
  CallContext ctx_{clock_};
  FakeWarehouse warehouse_;
  std::string evidence_;
  std::unique_ptr<ScriptedLlm> model_;
  std::unique_ptr<RepairingWarehouse> repairing_;
};

const ScriptedTurn right_reply{R"({"query":"SELECT right"})"};

TEST_F(Repairing, AStatementThatRunsAsksNoModel) {
  const auto result = Query("SELECT right", {});
  ASSERT_THAT(result, IsOk());
  EXPECT_EQ(result->repairs, 0);
  EXPECT_THAT(model_->Requests(), IsEmpty());
}

TEST_F(Repairing, MendsWithOnlyTheTablesThatTheStatementNames) {
  const auto result = Query("SELECT totl FROM sales.orders", {right_reply});
  ASSERT_THAT(result, IsOk());
  EXPECT_EQ(result->repairs, 1);
  EXPECT_THAT(Prompt(0), HasSubstr("Table sales.orders (unknown rows)\n- id integer"));
  EXPECT_THAT(Prompt(0), HasSubstr("SQL: SELECT totl FROM sales.orders"));
  EXPECT_THAT(Prompt(0), HasSubstr("has no column \"c\""));
  EXPECT_THAT(Prompt(0), HasSubstr("Nearest names: d"));
  EXPECT_THAT(Prompt(0), Not(HasSubstr("customers")));
  EXPECT_THAT(Prompt(0), Not(HasSubstr("salary")));
  EXPECT_THAT(Prompt(0), Not(HasSubstr("Known:")));
  EXPECT_EQ(repairing_->attempts().at(0).after, "SELECT right");
  EXPECT_THAT(Digest(*result), HasSubstr("what ran: SELECT count(*) AS n FROM sales.orders"));
}

TEST_F(Repairing, SeesTheEvidenceOfAVerification) {
  evidence_ = "SELECT total FROM sales.orders";
  ASSERT_THAT(Query("SELECT totl FROM sales.orders", {right_reply}), IsOk());
  EXPECT_THAT(Prompt(0), HasSubstr("Known: SELECT total FROM sales.orders"));
}

TEST_F(Repairing, TriesFiveTimesAndNoMore) {
  std::vector<ScriptedTurn> turns;
  for (int i = 0; i < 7; ++i)
    turns.push_back({R"({"query":"SELECT wrong)" + std::to_string(i) + "\"}"});
  EXPECT_THAT(Query("SELECT wrong", turns), IsError(ErrorKind::SqlUnknownName));
  EXPECT_EQ(model_->Requests().size(), static_cast<std::size_t>(kRepairTriesMax));
  EXPECT_EQ(warehouse_.queries.size(), static_cast<std::size_t>(kRepairTriesMax) + 1);
  turns[4] = right_reply;
  EXPECT_THAT(Query("SELECT wrong", turns), IsOk());
}

TEST_F(Repairing, ARewriteThatWasTriedBeforeEndsIt) {
  EXPECT_THAT(
      Query("SELECT wrong",
            {{R"({"query":"SELECT worse"})"}, {R"({"query":"SELECT wrong"})"}, right_reply}),
      IsError(ErrorKind::SqlUnknownName));
  EXPECT_THAT(warehouse_.queries, ElementsAre("SELECT wrong", "SELECT worse"));
  EXPECT_EQ(repairing_->attempts().back().fault, "the rewrite was tried before");
}

TEST_F(Repairing, AsksOnceMoreForAReplyThatHoldsNoStatement) {
  EXPECT_THAT(Query("SELECT wrong", {{"I would SELECT right"}, right_reply}), IsOk());
  EXPECT_THAT(Query("SELECT wrong", {{"SELECT right"}, {R"({"done":true})"}, right_reply}),
              IsError(ErrorKind::SqlUnknownName));
  EXPECT_EQ(model_->Requests().size(), 2U);
  EXPECT_EQ(repairing_->attempts().at(0).fault, "the reply holds no statement");
}

TEST_F(Repairing, AModelThatIsAwayLeavesTheErrorOfTheStatement) {
  EXPECT_THAT(Query("SELECT wrong", {{"", Error(ErrorKind::SourceUnreachable, "away")}}),
              IsError(ErrorKind::SqlUnknownName));
  EXPECT_EQ(repairing_->attempts().at(0).fault, "away");
}

TEST_F(Repairing, OnlyWhatARewriteCanCureIsMended) {
  for (const ErrorRow& row : AllErrorRows()) {
    warehouse_.failure = Error(row.id, "it failed");
    const bool is_cured = CanRewriteCure(*warehouse_.failure);
    std::ignore = Query("SELECT 1 FROM nowhere", {right_reply});
    EXPECT_EQ(model_->Requests().empty(), !is_cured) << row.reason;
  }
  for (const ErrorKind kind :
       {ErrorKind::PiiBlocked, ErrorKind::PolicyBlocked, ErrorKind::NotARead,
        ErrorKind::AllowlistViolation, ErrorKind::StatementTimeout, ErrorKind::SourceUnreachable,
        ErrorKind::PermissionDenied, ErrorKind::Cancelled, ErrorKind::DeadlineExceeded,
        ErrorKind::MoneyCap, ErrorKind::PlanCostCap})
    EXPECT_FALSE(CanRewriteCure(Error(kind, "x"))) << RowOf(kind).reason;
}

TEST_F(Repairing, WithoutAPromptNothingIsMended) {
  ScriptedLlm model({"scripted", "test"}, {right_reply});
  RepairingWarehouse plain(warehouse_, model, TemplateText());
  EXPECT_THAT(plain.Query("SELECT wrong", ctx_), IsError(ErrorKind::SqlUnknownName));
  EXPECT_THAT(model.Requests(), IsEmpty());
}

TEST_F(Repairing, NamesThatAreNoTableAreToldWithTheNearest) {
  const auto text =
      DescribeNamedTables("SELECT 1 FROM sales.ordrs o JOIN id ON 1=1", warehouse_, ctx_);
  ASSERT_THAT(text, IsOk());
  EXPECT_THAT(*text, HasSubstr("sales.ordrs is no table, near: sales.orders"));
}

TEST(NamedTables, AreThoseWhereASelectNamesThem) {
  struct Case {
    const char* name;
    const char* sql;
    std::vector<std::string> tables;
  };
  for (const Case& c : std::vector<Case>{
           {"plain", "select a, b from s.t where c = 1", {"s.t"}},
           {"joins and commas",
            "SELECT * FROM a x, b AS y LEFT JOIN c.d z ON x.i = z.i AND y.j IN (1, 2), e",
            {"a", "b", "c.d", "e"}},
           {"quotes",
            R"(SELECT 1 FROM "S x"."T""y" JOIN `p`.`q` USING (i) JOIN [r] ON 1 = 1)",
            {R"(S x.T"y)", "p.q", "r"}},
           {"subqueries",
            "SELECT (SELECT max(i) FROM m) FROM (SELECT * FROM n, o) z, p",
            {"m", "n", "o", "p"}},
           {"extract is no from", "SELECT extract(year FROM placed) FROM t", {"t"}},
           {"functions are no tables", "SELECT * FROM generate_series(1, 2) g, t", {"t"}},
           {"comments and texts", "SELECT 'from x' -- from y\n/* from z */ FROM t", {"t"}},
           {"common tables are named too",
            "WITH w AS (SELECT 1 FROM t) SELECT * FROM w",
            {"t", "w"}},
           {"each once", "SELECT 1 FROM t UNION SELECT 2 FROM t", {"t"}},
           {"order by a, b", "SELECT 1 FROM t ORDER BY a, b", {"t"}},
           {"broken", "SELECT a,, FROM t WHERE ((( 'no end", {"t"}},
           {"no select", "DELETE FROM t", {}},
           {"nothing", "", {}}})
    EXPECT_EQ(NamedTables(c.sql), c.tables) << c.name;
}

TEST(NamedTables, AreBounded) {
  std::string sql = "SELECT 1 FROM t0";
  for (int i = 1; i < 100; ++i) sql += ", t" + std::to_string(i);
  EXPECT_EQ(NamedTables(sql).size(), kRepairTablesMax);
  EXPECT_EQ(NamedTables("SELECT 1 FROM t, " + std::string(100'000, '(') + "x").size(), 1U);
}

}  // namespace
}  // namespace schemaward::explore
