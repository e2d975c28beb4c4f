#include "workspaces/token_file.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "json/value.h"

namespace schemaward::workspaces {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kPrivate = 0600;
constexpr mode_t kOthers = 0077;
constexpr std::uintmax_t kBytesMax = 256U << 10U;

Error CannotKeep(const std::string& path) {
  return std::move(Error(ErrorKind::InputUnreadable,
                         "the file that keeps what is known of the managed service cannot be used")
                       .Private(path));
}

std::string WholeText(const json::Value& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::int64_t NumberIn(const json::Value& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number() ? found->get<std::int64_t>() : 0;
}

}  // namespace

Result<std::optional<Tokens>> ReadTokens(const std::string& path) {
  struct stat info {};
  if (path.empty() || ::stat(path.c_str(), &info) != 0) return std::optional<Tokens>();
  if ((info.st_mode & kOthers) != 0)
    return std::move(Error(ErrorKind::InputUnreadable,
                           "the file of the login's tokens can be read by others; it is not used")
                         .Hint("Set its mode to 0600, or log in again.")
                         .Private(path));
  if (static_cast<std::uintmax_t>(info.st_size) > kBytesMax) return CannotKeep(path);
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  const auto read = json::Parse(text.str());
  if (!read || !read->value().is_object()) return CannotKeep(path);
  const json::Value& value = read->value();
  return std::optional<Tokens>({.access_token = WholeText(value, "access_token"),
                                .refresh_token = WholeText(value, "refresh_token"),
                                .token_endpoint = WholeText(value, "token_endpoint"),
                                .client_id = WholeText(value, "client_id"),
                                .expires_at_s = NumberIn(value, "expires_at")});
}

Status WritePrivately(const std::string& path, const std::string& text) {
  const std::string fresh = fmt::format("{}.{}.new", path, ::getpid());
  ::unlink(fresh.c_str());
  const int file = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kPrivate);
  if (file < 0) return CannotKeep(path);
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::write(file, text.data() + done, text.size() - done);
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  const bool is_synced = ::fsync(file) == 0;
  const bool is_closed = ::close(file) == 0;
  if (done == text.size() && is_synced && is_closed && ::rename(fresh.c_str(), path.c_str()) == 0)
    return Ok();
  ::unlink(fresh.c_str());
  return CannotKeep(path);
}

Status WriteTokens(const std::string& path, const Tokens& tokens) {
  const json::Value value = {{"access_token", tokens.access_token},
                             {"refresh_token", tokens.refresh_token},
                             {"expires_at", tokens.expires_at_s},
                             {"token_endpoint", tokens.token_endpoint},
                             {"client_id", tokens.client_id}};
  return WritePrivately(path, value.dump() + '\n');
}

Status RemoveTokens(const std::string& path) {
  std::error_code failed;
  fs::remove(path, failed);
  return failed ? Status(CannotKeep(path)) : Ok();
}

Result<Tokens> TokensOf(std::string_view body, Tokens old, std::int64_t now_s) {
  constexpr std::int64_t kSecondsMax = 366LL * 24 * 3600;
  const auto read = json::Parse(body);
  const json::Value empty = json::Value::object();
  const json::Value& value = read && read->value().is_object() ? read->value() : empty;
  old.access_token = WholeText(value, "access_token");
  if (old.access_token.empty())
    return Error(ErrorKind::SourceUnreachable, "the login service answered without a token");
  if (std::string refresh = WholeText(value, "refresh_token"); !refresh.empty())
    old.refresh_token = std::move(refresh);
  const std::int64_t lives = NumberIn(value, "expires_in");
  old.expires_at_s = lives > 0 && lives <= kSecondsMax ? now_s + lives : 0;
  return old;
}

}  // namespace schemaward::workspaces
