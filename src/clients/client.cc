#include "clients/client.h"

#include <filesystem>
#include <system_error>

namespace schemaward::clients {
namespace {

// Source of each row: what the clients' pages on MCP servers say in November 2026; none was tried
// in the program itself. docs/clients.md shows the files.
constexpr Client kClients[] = {
    {.name = "claude-desktop",
     .title = "Claude Desktop",
     .format = Format::Json,
     .file = "{config}/Claude/claude_desktop_config.json",
     .mac_file = "~/Library/Application Support/Claude/claude_desktop_config.json",
     .sign = "",
     .servers = "mcpServers",
     .mark = "",
     .mark_value = "",
     .env_reference = "",
     .opening = Opening::Initialize},
    {.name = "claude-code",
     .title = "Claude Code",
     .format = Format::Json,
     .file = "~/.claude.json",
     .mac_file = "~/.claude.json",
     .sign = "~/.claude",
     .servers = "mcpServers",
     .mark = "type",
     .mark_value = "stdio",
     .env_reference = "${NAME}",
     .opening = Opening::Discover},
    {.name = "cursor",
     .title = "Cursor",
     .format = Format::Json,
     .file = "~/.cursor/mcp.json",
     .mac_file = "~/.cursor/mcp.json",
     .sign = "",
     .servers = "mcpServers",
     .mark = "",
     .mark_value = "",
     .env_reference = "${env:NAME}",
     .opening = Opening::Initialize},
    {.name = "windsurf",
     .title = "Windsurf",
     .format = Format::Json,
     .file = "~/.codeium/windsurf/mcp_config.json",
     .mac_file = "~/.codeium/windsurf/mcp_config.json",
     .sign = "",
     .servers = "mcpServers",
     .mark = "",
     .mark_value = "",
     .env_reference = "${env:NAME}",
     .opening = Opening::Initialize},
    {.name = "vscode",
     .title = "VS Code",
     .format = Format::Jsonc,
     .file = "{config}/Code/User/mcp.json",
     .mac_file = "~/Library/Application Support/Code/User/mcp.json",
     .sign = "",
     .servers = "servers",
     .mark = "type",
     .mark_value = "stdio",
     .env_reference = "${env:NAME}",
     .opening = Opening::Initialize},
    {.name = "zed",
     .title = "Zed",
     .format = Format::Jsonc,
     .file = "{config}/zed/settings.json",
     .mac_file = "~/.config/zed/settings.json",
     .sign = "",
     .servers = "context_servers",
     .mark = "source",
     .mark_value = "custom",
     .env_reference = "",
     .opening = Opening::Initialize},
    {.name = "codex",
     .title = "Codex",
     .format = Format::Toml,
     .file = "~/.codex/config.toml",
     .mac_file = "~/.codex/config.toml",
     .sign = "",
     .servers = "mcp_servers",
     .mark = "",
     .mark_value = "",
     .env_reference = "NAME",
     .opening = Opening::Initialize},
    {.name = "gemini",
     .title = "Gemini CLI",
     .format = Format::Jsonc,
     .file = "~/.gemini/settings.json",
     .mac_file = "~/.gemini/settings.json",
     .sign = "",
     .servers = "mcpServers",
     .mark = "",
     .mark_value = "",
     .env_reference = "${NAME}",
     .opening = Opening::Initialize},
};

std::string Expand(std::string_view path, const Place& place) {
  constexpr std::string_view kConfig = "{config}";
  if (path.starts_with(kConfig)) return place.config + std::string(path.substr(kConfig.size()));
  return path.starts_with("~") ? place.home + std::string(path.substr(1)) : std::string(path);
}

}  // namespace

std::span<const Client> AllClients() { return kClients; }

const Client* FindClient(std::string_view name) {
  for (const Client& client : kClients)
    if (client.name == name) return &client;
  return nullptr;
}

std::string FileOf(const Client& client, const Place& place) {
  return Expand(place.is_mac ? client.mac_file : client.file, place);
}

bool IsInstalled(const Client& client, const Place& place) {
  namespace fs = std::filesystem;
  const fs::path file = FileOf(client, place);
  const fs::path sign =
      client.sign.empty() ? file.parent_path() : fs::path(Expand(client.sign, place));
  std::error_code failed;
  return fs::exists(file, failed) || fs::exists(sign, failed);
}

}  // namespace schemaward::clients
