#include "app/http_token_file.h"

#include <utility>

#include <fmt/format.h>

#include "base/log.h"

namespace schemaward::app {

HttpTokenFile::HttpTokenFile(std::string path, FileWatch watch, HttpTokens tokens)
    : path_(std::move(path)), watch_(std::move(watch)), tokens_(std::move(tokens)) {}

Result<std::unique_ptr<HttpTokenFile>> HttpTokenFile::Open(std::string path, const Clock& clock) {
  FileWatch watch({path}, clock, kTokensLookEvery);
  WARD_TRY(HttpTokens tokens, HttpTokens::Read(path));
  return std::unique_ptr<HttpTokenFile>(
      new HttpTokenFile(std::move(path), std::move(watch), std::move(tokens)));
}

void HttpTokenFile::Look() {
  if (!watch_.HasChanged()) return;
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

bool HttpTokenFile::HasId(const std::string& id) const {
  const MutexLock lock(mutex_);
  return tokens_.HasId(id);
}

}  // namespace schemaward::app
