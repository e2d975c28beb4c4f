#include "cli/scratch_folder.h"

#include <cstdlib>
#include <string>
#include <system_error>

namespace schemaward::cli {

Result<ScratchFolder> ScratchFolder::Make() {
  std::error_code failed;
  std::string name = (std::filesystem::temp_directory_path(failed) / "schemaward-XXXXXX").string();
  if (failed || ::mkdtemp(name.data()) == nullptr)
    return Error(ErrorKind::DiskFull, "no temporary folder can be made")
        .Hint("Set TMPDIR to a folder that this user may write to.");
  return ScratchFolder(name);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace schemaward::cli
