#include "app/suggest_after.h"

#include <utility>

#include <fmt/format.h>

#include "base/log.h"

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

}  // namespace

index::AfterIndex SuggestAfter(store::Store& store, privacy::Policy policy, SuggestDone done) {
  return [&store, policy, done = std::move(done)](
             const store::Source& source, connect::Connector& /*connector*/,
             const catalog::Database& database, CallContext& ctx) {
    done(source, suggest::Suggest(store, source, database.tables, policy, ctx));
  };
}

index::AfterIndex SuggestAfter(store::Store& store, privacy::Policy policy) {
  return SuggestAfter(store, policy, Log);
}

}  // namespace schemaward::app
