#pragma once

// The program's checker of signatures: its module is loaded where tokens are to be checked, so that
// nobody else pays for it.

#include <filesystem>
#include <memory>
#include <vector>

#include "base/result.h"
#include "token/signatures.h"

namespace schemaward::token {

/// Returns the checker. folders: where ward_token.so is looked for, in order; it stays loaded until
/// the process ends. Errors: EngineUnavailable where the module is missing or of another build.
Result<std::unique_ptr<Signatures>> LoadSignatures(
    const std::vector<std::filesystem::path>& folders);

}  // namespace schemaward::token
