#pragma once

// schemaward serve --http: what the server is told, and how it ends.

#include <functional>
#include <memory>
#include <string>

#include "app/application.h"
#include "app/health.h"
#include "base/result.h"
#include "base/thread_pool.h"
#include "tool/call_metrics.h"
#include "tool/invoke.h"
#include "transport/http_server.h"

namespace schemaward::cli {

/// Says how the server's parts stand.
using HealthOf = std::function<app::Health()>;

/// Returns a server that listens on `address` (ADDR:PORT) as the configuration says. `scopes`: what
/// the tools need. `metrics`: the calls' part of /metrics; `health`: of the rest, called once the
/// server runs; both outlive it. Errors: InvalidArgument where it would be reached from other
/// machines and asks nobody who they are; InputUnreadable where the tokens cannot be read, or
/// scopes are needed and no tokens are asked for; as transport::ListenOnHttp.
Result<std::unique_ptr<transport::HttpServer>> OpenHttp(const app::Application& app,
                                                        const std::string& address,
                                                        const tool::ToolScopes& scopes,
                                                        const tool::CallMetrics& metrics,
                                                        const HealthOf& health);

/// Says on standard error where clients reach it.
void TellAddress(const app::Config& config, const std::string& address,
                 const transport::HttpServer& server);

/// Stops the pool. A call that will not stop is waited for a bounded time; then the process ends
/// without it, and the audit log keeps a begin without an end.
void StopOrLeave(ThreadPool& pool);

}  // namespace schemaward::cli
