#pragma once

// Signatures by OpenSSL's libcrypto.

#include <memory>

#include "token/signatures.h"

namespace schemaward::token {

/// Returns a checker. Thread: any.
std::unique_ptr<Signatures> MakeOpensslSignatures();

}  // namespace schemaward::token
