#include "tool/cursor.h"

#include <array>
#include <vector>

#include <fmt/format.h>
#include <sodium.h>

#include "base/hex.h"
#include "base/sha256.h"

namespace schemaward::tool {
namespace {

constexpr std::size_t kSignatureBytes = 16;  // of HMAC-SHA-256; 128 bits are beyond guessing
constexpr std::size_t kHashBytes = 12;
constexpr std::size_t kCursorMax = 4096;
constexpr char kSeparator =
    '\x1f';  // in no name of a tool, hash or number; the position comes last and may hold anything

std::string Sign(std::string_view key, std::string_view body) {
  std::array<unsigned char, crypto_auth_hmacsha256_BYTES> mac{};
  crypto_auth_hmacsha256_state state;
  crypto_auth_hmacsha256_init(&state, reinterpret_cast<const unsigned char*>(key.data()),
                              key.size());
  crypto_auth_hmacsha256_update(&state, reinterpret_cast<const unsigned char*>(body.data()),
                                body.size());
  crypto_auth_hmacsha256_final(&state, mac.data());
  return {reinterpret_cast<const char*>(mac.data()), kSignatureBytes};
}

bool SameBytes(std::string_view a, std::string_view b) {
  return a.size() == b.size() && sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::vector<std::string> SplitBody(std::string_view body) {
  constexpr std::size_t kFields = 5;
  std::vector<std::string> fields;
  while (fields.size() + 1 < kFields) {
    const std::size_t at = body.find(kSeparator);
    if (at == std::string_view::npos) return {};
    fields.emplace_back(body.substr(0, at));
    body.remove_prefix(at + 1);
  }
  fields.emplace_back(body);
  return fields;
}

}  // namespace

std::string SealCursor(std::string_view key, const CursorState& state) {
  const std::string body = fmt::format("{}{}{}{}{}{}{}{}{}", state.tool, kSeparator,
                                       state.arguments, kSeparator, state.generation, kSeparator,
                                       HashArguments(state.principal), kSeparator, state.position);
  return ToHex(Sign(key, body)) + ToHex(body);
}

Result<std::string> OpenCursor(std::string_view key, std::string_view cursor,
                               const CursorState& now) {
  const std::string bytes =
      cursor.size() <= kCursorMax ? FromHex(cursor).value_or("") : std::string();
  const Error not_ours(ErrorKind::InvalidCursor,
                       "the cursor was not made by this server for this call");
  if (bytes.size() <= kSignatureBytes) return not_ours;
  const std::string_view body = std::string_view(bytes).substr(kSignatureBytes);
  if (!SameBytes(Sign(key, body), std::string_view(bytes).substr(0, kSignatureBytes)))
    return not_ours;
  const std::vector<std::string> fields = SplitBody(body);
  if (fields.empty() || fields[0] != now.tool || fields[1] != now.arguments ||
      fields[3] != HashArguments(now.principal))
    return not_ours;
  if (fields[2] != fmt::format("{}", now.generation))
    return Error(ErrorKind::StaleCursor, "the cursor is older than the present index");
  return fields[4];
}

std::string HashArguments(std::string_view arguments) {
  const Digest digest = Sha256().Update(arguments).Finish();
  return ToHex(BytesOf(digest).substr(0, kHashBytes));
}

}  // namespace schemaward::tool
