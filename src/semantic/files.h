#pragma once

// Definitions as YAML files, and back. docs/formats/definitions.md has the format.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "semantic/definitions.h"
#include "store/definitions.h"

namespace schemaward::semantic {

inline constexpr std::size_t kFilesMax = 20'000;
inline constexpr std::size_t kFileBytesMax = 1 << 20;
inline constexpr std::size_t kFileErrorsMax = 100;

/// Something wrong in a file.
struct FileError {
  std::string file;  ///< relative to the folder that was read
  int line = 0;      ///< from 1; 0 where it is the file as a whole
  std::string message;
  std::vector<std::string> near;  ///< nearest names, nearest first
  std::string ToText() const;     ///< file:line: message; the nearest name is "..."
};

/// Where a definition stands.
struct FilePlace {
  std::string file;
  std::map<std::string, int, std::less<>> lines;  ///< of members by path: "on[1].from"
  /// The line of a member, or of the nearest that holds it.
  int LineOf(std::string_view member) const;
};

/// What a folder holds.
struct LoadedFiles {
  Definitions definitions;                     ///< sorted by name
  std::map<std::string, FilePlace> places;     ///< by "entity order"
  std::map<std::string, std::string> sources;  ///< by the same, where the file names its source
  std::vector<FileError> errors;               ///< at most kFileErrorsMax
};

/// The word of a kind: entity, join, metric. Lifetime: static.
std::string_view WordOf(store::DefinitionKind kind);

/// Reads every *.yaml and *.yml under `folder`/entities, joins and metrics, and those elsewhere
/// under it that say their kind. All that is wrong is in `errors`; what could be read is there.
/// Errors: InputUnreadable when the folder is none, or holds more than kFilesMax files.
Result<LoadedFiles> ReadFolder(const std::string& folder);

/// Reads one file's text. `kind_hint`: entity | join | metric, of the folder it lies in; may be
/// empty. Appends to `loaded`.
void ReadFile(std::string_view text, const std::string& file, std::string_view kind_hint,
              LoadedFiles& loaded);

/// Returns the definition as YAML.
std::string ToYaml(const Entity& entity);
std::string ToYaml(const Join& join);
std::string ToYaml(const Metric& metric);

/// Writes one file each under `folder`. Returns the number written. Errors: InputUnreadable when a
/// file is there already and `force` is not set (nothing is written then), or cannot be written.
Result<std::size_t> WriteFolder(const std::string& folder, const Definitions& definitions,
                                bool force);

}  // namespace schemaward::semantic
