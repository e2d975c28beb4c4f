// schemaward sources: lists the sources in the store, renames or removes one.

#include <fmt/format.h>

#include "app/policy.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "json/value.h"
#include "store/sources.h"

namespace schemaward::cli {
namespace {

std::string JsonOf(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ",") + json::Quote(name);
  return '[' + out + ']';
}

std::string JsonOf(const store::Source& source, std::string_view profile) {
  std::string out =
      "{\"name\":" + json::Quote(source.name) + ",\"engine\":" + json::Quote(source.engine) +
      ",\"engine_version\":" + json::Quote(source.engine_version) +
      ",\"location\":" + json::Quote(MaskSecrets(source.location)) +
      ",\"secret\":" + json::Quote(source.secret_ref) + ",\"profile\":" + json::Quote(profile) +
      ",\"schemas\":" + JsonOf(source.schemas);
  out +=
      fmt::format(",\"tables\":{},\"views\":{},\"generation\":{},\"missing\":{},\"indexed_at\":",
                  source.table_count, source.view_count, source.generation, source.missing.size());
  return out + (source.generation > 0 ? json::Quote(ToIsoUtc(source.indexed_at_us)) : "null") + '}';
}

// The profile under which a server of this source alone would answer on standard output.
Result<std::string> ProfileOf(const app::Application& app, const store::Source& source) {
  WARD_TRY(const privacy::Policy policy,
           app::LoadPolicy(app.config(), app::DefaultProfile({source}, true)));
  const privacy::Policy own = policy.Of(source.name, app::DefaultProfile({source}, true));
  return std::string(privacy::NameOf(own.profile()));
}

int List(const CommandLine& line, const app::Application& app, store::Store& store) {
  const auto sources = store.ListSources();
  if (!sources) return PrintError(sources.error());
  std::vector<std::string> profiles;
  for (const store::Source& source : *sources) {
    const auto profile = ProfileOf(app, source);
    if (!profile) return PrintError(profile.error());
    profiles.push_back(*profile);
  }
  if (line.json) {
    std::string out = "{\"sources\":[";
    for (std::size_t i = 0; i < sources->size(); ++i)
      out += (i == 0 ? "" : ",") + JsonOf((*sources)[i], profiles[i]);
    PrintLine(out + "]}");
    return kDone;
  }
  std::vector<std::vector<std::string>> rows = {
      {"NAME", "ENGINE", "TABLES", "VIEWS", "INDEXED AT", "PROFILE", "SECRET", "LOCATION"}};
  for (std::size_t i = 0; i < sources->size(); ++i) {
    const store::Source& source = (*sources)[i];
    rows.push_back({source.name, source.engine, fmt::format("{}", source.table_count),
                    fmt::format("{}", source.view_count),
                    source.generation > 0 ? ToIsoUtc(source.indexed_at_us) : "never", profiles[i],
                    source.secret_ref, MaskSecrets(source.location)});
  }
  PrintTable(rows);
  return kDone;
}

int RunSources(const CommandLine& line, app::Application& app) {
  const auto store = app.Store(false);
  if (!store) return PrintError(store.error());
  if (line.rename) {
    const std::size_t equals = line.rename->find('=');
    if (equals == std::string::npos)
      return PrintError(Error(ErrorKind::InvalidArgument, "--rename takes OLD=NEW")
                            .Hint("As in `schemaward sources --rename shop=store`."));
    const auto renamed = store::RenameSource(**store, line.rename->substr(0, equals),
                                             line.rename->substr(equals + 1));
    return renamed ? kDone : PrintError(renamed.error());
  }
  if (line.remove) {
    const auto removed = store::RemoveSource(**store, *line.remove);
    return removed ? kDone : PrintError(removed.error());
  }
  return List(line, app, **store);
}

}  // namespace

void AddSources(Syntax& program, CommandLine& line) {
  Syntax verb = program.Verb("sources", "List the sources in the store, rename or remove one",
                             "  schemaward sources\n"
                             "  schemaward sources --rename shop=store\n"
                             "  schemaward sources --remove shop",
                             RunSources);
  verb.Text("--rename", "OLD=NEW", line.rename, "Rename a source");
  verb.Text("--remove", "NAME", line.remove, "Remove a source and its index");
}

}  // namespace schemaward::cli
