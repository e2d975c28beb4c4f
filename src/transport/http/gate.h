#pragma once

// Which requests are let in, by their head alone. Pure.

#include <string>
#include <string_view>

#include "transport/http_server.h"

namespace schemaward::transport::http {

/// Returns true where `host` (a Host header) names this machine, the address that is listened on,
/// or one of the options' hosts. Another name is how a web page reaches a server of this machine
/// by a DNS entry of its own.
bool IsOurHost(std::string_view host, const HttpOptions& options);

/// Returns true where a page of `origin` may ask: one of this machine while only this machine is
/// listened to, or one of the options' origins.
bool IsOurOrigin(std::string_view origin, const HttpOptions& options);

/// Returns the token of `Authorization: Bearer TOKEN`; empty where there is none.
std::string_view BearerToken(std::string_view authorization);

/// What an Accept header lets us answer with. None given: all.
struct Accepted {
  bool json = false;
  bool stream = false;
};
Accepted AcceptedBy(std::string_view accept);

/// Returns true where a Content-Type header says JSON.
bool IsJson(std::string_view content_type);

/// Returns true where a protocol version (a date) is of the era without sessions, in which a
/// session that is named is passed over.
bool IsWithoutSessions(std::string_view protocol_version);

}  // namespace schemaward::transport::http
