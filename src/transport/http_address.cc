// ADDR:PORT, read and judged.
#include <charconv>

#include <arpa/inet.h>
#include <netinet/in.h>

#include "transport/http_server.h"

namespace schemaward::transport {
namespace {

Error NoAddress() {
  return std::move(
      Error(ErrorKind::InvalidArgument, "the address to listen on must be ADDR:PORT")
          .Hint("ADDR is a numeric address, [IPv6] in brackets, or localhost; for example "
                "127.0.0.1:8080."));
}

bool IsNumeric(const std::string& host) {
  in6_addr ignored{};
  return inet_pton(AF_INET, host.c_str(), &ignored) == 1 ||
         inet_pton(AF_INET6, host.c_str(), &ignored) == 1;
}

}  // namespace

Result<HttpAddress> ReadHttpAddress(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return NoAddress();
  HttpAddress address;
  std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  const auto [end, failed] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (port.empty() || failed != std::errc() || end != port.data() + port.size()) return NoAddress();
  const bool in_brackets = host.starts_with('[') && host.ends_with(']');
  if (in_brackets) host = host.substr(1, host.size() - 2);
  if (!in_brackets && host.find(':') != std::string_view::npos) return NoAddress();
  address.host = host == "localhost" ? "127.0.0.1" : std::string(host);
  if (!IsNumeric(address.host)) return NoAddress();
  return address;
}

bool IsLoopback(const HttpAddress& address) {
  constexpr std::uint32_t kLoopbackNet = 127;
  in_addr four{};
  if (inet_pton(AF_INET, address.host.c_str(), &four) == 1)
    return ntohl(four.s_addr) >> 24 == kLoopbackNet;
  in6_addr six{};
  return inet_pton(AF_INET6, address.host.c_str(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six) != 0;
}

}  // namespace schemaward::transport
