#pragma once

// The server of streamable HTTP.

#include <memory>

#include "transport/http_server.h"

namespace schemaward::transport::http {

/// Returns a server that listens; it answers once it is run. It ends on SIGTERM, SIGINT and SIGHUP;
/// a second one ends it at once. Errors: InvalidArgument where the address is not this machine's or
/// its port is taken; InputUnreadable where a certificate or its key cannot be used.
Result<std::unique_ptr<HttpServer>> Listen(HttpOptions options);

}  // namespace schemaward::transport::http
