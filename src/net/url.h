#pragma once

// URLs, as far as callers of services need them.

#include <string>
#include <string_view>

namespace schemaward::net {

/// Returns `text` with every byte but letters, digits and -._~ as %XX. Thread: any.
std::string UrlEncode(std::string_view text);

/// Returns `text` with %XX and '+' decoded. Thread: any.
std::string UrlDecode(std::string_view text);

/// Returns the host of scheme://[user@]host[:port]/..., in lower case and without brackets; empty
/// where there is none.
std::string HostOf(std::string_view url);

/// True for localhost and addresses of the loopback interface.
bool IsLoopback(std::string_view host);

/// True for https, and for http to this very machine: a token must not cross a network in the
/// clear.
bool IsSafeUrl(std::string_view url);

}  // namespace schemaward::net
