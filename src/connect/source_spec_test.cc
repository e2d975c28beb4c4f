#include "connect/source_spec.h"

#include <fstream>
#include <map>
#include <utility>

#include "base/result_matchers.h"

namespace schemaward::connect {
namespace {

using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Not;

SourceContext Fake(std::map<std::string, std::string> variables = {},
                   std::string folder = "/base") {
  return {
      [variables = std::move(variables)](const std::string& name) -> std::optional<std::string> {
        const auto found = variables.find(name);
        if (found == variables.end()) return std::nullopt;
        return found->second;
      },
      std::move(folder)};
}

struct Row {
  std::string name, text, engine, location, secret, source;
};

// A table of SOURCE texts; the failure prints the name.
// COVERS: R-CLI-1
// COVERS: R-NAME-1
TEST(SourceSpec, ReadsEveryForm) {
  const Row rows[] = {
      {"uri", "postgres://ann@db.example/shop", "postgres", "postgres://ann@db.example/shop", "",
       "shop"},
      {"uri with password", "postgresql://ann:pw@db:5433/shop", "postgres",
       "postgresql://ann@db:5433/shop", "pw", "shop"},
      {"encoded password", "postgres://u:p%40ss%2Bw%25rd@h/d", "postgres", "postgres://u@h/d",
       "p@ss+w%rd", "d"},
      {"plus is no blank", "postgres://u:a+b@h/d", "postgres", "postgres://u@h/d", "a+b", "d"},
      {"raw @ and % in password", "postgres://u:p@ss+w%rd@h/d", "postgres", "postgres://u@h/d",
       "p@ss+w%rd", "d"},
      {"raw brackets and colon in password", "postgres://u:a[b]:c@h/d", "postgres",
       "postgres://u@h/d", "a[b]:c", "d"},
      {"hash in password", "postgres://u:a#b@h/d", "postgres", "postgres://u@h/d", "a#b", "d"},
      {"user with @ is encoded", "postgres://u%40corp:pw@h/d", "postgres",
       "postgres://u%40corp@h/d", "pw", "d"},
      {"ipv6", "postgres://u:pw@[::1]:5432/d", "postgres", "postgres://u@[::1]:5432/d", "pw", "d"},
      {"several hosts", "postgres://u:pw@a:1,b/d?target_session_attrs=any", "postgres",
       "postgres://u@a:1,b/d?target_session_attrs=any", "pw", "d"},
      {"password as parameter", "postgres://h/d?user=u&password=p%26q&sslmode=require", "postgres",
       "postgres://h/d?user=u&sslmode=require", "p&q", "d"},
      {"encoded keyword", "postgres://h/d?pass%77ord=pw", "postgres", "postgres://h/d", "pw", "d"},
      {"socket folder", "postgres://u:pw@%2Frun%2Fpg/d", "postgres", "postgres://u@%2Frun%2Fpg/d",
       "pw", "d"},
      {"no database: the user", "postgres://ann@h", "postgres", "postgres://ann@h", "", "ann"},
      {"keywords", "host=h dbname=shop user=ann password=pw", "postgres",
       "host=h dbname=shop user=ann", "pw", "shop"},
      {"quoted keywords", "dbname = 'my shop' password = 'it\\'s'", "postgres",
       "dbname = 'my shop'", "it's", "my shop"},
      {"service", "service=prod", "postgres", "service=prod", "", "prod"},
      {"mysql", "mysql://u:pw@h/shop", "mysql", "mysql://u@h/shop", "pw", "shop"},
      {"sqlite prefix", "sqlite:data/a.bin", "sqlite", "/base/data/a.bin", "", "a"},
      {"sqlite uri", "sqlite:///tmp/a.db", "sqlite", "/tmp/a.db", "", "a"},
      {"path that is not there", "../x/chinook.sqlite3", "sqlite", "/x/chinook.sqlite3", "",
       "chinook"},
      {"script", "schema/pagila.sql", "ddl", "/base/schema/pagila.sql", "", "pagila"},
      {"ddl prefix", "ddl:/a/structure.txt", "ddl", "/a/structure.txt", "", "structure"},
      {"duckdb", "duckdb:w.duckdb", "duckdb", "/base/w.duckdb", "", "w"},
      {"dbt", "dbt:shop/target", "dbt", "/base/shop/target", "", "shop"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const auto spec = ParseSource(row.text, Fake());
    ASSERT_THAT(spec, IsOk());
    EXPECT_EQ(spec->engine, row.engine);
    EXPECT_EQ(spec->location, row.location);
    EXPECT_EQ(spec->secret, row.secret);
    EXPECT_EQ(spec->default_name, row.source);
    EXPECT_EQ(spec->secret_in_text, !row.secret.empty());
  }
}

TEST(SourceSpec, RefusesWhatItCannotSplitWithoutDoubt) {
  const std::string_view texts[] = {
      "",
      "no such thing",
      "http://example/x",
      "postgres://u:p/w@h/d",
      "postgres://u:p?w@h/d",
      "host=h dbname",
      "host=h password='open",
      "postgres://h/d?sslpassword=s3cret",
      "host=h sslpassword=s3cret",
  };
  for (const std::string_view text : texts) {
    const auto spec = ParseSource(text, Fake());
    EXPECT_THAT(spec, IsError(ErrorKind::InputUnreadable)) << text;
    EXPECT_THAT(spec.error().ToLogText(), Not(HasSubstr("s3cret")));
  }
}

// COVERS: R-CLI-4
TEST(SourceSpec, SaysHowTheSecretIsFoundLater) {
  struct {
    std::string text;
    SecretRef ref;
  } const rows[] = {
      {"postgres://u@h/d", {SecretKind::None, ""}},
      {"postgres://u:pw@h/my-shop", {SecretKind::Env, "SCHEMAWARD_SECRET_MY_SHOP"}},
      {"service=prod", {SecretKind::Service, ""}},
      {"host=h passfile=/run/pg.pass", {SecretKind::Passfile, "/run/pg.pass"}},
      {"env:SHOP", {SecretKind::Env, "SHOP"}},
  };
  for (const auto& row : rows)
    EXPECT_THAT(ParseSource(row.text, Fake({{"SHOP", "postgres://u:pw@h/d"}})),
                IsOkAnd(Field(&SourceSpec::secret_ref, row.ref)))
        << row.text;
}

TEST(SourceSpec, TakesTheSourceOutOfAVariable) {
  const auto spec = ParseSource("env:SHOP", Fake({{"SHOP", "postgres://u:pw@h/d"}}));
  ASSERT_THAT(spec, IsOk());
  EXPECT_EQ(spec->location, "postgres://u@h/d");
  EXPECT_EQ(spec->secret, "pw");
  EXPECT_FALSE(spec->secret_in_text);
  EXPECT_THAT(ParseSource("env:SHOP", Fake()),
              IsError(ErrorKind::MissingCredential, HasSubstr("\"SHOP\"")));
  EXPECT_THAT(ParseSource("env:A", Fake({{"A", "env:A"}})), IsError(ErrorKind::InputUnreadable));
}

TEST(SourceSpec, TellsAFileByItsFirstBytesBeforeItsEnding) {
  const std::string folder = ::testing::TempDir();
  const auto write = [&](const std::string& name, std::string_view bytes) {
    std::ofstream(folder + name, std::ios::binary) << bytes;
  };
  write("odd.sql", std::string_view("SQLite format 3\0rest of it", 26));
  write("plain.data", "no header at all, only words");
  write("empty.db", "");
  write("duck.bin", std::string_view("\1\2\3\4\5\6\7\10DUCK\0\0\0\0", 16));
  const SourceContext context = Fake({}, folder);
  EXPECT_THAT(ParseSource("odd.sql", context), IsOkAnd(Field(&SourceSpec::engine, "sqlite")));
  EXPECT_THAT(ParseSource("empty.db", context), IsOkAnd(Field(&SourceSpec::engine, "sqlite")));
  EXPECT_THAT(ParseSource("duck.bin", context), IsOkAnd(Field(&SourceSpec::engine, "duckdb")));
  EXPECT_THAT(ParseSource("plain.data", context), IsError(ErrorKind::InputUnreadable));
}

}  // namespace
}  // namespace schemaward::connect
