// Servers by what they say of themselves. Answers of MySQL 8.4, SingleStore 8.7 and TiDB 7.5 are
// written down from their manuals: there is no server of these to ask.

#include "connect/mysql/flavour.h"

#include "base/result_matchers.h"

namespace schemaward::connect::mysql {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::Not;

Reply Says(const char* version, const char* comment, const char* folds = "0") {
  return {{}, {{version, comment, folds, "shop"}}};
}

TEST(MysqlFlavour, TellsTheServersApart) {
  struct Case {
    Reply reply;
    Flavour flavour;
    int version;
  };
  const Case cases[] = {
      {Says("10.11.19-MariaDB-0+deb12u1", "Debian 12"), Flavour::MariaDb, 101119},
      {Says("8.4.3", "MySQL Community Server - GPL"), Flavour::MySql, 80403},
      {Says("8.0.39-30", "Percona Server (GPL)"), Flavour::MySql, 80039},
      {Says("5.7.32",
            "SingleStoreDB source distribution (compatible; MySQL Enterprise & MySQL Commercial)"),
       Flavour::SingleStore, 50732},
      {Says("8.0.11-TiDB-v7.5.1", "TiDB Server (Apache License 2.0)"), Flavour::TiDb, 80011}};
  for (const Case& one : cases) {
    const auto server = ReadServer(one.reply);
    ASSERT_THAT(server, IsOk());
    EXPECT_EQ(server->flavour, one.flavour) << server->version_text;
    EXPECT_EQ(server->version, one.version);
    EXPECT_EQ(server->database, "shop");
  }
}

TEST(MysqlFlavour, RefusesServersThatAreTooOld) {
  const auto old = ReadServer(Says("5.7.44", "MySQL Community Server (GPL)"));
  ASSERT_THAT(old, IsError(ErrorKind::EngineUnavailable));
  EXPECT_THAT(old.error().hint(), HasSubstr("MySQL from 8.0"));
  EXPECT_THAT(ReadServer(Says("10.5.28-MariaDB", "")), IsError(ErrorKind::EngineUnavailable));
  EXPECT_THAT(ReadServer({}), IsError(ErrorKind::SourceUnreachable));
}

TEST(MysqlFlavour, SaysWhetherNamesCompareWithoutCase) {
  EXPECT_FALSE(ReadServer(Says("8.4.3", "", "0"))->folds_names);
  EXPECT_TRUE(ReadServer(Says("8.4.3", "", "1"))->folds_names);
  EXPECT_TRUE(ReadServer(Says("8.4.3", "", "2"))->folds_names);
}

TEST(MysqlFlavour, PinsSessionsReadOnlyWhereTheServerCan) {
  const auto pin = [](const char* version, const char* comment) {
    return PinStatement(*ReadServer(Says(version, comment)), milliseconds(1500));
  };
  EXPECT_THAT(pin("10.11.19-MariaDB", ""), HasSubstr("tx_read_only = 1"));
  EXPECT_THAT(pin("10.11.19-MariaDB", ""), HasSubstr("max_statement_time = 1.500"));
  EXPECT_THAT(pin("8.4.3", ""), HasSubstr("transaction_read_only = 1"));
  EXPECT_THAT(pin("8.4.3", ""), HasSubstr("max_execution_time = 1500"));
  EXPECT_THAT(pin("5.7.32", "SingleStoreDB"), Not(HasSubstr("read_only")));
  EXPECT_THAT(pin("8.0.11-TiDB-v7.5.1", ""), Not(HasSubstr("read_only")));
  EXPECT_EQ(BeginStatement(*ReadServer(Says("8.4.3", ""))), "START TRANSACTION READ ONLY");
  EXPECT_EQ(BeginStatement(*ReadServer(Says("8.0.11-TiDB-v7.5.1", ""))), "START TRANSACTION");
  EXPECT_EQ(BeginStatement(*ReadServer(Says("5.7.32", "SingleStoreDB"))), "START TRANSACTION");
}

}  // namespace
}  // namespace schemaward::connect::mysql
