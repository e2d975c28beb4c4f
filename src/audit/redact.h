#pragma once

// Arguments as the audit log keeps them: a hash of their canonical form, and a redacted copy in
// which the names stay and values that may be secret or personal do not.

#include <string>
#include <string_view>
#include <vector>

namespace schemaward::audit {

struct KeptArguments {
  std::string
      hash;  ///< SHA-256 of the canonical JSON; of the bytes as received where they are not JSON
  std::string redacted;  ///< JSON; empty where the arguments are not JSON
};

/// Returns what is kept of `args_json`. A value is replaced by its type and size, as
/// "<string, 31 bytes>", where its key speaks of a secret (password, token, dsn ...) or holds
/// values (sql, parameters, value ...), where a string is longer than 128 bytes or holds an at sign
/// or twelve digits, and where a number has more than eleven digits. Objects and lists under such
/// keys are replaced too. The copy has at most 4 KiB; a longer one keeps only the top-level names.
/// Thread: any.
KeptArguments KeepArguments(std::string_view args_json);

inline constexpr std::size_t kListMax = 256;

/// Returns the items as a JSON list, sorted, each once and cut to `size_max` bytes; of more than
/// kListMax the first.
std::string ListText(std::vector<std::string> items, std::size_t size_max);

}  // namespace schemaward::audit
