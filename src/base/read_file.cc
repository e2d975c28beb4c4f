#include "base/read_file.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace schemaward {

Result<std::string> ReadFile(const std::string& path, std::uintmax_t bytes_max,
                             std::string_view what) {
  std::error_code failed;
  const auto bytes = std::filesystem::file_size(path, failed);
  std::ifstream in(path, std::ios::binary);
  if (failed || !in || bytes > bytes_max)
    return Error(ErrorKind::InputUnreadable, std::string(what) + " " + path + " cannot be read");
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace schemaward
