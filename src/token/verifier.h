#pragma once

// Whether a signed token lets its bearer in, and as whom.

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_context.h"
#include "base/clock.h"
#include "token/public_key.h"
#include "token/signatures.h"

namespace schemaward::token {

/// What a token must say.
struct Rules {
  std::string issuer;                  ///< `iss`, byte for byte
  std::vector<std::string> audiences;  ///< `aud` names one of these
  std::vector<std::string> scopes{};   ///< each must have been granted
  std::chrono::seconds skew{60};       ///< how far the issuer's clock may be from ours
};

/// What came of a token.
struct Verdict {
  enum class What : std::uint8_t {
    Accepted,
    NotValid,      ///< it lets nobody in
    KeyNotKnown,   ///< it names a key that is not among those given; newer ones may have it
    ScopeMissing,  ///< its bearer is known and may not come in
  };
  What what = What::NotValid;
  std::string why{};      ///< one line in our own words; may be shown to its sender
  Principal principal{};  ///< where Accepted
};

/// The principal's id is `sub`, its scopes are those of `scope` (or `scp`), and its claims each
/// further text, number and boolean of the token. Bounded: what is too long refuses the token.
/// Thread: any. Lifetime: the clock outlives it.
class Verifier {
 public:
  // Shared: checks of waiting requests use it too.
  Verifier(Rules rules, std::shared_ptr<Signatures> signatures, const Clock& clock);
  Verdict Check(std::string_view token, const Keys& keys) const;

 private:
  const Rules rules_;
  const std::shared_ptr<Signatures> signatures_;
  const Clock& clock_;
};

}  // namespace schemaward::token
