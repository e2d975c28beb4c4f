// The module: the two names that it shows.
#include "net/module.h"

#include "net/curl/curl_client.h"

extern "C" __attribute__((visibility("default"))) const schemaward::BuildStamp* ward_http_abi();
extern "C" __attribute__((visibility("default"))) schemaward::net::HttpClient* ward_http_make();

const schemaward::BuildStamp* ward_http_abi() {
  static constexpr schemaward::BuildStamp kStamp = schemaward::net::HttpStamp();
  return &kStamp;
}

schemaward::net::HttpClient* ward_http_make() {
  return schemaward::net::MakeCurlClient().release();
}
