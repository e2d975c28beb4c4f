#pragma once

// A service for tests: answers by method and path, in order, and keeps what it was asked.

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "net/http.h"

namespace schemaward::workspaces {

/// Thread: owner.
class FakeService final : public net::HttpClient {
 public:
  /// The next answer to METHOD URL, the URL without its query; the last one given stands.
  void Answer(const std::string& call, int status, std::string body) {
    answers_[call].push_back({status, "application/json", std::move(body), {}});
  }
  void Answer(const std::string& call, net::HttpResponse response) {
    answers_[call].push_back(std::move(response));
  }

  Result<net::HttpResponse> Send(const net::HttpRequest& request, CallContext& ctx) override {
    WARD_CHECK(ctx.Check());
    seen.push_back(request);
    const std::string call = request.method + ' ' + request.url.substr(0, request.url.find('?'));
    const auto found = answers_.find(call);
    if (found == answers_.end())
      return Error(ErrorKind::SourceUnreachable, "a service does not answer").Private(call);
    net::HttpResponse answer = found->second.front();
    if (found->second.size() > 1) found->second.pop_front();
    return answer;
  }

  std::vector<net::HttpRequest> seen;

 private:
  std::map<std::string, std::deque<net::HttpResponse>> answers_;
};

}  // namespace schemaward::workspaces
