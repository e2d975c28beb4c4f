#pragma once

// Which organization each caller has chosen. A file beside the store, so that nothing depends on
// one connection or one process.

#include <optional>
#include <string>

#include "base/mutex.h"
#include "base/result.h"
#include "workspaces/types.h"

namespace schemaward::workspaces {

/// Thread: any; several processes may share the file, and the last choice stands.
class Selection {
 public:
  /// path: of the file, which need not be there. fallback: id for callers that chose none; may be
  /// empty.
  Selection(std::string path, std::string fallback);

  /// Returns what the caller chose, or the fallback (its name is then empty), or nothing. A file
  /// that cannot be read counts as no choice.
  std::optional<Organization> Of(const std::string& principal);

  /// Keeps a choice. Errors: InputUnreadable when the file cannot be written.
  Status Choose(const std::string& principal, const Organization& organization);

 private:
  const std::string path_;
  const std::string fallback_;
  Mutex mutex_;
};

}  // namespace schemaward::workspaces
