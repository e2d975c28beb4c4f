#pragma once

// Static bearer tokens: who may call over HTTP. The file holds hashes, never a token.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/call_context.h"
#include "base/result.h"

namespace schemaward::app {

inline constexpr std::size_t kTokenBytesMin = 32;  ///< a shorter one could be guessed from its hash
inline constexpr std::size_t kTokensMax = 10'000;

/// Thread: immutable.
class HttpTokens {
 public:
  /// Reads `tokens:`, a list of {id, sha256, scopes, claims}; the first two are needed. Errors:
  /// InputUnreadable where that cannot be read, names a member that there is not, or gives a hash
  /// or an id twice.
  static Result<HttpTokens> Parse(const std::string& yaml);
  /// Errors: as Parse, and where others than the owner may write the file.
  static Result<HttpTokens> Read(const std::string& path);

  /// Returns whose token it is, or nothing.
  std::optional<Principal> Admit(std::string_view token) const;
  std::size_t count() const { return by_hash_.size(); }
  /// Returns whether one of them has this principal.
  bool HasId(const std::string& id) const { return ids_.contains(id); }

 private:
  std::map<std::string, Principal, std::less<>> by_hash_;
  std::set<std::string> ids_;
};

}  // namespace schemaward::app
