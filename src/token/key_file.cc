// FileKeys.
#include <utility>

#include <fmt/format.h>

#include "base/log.h"
#include "base/read_file.h"
#include "token/key_source.h"

namespace schemaward::token {

FileKeys::FileKeys(std::string path, FileWatch watch, Keys keys)
    : path_(std::move(path)),
      watch_(std::move(watch)),
      keys_(std::make_shared<const Keys>(std::move(keys))) {}

Result<Keys> FileKeys::Read(const std::string& path) {
  if (IsWritableByOthers(path))
    return std::move(Error(ErrorKind::InputUnreadable, "the key set may be written by others")
                         .Hint("Take that right from them: chmod go-w."));
  WARD_TRY(const std::string text, ReadFile(path, kKeySetBytesMax, "key set"));
  return ReadKeySet(text);
}

Result<std::unique_ptr<FileKeys>> FileKeys::Open(std::string path, const Clock& clock) {
  FileWatch watch({path}, clock, kKeysLookEvery);
  WARD_TRY(Keys keys, Read(path));
  return std::unique_ptr<FileKeys>(
      new FileKeys(std::move(path), std::move(watch), std::move(keys)));
}

KeysPtr FileKeys::Now() {
  const MutexLock lock(mutex_);
  if (!watch_.HasChanged()) return keys_;
  auto keys = Read(path_);
  if (keys)
    keys_ = std::make_shared<const Keys>(*std::move(keys));
  else
    log::Write(log::Level::Warn, "http", "keys_kept",
               fmt::format("{}; the keys of before stay", keys.error().message()));
  return keys_;
}

}  // namespace schemaward::token
