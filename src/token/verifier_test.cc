// Tokens signed by keys that the test makes, checked by the module itself.
#include "token/verifier.h"

#include <memory>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include "base/result_matchers.h"
#include "token/lazy_signatures.h"
#include "token/signed_token.h"
#include "token/testing.h"

namespace schemaward::token {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string NumberOf(EVP_PKEY* key, const char* name, int size) {
  BIGNUM* number = nullptr;
  EXPECT_EQ(EVP_PKEY_get_bn_param(key, name, &number), 1);
  std::string bytes(static_cast<std::size_t>(size > 0 ? size : BN_num_bytes(number)), '\0');
  BN_bn2binpad(number, reinterpret_cast<unsigned char*>(bytes.data()),
               static_cast<int>(bytes.size()));
  BN_free(number);
  return bytes;
}

// A key of an issuer: what it publishes, and how it signs.
class IssuerKey {
 public:
  explicit IssuerKey(Algorithm algorithm, unsigned bits = 2'048) : algorithm_(algorithm) {
    key_.reset(algorithm == Algorithm::Rs256   ? EVP_RSA_gen(bits)
               : algorithm == Algorithm::Es256 ? EVP_EC_gen("P-256")
                                               : EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
  }
  std::string name() const {
    return algorithm_ == Algorithm::Rs256   ? "RS256"
           : algorithm_ == Algorithm::Es256 ? "ES256"
                                            : "EdDSA";
  }
  std::string Jwk(std::string_view id, std::string_view more = "") const {
    std::string members;
    if (algorithm_ == Algorithm::Rs256)
      members = fmt::format(R"("kty":"RSA","n":"{}","e":"{}")",
                            ToBase64Url(NumberOf(key_.get(), OSSL_PKEY_PARAM_RSA_N, 0)),
                            ToBase64Url(NumberOf(key_.get(), OSSL_PKEY_PARAM_RSA_E, 0)));
    if (algorithm_ == Algorithm::Es256)
      members = fmt::format(R"("kty":"EC","crv":"P-256","x":"{}","y":"{}")",
                            ToBase64Url(NumberOf(key_.get(), OSSL_PKEY_PARAM_EC_PUB_X, 32)),
                            ToBase64Url(NumberOf(key_.get(), OSSL_PKEY_PARAM_EC_PUB_Y, 32)));
    if (algorithm_ == Algorithm::EdDsa)
      members = fmt::format(R"("kty":"OKP","crv":"Ed25519","x":"{}")", ToBase64Url(Raw()));
    return fmt::format(R"({{{},"kid":"{}"{}}})", members, id, more);
  }
  std::string Raw() const {
    std::string raw(32, '\0');
    std::size_t size = raw.size();
    EVP_PKEY_get_raw_public_key(key_.get(), reinterpret_cast<unsigned char*>(raw.data()), &size);
    return raw;
  }
  std::string Pem() const {
    const std::unique_ptr<BIO, int (*)(BIO*)> out(BIO_new(BIO_s_mem()), BIO_free);
    PEM_write_bio_PUBKEY(out.get(), key_.get());
    char* data = nullptr;
    const long size = BIO_get_mem_data(out.get(), &data);
    return {data, static_cast<std::size_t>(size)};
  }
  std::string Sign(const std::string& text) const {
    const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> ctx(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    EVP_DigestSignInit(ctx.get(), nullptr, algorithm_ == Algorithm::EdDsa ? nullptr : EVP_sha256(),
                       nullptr, key_.get());
    std::string signature(1'024, '\0');
    std::size_t size = signature.size();
    EXPECT_EQ(EVP_DigestSign(ctx.get(), reinterpret_cast<unsigned char*>(signature.data()), &size,
                             reinterpret_cast<const unsigned char*>(text.data()), text.size()),
              1);
    signature.resize(size);
    return algorithm_ == Algorithm::Es256 ? Halves(signature) : signature;
  }
  // A token whose header and claims are given as JSON.
  std::string Token(const std::string& header, const std::string& claims) const {
    const std::string text = ToBase64Url(header) + '.' + ToBase64Url(claims);
    return text + '.' + ToBase64Url(Sign(text));
  }

 private:
  static std::string Halves(const std::string& der) {
    const auto* at = reinterpret_cast<const unsigned char*>(der.data());
    const std::unique_ptr<ECDSA_SIG, void (*)(ECDSA_SIG*)> pair(
        d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())), ECDSA_SIG_free);
    std::string out(64, '\0');
    auto* bytes = reinterpret_cast<unsigned char*>(out.data());
    BN_bn2binpad(ECDSA_SIG_get0_r(pair.get()), bytes, 32);
    BN_bn2binpad(ECDSA_SIG_get0_s(pair.get()), bytes + 32, 32);
    return out;
  }

  Algorithm algorithm_;
  std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key_{nullptr, EVP_PKEY_free};
};

constexpr std::int64_t kNow = 1'767'225'600;  // of FakeClock

std::string Claims(std::string_view more = "", std::int64_t expires = kNow + 300) {
  return fmt::format(
      R"({{"iss":"https://id.example.com","aud":"https://ward.example.com/mcp","sub":"ana","exp":{}{}}})",
      expires, more);
}

std::string Header(std::string_view algorithm, std::string_view more = "") {
  return fmt::format(R"({{"alg":"{}","kid":"k1"{}}})", algorithm, more);
}

class VerifierTest : public testing::Test {
 protected:
  void SetUp() override {
    auto loaded = LoadSignatures({std::string(WARD_BINARY_DIR) + "/lib/schemaward"});
    ASSERT_THAT(loaded, IsOk());
    signatures_ = *std::move(loaded);
    keys_ = Published(rsa_.Jwk("k1"));
  }
  static Keys Published(const std::string& jwks) {
    auto keys = ReadKeySet(fmt::format(R"({{"keys":[{}]}})", jwks));
    EXPECT_THAT(keys, IsOk());
    return keys ? *keys : Keys();
  }
  Verdict Check(const std::string& token, const Rules& rules) const {
    return Verifier(rules, signatures_, clock_).Check(token, keys_);
  }
  Verdict Check(const std::string& token) const { return Check(token, rules_); }
  std::string WhyNot(const std::string& token) const {
    const Verdict verdict = Check(token);
    EXPECT_EQ(verdict.what, Verdict::What::NotValid);
    EXPECT_EQ(verdict.principal.id, Principal().id);
    return verdict.why;
  }
  std::string WhyNotClaims(const std::string& claims) const {
    return WhyNot(rsa_.Token(Header("RS256"), claims));
  }

  FakeClock clock_;
  Rules rules_{.issuer = "https://id.example.com",
               .audiences = {"https://ward.example.com/mcp", "ward"}};
  std::shared_ptr<Signatures> signatures_;
  IssuerKey rsa_{Algorithm::Rs256};
  Keys keys_;
};

TEST_F(VerifierTest, EachAlgorithmLetsItsTokenInAndNoOtherText) {
  for (const Algorithm algorithm : {Algorithm::Rs256, Algorithm::Es256, Algorithm::EdDsa}) {
    const IssuerKey key(algorithm);
    SCOPED_TRACE(key.name());
    keys_ = Published(key.Jwk("k1"));
    std::string token = key.Token(Header(key.name()), Claims());
    EXPECT_EQ(Check(token).what, Verdict::What::Accepted) << Check(token).why;
    const std::string other = ToBase64Url(Claims(R"(,"scope":"admin")"));
    const std::size_t first = token.find('.'), second = token.rfind('.');
    EXPECT_THAT(WhyNot(token.substr(0, first + 1) + other + token.substr(second)),
                HasSubstr("signature"));
    token[second + 9] = token[second + 9] == 'A' ? 'B' : 'A';
    EXPECT_THAT(WhyNot(token), HasSubstr("signature"));
  }
}

TEST_F(VerifierTest, SaysWhoTheBearerIs) {
  const Verdict verdict = Check(rsa_.Token(
      Header("RS256", R"(,"typ":"at+jwt")"),
      Claims(R"(,"scope":"read  sql","tenant":"acme","level":3,"staff":true,"groups":["a"])")));
  ASSERT_EQ(verdict.what, Verdict::What::Accepted) << verdict.why;
  EXPECT_EQ(verdict.principal.id, "ana");
  EXPECT_EQ(verdict.principal.transport, "http");
  EXPECT_THAT(verdict.principal.scopes, ElementsAre("read", "sql"));
  EXPECT_EQ(verdict.principal.claims.at("tenant"), "acme");
  EXPECT_EQ(verdict.principal.claims.at("level"), "3");
  EXPECT_EQ(verdict.principal.claims.at("staff"), "true");
  EXPECT_FALSE(verdict.principal.claims.contains("groups"));
}

TEST_F(VerifierTest, ScopesAreAlsoReadWhereOlderIssuersWriteThem) {
  const auto scopes = [&](std::string_view more) {
    return Check(rsa_.Token(Header("RS256"), Claims(more))).principal.scopes;
  };
  EXPECT_THAT(scopes(R"(,"scp":"a b")"), ElementsAre("a", "b"));
  EXPECT_THAT(scopes(R"(,"scp":["a","b"])"), ElementsAre("a", "b"));
}

TEST_F(VerifierTest, ATokenThatIsNotSignedIsRefused) {
  for (const char* name : {"none", "None", "NONE", ""}) {
    const std::string text = ToBase64Url(Header(name)) + '.' + ToBase64Url(Claims());
    EXPECT_THAT(WhyNot(text + "."), HasSubstr("not signed"));
    EXPECT_THAT(WhyNot(text + ".AAAA"), HasSubstr("not signed by"));
  }
}

// The public key as the shared secret of an HMAC: what a checker falls for that lets the token
// choose.
TEST_F(VerifierTest, APublicKeyIsNoSharedSecret) {
  const std::string pem = rsa_.Pem();
  const std::string text = ToBase64Url(Header("HS256")) + '.' + ToBase64Url(Claims());
  unsigned char mac[32];
  unsigned size = sizeof mac;
  HMAC(EVP_sha256(), pem.data(), static_cast<int>(pem.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(), mac, &size);
  EXPECT_THAT(WhyNot(text + '.' + ToBase64Url({reinterpret_cast<const char*>(mac), size})),
              HasSubstr("not signed by"));
}

TEST_F(VerifierTest, AKeyServesItsOwnAlgorithmOnly) {
  const IssuerKey curve(Algorithm::Es256);
  EXPECT_EQ(Check(curve.Token(Header("ES256"), Claims())).what, Verdict::What::KeyNotKnown);
  EXPECT_THAT(WhyNot(curve.Token(Header("RS256"), Claims())), HasSubstr("signature"));
}

TEST_F(VerifierTest, AKeyThatTheTokenBringsIsNotLookedAt) {
  const IssuerKey mine(Algorithm::Rs256);
  const std::string own =
      fmt::format(R"(,"jwk":{},"jku":"https://evil.example/k")", mine.Jwk("k1"));
  EXPECT_THAT(WhyNot(mine.Token(Header("RS256", own), Claims())), HasSubstr("signature"));
}

TEST_F(VerifierTest, OnlyTypesOfAccessTokensAreTaken) {
  const auto with = [&](std::string_view type) {
    return Check(rsa_.Token(Header("RS256", fmt::format(R"(,"typ":{})", type)), Claims())).what;
  };
  for (const char* type : {R"("at+jwt")", R"("application/at+jwt")", R"("AT+JWT")", R"("JWT")"})
    EXPECT_EQ(with(type), Verdict::What::Accepted) << type;
  for (const char* type : {R"("id_token+jwt")", R"("dpop+jwt")", R"("logout+jwt")", R"("")", "7"})
    EXPECT_EQ(with(type), Verdict::What::NotValid) << type;
}

TEST_F(VerifierTest, AnExtensionThatMustBeUnderstoodIsRefused) {
  EXPECT_THAT(WhyNot(rsa_.Token(Header("RS256", R"(,"crit":["exp"])"), Claims())),
              HasSubstr("extensions"));
  EXPECT_THAT(WhyNot(rsa_.Token(Header("RS256", R"(,"crit":[])"), Claims())),
              HasSubstr("extensions"));
}

TEST_F(VerifierTest, AMemberThatOccursTwiceIsRefusedWhateverItsSpelling) {
  EXPECT_THAT(WhyNot(rsa_.Token(Header("RS256", R"(,"alg":"RS256")"), Claims())),
              HasSubstr("twice"));
  EXPECT_THAT(WhyNotClaims(Claims(R"(,"sub":"root")")), HasSubstr("twice"));
  EXPECT_THAT(WhyNotClaims(Claims(R"(,"s\u0075b":"root")")), HasSubstr("twice"));
  EXPECT_THAT(WhyNotClaims(Claims(R"(,"act":{"a":1,"a":2})")), HasSubstr("twice"));
}

TEST_F(VerifierTest, WhatIsNoTokenIsRefused) {
  const std::string good = rsa_.Token(Header("RS256"), Claims());
  for (const std::string& text :
       {std::string(), std::string("."), std::string(".."), good + ".x", good + "=", good + " ",
        "x" + good, good.substr(0, good.rfind('.')), std::string(100, 'a')})
    EXPECT_EQ(Check(text).what, Verdict::What::NotValid) << text;
  EXPECT_THAT(WhyNot(rsa_.Token("[]", Claims())), HasSubstr("no JSON object"));
  EXPECT_THAT(WhyNotClaims("7"), HasSubstr("no JSON object"));
  EXPECT_THAT(WhyNotClaims(std::string(100, '[')), HasSubstr("no JSON object"));
}

TEST_F(VerifierTest, ATokenMayBeSoLongAndNoLonger) {
  const std::string empty = rsa_.Token(Header("RS256"), Claims(R"(,"pad":"")"));
  const std::size_t room = (kTokenBytesMax - empty.size()) / 4 * 3;
  const auto padded = [&](std::size_t bytes) {
    return rsa_.Token(Header("RS256"),
                      Claims(fmt::format(R"(,"pad":"{}")", std::string(bytes, 'p'))));
  };
  EXPECT_LE(padded(room).size(), kTokenBytesMax);
  EXPECT_EQ(Check(padded(room)).what, Verdict::What::Accepted);
  EXPECT_THAT(WhyNot(padded(room + 3)), HasSubstr("too long"));
}

TEST_F(VerifierTest, TimesAreComparedWithTheSkewThatIsAllowed) {
  EXPECT_EQ(Check(rsa_.Token(Header("RS256"), Claims("", kNow - 59))).what,
            Verdict::What::Accepted);
  EXPECT_THAT(WhyNotClaims(Claims("", kNow - 60)), HasSubstr("expired"));
  EXPECT_EQ(Check(rsa_.Token(Header("RS256"), Claims(fmt::format(R"(,"nbf":{})", kNow + 60)))).what,
            Verdict::What::Accepted);
  EXPECT_THAT(WhyNotClaims(Claims(fmt::format(R"(,"nbf":{})", kNow + 61))),
              HasSubstr("not valid yet"));
  EXPECT_THAT(WhyNotClaims(Claims(fmt::format(R"(,"iat":{})", kNow + 61))), HasSubstr("future"));
  EXPECT_THAT(WhyNotClaims(Claims(R"(,"nbf":"0")")), HasSubstr("no number"));
  EXPECT_THAT(WhyNotClaims(R"({"iss":"https://id.example.com","aud":"ward","sub":"ana"})"),
              HasSubstr("when it expires"));
}

TEST_F(VerifierTest, IssuerAudienceAndSubjectMustFit) {
  const auto claims = [](std::string_view iss, std::string_view aud, std::string_view sub) {
    return fmt::format(R"({{"iss":{},"aud":{},"sub":{},"exp":{}}})", iss, aud, sub, kNow + 300);
  };
  constexpr std::string_view kIss = R"("https://id.example.com")";
  EXPECT_EQ(Check(rsa_.Token(Header("RS256"), claims(kIss, R"(["x","ward"])", R"("a")"))).what,
            Verdict::What::Accepted);
  for (const char* iss : {R"("https://id.example.com/")", R"(["https://id.example.com"])", "null"})
    EXPECT_THAT(WhyNotClaims(claims(iss, R"("ward")", R"("a")")), HasSubstr("issuer")) << iss;
  for (const char* aud : {R"("WARD")", R"([])", R"({"ward":"ward"})", "null", R"(["ward2"])"})
    EXPECT_THAT(WhyNotClaims(claims(kIss, aud, R"("a")")), HasSubstr("audience")) << aud;
  const std::string longest(256, 's');
  EXPECT_EQ(Check(rsa_.Token(Header("RS256"), claims(kIss, R"("ward")", '"' + longest + '"'))).what,
            Verdict::What::Accepted);
  for (const std::string& sub :
       {std::string("7"), std::string(R"("")"), std::string(R"("a\nb")"), '"' + longest + "s\""})
    EXPECT_THAT(WhyNotClaims(claims(kIss, R"("ward")", sub)), HasSubstr("subject")) << sub;
}

TEST_F(VerifierTest, ATokenThatIsBoundToAKeyIsNoBearerToken) {
  EXPECT_THAT(WhyNotClaims(Claims(R"(,"cnf":{"jkt":"x"})")), HasSubstr("bound to a key"));
}

TEST_F(VerifierTest, TooManyClaimsAreRefused) {
  const auto with = [](int count) {
    std::string more;
    for (int i = 0; i < count; ++i) more += fmt::format(R"(,"c{}":1)", i);
    return Claims(more);
  };
  EXPECT_EQ(Check(rsa_.Token(Header("RS256"), with(60))).what, Verdict::What::Accepted);
  EXPECT_THAT(WhyNotClaims(with(61)), HasSubstr("too much"));
}

TEST_F(VerifierTest, AScopeThatIsAskedForMustBeGranted) {
  rules_.scopes = {"ward.read"};
  const auto with = [&](std::string_view scope) {
    return Check(rsa_.Token(Header("RS256"), Claims(fmt::format(R"(,"scope":"{}")", scope))));
  };
  EXPECT_EQ(with("a ward.read").what, Verdict::What::Accepted);
  EXPECT_EQ(with("ward.reader").what, Verdict::What::ScopeMissing);
  EXPECT_THAT(with("").why, HasSubstr("ward.read"));
}

TEST_F(VerifierTest, WithoutAKeyIdTheOnlyKeyOfTheAlgorithmIsMeant) {
  const IssuerKey curve(Algorithm::Es256), second(Algorithm::Rs256);
  const std::string token = rsa_.Token(R"({"alg":"RS256"})", Claims());
  keys_ = Published(rsa_.Jwk("k1") + ',' + curve.Jwk("k2"));
  EXPECT_EQ(Check(token).what, Verdict::What::Accepted);
  keys_ = Published(rsa_.Jwk("k1") + ',' + second.Jwk("k2"));
  EXPECT_EQ(Check(token).what, Verdict::What::KeyNotKnown);
}

TEST_F(VerifierTest, KeysThatServeSomethingElseArePassedOver) {
  const auto set = [](const std::string& keys) {
    return ReadKeySet(fmt::format(R"({{"keys":[{}]}})", keys));
  };
  const std::string good = rsa_.Jwk("k1");
  EXPECT_EQ(
      set(good + ',' + rsa_.Jwk("k2", R"(,"use":"enc")") + ',' +
          rsa_.Jwk("k3", R"(,"alg":"RS512")") + ',' + rsa_.Jwk("k4", R"(,"key_ops":["encrypt"])") +
          R"(,{"kty":"oct","k":"AAAA"},{"kty":"EC","crv":"P-384"},7)")
          ->size(),
      1U);
  EXPECT_THAT(set(R"({"kty":"oct","k":"AAAA"})"), IsError(ErrorKind::InputUnreadable));
  EXPECT_THAT(set(""), IsError(ErrorKind::InputUnreadable));
  EXPECT_THAT(ReadKeySet("{}"), IsError(ErrorKind::InputUnreadable));
  EXPECT_THAT(ReadKeySet(std::string(kKeySetBytesMax + 1, ' ')),
              IsError(ErrorKind::InputUnreadable));
}

TEST_F(VerifierTest, WeakAndOversizedKeysAreRefused) {
  const auto set = [](const std::string& key) {
    return ReadKeySet(fmt::format(R"({{"keys":[{}]}})", key));
  };
  EXPECT_THAT(set(IssuerKey(Algorithm::Rs256, 1'024).Jwk("k")),
              IsError(ErrorKind::InputUnreadable));
  const auto rsa = [](std::size_t bytes, std::string_view exponent) {
    return fmt::format(R"({{"kty":"RSA","n":"{}","e":"{}"}})",
                       ToBase64Url(std::string(bytes, '\xF1')), exponent);
  };
  EXPECT_THAT(set(rsa(1'024, "AQAB")), IsOk());
  EXPECT_THAT(set(rsa(1'025, "AQAB")), IsError(ErrorKind::InputUnreadable));
  EXPECT_THAT(set(rsa(256, "AQ")), IsError(ErrorKind::InputUnreadable));
  EXPECT_THAT(set(rsa(256, "AQAA")), IsError(ErrorKind::InputUnreadable));
  EXPECT_THAT(set(R"({"kty":"OKP","crv":"Ed25519","x":"AAAA"})"),
              IsError(ErrorKind::InputUnreadable));
  std::string many = rsa_.Jwk("k0");
  for (std::size_t i = 1; i < kKeysMax; ++i) many += ',' + rsa_.Jwk(fmt::format("k{}", i));
  EXPECT_EQ(set(many)->size(), kKeysMax);
  EXPECT_THAT(set(many + ",{}"), IsError(ErrorKind::InputUnreadable));
}

// A point that is not on its curve is no key; nothing is accepted by it.
TEST_F(VerifierTest, APointBesideItsCurveChecksNothing) {
  const IssuerKey curve(Algorithm::Es256);
  keys_ = Published(fmt::format(R"({{"kty":"EC","crv":"P-256","kid":"k1","x":"{0}","y":"{0}"}})",
                                ToBase64Url(std::string(32, '\x11'))));
  EXPECT_THAT(WhyNot(curve.Token(Header("ES256"), Claims())), HasSubstr("signature"));
}

TEST(LoadSignatures, SaysWhereTheModuleIsMissing) {
  EXPECT_THAT(LoadSignatures({"/no/such/folder"}), IsError(ErrorKind::EngineUnavailable));
}

}  // namespace
}  // namespace schemaward::token
