#include "token/openssl/openssl_signatures.h"

#include <string>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

namespace schemaward::token {
namespace {

template <auto Free>
struct Freed {
  template <class T>
  void operator()(T* handle) const {
    Free(handle);
  }
};
template <class T, auto Free>
using Handle = std::unique_ptr<T, Freed<Free>>;
using KeyHandle = Handle<EVP_PKEY, EVP_PKEY_free>;
using Number = Handle<BIGNUM, BN_free>;
using Params = Handle<OSSL_PARAM, OSSL_PARAM_free>;
using Builder = Handle<OSSL_PARAM_BLD, OSSL_PARAM_BLD_free>;

constexpr std::size_t kHalfBytes = 32;  // of a signature by P-256: r and s

const unsigned char* BytesOf(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

Number NumberOf(std::string_view bytes) {
  return Number(BN_bin2bn(BytesOf(bytes), static_cast<int>(bytes.size()), nullptr));
}

KeyHandle KeyOf(const char* type, OSSL_PARAM_BLD* builder) {
  const Params params(OSSL_PARAM_BLD_to_param(builder));
  const Handle<EVP_PKEY_CTX, EVP_PKEY_CTX_free> ctx(
      EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  EVP_PKEY* key = nullptr;
  if (params == nullptr || ctx == nullptr || EVP_PKEY_fromdata_init(ctx.get()) != 1 ||
      EVP_PKEY_fromdata(ctx.get(), &key, EVP_PKEY_PUBLIC_KEY, params.get()) != 1)
    return nullptr;
  return KeyHandle(key);
}

KeyHandle RsaKey(const PublicKey& key) {
  const Builder builder(OSSL_PARAM_BLD_new());
  const Number n = NumberOf(key.modulus);
  const Number e = NumberOf(key.exponent);
  if (builder == nullptr ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get()) != 1 ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get()) != 1)
    return nullptr;
  return KeyOf("RSA", builder.get());
}

// A point that is not on the curve makes no key.
KeyHandle CurveKey(const PublicKey& key) {
  constexpr char kUncompressed = 4;
  const std::string point = kUncompressed + key.x + key.y;
  const Builder builder(OSSL_PARAM_BLD_new());
  if (builder == nullptr ||
      OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0) != 1 ||
      OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                       point.size()) != 1)
    return nullptr;
  return KeyOf("EC", builder.get());
}

KeyHandle HandleOf(const PublicKey& key) {
  switch (key.algorithm) {
    case Algorithm::Rs256:
      return RsaKey(key);
    case Algorithm::Es256:
      return CurveKey(key);
    case Algorithm::EdDsa:
      return KeyHandle(
          EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, BytesOf(key.x), key.x.size()));
  }
  return nullptr;
}

// Tokens hold r and s side by side, OpenSSL takes them in DER. Empty where they are not two halves.
std::string DerOf(std::string_view signature) {
  if (signature.size() != 2 * kHalfBytes) return {};
  const Handle<ECDSA_SIG, ECDSA_SIG_free> pair(ECDSA_SIG_new());
  Number r = NumberOf(signature.substr(0, kHalfBytes));
  Number s = NumberOf(signature.substr(kHalfBytes));
  if (pair == nullptr || r == nullptr || s == nullptr) return {};
  // It takes both, and refuses only what is null.
  if (ECDSA_SIG_set0(pair.get(), r.release(), s.release()) != 1) return {};
  unsigned char* der = nullptr;
  const int size = i2d_ECDSA_SIG(pair.get(), &der);
  if (size <= 0) return {};
  std::string out(reinterpret_cast<const char*>(der), static_cast<std::size_t>(size));
  OPENSSL_free(der);
  return out;
}

class OpensslSignatures final : public Signatures {
 public:
  bool Fits(const PublicKey& key, std::string_view text, std::string_view signature) override {
    const bool fits = Check(key, text, signature);
    ERR_clear_error();  // what was refused is nobody's next error
    return fits;
  }

 private:
  static bool Check(const PublicKey& key, std::string_view text, std::string_view signature) {
    const bool is_curve = key.algorithm == Algorithm::Es256;
    const std::string der = is_curve ? DerOf(signature) : std::string(signature);
    const KeyHandle handle = HandleOf(key);
    const Handle<EVP_MD_CTX, EVP_MD_CTX_free> ctx(EVP_MD_CTX_new());
    if (der.empty() || handle == nullptr || ctx == nullptr) return false;
    // Ed25519 hashes by itself. The padding of RSA is PKCS #1 v1.5 where nothing else is said.
    const EVP_MD* digest = key.algorithm == Algorithm::EdDsa ? nullptr : EVP_sha256();
    return EVP_DigestVerifyInit(ctx.get(), nullptr, digest, nullptr, handle.get()) == 1 &&
           EVP_DigestVerify(ctx.get(), BytesOf(der), der.size(), BytesOf(text), text.size()) == 1;
  }
};

}  // namespace

std::unique_ptr<Signatures> MakeOpensslSignatures() {
  return std::make_unique<OpensslSignatures>();
}

}  // namespace schemaward::token
