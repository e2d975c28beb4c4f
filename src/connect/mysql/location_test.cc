// The URI and its options.

#include "connect/mysql/location.h"

#include "base/result_matchers.h"

namespace schemaward::connect::mysql {
namespace {

using std::chrono::seconds;

TEST(MysqlLocation, ReadsEveryPart) {
  const auto all = ReadLocation(
      "mysql://shop%20reader@db.example:3307/my%2Fshop?ssl-mode=VERIFY_IDENTITY&ssl_ca=/a.pem&"
      "ssl-cert=/c.pem&ssl-key=/k.pem&connect_timeout=3");
  ASSERT_THAT(all, IsOk());
  EXPECT_EQ(all->user, "shop reader");
  EXPECT_EQ(all->host, "db.example");
  EXPECT_EQ(all->port, 3307U);
  EXPECT_EQ(all->database, "my/shop");
  EXPECT_EQ(all->tls, TlsMode::VerifyIdentity);
  EXPECT_EQ(all->authority, "/a.pem");
  EXPECT_EQ(all->certificate, "/c.pem");
  EXPECT_EQ(all->key, "/k.pem");
  EXPECT_EQ(all->connect_time_max, seconds(3));
}

TEST(MysqlLocation, HasTheDefaultsOfItsClients) {
  const auto plain = ReadLocation("mariadb://db");
  ASSERT_THAT(plain, IsOk());
  EXPECT_EQ(plain->host, "db");
  EXPECT_EQ(plain->port, 3306U);
  EXPECT_EQ(plain->user, "");
  EXPECT_EQ(plain->database, "");
  EXPECT_EQ(plain->tls, TlsMode::Preferred);
  EXPECT_EQ(ReadLocation("mysql://db?ssl-mode=required")->tls, TlsMode::Required);
  EXPECT_EQ(ReadLocation("mysql://db/x?sslmode=disable&charset=utf8mb4")->tls, TlsMode::Disabled);
}

TEST(MysqlLocation, ReadsAddressesAndSocketFiles) {
  EXPECT_EQ(ReadLocation("mysql://u@[::1]:3310/x")->host, "::1");
  EXPECT_EQ(ReadLocation("mysql://u@[::1]:3310/x")->port, 3310U);
  EXPECT_EQ(ReadLocation("mysql://u@[::1]/x")->host, "::1");
  const auto by_file = ReadLocation("mysql://u@localhost/x?socket=/run/my.sock");
  ASSERT_THAT(by_file, IsOk());
  EXPECT_EQ(by_file->socket, "/run/my.sock");
  EXPECT_EQ(by_file->host, "");
  EXPECT_EQ(ReadLocation("mysql:///x")->host, "");
}

TEST(MysqlLocation, RefusesWhatItCannotRead) {
  for (const char* uri :
       {"db.example/x", "mysql://db:x/y", "mysql://db:0/y", "mysql://db:65536/y",
        "mysql://db/y?ssl-mode=sometimes", "mysql://db/y?ssl=1&allow=all",
        "mysql://db/y?connect-timeout=0", "mysql://db/y?allowLoadLocalInfile=true"})
    EXPECT_THAT(ReadLocation(uri), IsError(ErrorKind::SourceUnreachable)) << uri;
}

}  // namespace
}  // namespace schemaward::connect::mysql
