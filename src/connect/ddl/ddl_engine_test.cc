#include "connect/ddl/ddl_engine.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/result_matchers.h"
#include "connect/ddl/read_script.h"
#include "connect/ddl/test_support.h"
#include "guard/guard.h"
#include "sql/samples.h"

namespace schemaward::connect::ddl {
namespace {

using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

class DdlEngineTest : public ::testing::Test {
 protected:
  void SetUp() override {
    file_ = std::filesystem::temp_directory_path() /
            ("ward_ddl_" +
             std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) +
             std::to_string(getpid()) + ".sql");
    Write("CREATE TABLE a (id int PRIMARY KEY);");
  }
  void TearDown() override { std::filesystem::remove_all(file_); }

  void Write(std::string_view text) { std::ofstream(file_, std::ios::binary) << text; }
  std::unique_ptr<Connector> Open() {
    auto connector = MakeDdlEngine()->Open({"ddl", file_.string(), ""}, ctx_);
    if (!connector) throw std::runtime_error(connector.error().ToLogText());
    return std::move(*connector);
  }

  SystemClock clock_;
  CallContext ctx_{clock_};
  std::filesystem::path file_;
};

TEST_F(DdlEngineTest, ReadsTheFile) {
  Write(
      "--\n-- Dumped from database version 15.4 (Debian)\nCREATE TABLE s.a (id int); CREATE TABLE "
      "b (id int);");
  const auto database = Open()->Introspect({}, ctx_);
  ASSERT_THAT(database, IsOk());
  EXPECT_EQ(database->engine, "ddl");
  EXPECT_EQ(database->engine_version, "15.4");
  EXPECT_EQ(database->name, file_.stem().string());
  EXPECT_THAT(database->tables, SizeIs(2));
  const auto one = Open()->Introspect({{"s"}}, ctx_);
  ASSERT_THAT(one, IsOk());
  EXPECT_THAT(one->tables, SizeIs(1));
}

TEST_F(DdlEngineTest, FingerprintFollowsTheContentAlone) {
  const auto connector = Open();
  const auto before = connector->Fingerprint(ctx_);
  ASSERT_THAT(before, IsOk());
  Write("CREATE TABLE a (id int PRIMARY KEY);");
  EXPECT_THAT(connector->Fingerprint(ctx_), IsOkAnd(Eq(*before)));
  EXPECT_EQ(connector->Introspect({}, ctx_)->fingerprint, *before);
  Write("CREATE TABLE b (id int PRIMARY KEY);");
  EXPECT_THAT(connector->Fingerprint(ctx_), IsOkAnd(Not(Eq(*before))));
}

TEST_F(DdlEngineTest, AnswersNoQueries) {
  const auto connector = Open();
  EXPECT_FALSE(connector->capabilities().runs_queries);
  const auto database = connector->Introspect({}, ctx_);
  ASSERT_THAT(database, IsOk());
  const auto approved = guard::Guard(privacy::Policy())
                            .ApproveTree(sql::SampleSelect("public", "a", {"id"}, 10),
                                         connector->dialect(), database->tables, ctx_.principal);
  ASSERT_THAT(approved, IsOk());
  EXPECT_THAT(connector->Query(*approved, {}, ctx_),
              IsError(ErrorKind::EngineUnavailable, HasSubstr("no rows")));
  EXPECT_THAT(connector->Explain(*approved, ctx_), IsError(ErrorKind::EngineUnavailable));
}

TEST_F(DdlEngineTest, SaysWhenTheFileIsNotThere) {
  std::filesystem::remove(file_);
  const auto opened = MakeDdlEngine()->Open({"ddl", file_.string(), ""}, ctx_);
  ASSERT_THAT(opened, IsError(ErrorKind::SourceUnreachable));
  EXPECT_THAT(opened.error().message(), Not(HasSubstr("ward_ddl_")));
}

TEST_F(DdlEngineTest, RefusesWhatIsNoScript) {
  std::filesystem::remove(file_);
  std::filesystem::create_directory(file_);
  EXPECT_THAT(Open()->Introspect({}, ctx_), IsError(ErrorKind::InputUnreadable));
}

struct Case {
  const char* name;
  std::string text;
  const char* hint;
};

class NoScript : public ::testing::TestWithParam<Case> {};

TEST_P(NoScript, IsRefusedWithAdvice) {
  const SystemClock clock;
  CallContext ctx(clock);
  const auto read = ReadScript(GetParam().text, {}, ctx);
  ASSERT_THAT(read, IsError(ErrorKind::InputUnreadable));
  EXPECT_THAT(read.error().hint(), HasSubstr(GetParam().hint));
}

INSTANTIATE_TEST_SUITE_P(
    All, NoScript,
    ::testing::Values(
        Case{"archive", "PGDMP\x01", "pg_restore"}, Case{"gzip", "\x1f\x8b\x08", "gunzip"},
        Case{"sqlite_file", "SQLite format 3", "sqlite:FILE"},
        Case{"utf16",
             "\xff\xfe"
             "C",
             "UTF-8"},
        Case{"binary", std::string("CREATE\0TABLE", 12), "plain text"},
        Case{"mysql", "CREATE TABLE `a` (`i` int(11) NOT NULL AUTO_INCREMENT) ENGINE=InnoDB;",
             "MySQL"},
        Case{"sqlite",
             "PRAGMA foreign_keys=OFF; CREATE TABLE a (i INTEGER PRIMARY KEY AUTOINCREMENT);",
             "sqlite:FILE"},
        Case{"sql_server", "CREATE TABLE [dbo].[a] ([i] int IDENTITY(1,1))\nGO\n", "SQL Server"}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(Encoding, Latin1IsReadWhereTheScriptSaysSo) {
  const catalog::Database database = Read(
      "CREATE TABLE x (a int); SET client_encoding = 'LATIN1'; CREATE TABLE caf\xe9 (a int);"
      "SET client_encoding = 'UTF8'; CREATE TABLE th\xe9 (a int);");
  ASSERT_THAT(database.tables, SizeIs(2));
  EXPECT_EQ(database.tables[0].name, "caf\xc3\xa9");
  ASSERT_THAT(database.missing, SizeIs(1));
  EXPECT_THAT(database.missing[0].reason, HasSubstr("not UTF-8"));
}

}  // namespace
}  // namespace schemaward::connect::ddl
