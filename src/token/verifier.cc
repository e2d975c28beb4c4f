#include "token/verifier.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "token/claims.h"
#include "token/signed_token.h"

namespace schemaward::token {
namespace {

constexpr double kMicrosASecond = 1e6;

// The keys that may have signed it: those of its id, or, where it names none, the one that there is
// for its algorithm.
std::vector<const PublicKey*> KeysFor(const SignedToken& token, const Keys& keys) {
  std::vector<const PublicKey*> fitting;
  for (const PublicKey& key : keys)
    if (key.algorithm == token.algorithm && (token.key_id.empty() || token.key_id == key.id))
      fitting.push_back(&key);
  if (token.key_id.empty() && fitting.size() > 1) fitting.clear();
  return fitting;
}

}  // namespace

Verifier::Verifier(Rules rules, std::shared_ptr<Signatures> signatures, const Clock& clock)
    : rules_(std::move(rules)), signatures_(std::move(signatures)), clock_(clock) {}

Verdict Verifier::Check(std::string_view token, const Keys& keys) const {
  const auto read = ReadSignedToken(token);
  if (!read) return {.what = Verdict::What::NotValid, .why = read.error().message()};
  const auto fitting = KeysFor(*read, keys);
  if (fitting.empty())
    return {.what = Verdict::What::KeyNotKnown, .why = "it is signed by a key that is not known"};
  const bool is_signed = std::any_of(fitting.begin(), fitting.end(), [&](const PublicKey* key) {
    return signatures_->Fits(*key, read->signed_text, read->signature);
  });
  if (!is_signed) return {.what = Verdict::What::NotValid, .why = "its signature does not fit"};
  auto principal =
      ReadClaims(read->claims, rules_, static_cast<double>(clock_.UnixMicros()) / kMicrosASecond);
  if (!principal) return {.what = Verdict::What::NotValid, .why = principal.error().message()};
  for (const std::string& scope : rules_.scopes)
    if (std::find(principal->scopes.begin(), principal->scopes.end(), scope) ==
        principal->scopes.end())
      return {.what = Verdict::What::ScopeMissing,
              .why = fmt::format("the scope {} was not granted", scope)};
  return {.what = Verdict::What::Accepted, .principal = *std::move(principal)};
}

}  // namespace schemaward::token
