#pragma once

// Policy files: YAML into PolicyData. docs/policy.md has the reference.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "privacy/policy_data.h"

namespace schemaward::privacy {

inline constexpr std::size_t kPolicyBytesMax = 1U << 20U;
inline constexpr std::size_t kPolicyEntriesMax = 10'000;  ///< of any one list
inline constexpr std::size_t kPolicyFaultsMax = 50;       ///< shown of one file

/// Reads one file's text. `file` is how errors name it. Errors: InputUnreadable when it is no such
/// file; the detail has every fault, one a line: "policy.yaml:12: there is no key \"profil\"; the
/// nearest is \"profile\"". Thread: any.
Result<PolicyData> ReadPolicy(std::string_view text, const std::string& file);

/// The same of a file on disk. Errors: also InputUnreadable when it cannot be read or is too large.
Result<PolicyData> ReadPolicyFile(const std::string& path);

/// Reads the first file and narrows it by each that follows; a path that names no file is passed
/// over where `must_exist` is false. `notes` may be null.
struct PolicyFile {
  std::string path;
  bool must_exist = true;
};
Result<PolicyData> ReadPolicies(const std::vector<PolicyFile>& files, Notes* notes);

}  // namespace schemaward::privacy
