#include "app/http_token_file.h"

#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

#include "base/log.h"

namespace schemaward::app {
namespace {

std::int64_t NanosOf(const timespec& time) {
  constexpr std::int64_t kNanosASecond = 1'000'000'000;
  return time.tv_sec * kNanosASecond + time.tv_nsec;
}

}  // namespace

HttpTokenFile::HttpTokenFile(std::string path, const Clock& clock, Stamp stamp, HttpTokens tokens)
    : path_(std::move(path)),
      clock_(clock),
      stamp_(stamp),
      tokens_(std::move(tokens)),
      looked_(clock.Now()) {}

// The stamp is taken first: a change while the file is read is seen at the next look.
Result<std::unique_ptr<HttpTokenFile>> HttpTokenFile::Open(std::string path, const Clock& clock) {
  const Stamp stamp = StampOf(path);
  WARD_TRY(HttpTokens tokens, HttpTokens::Read(path));
  return std::unique_ptr<HttpTokenFile>(
      new HttpTokenFile(std::move(path), clock, stamp, std::move(tokens)));
}

HttpTokenFile::Stamp HttpTokenFile::StampOf(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return {};
  return {.is_there = true,
          .device = found.st_dev,
          .inode = found.st_ino,
          .size = found.st_size,
          .modified_ns = NanosOf(found.st_mtim),
          .changed_ns = NanosOf(found.st_ctim)};
}

void HttpTokenFile::Look() {
  const auto now = clock_.Now();
  if (now < looked_ + kTokensLookEvery) return;
  looked_ = now;
  const Stamp stamp = StampOf(path_);
  if (stamp == stamp_) return;
  stamp_ = stamp;
  auto tokens = HttpTokens::Read(path_);
  if (!tokens)
    return log::Write(log::Level::Warn, "http", "tokens_kept",
                      fmt::format("{}; the list of before stays", tokens.error().message()));
  tokens_ = *std::move(tokens);
  log::Write(log::Level::Info, "http", "tokens_read", fmt::format("{} tokens", tokens_.count()));
}

std::optional<Principal> HttpTokenFile::Admit(std::string_view token) {
  const MutexLock lock(mutex_);
  Look();
  return tokens_.Admit(token);
}

}  // namespace schemaward::app
