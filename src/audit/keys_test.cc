#include "audit/keys.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "audit/test_support.h"

namespace schemaward::audit {
namespace {

namespace fs = std::filesystem;

// The first pair of RFC 8032, section 7.1.
constexpr const char* kPrivatePem =
    "-----BEGIN PRIVATE KEY-----\n"
    "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n"
    "-----END PRIVATE KEY-----\n";
constexpr const char* kPublicPem =
    "-----BEGIN PUBLIC KEY-----\n"
    "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n"
    "-----END PUBLIC KEY-----\n";
constexpr const char* kSignatureOfNothing =
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b4"
    "6b"
    "d25bf5f0595bbe24655141438e7a100b";

std::string Write(const std::string& path, const std::string& text, fs::perms mode) {
  std::ofstream(path) << text;
  fs::permissions(path, mode);
  return path;
}
constexpr fs::perms kOwner = fs::perms::owner_read | fs::perms::owner_write;

TEST(AuditKeys, SignsAsRfc8032Says) {
  const TempFolder log;
  const TempFolder keys;
  const auto key = SigningKey::Load(Write(keys.File("k"), kPrivatePem, kOwner), log.File());
  ASSERT_THAT(key, IsOk());
  EXPECT_EQ(key->Sign(""), kSignatureOfNothing);
  const auto trusted = TrustedKeys::Load(Write(keys.File("p"), kPublicPem, kOwner));
  ASSERT_THAT(trusted, IsOk());
  EXPECT_TRUE(trusted->Has(key->key_id()));
  EXPECT_TRUE(trusted->Accepts(key->key_id(), "", kSignatureOfNothing));
  EXPECT_FALSE(trusted->Accepts(key->key_id(), "x", kSignatureOfNothing));
  EXPECT_FALSE(trusted->Accepts("other", "", kSignatureOfNothing));
  EXPECT_FALSE(trusted->Accepts(key->key_id(), "", "e5"));
}

TEST(AuditKeys, MakesAPairThatFits) {
  const TempFolder log;
  const TempFolder keys;
  const auto made = GenerateKey(keys.File("k"));
  ASSERT_THAT(made, IsOk());
  EXPECT_EQ(fs::status(keys.File("k")).permissions(), kOwner);
  const auto key = SigningKey::Load(keys.File("k"), log.File());
  const auto trusted = TrustedKeys::Load(made->public_path);
  ASSERT_THAT(key, IsOk());
  ASSERT_THAT(trusted, IsOk());
  EXPECT_EQ(key->key_id(), made->key_id);
  EXPECT_TRUE(trusted->Accepts(made->key_id, "text", key->Sign("text")));
  EXPECT_THAT(GenerateKey(keys.File("k")),
              IsError(ErrorKind::InputUnreadable, "the key file exists already and is kept"));
}

TEST(AuditKeys, TrustsSeveralKeysOfOneFile) {
  const TempFolder keys;
  const auto made = GenerateKey(keys.File("k"));
  std::ifstream first(made->public_path);
  const std::string text((std::istreambuf_iterator<char>(first)), {});
  const auto trusted = TrustedKeys::Load(Write(keys.File("p"), text + kPublicPem, kOwner));
  ASSERT_THAT(trusted, IsOk());
  EXPECT_TRUE(trusted->Has(made->key_id));
}

TEST(AuditKeys, RefusesAKeyThatOthersMayReadOrThatLiesBesideTheLog) {
  const TempFolder log;
  const TempFolder keys;
  const std::string open = Write(keys.File("open"), kPrivatePem, kOwner | fs::perms::group_read);
  EXPECT_THAT(
      SigningKey::Load(open, log.File()),
      IsError(ErrorKind::InputUnreadable, "the audit log's key may be read or changed by others"));
  const std::string beside = Write(log.File("k"), kPrivatePem, kOwner);
  const char* const lies_beside = "the audit log's key lies in the log's own folder";
  EXPECT_THAT(SigningKey::Load(beside, log.File()),
              IsError(ErrorKind::InputUnreadable, lies_beside));
  fs::create_symlink(beside, keys.File("link"));
  EXPECT_THAT(SigningKey::Load(keys.File("link"), log.File()),
              IsError(ErrorKind::InputUnreadable, lies_beside));
  fs::create_directory_symlink(log.path(), keys.File("folder"));
  EXPECT_THAT(SigningKey::Load(keys.File("folder/k"), log.File()),
              IsError(ErrorKind::InputUnreadable, lies_beside));
}

TEST(AuditKeys, RefusesWhatIsNoEd25519Key) {
  const TempFolder log;
  const TempFolder keys;
  const std::string pem = kPrivatePem;
  const std::string others[] = {"",
                                "text",
                                kPublicPem,
                                pem.substr(0, pem.size() / 2),
                                std::string(pem).replace(40, 1, "!"),
                                std::string(pem).replace(30, 4, "AAAA")};
  for (const std::string& text : others)
    EXPECT_THAT(SigningKey::Load(Write(keys.File("k"), text, kOwner), log.File()),
                IsError(ErrorKind::InputUnreadable, "the audit log's key is no Ed25519 key in PEM"))
        << text;
  EXPECT_THAT(TrustedKeys::Load(keys.File("k")), IsError(ErrorKind::InputUnreadable));
  EXPECT_THAT(SigningKey::Load(keys.File("none"), log.File()),
              IsError(ErrorKind::InputUnreadable, "the key file of the audit log cannot be read"));
  EXPECT_THAT(SigningKey::Load(keys.path().string(), log.File()),
              IsError(ErrorKind::InputUnreadable, "the key file of the audit log cannot be read"));
}

}  // namespace
}  // namespace schemaward::audit
