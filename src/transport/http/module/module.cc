// The module: the three names that it shows.
#include <utility>

#include "transport/http/server.h"
#include "transport/http/tls.h"
#include "transport/http_module.h"

using schemaward::BuildStamp;
using schemaward::transport::HttpOptions;
using schemaward::transport::HttpServer;
using schemaward::transport::TlsFacts;
using schemaward::transport::TlsFiles;

extern "C" __attribute__((visibility("default"))) const BuildStamp* ward_listen_abi();
extern "C" __attribute__((visibility("default"))) void ward_listen(
    HttpOptions& options, schemaward::Result<std::unique_ptr<HttpServer>>& made);
extern "C" __attribute__((visibility("default"))) void ward_tls_facts(
    const TlsFiles& files, schemaward::Result<TlsFacts>& facts);

const BuildStamp* ward_listen_abi() {
  static constexpr BuildStamp kStamp = schemaward::transport::ListenStamp();
  return &kStamp;
}

void ward_listen(HttpOptions& options, schemaward::Result<std::unique_ptr<HttpServer>>& made) {
  made = schemaward::transport::http::Listen(std::move(options));
}

void ward_tls_facts(const TlsFiles& files, schemaward::Result<TlsFacts>& facts) {
  facts = schemaward::transport::http::FactsOf(files);
}
