#include "base/file_watch.h"

#include <utility>

#include <sys/stat.h>

namespace schemaward {
namespace {

std::int64_t NanosOf(const timespec& time) {
  constexpr std::int64_t kNanosASecond = 1'000'000'000;
  return time.tv_sec * kNanosASecond + time.tv_nsec;
}

}  // namespace

bool IsWritableByOthers(const std::string& path) {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 && (found.st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

FileWatch::FileWatch(std::vector<std::string> paths, const Clock& clock,
                     std::chrono::milliseconds every)
    : paths_(std::move(paths)),
      clock_(clock),
      every_(every),
      stamps_(Look()),
      looked_(clock.Now()) {}

FileWatch::Stamp FileWatch::StampOf(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return {};
  return {.is_there = true,
          .device = found.st_dev,
          .inode = found.st_ino,
          .size = found.st_size,
          .modified_ns = NanosOf(found.st_mtim),
          .changed_ns = NanosOf(found.st_ctim)};
}

std::vector<FileWatch::Stamp> FileWatch::Look() const {
  std::vector<Stamp> stamps;
  stamps.reserve(paths_.size());
  for (const std::string& path : paths_) stamps.push_back(StampOf(path));
  return stamps;
}

bool FileWatch::HasChanged() {
  const auto now = clock_.Now();
  if (now < looked_ + every_) return false;
  looked_ = now;
  std::vector<Stamp> stamps = Look();
  if (stamps == stamps_) return false;
  stamps_ = std::move(stamps);
  return true;
}

}  // namespace schemaward
