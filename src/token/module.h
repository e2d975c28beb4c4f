#pragma once

// What the module of signatures (lib/schemaward/ward_token.so) exports, and how builds that do not
// fit are told apart. As for engines: nothing but two names is shared.

#include <array>
#include <cstddef>
#include <string_view>

#include "token/signatures.h"

namespace schemaward::token {

/// Compared before anything else of the module is used.
struct TokenAbi {
  std::array<std::size_t, 2> sizes;
  std::array<char, 64> compiler;
  std::array<char, 32> version;
  bool operator==(const TokenAbi&) const = default;
};

constexpr TokenAbi ThisTokenAbi() {
  TokenAbi abi{{sizeof(PublicKey), sizeof(Signatures)}, {}, {}};
  constexpr std::string_view kCompiler = __VERSION__
#ifdef _GLIBCXX_ASSERTIONS
      "+assertions"
#endif
      ;
  constexpr std::string_view kVersion = WARD_VERSION;
  for (std::size_t i = 0; i < kCompiler.size() && i + 1 < abi.compiler.size(); ++i)
    abi.compiler[i] = kCompiler[i];
  for (std::size_t i = 0; i < kVersion.size() && i + 1 < abi.version.size(); ++i)
    abi.version[i] = kVersion[i];
  return abi;
}

inline constexpr char kTokenAbiSymbol[] = "ward_token_abi";
inline constexpr char kTokenMakeSymbol[] = "ward_token_make";

using TokenAbiFunction = const TokenAbi*();
/// Returns a new checker that the caller owns.
using TokenMakeFunction = Signatures*();

}  // namespace schemaward::token
