#pragma once

// A mysql://, mariadb:// or singlestore:// URI, read.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace schemaward::connect::mysql {

/// As MySQL's own ssl-mode. Preferred: TLS where the server offers it, unless by a socket file.
/// VerifyCa is as strict as VerifyIdentity: the client library checks names with chains.
enum class TlsMode : std::uint8_t { Disabled, Preferred, Required, VerifyCa, VerifyIdentity };

struct Location {
  std::string host;      ///< empty: by the socket file
  std::string socket;    ///< path of a socket file; empty: the client library's own
  std::string user;      ///< empty: the system's user
  std::string database;  ///< empty: every database that the role may see
  unsigned port = 3306;
  TlsMode tls = TlsMode::Preferred;
  std::string authority, certificate, key;  ///< paths of PEM files, or empty
  std::chrono::milliseconds connect_time_max{10'000};
};

/// Reads scheme://user@host:port/database?option=value&... Options: ssl-mode (disabled, preferred,
/// required, verify-ca, verify-identity; also libpq's words), ssl-ca, ssl-cert, ssl-key, socket,
/// connect-timeout (seconds); '_' may stand for '-'. A named host is always reached by TCP, also
/// localhost. Errors: SourceUnreachable, naming what cannot be read: a word that is left out here
/// could be the one that asks for TLS. Thread: any.
Result<Location> ReadLocation(std::string_view uri);

}  // namespace schemaward::connect::mysql
