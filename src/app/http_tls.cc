#include "app/http_tls.h"

#include <fmt/format.h>

#include "base/log.h"

namespace schemaward::app {
namespace {

void Log(const Status& read) {
  if (read) return log::Write(log::Level::Info, "http", "tls_read", "a new certificate and key");
  log::Write(log::Level::Warn, "http", "tls_kept",
             fmt::format("{}; the certificate of before stays", read.error().message()));
}

}  // namespace

Result<std::optional<transport::TlsFiles>> ReadTlsFiles(const Config& config) {
  const std::string& certificate = config.Get("http.tls.certificate");
  const std::string& key = config.Get("http.tls.key");
  if (certificate.empty() && key.empty()) return std::nullopt;
  if (certificate.empty() || key.empty())
    return Error(ErrorKind::InputUnreadable,
                 fmt::format("setting \"{}\" is missing beside \"{}\"",
                             key.empty() ? "http.tls.key" : "http.tls.certificate",
                             key.empty() ? "http.tls.certificate" : "http.tls.key"));
  return transport::TlsFiles{.certificate = certificate, .key = key, .said = Log};
}

}  // namespace schemaward::app
