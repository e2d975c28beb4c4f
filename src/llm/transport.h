#pragma once

// The way of models to the network.

#include <memory>
#include <string>

#include "llm/provider.h"
#include "net/http.h"

namespace schemaward::llm {

/// Returns a post that sends by `client`, which it keeps. `authority`: a PEM file of certificates
/// to trust in place of the system's, or empty. Thread: any.
HttpPost PostBy(std::shared_ptr<net::HttpClient> client, std::string authority);

}  // namespace schemaward::llm
