#include "transport/http/gate.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace schemaward::transport::http {
namespace {

constexpr std::array<std::string_view, 3> kLoopbackNames = {"localhost", "127.0.0.1", "[::1]"};
constexpr std::string_view kFirstWithoutSessions = "2026-07-28";

// host[:port] without the port, in lower case.
std::string NameOf(std::string_view authority) {
  const std::size_t bracket = authority.rfind(']');
  const std::size_t colon = authority.rfind(':');
  if (colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket))
    authority = authority.substr(0, colon);
  return LowerAscii(authority);
}

bool IsLoopbackName(const std::string& name) {
  return std::find(kLoopbackNames.begin(), kLoopbackNames.end(), name) != kLoopbackNames.end();
}

bool Holds(const std::vector<std::string>& list, std::string_view lower) {
  return std::any_of(list.begin(), list.end(),
                     [&](const std::string& item) { return LowerAscii(item) == lower; });
}

}  // namespace

bool IsOurHost(std::string_view host, const HttpOptions& options) {
  const std::string name = NameOf(host);
  if (IsLoopbackName(name) || Holds(options.hosts, name)) return true;
  const std::string& own = options.address.host;
  return name == own || name == '[' + own + ']';
}

bool IsOurOrigin(std::string_view origin, const HttpOptions& options) {
  const std::string lower = LowerAscii(origin);
  if (Holds(options.origins, lower)) return true;
  if (!IsLoopback(options.address)) return false;
  for (const std::string_view scheme : {"http://", "https://"})
    if (lower.starts_with(scheme)) return IsLoopbackName(NameOf(lower.substr(scheme.size())));
  return false;
}

std::string_view BearerToken(std::string_view authorization) {
  constexpr std::string_view kScheme = "bearer ";
  if (authorization.size() <= kScheme.size() ||
      LowerAscii(authorization.substr(0, kScheme.size())) != kScheme)
    return {};
  authorization.remove_prefix(kScheme.size());
  const std::size_t begin = authorization.find_first_not_of(' ');
  return begin == std::string_view::npos ? std::string_view() : authorization.substr(begin);
}

Accepted AcceptedBy(std::string_view accept) {
  const std::string lower = LowerAscii(accept);
  const auto has = [&](std::string_view what) { return lower.find(what) != std::string::npos; };
  if (lower.empty() || has("*/*")) return {true, true};
  return {has("application/json") || has("application/*"),
          has("text/event-stream") || has("text/*")};
}

bool IsJson(std::string_view content_type) {
  constexpr std::string_view kJson = "application/json";
  const std::string lower = LowerAscii(content_type);
  return lower.starts_with(kJson) &&
         (lower.size() == kJson.size() || lower[kJson.size()] == ';' || lower[kJson.size()] == ' ');
}

bool IsWithoutSessions(std::string_view protocol_version) {
  return protocol_version.size() == kFirstWithoutSessions.size() &&
         protocol_version >= kFirstWithoutSessions;
}

}  // namespace schemaward::transport::http
