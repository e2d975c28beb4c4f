#include "token/lazy_signatures.h"

#include <string_view>

#include "base/module_file.h"
#include "token/module.h"

namespace schemaward::token {

Result<std::unique_ptr<Signatures>> LoadSignatures(
    const std::vector<std::filesystem::path>& folders) {
  static constexpr BuildStamp kStamp = TokenStamp();
  constexpr std::string_view kHint =
      "ward_token.so belongs into lib/schemaward beside the program's folder; it needs the package "
      "libssl3.";
  const ModuleSpec spec{
      "signatures", "ward_token.so", kTokenStampSymbol, kStamp, {kTokenMakeSymbol}, kHint, kHint,
      kHint};
  WARD_TRY(const Module module, Module::Load(spec, folders));
  return std::unique_ptr<Signatures>(module.Symbol<TokenMakeFunction>(kTokenMakeSymbol)());
}

}  // namespace schemaward::token
