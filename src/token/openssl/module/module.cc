// The module: the two names that it shows.
#include "token/module.h"

#include "token/openssl/openssl_signatures.h"

extern "C" __attribute__((visibility("default"))) const schemaward::BuildStamp* ward_token_abi();
extern "C" __attribute__((visibility("default"))) schemaward::token::Signatures* ward_token_make();

const schemaward::BuildStamp* ward_token_abi() {
  static constexpr schemaward::BuildStamp kStamp = schemaward::token::TokenStamp();
  return &kStamp;
}

schemaward::token::Signatures* ward_token_make() {
  return schemaward::token::MakeOpensslSignatures().release();
}
