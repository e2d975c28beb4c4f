#include "net/url.h"

#include <gtest/gtest.h>

namespace schemaward::net {
namespace {

TEST(Url, EncodesAllButPlainBytesAndDecodesThemAgain) {
  EXPECT_EQ(UrlEncode("a b/c?d=e&f\xC3\xA9~"), "a%20b%2Fc%3Fd%3De%26f%C3%A9~");
  EXPECT_EQ(UrlDecode("a%20b%2Fc%3Fd%3De%26f%C3%A9~"), "a b/c?d=e&f\xC3\xA9~");
  EXPECT_EQ(UrlDecode("100%+zz%4"), "100% zz%4");
}

TEST(Url, OnlyHttpsOrThisMachineIsSafeForAToken) {
  struct Case {
    const char* url;
    bool is_safe;
  };
  const Case cases[] = {
      {"https://api.example.com/v1/", true},
      {"http://127.0.0.1:8080/v1", true},
      {"http://localhost/v1", true},
      {"http://[::1]:9/", true},
      {"http://api.example.com/v1", false},
      {"http://127.example.com/", false},
      {"http://127.0.0.1@evil.com/", false},
      {"ftp://127.0.0.1/", false},
      {"https://", false},
      {"file:///etc/passwd", false},
  };
  for (const Case& one : cases) EXPECT_EQ(IsSafeUrl(one.url), one.is_safe) << one.url;
}

}  // namespace
}  // namespace schemaward::net
