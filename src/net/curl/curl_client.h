#pragma once

// HTTP by libcurl. Linked by the module ward_http.so and by its own tests only.

#include <memory>

#include "net/http.h"

namespace schemaward::net {

/// Returns a client. Thread: the first call alone, as libcurl asks; the client: any.
std::unique_ptr<HttpClient> MakeCurlClient();

}  // namespace schemaward::net
