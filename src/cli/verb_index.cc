// schemaward index: reads a database's structure into the store.

#include <fmt/format.h>

#include "cli/output.h"
#include "cli/verbs.h"
#include "connect/secret.h"
#include "connect/source_spec.h"
#include "index/run.h"
#include "json/value.h"
#include "json/write.h"

namespace schemaward::cli {
namespace {

constexpr std::size_t kMissingShown = 10;

void PrintSummary(const store::Source& source, const index::Summary& summary) {
  PrintWords(
      fmt::format("{}: {} tables, {} views, {} columns ({} added, {} changed, {} removed, {} "
                  "unchanged) in {} ms",
                  source.name, summary.tables, summary.views, summary.columns, summary.added,
                  summary.changed, summary.removed, summary.unchanged,
                  summary.introspect_ms + summary.sample_ms + summary.write_ms));
  if (!summary.IsPartial()) return;
  PrintWords(fmt::format("{} objects could not be read:", summary.missing.size()));
  for (std::size_t i = 0; i < summary.missing.size() && i < kMissingShown; ++i)
    PrintWords(fmt::format("  {}: {}", summary.missing[i].object, summary.missing[i].reason));
  if (summary.missing.size() > kMissingShown)
    PrintWords(fmt::format("  and {} more", summary.missing.size() - kMissingShown));
}

void PrintJson(const store::Source& source, const index::Summary& summary) {
  std::string out = "{\"source\":" + json::Quote(source.name) +
                    ",\"status\":" + (summary.IsPartial() ? "\"partial\"" : "\"success\"");
  out += ",\"summary\":" + json::Write(summary) + '}';
  PrintLine(out);
}

// A password inside SOURCE serves this run only: says how serve will find one. [R-CLI-4]
void AdviseOnSecret(const std::string& text, const store::Source& source) {
  const auto spec = connect::ParseSource(text);
  if (!spec || !spec->secret_in_text) return;
  PrintWords(
      "The password inside SOURCE is not stored. A later `schemaward serve` looks for it in the "
      "variable " +
      connect::SecretVariable(source.name) +
      ", or where the database's client looks (passfile, service).");
}

}  // namespace

int RunIndex(const CommandLine& line, app::Application& app) {
  auto source = app.AddSource(line.arguments.front(), line.name);
  if (!source) return PrintError(source.error());
  CallContext ctx = app.CommandContext();
  ProgressBar bar("indexing " + source->name);
  ctx.progress = [&](const Progress& progress) { bar.Show(progress); };
  auto connector = app.Connect(*source, ctx);
  if (!connector) return PrintError(connector.error());
  auto store = app.Store(true);
  if (!store) return PrintError(store.error());
  index::RunOptions options;
  options.scope.schemas = line.schemas;
  options.sample_rows = line.sample_rows;
  auto summary = index::Run(**connector, **store, *source, options, ctx);
  if (!summary) return PrintError(summary.error());
  bar.Clear();
  if (line.json)
    PrintJson(*source, *summary);
  else
    PrintSummary(*source, *summary);
  AdviseOnSecret(line.arguments.front(), *source);
  return kDone;
}

}  // namespace schemaward::cli
