#pragma once

// What the module of signatures (lib/schemaward/ward_token.so) exports; base/module_file.h says
// what a module is.

#include "base/build_stamp.h"
#include "token/signatures.h"

namespace schemaward::token {

constexpr BuildStamp TokenStamp() {
  return MakeBuildStamp(ShapeOf({sizeof(PublicKey), sizeof(Signatures)}), WARD_VERSION);
}

inline constexpr char kTokenStampSymbol[] = "ward_token_abi";
inline constexpr char kTokenMakeSymbol[] = "ward_token_make";

/// Returns a new checker that the caller owns.
using TokenMakeFunction = Signatures*();

}  // namespace schemaward::token
