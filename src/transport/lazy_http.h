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
/// another build; InvalidArgument where the address cannot be listened on.
Result<std::unique_ptr<HttpServer>> ListenOnHttp(const std::vector<std::filesystem::path>& folders,
                                                 HttpOptions options);

}  // namespace schemaward::transport
