#include "app/suggest_after.h"

#include <utility>

#include <fmt/format.h>

#include "base/log.h"
#include "interchange/keep.h"
#include "interchange/metricflow.h"

namespace schemaward::app {
namespace {

void Log(const store::Source& source, const Result<suggest::Suggestion>& made) {
  if (!made) {
    log::Write(log::Level::Warn, "suggest", "suggest_failed", made.error().ToLogText());
    return;
  }
  const suggest::KeepSummary& summary = made->summary;
  log::Write(log::Level::Info, "suggest", "suggested",
             fmt::format("source={} added={} changed={} removed={} unchanged={}", source.name,
                         summary.added, summary.changed, summary.removed, summary.unchanged));
}

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

}  // namespace

index::AfterIndex SuggestAfter(store::Store& store, privacy::Policy policy, bool check_values,
                               SuggestDone done) {
  return [&store, policy, check_values, done = std::move(done)](
             const store::Source& source, connect::Connector& connector,
             const catalog::Database& database, CallContext& ctx) {
    ApplyDbtModels(store, source);
    const suggest::SuggestOptions options{policy, check_values ? &connector : nullptr};
    done(source, suggest::Suggest(store, source, database.tables, options, ctx));
  };
}

index::AfterIndex SuggestAfter(store::Store& store, privacy::Policy policy) {
  return SuggestAfter(store, policy, false, Log);
}

}  // namespace schemaward::app
