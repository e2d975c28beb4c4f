#include "cli/wired_clients.h"

#include <filesystem>
#include <system_error>

#include "base/ascii.h"
#include "connect/secret.h"

namespace schemaward::cli {

bool IsEntryName(std::string_view name) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789-_";
  return !name.empty() && name.size() <= kEntryNameMax &&
         LowerAscii(name).find_first_not_of(kAllowed) == std::string::npos;
}

Result<clients::Place> UserPlace() {
  const auto environment = connect::SystemEnvironment();
  clients::Place place;
  place.home = environment("HOME").value_or("");
  if (!place.home.starts_with('/'))
    return Error(ErrorKind::InputUnreadable, "the variable HOME names no folder");
  place.config = environment("XDG_CONFIG_HOME").value_or("");
  if (!place.config.starts_with('/')) place.config = place.home + "/.config";
#ifdef __APPLE__
  place.is_mac = true;
#endif
  return place;
}

std::string AbsolutePath(const std::string& path) {
  std::error_code failed;
  const auto absolute = std::filesystem::absolute(path, failed).lexically_normal();
  return failed ? path : absolute.string();
}

}  // namespace schemaward::cli
