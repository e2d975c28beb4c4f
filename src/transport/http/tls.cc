#include "transport/http/tls.h"

#include <array>
#include <ctime>
#include <utility>

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>

namespace schemaward::transport::http {
namespace {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

constexpr std::size_t kFileBytesMax = 1u << 20;
constexpr std::size_t kNamesMax = 16;

Error Wrong(std::string_view what, const error_code& why = {}) {
  return std::move(Error(ErrorKind::InputUnreadable, what).Private(why.message()));
}

Status CheckFile(const std::string& path, std::string_view what, mode_t forbidden) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode))
    return Wrong(fmt::format("there is no file {} of TLS", what));
  if (static_cast<std::size_t>(found.st_size) > kFileBytesMax)
    return Wrong(fmt::format("the {} of TLS is too long", what));
  if ((found.st_mode & forbidden) != 0)
    return std::move(Wrong(fmt::format("the {} of TLS may be read or written by others", what))
                         .Hint("Take that right from them: chmod 600, or 640 where a group of "
                               "its own reads it."));
  return Ok();
}

// A key that asks for a passphrase would wait for a terminal.
std::string NoPassphrase(std::size_t, ssl::context::password_purpose) { return {}; }

struct FreeNames {
  void operator()(GENERAL_NAMES* names) const { GENERAL_NAMES_free(names); }
};

std::vector<std::string> NamesOf(X509* certificate) {
  std::vector<std::string> names;
  const std::unique_ptr<GENERAL_NAMES, FreeNames> all(static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
  for (int i = 0; all != nullptr && i < sk_GENERAL_NAME_num(all.get()); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(all.get(), i);
    if (name->type != GEN_DNS || names.size() == kNamesMax) continue;
    names.emplace_back(reinterpret_cast<const char*>(ASN1_STRING_get0_data(name->d.dNSName)),
                       static_cast<std::size_t>(ASN1_STRING_length(name->d.dNSName)));
  }
  return names;
}

std::int64_t UnixSecondsOf(const ASN1_TIME* time) {
  std::tm parts{};
  return ASN1_TIME_to_tm(time, &parts) == 1 ? static_cast<std::int64_t>(::timegm(&parts)) : 0;
}

}  // namespace

Result<TlsContext> ReadTls(const TlsFiles& files) {
  WARD_CHECK(CheckFile(files.certificate, "certificate", S_IWGRP | S_IWOTH));
  WARD_CHECK(CheckFile(files.key, "key", S_IWGRP | S_IRWXO));
  try {
    auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
    error_code failed;
    SSL_CTX_set_min_proto_version(context->native_handle(), TLS1_2_VERSION);
    SSL_CTX_set_options(context->native_handle(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                                      SSL_OP_CIPHER_SERVER_PREFERENCE);
    // Buffers go back between requests: connections mostly wait.
    SSL_CTX_set_mode(context->native_handle(), SSL_MODE_RELEASE_BUFFERS);
    context->set_password_callback(NoPassphrase, failed);
    context->use_certificate_chain_file(files.certificate, failed);
    if (failed) return Wrong("the certificate of TLS cannot be read", failed);
    context->use_private_key_file(files.key, ssl::context::pem, failed);
    if (failed) return Wrong("the key of TLS cannot be read, or is another certificate's", failed);
    if (SSL_CTX_check_private_key(context->native_handle()) != 1)
      return Wrong("the key of TLS is another certificate's");
    return context;
  } catch (const std::exception& e) {
    return std::move(Error(ErrorKind::Internal, "TLS could not be set up").Private(e.what()));
  }
}

Result<TlsFacts> FactsOf(const TlsFiles& files) {
  WARD_TRY(const TlsContext context, ReadTls(files));
  X509* certificate = SSL_CTX_get0_certificate(context->native_handle());
  TlsFacts facts{.good_until = UnixSecondsOf(X509_get0_notAfter(certificate)),
                 .names = NamesOf(certificate)};
  if (X509_cmp_current_time(X509_get0_notAfter(certificate)) < 0)
    return Wrong("the certificate of TLS has expired");
  if (X509_cmp_current_time(X509_get0_notBefore(certificate)) > 0)
    return Wrong("the certificate of TLS is not good yet");
  return facts;
}

Tls::Tls(TlsFiles files, std::unique_ptr<Clock> clock)
    : files_(std::move(files)),
      clock_(std::move(clock)),
      watch_({files_.certificate, files_.key}, *clock_, files_.look_every) {}

Result<std::unique_ptr<Tls>> Tls::Open(TlsFiles files) {
  std::unique_ptr<Tls> tls(new Tls(std::move(files), std::make_unique<SystemClock>()));
  WARD_TRY(tls->context_, ReadTls(tls->files_));
  return tls;
}

TlsContext Tls::Now() {
  if (!watch_.HasChanged()) return context_;
  auto read = ReadTls(files_);
  if (read) context_ = *read;
  if (files_.said) files_.said(read ? Ok() : Status(read.error()));
  return context_;
}

}  // namespace schemaward::transport::http
