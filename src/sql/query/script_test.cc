// Scripts of four dialects: where statements begin and end, and what is kept of changes.
#include "sql/query/script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "sql/query/reader.h"

namespace schemaward::sql::query {
namespace {

std::vector<std::string> TextsOf(std::string_view text, const Dialect& dialect) {
  std::vector<std::string> texts;
  for (const ScriptStatement& statement : ReadScript(text, dialect).statements) {
    EXPECT_FALSE(statement.failure) << (statement.failure ? statement.failure->message() : "");
    texts.emplace_back(text.substr(statement.begin, statement.end - statement.begin));
  }
  return texts;
}

TEST(Script, SplitsThroughCommentsAndQuotes) {
  EXPECT_THAT(TextsOf("-- a; b\nSELECT ';' ; /* ; */ DELETE FROM t WHERE x = $$;$$;;", Postgres()),
              ::testing::ElementsAre("SELECT ';'", "DELETE FROM t WHERE x = $$;$$"));
  EXPECT_THAT(TextsOf("SELECT `a;b` # ;\n; SELECT \"x;\"", MySql()),
              ::testing::ElementsAre("SELECT `a;b`", "SELECT \"x;\""));
  EXPECT_THAT(TextsOf("CREATE TRIGGER a AFTER INSERT ON t BEGIN UPDATE t SET x = CASE WHEN 1 THEN "
                      "2 END; SELECT 1; END; SELECT 2",
                      Sqlite()),
              ::testing::ElementsAre(::testing::StartsWith("CREATE TRIGGER"), "SELECT 2"));
}

TEST(Script, ABrokenStatementSpoilsNoOther) {
  const Script script = ReadScript("SELECT 1; SELECT FROM FROM; SELECT 'open", Postgres());
  ASSERT_EQ(script.statements.size(), 3U);
  EXPECT_TRUE(script.statements[0].read);
  EXPECT_THAT(script.statements[1].failure->kind(), ErrorKind::SqlSyntax);
  EXPECT_EQ(script.statements[1].failed_begin, 22U);
  EXPECT_EQ(script.statements[2].failed_begin, 35U);
}

// Where a text ends, nothing behind it is looked at.
TEST(Script, AStatementMayEndAnywhere) {
  for (const std::string_view whole : {
           "INSERT INTO t (a) OVERRIDING SYSTEM VALUE VALUES (1, DEFAULT) ON CONFLICT ON "
           "CONSTRAINT "
           "c DO UPDATE SET a = 1 WHERE b RETURNING a AS x",
           "CREATE TABLE IF NOT EXISTS s.t (a int NOT NULL REFERENCES u (b) ON DELETE SET NULL, "
           "CONSTRAINT c UNIQUE NULLS NOT DISTINCT (a), b int GENERATED ALWAYS AS IDENTITY) WITH "
           "(x)",
           "CREATE UNIQUE INDEX CONCURRENTLY i ON ONLY t USING btree (a, lower(b)) WHERE c",
           "ALTER TABLE t ADD COLUMN IF NOT EXISTS a int, ALTER COLUMN b SET NOT NULL, DROP c",
           "GRANT SELECT (a), UPDATE ON TABLE t TO GROUP a, b@c WITH GRANT OPTION",
           "WITH x AS (SELECT 1) UPDATE t SET (a, b) = (1, 2) FROM u WHERE CURRENT OF v",
           "DELETE a.* FROM t AS a USING u WHERE a IN (SELECT @x FOR UPDATE)",
           "DROP FUNCTION IF EXISTS f(int, text), g CASCADE; TRUNCATE TABLE ONLY a * , b CASCADE",
           "CREATE DEFINER = a@b SQL SECURITY INVOKER VIEW v (a) AS SELECT a INTO @x, @y FROM t",
       })
    for (const sql::Dialect* dialect : {&Postgres(), &Sqlite(), &MySql(), &DuckDb()})
      for (std::size_t end = 0; end <= whole.size(); ++end)
        for (const ScriptStatement& one : ReadScript(whole.substr(0, end), *dialect).statements)
          ASSERT_LE(one.end, end + 1) << whole.substr(0, end);
}

TEST(Script, ChangesAreReadAndNeverByTheGuardsReader) {
  struct Case {
    std::string_view dialect, text;
    ChangeKind kind;
  };
  for (const Case& c : {
           Case{"postgres", "INSERT INTO t (a, b) VALUES (1, DEFAULT), (2, now()) RETURNING a AS x",
                ChangeKind::Insert},
           Case{"postgres",
                "INSERT INTO t (a) SELECT 1 ON CONFLICT (a) DO UPDATE SET a = excluded.a",
                ChangeKind::Insert},
           Case{"mysql", "INSERT IGNORE INTO t SET a = 1 ON DUPLICATE KEY UPDATE a = VALUES(a)",
                ChangeKind::Insert},
           Case{"sqlite", "INSERT OR REPLACE INTO t VALUES (?)", ChangeKind::Insert},
           Case{"postgres", "UPDATE t SET a = 1, (b, c) = (2, 3) FROM u WHERE t.id = u.id",
                ChangeKind::Update},
           Case{"mysql", "UPDATE t JOIN u ON t.id = u.id SET t.a = 1 WHERE u.b = @x LIMIT 5",
                ChangeKind::Update},
           Case{"postgres", "WITH x AS (SELECT 1) DELETE FROM t USING x WHERE t.a = 1",
                ChangeKind::Delete},
           Case{"mysql", "DELETE a FROM t a JOIN u ON a.id = u.id WHERE 1 = 1", ChangeKind::Delete},
           Case{"postgres", "TRUNCATE TABLE a, b CASCADE", ChangeKind::Truncate},
           Case{"postgres", "DROP TABLE IF EXISTS a, s.b CASCADE", ChangeKind::Drop},
           Case{"postgres", "CREATE INDEX CONCURRENTLY i ON t USING btree (a, lower(b)) WHERE c",
                ChangeKind::CreateIndex},
           Case{"postgres", "CREATE OR REPLACE VIEW v (a) AS SELECT 1", ChangeKind::CreateView},
           Case{"postgres", "GRANT ALL PRIVILEGES ON ALL TABLES IN SCHEMA s TO PUBLIC",
                ChangeKind::Grant},
           Case{"postgres", "BEGIN ISOLATION LEVEL SERIALIZABLE", ChangeKind::Begin},
           Case{"postgres", "CREATE FUNCTION f() RETURNS int AS $$ SELECT 1; $$ LANGUAGE sql",
                ChangeKind::CreateRoutine},
           Case{"postgres", "SET search_path TO a, b", ChangeKind::Other},
       }) {
    const Dialect& dialect = *FindDialect(c.dialect);
    const Script script = ReadScript(c.text, dialect);
    ASSERT_EQ(script.statements.size(), 1U) << c.text;
    const ScriptStatement& statement = script.statements.front();
    ASSERT_TRUE(statement.change) << c.text << ": "
                                  << (statement.failure ? statement.failure->message() : "");
    EXPECT_EQ(statement.change->kind, c.kind) << c.text;
    EXPECT_THAT(Read(c.text, dialect), ::testing::Not(IsOk())) << c.text;
  }
}

TEST(Script, WhatTheGuardRefusesInsideAQueryStaysRefused) {
  for (const std::string_view text :
       {"SELECT * FROM t FOR UPDATE", "SELECT a INTO b FROM t", "SELECT a::regclass FROM t",
        "WITH x AS (SELECT 1) DELETE FROM t"}) {
    EXPECT_FALSE(ReadScript(text, Postgres()).statements.front().failure) << text;
    EXPECT_THAT(Read(text, Postgres()), IsError(ErrorKind::NotARead)) << text;
  }
}

TEST(Script, ATablesDefinitionIsKept) {
  const Script script = ReadScript(
      "CREATE TABLE IF NOT EXISTS shop.orders (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "
      "customer int NOT NULL REFERENCES customers (id) ON DELETE SET NULL, note varchar(20)[] "
      "DEFAULT 'x' NOT NULL, at timestamp(3) with time zone CHECK (at > now()), CONSTRAINT u "
      "UNIQUE (customer, at), FOREIGN KEY (note) REFERENCES notes) PARTITION BY RANGE (at)",
      Postgres());
  const ScriptStatement& statement = script.statements.front();
  ASSERT_TRUE(statement.change) << statement.failure->message();
  const Change& change = *statement.change;
  ASSERT_EQ(change.definitions.size(), 4U);
  EXPECT_TRUE(change.definitions[0].is_primary_key);
  EXPECT_TRUE(change.definitions[0].is_counting);
  EXPECT_EQ(change.definitions[1].references->on_delete, "SET NULL");
  EXPECT_EQ(change.definitions[2].type.ToText(), "VARCHAR(20)[]");
  EXPECT_TRUE(change.definitions[2].is_not_null);
  EXPECT_EQ(change.definitions[3].type.name, "TIMESTAMP WITH TIME ZONE");
  ASSERT_EQ(change.constraints.size(), 2U);
  EXPECT_EQ(change.constraints[0].kind, ConstraintKind::Unique);
  EXPECT_EQ(change.constraints[0].columns.size(), 2U);
  EXPECT_EQ(change.constraints[1].references->table.front().text, "notes");
}

TEST(Script, EveryNodeSaysWhereItStands) {
  const std::string_view text = "SELECT a + 1 AS b, lower(c) FROM t WHERE NOT (d IS NULL)";
  const Script script = ReadScript(text, Postgres());
  const Core& core = script.statements.front().read->query->terms.front().core;
  const auto at = [&](std::size_t begin, std::size_t end) {
    return text.substr(begin, end - begin);
  };
  EXPECT_EQ(at(core.outputs[0].begin, core.outputs[0].end), "a + 1 AS b");
  EXPECT_EQ(at(core.outputs[0].expression->begin, core.outputs[0].expression->end), "a + 1");
  EXPECT_EQ(at(core.outputs[1].expression->begin, core.outputs[1].expression->end), "lower(c)");
  EXPECT_EQ(at(core.where->begin, core.where->end), "NOT (d IS NULL)");
  EXPECT_EQ(at(core.begin, core.head_end), "SELECT");
}

}  // namespace
}  // namespace schemaward::sql::query
