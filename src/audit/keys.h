#pragma once

// Ed25519 keys of the audit log, in PEM files as `openssl genpkey -algorithm ed25519` writes them.
// The one place that signs.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/fields.h"

namespace schemaward::audit {

/// The key that signs checkpoints. Thread: owner.
class SigningKey {
 public:
  /// Reads the private key at `path`. Errors: InputUnreadable where it is absent, is no Ed25519
  /// key, may be read or written by others than its owner, or lies in the folder of `log_path`,
  /// where whoever can rewrite the log could sign it too.
  static Result<SigningKey> Load(const std::string& path, const std::string& log_path);
  SigningKey(SigningKey&&) noexcept;
  SigningKey& operator=(SigningKey&&) noexcept;
  ~SigningKey();

  /// SHA-256 of the public key, hexadecimal.
  const std::string& key_id() const { return key_id_; }
  /// Returns the signature of `text` as 128 hexadecimal digits.
  std::string Sign(std::string_view text) const;

 private:
  struct Handle;
  SigningKey(std::unique_ptr<Handle> handle, std::string key_id);
  std::unique_ptr<Handle> handle_;
  std::string key_id_;
};

/// The public keys that a reader trusts. Thread: any.
class TrustedKeys {
 public:
  static constexpr std::size_t kKeysMax = 16;

  /// Reads the public keys of the PEM file at `path`, one or more. Errors: InputUnreadable.
  static Result<TrustedKeys> Load(const std::string& path);

  bool Has(std::string_view key_id) const;
  /// True when the key `key_id` is trusted and `signature` is its signature of `text`.
  bool Accepts(std::string_view key_id, std::string_view text, std::string_view signature) const;

 private:
  struct Key {
    std::string id;
    std::string raw;  // 32 bytes
  };
  std::vector<Key> keys_;
};

/// Where a new pair of keys went.
struct NewKey {
  std::string key_id;
  std::string public_path;
  void Bind(json::Fields& f) {
    f("key_id", key_id, "SHA-256 of the public key");
    f("public_path", public_path, "where the public key is");
  }
};

/// Makes a pair of keys: the private one at `path`, which must not exist, mode 0600, the public one
/// at `path`.pub. Errors: InputUnreadable where a file cannot be made; Internal.
Result<NewKey> GenerateKey(const std::string& path);

/// True when the file at `path` lies in the folder of `log_path`, symbolic links followed.
bool LiesBeside(const std::string& path, const std::string& log_path);

}  // namespace schemaward::audit
