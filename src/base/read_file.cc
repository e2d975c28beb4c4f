#include "base/read_file.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include <unistd.h>

namespace schemaward {
namespace {

namespace fs = std::filesystem;

std::string_view WhyUnreadable(const std::string& path) {
  std::error_code failed;
  const fs::file_status status = fs::status(path, failed);
  if (status.type() == fs::file_type::not_found)
    return "There is no such file; a relative path starts in the current folder.";
  if (fs::is_directory(status)) return "It is a folder, and a file is meant.";
  if (failed == std::errc::permission_denied || ::access(path.c_str(), R_OK) != 0)
    return "This user may not read it.";
  return {};
}

}  // namespace

Error UnreadableFile(const std::string& path, std::string_view what) {
  return std::move(
      Error(ErrorKind::InputUnreadable, std::string(what) + " " + path + " cannot be read")
          .Detail(WhyUnreadable(path)));
}

Result<std::string> ReadFile(const std::string& path, std::uintmax_t bytes_max,
                             std::string_view what) {
  std::error_code failed;
  const auto bytes = fs::file_size(path, failed);
  std::ifstream in(path, std::ios::binary);
  if (failed || !in) return UnreadableFile(path, what);
  if (bytes > bytes_max)
    return Error(ErrorKind::InputUnreadable, std::string(what) + " " + path + " cannot be read")
        .Detail("It has more than " + std::to_string(bytes_max) + " bytes.");
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace schemaward
