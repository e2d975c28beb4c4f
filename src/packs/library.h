#pragma once

// The packs that there are: those built in, and those imported into a folder.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "packs/pack.h"

namespace schemaward::packs {

/// The files of a pack and where they are from.
struct FoundPack {
  std::string id;
  bool is_built_in = false;
  PackFiles files;
};

/// Reads every file below `folder`. Errors: InputUnreadable where it is no folder, a file in it is
/// no plain file or cannot be read; ByteCap past kFilesMax or kFileBytesMax.
Result<PackFiles> ReadPackFolder(const std::string& folder);

/// Writes the files below `folder`, which is made. Errors: InputUnreadable where one is there and
/// `overwrites` is not set, or cannot be written; nothing is written then but what came before.
Status WritePackFolder(const std::string& folder, const PackFiles& files, bool overwrites);

/// Packs by name. An imported one hides the built-in one of its name. Thread: any.
class Library {
 public:
  /// imported: the folder of imported packs, which need not be there.
  explicit Library(std::string imported) : imported_(std::move(imported)) {}

  /// All of them, sorted by name. Errors: as ReadPackFolder.
  Result<std::vector<FoundPack>> List() const;
  /// Errors: InvalidArgument with the nearest names where there is none of this name.
  Result<FoundPack> Find(std::string_view id) const;
  /// Takes over the pack in `folder`, under the folder's own name. Errors: InputUnreadable where it
  /// has faults, or where one of its name is there and `overwrites` is not set.
  Result<std::string> Import(const std::string& folder, bool overwrites) const;

 private:
  std::string imported_;
};

/// Returns the name that a pack in `folder` has: the folder's own.
std::string IdOfFolder(const std::string& folder);

/// Errors: InputUnreadable that names the first fault and their number.
Status CheckFaults(const LoadedPack& loaded);

}  // namespace schemaward::packs
