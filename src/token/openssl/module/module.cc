// The module: the two names that it shows.
#include "token/module.h"

#include "token/openssl/openssl_signatures.h"

extern "C" __attribute__((visibility("default"))) const schemaward::token::TokenAbi*
ward_token_abi();
extern "C" __attribute__((visibility("default"))) schemaward::token::Signatures* ward_token_make();

const schemaward::token::TokenAbi* ward_token_abi() {
  static constexpr schemaward::token::TokenAbi kAbi = schemaward::token::ThisTokenAbi();
  return &kAbi;
}

schemaward::token::Signatures* ward_token_make() {
  return schemaward::token::MakeOpensslSignatures().release();
}
