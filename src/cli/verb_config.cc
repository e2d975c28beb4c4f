// schemaward config, schemaward version.

#include <fmt/format.h>

#include "cli/output.h"
#include "cli/verbs.h"
#include "json/value.h"

namespace schemaward::cli {
namespace {

int RunConfig(const CommandLine& line, app::Application& app) {
  const app::Config& config = app.config();
  if (line.json) {
    std::string out = "{\"file\":" + (config.file().empty() ? "null" : json::Quote(config.file())) +
                      ",\"settings\":{";
    for (const app::SettingSpec& spec : app::SettingSpecs()) {
      const app::Setting& setting = config.settings().find(spec.key)->second;
      out += (out.back() == '{' ? "" : ",") + json::Quote(spec.key) +
             ":{\"value\":" + json::Quote(MaskSecrets(setting.value)) +
             ",\"origin\":" + json::Quote(setting.origin) + '}';
    }
    PrintLine(out + "}}");
    return kDone;
  }
  PrintLine(config.file().empty() ? "no configuration file" : "file: " + config.file());
  std::vector<std::vector<std::string>> rows = {{"SETTING", "VALUE", "ORIGIN", "MEANING"}};
  for (const app::SettingSpec& spec : app::SettingSpecs()) {
    const app::Setting& setting = config.settings().find(spec.key)->second;
    rows.push_back({std::string(spec.key), MaskSecrets(setting.value), setting.origin,
                    std::string(spec.meaning)});
  }
  PrintTable(rows);
  return kDone;
}

int RunVersion(const CommandLine& line, app::Application& /*app*/) {
  PrintLine(line.json ? fmt::format(R"({{"version":"{}"}})", app::Version())
                      : "schemaward " + std::string(app::Version()));
  return kDone;
}

}  // namespace

void AddConfig(Syntax& program, CommandLine& /*line*/) {
  program.Verb("config", "Print the configuration in force, each setting with its origin",
               "  schemaward config", RunConfig);
  program.Verb("version", "Print the version", "  schemaward version", RunVersion);
}

}  // namespace schemaward::cli
