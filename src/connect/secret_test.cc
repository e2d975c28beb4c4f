#include "connect/secret.h"

#include <fstream>
#include <map>
#include <utility>

#include <sys/stat.h>

#include "base/result_matchers.h"

namespace schemaward::connect {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Environment Variables(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
}

Result<std::string> Resolve(std::string_view reference,
                            const Environment& environment = Variables({})) {
  const SystemClock clock;
  CallContext ctx(clock);
  WARD_TRY(const SecretRef ref, ParseSecretRef(reference));
  return ResolveSecret(ref, environment, ctx);
}

TEST(Secret, ReferencesRoundTrip) {
  for (const std::string_view text : {"none", "service", "passfile", "passfile:/a:b", "env:PW",
                                      "password_command:pass show db"}) {
    const auto ref = ParseSecretRef(text);
    ASSERT_THAT(ref, IsOk());
    EXPECT_EQ(ToText(*ref), text);
  }
  for (const std::string_view text :
       {"", "env:", "env", "hunter2", "password_command:", "passfile:"})
    EXPECT_THAT(ParseSecretRef(text), IsError(ErrorKind::InvalidArgument)) << text;
}

// COVERS: R-CLI-4
TEST(Secret, VariableHoldsTheSecretOrAWholeSource) {
  EXPECT_THAT(Resolve("env:PW", Variables({{"PW", "a=b c@d"}})), IsOkAnd("a=b c@d"));
  EXPECT_THAT(Resolve("env:PW", Variables({{"PW", "postgres://u:x%40y@h/d"}})), IsOkAnd("x@y"));
  EXPECT_THAT(Resolve("env:PW", Variables({{"PW", "host=h password=z"}})), IsOkAnd("z"));
  EXPECT_THAT(Resolve("env:PW"), IsError(ErrorKind::MissingCredential, HasSubstr("\"PW\"")));
  EXPECT_THAT(Resolve("env:PW", Variables({{"PW", ""}})), IsError(ErrorKind::MissingCredential));
}

TEST(Secret, CommandGivesItsFirstLine) {
  EXPECT_THAT(Resolve("password_command:printf 'pw 1\\nsecond\\n'"), IsOkAnd("pw 1"));
  EXPECT_THAT(Resolve("password_command:printf pw"), IsOkAnd("pw"));
  EXPECT_THAT(Resolve("password_command:cat; echo end"), IsOkAnd("end"));
  EXPECT_THAT(Resolve("password_command:echo pw; head -c 200000 /dev/zero"), IsOkAnd("pw"));
}

TEST(Secret, CommandThatFailsIsAMissingCredential) {
  for (const std::string_view text :
       {"password_command:true", "password_command:echo hunter2; exit 3",
        "password_command:no_such_command", "password_command:head -c 100000 /dev/zero"}) {
    const auto secret = Resolve(text);
    EXPECT_THAT(secret, IsError(ErrorKind::MissingCredential)) << text;
    EXPECT_THAT(secret.error().ToLogText(), Not(HasSubstr("hunter2")));
  }
}

TEST(Secret, CommandEndsWithTheCall) {
  const SystemClock clock;
  CallContext ctx(clock);
  ctx.deadline = Deadline::After(clock, std::chrono::milliseconds(100));
  EXPECT_THAT(ResolveSecret({SecretKind::Command, "sleep 60; echo pw"}, Variables({}), ctx),
              IsError(ErrorKind::DeadlineExceeded));
}

TEST(Secret, PasswordFileMustBeThereAndClosedToOthers) {
  const std::string file = ::testing::TempDir() + "ward_pgpass";
  std::ofstream(file) << "*:*:*:*:pw\n";
  chmod(file.c_str(), 0600);
  EXPECT_THAT(Resolve("passfile", Variables({{"PGPASSFILE", file}})), IsOkAnd(""));
  EXPECT_THAT(Resolve("passfile:" + file), IsOkAnd(""));
  chmod(file.c_str(), 0644);
  EXPECT_THAT(Resolve("passfile:" + file),
              IsError(ErrorKind::MissingCredential, HasSubstr("open to others")));
  EXPECT_THAT(Resolve("passfile:/no/such/file"),
              IsError(ErrorKind::MissingCredential, Not(HasSubstr("/no/such"))));
}

// COVERS: R-CLI-4
TEST(Secret, IsWipedFromAnArgument) {
  struct {
    std::string before, after;
  } const rows[] = {
      {"postgres://u:pw%40@h/d?password=x&a=b", "postgres://u:*****@h/d?password=*&a=b"},
      {"host=h password='it\\'s' dbname=d", "host=h password='*****' dbname=d"},
      {"sqlite:file.db", "sqlite:file.db"},
      {"postgres://u@h/d", "postgres://u@h/d"},
  };
  for (const auto& row : rows) {
    std::string text = row.before;
    WipeArgument(text.data());
    EXPECT_EQ(text, row.after);
  }
}

}  // namespace
}  // namespace schemaward::connect
