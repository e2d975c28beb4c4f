// Codes and what they mean.

#include "connect/mysql/errors.h"

#include "base/result_matchers.h"

namespace schemaward::connect::mysql {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(MysqlErrors, MapsEachCodeToAKind) {
  struct Case {
    unsigned code;
    ErrorKind kind;
  };
  for (const Case& one : {Case{1045, ErrorKind::SourceAuthFailed},
                          {1142, ErrorKind::PermissionDenied},
                          {1146, ErrorKind::SchemaDrift},
                          {1054, ErrorKind::SchemaDrift},
                          {1064, ErrorKind::SqlRuntime},
                          {1792, ErrorKind::NotARead},
                          {1969, ErrorKind::StatementTimeout},
                          {3024, ErrorKind::StatementTimeout},
                          {1205, ErrorKind::StatementTimeout},
                          {1040, ErrorKind::PoolFull},
                          {1021, ErrorKind::DiskFull},
                          {2003, ErrorKind::SourceUnreachable},
                          {2013, ErrorKind::SourceUnreachable},
                          {9999, ErrorKind::SqlRuntime}})
    EXPECT_EQ(ErrorOfCode(one.code, "x").kind(), one.kind) << one.code;
}

TEST(MysqlErrors, ClassifiesByTheCodeAndNeverByWords) {
  // "auth" in a table's name makes no login failure of it.
  EXPECT_EQ(ErrorOfCode(1146, "Table 'shop.authors' doesn't exist").kind(), ErrorKind::SchemaDrift);
}

TEST(MysqlErrors, KeepsTheServersWordsPrivate) {  // COVERS: R-REC-3
  const Error error = ErrorOfCode(1146, "Table 'shop.secret_plans' doesn't exist");
  EXPECT_THAT(error.message(), Not(HasSubstr("secret_plans")));
  EXPECT_THAT(error.private_detail(), HasSubstr("secret_plans"));
  EXPECT_THAT(error.private_detail(), HasSubstr("1146"));
}

TEST(MysqlErrors, SaysWhyItWasStoppedAndNotWhatTheServerMadeOfIt) {
  EXPECT_EQ(ErrorOfCode(1317, "", StopCause::Cancelled).kind(), ErrorKind::Cancelled);
  EXPECT_EQ(ErrorOfCode(1317, "", StopCause::Deadline).kind(), ErrorKind::DeadlineExceeded);
  EXPECT_EQ(ErrorOfCode(1317, "", StopCause::TimeLimit).kind(), ErrorKind::StatementTimeout);
}

TEST(MysqlErrors, TellsAMissingPasswordFromAWrongOne) {
  EXPECT_EQ(ErrorOfConnect(1045, "", false).kind(), ErrorKind::MissingCredential);
  EXPECT_EQ(ErrorOfConnect(1045, "", true).kind(), ErrorKind::SourceAuthFailed);
  EXPECT_EQ(ErrorOfConnect(1049, "", true).message(), "the server has no such database");
  EXPECT_EQ(ErrorOfConnect(1044, "", true).kind(), ErrorKind::SourceAuthFailed);
}

TEST(MysqlErrors, KnowsWhichOfThemEndASession) {
  EXPECT_TRUE(EndsTheSession(2013));
  EXPECT_TRUE(EndsTheSession(1927));
  EXPECT_FALSE(EndsTheSession(1146));
  EXPECT_FALSE(EndsTheSession(1317));
}

}  // namespace
}  // namespace schemaward::connect::mysql
