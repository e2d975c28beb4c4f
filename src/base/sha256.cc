// The one-algorithm functions are used on purpose, although OpenSSL 3 prefers EVP: fetching an EVP
// digest loads the default provider and its configuration, which costs a start-up of milliseconds
// and most of a MiB that this program does not have, and EVP is slower for short texts.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "base/sha256.h"

#include <openssl/sha.h>

namespace schemaward {

struct Sha256::State {
  SHA256_CTX context{};
};

Sha256::Sha256() : state_(std::make_unique<State>()) { SHA256_Init(&state_->context); }
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;
Sha256::~Sha256() = default;

Sha256& Sha256::Update(std::string_view bytes) {
  SHA256_Update(&state_->context, bytes.data(), bytes.size());
  return *this;
}

Digest Sha256::Finish() {
  Digest digest{};
  SHA256_Final(digest.data(), &state_->context);
  SHA256_Init(&state_->context);
  return digest;
}

std::string_view BytesOf(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

std::string ToHex(std::string_view bytes) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += kDigits[byte >> 4U];
    hex += kDigits[byte & 0xFU];
  }
  return hex;
}

std::string Sha256Hex(std::string_view bytes) {
  return ToHex(BytesOf(Sha256().Update(bytes).Finish()));
}

}  // namespace schemaward
