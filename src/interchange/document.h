#pragma once

// Files of other programs, YAML or JSON, as JSON values.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace schemaward::interchange {

inline constexpr std::size_t kDocumentBytesMax = 256u << 20;  ///< of JSON
inline constexpr std::size_t kYamlBytesMax = 8u << 20;        ///< of one YAML file
inline constexpr std::size_t kYamlNodesMax = 500'000;  ///< counted as often as aliases name them
inline constexpr std::size_t kFilesMax = 10'000;       ///< of a folder

/// A file that was read.
struct SourceFile {
  std::string name;  ///< relative to the folder that was given
  json::Document content;
};

/// Returns the YAML document as JSON: plain scalars that spell a boolean, number or null become
/// one, everything else a text. Errors: InputUnreadable with line, ByteCap. Thread: any.
Result<json::Document> ParseYaml(std::string_view text);

/// Parses by the first character: JSON where it is {, else YAML.
Result<json::Document> ParseDocument(std::string_view text);

/// Reads a file, or every *.yml, *.yaml and *.json under a folder, sorted by name. Errors:
/// InputUnreadable, naming the file, when it cannot be read or is neither; ByteCap.
Result<std::vector<SourceFile>> ReadPath(const std::string& path);

}  // namespace schemaward::interchange
