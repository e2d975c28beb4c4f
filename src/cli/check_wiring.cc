#include "cli/check_wiring.h"

#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "cli/wired_clients.h"
#include "clients/client.h"
#include "clients/session.h"
#include "clients/text_file.h"
#include "clients/wiring.h"
#include "connect/secret.h"

namespace schemaward::cli {
namespace {

constexpr std::chrono::seconds kSessionWait{20};

using clients::Client;

Result<std::optional<clients::Wired>> Entry(const Client& client, const clients::Place& place) {
  WARD_TRY(const auto file, clients::ReadTextFile(clients::FileOf(client, place)));
  if (!file.is_there) return std::optional<clients::Wired>();
  return clients::ReadWired(client, file.text, std::string(kEntryName));
}

Result<clients::SessionFacts> Prove(const app::Application& app, const Client& client,
                                    const clients::Wired& wired) {
  WARD_TRY(const auto environment, clients::EnvironmentOf(wired, connect::SystemEnvironment()));
  CallContext ctx = app.CommandContext();
  ctx.deadline = Deadline::After(app.clock(), kSessionWait);
  return clients::HoldSession(wired, client.opening, environment, ctx);
}

void CheckClient(const app::Application& app, const Client& client, const clients::Place& place,
                 const AddFinding& add) {
  const std::string check = "client " + std::string(client.name);
  const auto wired = Entry(client, place);
  if (!wired) {
    add(check, "fault", clients::FileOf(client, place) + ": " + wired.error().message(),
        "The client cannot read it either: mend the file.");
    return;
  }
  if (!*wired) {
    if (clients::IsInstalled(client, place))
      add(check, "note", "it is there, but not wired",
          fmt::format("Run `schemaward init --client {}`.", client.name));
    return;
  }
  const auto facts = Prove(app, client, **wired);
  if (!facts) {
    add(check, "fault", facts.error().message(), facts.error().hint());
    return;
  }
  add(check, "ok",
      fmt::format("it gets {} tools of {} {} by revision {}", facts->tool_count, facts->server,
                  facts->version, facts->revision),
      "");
}

}  // namespace

void CheckWiring(const app::Application& app, const AddFinding& add) {
  const auto place = UserPlace();
  if (!place) return;  // without a home there are no clients
  for (const Client& client : clients::AllClients()) CheckClient(app, client, *place, add);
}

}  // namespace schemaward::cli
