// A key set, and a token that any signature fits: its header, its claims, and a token as it came, a
// line each. Whoever is let in is who the claims say, for us and now; and what is said of a refusal
// can stand in the header of an answer.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "json/value.h"
#include "token/testing.h"
#include "token/verifier.h"

namespace {

namespace ward = schemaward;
using ward::token::Verdict;

constexpr std::string_view kIssuer = "https://id.example";
constexpr std::string_view kAudience = "https://ward.example/mcp";
constexpr std::int64_t kSkewSeconds = 60, kNowSeconds = 1'800'000'000;

class AnySignature final : public ward::token::Signatures {
 public:
  bool Fits(const ward::token::PublicKey&, std::string_view, std::string_view) override {
    return true;
  }
};

void Must(bool holds) {
  if (!holds) __builtin_trap();
}

bool Names(const ward::json::Value& audience) {
  if (!audience.is_array()) return audience == kAudience;
  for (const auto& name : audience)
    if (name == kAudience) return true;
  return false;
}

void CheckAccepted(const Verdict& verdict, std::string_view claims_text) {
  const auto claims = ward::json::Value::parse(claims_text, nullptr, false);
  Must(claims.is_object() && claims.value("iss", "") == kIssuer && Names(claims["aud"]));
  Must(claims["exp"].get<double>() > kNowSeconds - kSkewSeconds);
  Must(!claims.contains("nbf") || claims["nbf"].get<double>() <= kNowSeconds + kSkewSeconds);
  Must(!claims.contains("cnf"));
  Must(!verdict.principal.id.empty() && claims["sub"] == verdict.principal.id);
  for (const char c : verdict.principal.id) Must(static_cast<unsigned char>(c) >= ' ');
}

void CheckRefused(const Verdict& verdict) {
  Must(!verdict.why.empty());
  for (const char c : verdict.why) Must(c >= ' ' && c <= '~' && c != '"' && c != '\\');
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  std::array<std::string_view, 4> lines;  // keys, header, claims, token
  for (std::string_view& line : lines) {
    line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  const auto& [set, header, claims, token] = lines;
  const auto read = ward::token::ReadKeySet(set);
  const ward::token::Keys keys = read ? *read : ward::token::Keys(1);
  ward::FakeClock clock;
  clock.JumpCalendar(std::chrono::seconds(kNowSeconds) -
                     std::chrono::microseconds(clock.UnixMicros()));
  const ward::token::Verifier verifier(
      {.issuer = std::string(kIssuer), .audiences = {std::string(kAudience)}},
      std::make_shared<AnySignature>(), clock);
  const Verdict made = verifier.Check(
      ward::token::ToBase64Url(header) + '.' + ward::token::ToBase64Url(claims) + ".c2ln", keys);
  if (made.what == Verdict::What::Accepted)
    CheckAccepted(made, claims);
  else
    CheckRefused(made);
  const Verdict came = verifier.Check(token, keys);
  if (came.what != Verdict::What::Accepted) CheckRefused(came);
  return 0;
}
