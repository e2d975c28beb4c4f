#pragma once

// Checking signatures, as the rest of the program sees it: the cryptography is in a module.

#include <string_view>

#include "token/public_key.h"

namespace schemaward::token {

/// Thread: any.
class Signatures {
 public:
  virtual ~Signatures() = default;
  /// Returns whether `signature` (bytes) is the one of `text` by `key` and its algorithm.
  virtual bool Fits(const PublicKey& key, std::string_view text, std::string_view signature) = 0;
};

}  // namespace schemaward::token
