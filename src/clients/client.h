#pragma once

// The MCP clients that `schemaward init` knows: one row a client.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace schemaward::clients {

/// How a client's configuration file is written.
enum class Format : std::uint8_t {
  Json,
  Jsonc,  ///< JSON with comments and trailing commas
  Toml
};

/// How a client opens a session over standard input and output.
enum class Opening : std::uint8_t {
  Initialize,  ///< the handshake of 2025-11-25 and before
  Discover     ///< server/discover of 2026-07-28, without a session
};

/// One client. Lifetime of the views: static.
struct Client {
  std::string_view name;   ///< what --client takes
  std::string_view title;  ///< what people call it
  Format format;
  std::string_view file;      ///< on Linux; "~" is the home folder, "{config}" the XDG one
  std::string_view mac_file;  ///< on macOS
  std::string_view sign;      ///< exists where the client is installed; empty: the file's folder
  std::string_view servers;   ///< member that holds the servers by name
  std::string_view mark;      ///< member that an entry must have besides, or empty
  std::string_view mark_value;
  /// How a value of "env" names a variable of the client's own environment, "NAME" standing for it.
  /// Empty: it cannot, so the client's process must have the variable or the secret a file.
  std::string_view env_reference;
  Opening opening;
};

/// Where a user's files are.
struct Place {
  std::string home;    ///< absolute
  std::string config;  ///< absolute; $XDG_CONFIG_HOME, else ~/.config
  bool is_mac = false;
};

/// Returns every client, in the order in which they are shown. Thread: any, as all below.
std::span<const Client> AllClients();

/// Returns the client of that name, or null.
const Client* FindClient(std::string_view name);

/// Returns the absolute path of the client's configuration file, which need not exist.
std::string FileOf(const Client& client, const Place& place);

/// True where the client has left its sign.
bool IsInstalled(const Client& client, const Place& place);

}  // namespace schemaward::clients
