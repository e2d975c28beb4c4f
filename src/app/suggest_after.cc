#include "app/suggest_after.h"

#include <utility>

#include <fmt/format.h>

#include "base/log.h"
#include "interchange/keep.h"
#include "interchange/metricflow.h"

namespace schemaward::app {
namespace {

/// A dbt project says what its tables mean: its semantic models are applied before drafts are made
/// of the rest.
void ApplyDbtModels(store::Store& store, const store::Source& source) {
  if (source.engine != "dbt") return;
  auto imported = interchange::ImportDbtTarget(source.location);
  auto kept = imported ? interchange::Keep(store, source, std::move(*imported), {.prune = true})
                       : Result<interchange::Kept>(std::move(imported).error());
  if (!kept)
    return log::Write(log::Level::Warn, "import", "import_failed", kept.error().ToLogText());
  log::Write(log::Level::Info, "import", "imported",
             fmt::format("source={} added={} changed={} removed={} unchanged={} lost={}",
                         source.name, kept->added.size(), kept->changed.size(),
                         kept->removed.size(), kept->unchanged.size(), kept->losses.size()));
}

Result<suggest::Suggestion> Make(store::Store& store, const store::Source& source,
                                 const std::vector<catalog::Table>& tables,
                                 const std::vector<suggest::QueryLog>& logs,
                                 const SuggestAfterOptions& options, connect::Connector& connector,
                                 std::vector<std::int64_t> shapes, CallContext& ctx) {
  WARD_TRY(auto kept, KeepQueryLogs(store, source, tables, logs, ctx));
  const suggest::SuggestOptions how{options.policy, options.check_values ? &connector : nullptr,
                                    std::move(shapes)};
  WARD_TRY(auto made, suggest::Suggest(store, source, tables, how, ctx));
  made.logs = std::move(kept);
  return made;
}

Result<bool> AnyNew(store::Store& store, const store::Source& source,
                    const std::vector<suggest::QueryLog>& logs) {
  for (const suggest::QueryLog& log : logs) {
    WARD_TRY(const bool is_new, suggest::IsNew(store, source, log));
    if (is_new) return true;
  }
  return false;
}

Result<suggest::Suggestion> MakeAgain(store::Store& store, const store::Source& source,
                                      const std::vector<suggest::QueryLog>& logs,
                                      const SuggestAfterOptions& options,
                                      connect::Connector& connector, CallContext& ctx) {
  WARD_TRY(const auto tables, suggest::LoadTables(store, source.id, ctx));
  return Make(store, source, tables, logs, options, connector, {}, ctx);
}

}  // namespace

void LogSuggestion(const store::Source& source, const Result<suggest::Suggestion>& made) {
  if (!made) {
    log::Write(log::Level::Warn, "suggest", "suggest_failed", made.error().ToLogText());
    return;
  }
  for (const suggest::MinedLog& one : made->logs)
    log::Write(log::Level::Info, "suggest", "queries",
               fmt::format("source={} {}", source.name, suggest::ToText(one)));
  const suggest::KeepSummary& summary = made->summary;
  log::Write(log::Level::Info, "suggest", "suggested",
             fmt::format("source={} added={} changed={} removed={} unchanged={}", source.name,
                         summary.added, summary.changed, summary.removed, summary.unchanged));
}

index::AfterIndex SuggestAfter(store::Store& store, SuggestAfterOptions options, SuggestDone done) {
  return [&store, options = std::move(options), done = std::move(done)](
             const store::Source& source, connect::Connector& connector, index::Indexed indexed,
             CallContext& ctx) {
    ApplyDbtModels(store, source);
    const auto logs = ReadQueryLogs(options.logs, &connector, ctx);
    done(source, Make(store, source, indexed.database.tables, logs, options, connector,
                      std::move(indexed.shapes), ctx));
  };
}

index::WhenUnchanged SuggestWhenUnchanged(store::Store& store, SuggestAfterOptions options,
                                          SuggestDone done) {
  return [&store, options = std::move(options), done = std::move(done)](
             const store::Source& source, connect::Connector& connector, CallContext& ctx) {
    const auto logs = ReadQueryLogs(options.logs, &connector, ctx);
    const auto any = AnyNew(store, source, logs);
    if (!any) return done(source, any.error());
    if (*any) done(source, MakeAgain(store, source, logs, options, connector, ctx));
  };
}

}  // namespace schemaward::app
