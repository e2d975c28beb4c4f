#pragma once

// The HTTP client of the program: its module is loaded at the first request, so that a server that
// asks no service pays nothing for it.

#include <filesystem>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "net/http.h"

namespace schemaward::net {

/// Thread: any. The module stays loaded until the process ends.
class LazyHttpClient final : public HttpClient {
 public:
  /// folders: where ward_http.so is looked for, in order.
  explicit LazyHttpClient(std::vector<std::filesystem::path> folders)
      : folders_(std::move(folders)) {}
  Result<HttpResponse> Send(const HttpRequest& request, CallContext& ctx) override;

 private:
  Result<HttpClient*> Loaded();

  const std::vector<std::filesystem::path> folders_;
  Mutex mutex_;
  std::unique_ptr<HttpClient> client_ GUARDED_BY(mutex_);
};

}  // namespace schemaward::net
