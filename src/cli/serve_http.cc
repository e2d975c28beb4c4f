#include "cli/serve_http.h"

#include <chrono>
#include <future>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "app/http_access.h"
#include "app/http_tls.h"
#include "cli/command_line.h"
#include "cli/output.h"
#include "connect/registry.h"
#include "mcp/method.h"
#include "transport/lazy_http.h"

namespace schemaward::cli {
namespace {

Error NobodyAsked(const std::string& address) {
  return std::move(
      Error(ErrorKind::InvalidArgument,
            fmt::format("{} is reached from other machines, and nobody would be asked who they are",
                        address))
          .Hint("Name a file of bearer tokens in the setting http.tokens, or an issuer of access "
                "tokens in http.oauth.issuer (and a certificate in http.tls.certificate), or "
                "listen on 127.0.0.1 behind a proxy that knows its callers."));
}

Error NobodyGranted() {
  return std::move(
      Error(ErrorKind::InputUnreadable,
            "setting \"http.tool_scopes\" asks for scopes, and nobody would be asked for a token")
          .Hint("Name a file of bearer tokens in the setting http.tokens, or an issuer of access "
                "tokens in http.oauth.issuer."));
}

}  // namespace

Result<std::unique_ptr<transport::HttpServer>> OpenHttp(const app::Application& app,
                                                        const std::string& address,
                                                        const tool::ToolScopes& scopes,
                                                        const tool::CallMetrics& metrics,
                                                        const HealthOf& health) {
  transport::HttpOptions options;
  WARD_TRY(options.address, transport::ReadHttpAddress(address));
  options.hosts = app.config().GetList("http.hosts");
  options.origins = app.config().GetList("http.origins");
  const auto folders =
      connect::ModuleFolders(connect::SystemEnvironment(), connect::BinaryFolder());
  // Shared since a function is copied.
  WARD_TRY(const std::shared_ptr<app::HttpAccess> access,
           app::HttpAccess::Open(app.config(), app.clock(), folders));
  if (!access->AsksWho() && !transport::IsLoopback(options.address)) return NobodyAsked(address);
  if (!scopes.empty() && !access->AsksWho()) return NobodyGranted();
  options.scope_challenge = [access](const std::vector<std::string>& needed) {
    return access->ScopeChallenge(needed);
  };
  if (access->Judges())
    options.admit = [access](std::string_view token,
                             std::function<void(transport::Admission)> then) {
      access->Admit(token, std::move(then));
    };
  options.documents = access->Documents();
  const std::string& embed_max = app.config().Get("embed.max_cost");
  options.metrics = [&metrics, &health, access, embed_max] {
    return metrics.Text() + access->MetricsText() + app::MetricsText(health(), embed_max);
  };
  // Who is asked who they are need not be told the names of sources before.
  options.ready = [&health, names = !access->AsksWho()] {
    const app::Health now = health();
    return transport::Readiness{app::NotReady(now).empty(), app::ReadyText(now, names)};
  };
  WARD_TRY(options.tls, app::ReadTlsFiles(app.config()));
  if (!options.tls && !transport::IsLoopback(options.address))
    PrintWords(
        "what is sent can be read on the way: set http.tls.certificate and http.tls.key, or "
        "listen behind a proxy that speaks TLS");
  return transport::ListenOnHttp(folders, std::move(options));
}

void TellAddress(const app::Config& config, const std::string& address,
                 const transport::HttpServer& server) {
  const bool has_tls = !config.Get("http.tls.certificate").empty();
  PrintWords(fmt::format("schemaward listens on {}://{}:{}/mcp; end it with Ctrl-C",
                         has_tls ? "https" : "http", address.substr(0, address.rfind(':')),
                         server.port()));
}

void StopOrLeave(ThreadPool& pool) {
  std::promise<void> stopped;
  const std::future<void> stops = stopped.get_future();
  std::thread stopper([&] {
    pool.Stop();
    stopped.set_value();
  });
  if (stops.wait_for(mcp::kStopMax) != std::future_status::ready) ::_exit(kDone);
  stopper.join();
}

}  // namespace schemaward::cli
