// The program's entry: command line, configuration, verb.

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <unistd.h>

#include "app/application.h"
#include "app/refresh_child.h"
#include "base/log.h"
#include "cli/command_line.h"
#include "cli/output.h"
#include "connect/secret.h"

int main(int argc, char** argv) {
  // A file that may not grow is an error like a full disk, not the end of the process.
  std::signal(SIGXFSZ, SIG_IGN);
  if (argc == 2 && std::string_view(argv[1]) == schemaward::app::kRefreshVerb)
    return schemaward::app::RunRefreshJob(STDIN_FILENO);
  auto parsed = schemaward::cli::ParseCommandLine(argc, argv);
  // A password inside a SOURCE must not stand in the list of processes.
  for (int i = 1; i < argc; ++i) schemaward::connect::WipeArgument(argv[i]);
  if (!parsed.line) return parsed.exit_code;
  std::error_code failed;
  const auto folder = std::filesystem::current_path(failed);
  auto config =
      schemaward::app::Config::Load(parsed.line->settings, schemaward::connect::SystemEnvironment(),
                                    failed ? "/" : folder.string());
  if (!config) return schemaward::cli::PrintError(config.error());
  schemaward::log::SetLevel(schemaward::log::LevelOf(config->Get("log.level")));
  schemaward::app::Application app(*std::move(config));
  return parsed.line->run(*parsed.line, app);
}
