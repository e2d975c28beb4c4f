#pragma once

// The settings http.tls.*: the certificate that the HTTP server shows.

#include <optional>

#include "app/config.h"
#include "base/result.h"
#include "transport/http_server.h"

namespace schemaward::app {

/// Returns the files that the configuration names, or nothing. What is said of them later goes to
/// the log as `tls_read` or `tls_kept`. Errors: InputUnreadable where one is named without the
/// other. Thread: any.
Result<std::optional<transport::TlsFiles>> ReadTlsFiles(const Config& config);

}  // namespace schemaward::app
