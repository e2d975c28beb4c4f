#pragma once

// Who may call over HTTP: bearers of the tokens of a file, of tokens of an OAuth issuer, or
// anybody.

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/config.h"
#include "app/http_oauth.h"
#include "app/http_token_file.h"
#include "base/clock.h"
#include "base/result.h"
#include "transport/http_server.h"

namespace schemaward::app {

/// Thread: any. Lifetime: the clock outlives it.
class HttpAccess {
 public:
  /// folders: where the modules are. Errors: as HttpTokenFile::Open and OpenOAuth.
  static Result<std::unique_ptr<HttpAccess>> Open(
      const Config& config, const Clock& clock, const std::vector<std::filesystem::path>& folders);
  /// Either may be null.
  HttpAccess(std::unique_ptr<HttpTokenFile> tokens, std::unique_ptr<OAuth> oauth)
      : tokens_(std::move(tokens)), oauth_(std::move(oauth)) {}

  /// False where nobody is asked who they are.
  bool AsksWho() const { return tokens_ != nullptr || oauth_ != nullptr; }
  /// As transport::Admit.
  void Admit(std::string_view token, std::function<void(transport::Admission)> then);
  /// The documents that anybody may read.
  std::map<std::string, std::string, std::less<>> Documents() const;

 private:
  const std::unique_ptr<HttpTokenFile> tokens_;
  const std::unique_ptr<OAuth> oauth_;
};

}  // namespace schemaward::app
