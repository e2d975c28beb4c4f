#pragma once

// The HTTP server of the program: its module is loaded where it is asked for, so that a server on a
// pipe pays nothing for it.

#include <filesystem>
#include <memory>
#include <vector>

#include "transport/http_server.h"

namespace schemaward::transport {

/// Returns a server that listens. folders: where ward_listen.so is looked for, in order; it stays
/// loaded until the process ends. Errors: EngineUnavailable where the module is missing or of
/// another build; InvalidArgument where the address cannot be listened on;
/// InputUnreadable where a certificate or its key cannot be used.
Result<std::unique_ptr<HttpServer>> ListenOnHttp(const std::vector<std::filesystem::path>& folders,
                                                 HttpOptions options);

/// Returns what is known of a certificate, its key checked. folders: as above. Errors:
/// EngineUnavailable as above; InputUnreadable where the pair cannot be used, now or ever.
Result<TlsFacts> TlsFactsOf(const std::vector<std::filesystem::path>& folders,
                            const TlsFiles& files);

}  // namespace schemaward::transport
