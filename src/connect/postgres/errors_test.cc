#include "connect/postgres/errors.h"

#include "base/result_matchers.h"

namespace schemaward::connect::postgres {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(PostgresErrors, MapsEachStateToWhatTheCallerShouldDo) {
  struct {
    std::string_view state;
    ErrorKind kind;
  } const rows[] = {
      {"28P01", ErrorKind::SourceAuthFailed},  {"28000", ErrorKind::SourceAuthFailed},
      {"3D000", ErrorKind::SourceUnreachable}, {"08006", ErrorKind::SourceUnreachable},
      {"57P01", ErrorKind::SourceUnreachable}, {"57P03", ErrorKind::SourceUnreachable},
      {"42501", ErrorKind::PermissionDenied},  {"57014", ErrorKind::StatementTimeout},
      {"25P04", ErrorKind::StatementTimeout},  {"55P03", ErrorKind::StatementTimeout},
      {"53300", ErrorKind::PoolFull},          {"53100", ErrorKind::DiskFull},
      {"53200", ErrorKind::SourceUnreachable}, {"42P01", ErrorKind::SchemaDrift},
      {"42703", ErrorKind::SchemaDrift},       {"25006", ErrorKind::NotARead},
      {"22012", ErrorKind::SqlRuntime},        {"42883", ErrorKind::SqlRuntime},
      {"55000", ErrorKind::SqlRuntime},        {"", ErrorKind::SqlRuntime},
  };
  for (const auto& row : rows) {
    const Error error = ErrorOfState(row.state, "driver's words");
    EXPECT_EQ(error.kind(), row.kind) << row.state;
    EXPECT_THAT(error.message(), Not(HasSubstr("driver"))) << row.state;
    EXPECT_THAT(error.private_detail(), HasSubstr("driver's words"));
  }
}

TEST(PostgresErrors, TellsALostForeignServerFromALostSession) {
  for (const char* const state : {"08001", "08006", "HV00N"}) {
    const Error error = ErrorOfStatement(state, "driver's words");
    EXPECT_EQ(error.kind(), ErrorKind::SqlRuntime) << state;
    EXPECT_EQ(error.message(), "a foreign table of the statement could not be read");
    EXPECT_THAT(error.hint(), HasSubstr("foreign table"));
  }
  EXPECT_EQ(ErrorOfStatement("42P01", "").kind(), ErrorKind::SchemaDrift);
}

TEST(PostgresErrors, TellsACancelByItsCause) {
  EXPECT_EQ(ErrorOfState("57014", "", StopCause::Cancelled).kind(), ErrorKind::Cancelled);
  EXPECT_EQ(ErrorOfState("57014", "", StopCause::Deadline).kind(), ErrorKind::DeadlineExceeded);
}

TEST(PostgresErrors, FindsTheStateInAVerboseText) {
  EXPECT_EQ(
      FindState(
          "connection to server at \"h\", port 1 failed: FATAL:  28P01: no\nLOCATION:  auth.c"),
      "28P01");
  EXPECT_EQ(FindState("FATAL:  53300\n"), "53300");
  EXPECT_EQ(FindState("could not connect:  Connection refused"), "");
  EXPECT_EQ(FindState("FATAL:  short"), "");
  EXPECT_EQ(FindState(""), "");
}

TEST(PostgresErrors, TellsAMissingPasswordFromAWrongOne) {
  EXPECT_EQ(ErrorOfConnect("fe_sendauth: no password supplied", true).kind(),
            ErrorKind::MissingCredential);
  EXPECT_EQ(ErrorOfConnect("FATAL:  28P01: password authentication failed", false).kind(),
            ErrorKind::SourceAuthFailed);
  EXPECT_EQ(ErrorOfConnect("connection refused", false).kind(), ErrorKind::SourceUnreachable);
}

}  // namespace
}  // namespace schemaward::connect::postgres
