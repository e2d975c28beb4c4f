#pragma once

// The tokens of a login, kept in a file of their own with mode 0600.
//
//   {"access_token", "refresh_token", "expires_at" (seconds since 1970), "token_endpoint",
//    "client_id"}

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace schemaward::workspaces {

struct Tokens {
  std::string access_token, refresh_token, token_endpoint, client_id;
  std::int64_t expires_at_s = 0;  ///< 0: not said
};

/// Returns what the file holds, or nothing where there is none. Errors: InputUnreadable when others
/// than its owner may read the file, or when it is not ours. Thread: any.
Result<std::optional<Tokens>> ReadTokens(const std::string& path);

/// Writes the file, mode 0600 from its first byte, in one step. Errors: InputUnreadable when it
/// cannot be written.
Status WriteTokens(const std::string& path, const Tokens& tokens);

/// Removes the file; one that is not there is no error. Errors: InputUnreadable.
Status RemoveTokens(const std::string& path);

/// Reads the answer of a token endpoint over `old`: a refresh token that is not given anew stays.
/// Errors: SourceUnreachable when it holds no access token.
Result<Tokens> TokensOf(std::string_view body, Tokens old, std::int64_t now_s);

/// Writes `text` to `path` as WriteTokens does.
Status WritePrivately(const std::string& path, const std::string& text);

}  // namespace schemaward::workspaces
