#include "clients/text_file.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/read_file.h"

namespace schemaward::clients {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kBytesMax = 16u << 20;
constexpr mode_t kModeOfNew = 0600;
constexpr mode_t kModeBits = 07777;

Error CouldNot(const std::string& path) {
  return std::move(
      Error(ErrorKind::DiskFull, path + " could not be written").Private(std::to_string(errno)));
}

bool WriteAll(int file, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t wrote = ::write(file, text.data() + done, text.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    done += static_cast<std::size_t>(wrote);
  }
  return true;
}

// Writes a fresh file beside `path`, like the one at `model` in mode and owner, and moves it there.
Status Put(const std::string& path, const std::string& model, const std::string& text) {
  std::string fresh = path + ".XXXXXX";
  const int file = ::mkostemp(fresh.data(), O_CLOEXEC);
  if (file < 0) return CouldNot(path);
  struct stat was {};
  const bool has_model = ::stat(model.c_str(), &was) == 0;
  bool good =
      WriteAll(file, text) && ::fchmod(file, has_model ? was.st_mode & kModeBits : kModeOfNew) == 0;
  // Who may not give it to another owner is the owner.
  if (has_model && ::fchown(file, was.st_uid, was.st_gid) != 0) good = good && errno == EPERM;
  good = ::fsync(file) == 0 && good;
  good = ::close(file) == 0 && good;
  if (good && ::rename(fresh.c_str(), path.c_str()) == 0) return Ok();
  const Error error = CouldNot(path);
  ::unlink(fresh.c_str());
  return error;
}

}  // namespace

Result<TextFile> ReadTextFile(const std::string& path) {
  std::error_code failed;
  TextFile file{fs::weakly_canonical(path, failed).string(), {}, false};
  if (failed) file.path = path;
  file.is_there = fs::exists(file.path, failed);
  if (!file.is_there) {
    if (fs::is_symlink(path, failed))
      return Error(ErrorKind::InputUnreadable, path + " is a link to a file that is not there");
    return file;
  }
  WARD_TRY(file.text, ReadFile(file.path, kBytesMax));
  return file;
}

std::string BackupOf(const TextFile& file) { return file.path + ".before-schemaward"; }

Status ReplaceTextFile(const TextFile& file, const std::string& text) {
  WARD_TRY(const TextFile now, ReadTextFile(file.path));
  if (now.is_there != file.is_there || now.text != file.text)
    return std::move(Error(ErrorKind::InputUnreadable, file.path + " was changed meanwhile")
                         .Hint("Run it again, best while the client is closed."));
  std::error_code failed;
  fs::create_directories(fs::path(file.path).parent_path(), failed);
  if (file.is_there) WARD_CHECK(Put(BackupOf(file), file.path, file.text));
  return Put(file.path, file.path, text);
}

}  // namespace schemaward::clients
