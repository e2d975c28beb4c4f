#pragma once

// SHA-256, for hash chains, fingerprints and canonical hashes.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace schemaward {

/// The 32 bytes of a hash.
using Digest = std::array<std::uint8_t, 32>;

/// Hashes a text given in pieces. Thread: owner. Source: FIPS 180-4.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  Sha256& Update(std::string_view bytes);
  /// Returns the hash of what was given since construction or the last Finish, and starts anew.
  Digest Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Returns the hash of `bytes` as 64 lower-case hexadecimal digits. Thread: any.
std::string Sha256Hex(std::string_view bytes);

/// Returns `bytes` as lower-case hexadecimal digits. Thread: any.
std::string ToHex(std::string_view bytes);

/// Returns the bytes of `digest` as a view. Lifetime: the digest's.
std::string_view BytesOf(const Digest& digest);

}  // namespace schemaward
