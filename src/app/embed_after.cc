#include "app/embed_after.h"

#include <utility>

#include <fmt/format.h>

#include "app/models.h"
#include "base/log.h"
#include "store/vectors.h"

namespace schemaward::app {

index::AfterIndex EmbedAfter(store::Store& store, std::shared_ptr<llm::Embedder> embedder,
                             PolicyOf policy_of, EmbedDone done) {
  if (embedder == nullptr) return {};
  return [&store, embedder = std::move(embedder), policy_of = std::move(policy_of),
          done = std::move(done)](const store::Source& source, connect::Connector&,
                                  const index::Indexed&, CallContext& ctx) {
    const auto patient = Patient(embedder);
    done(source, index::EmbedTables(store, source, policy_of(source), *patient, ctx));
  };
}

index::WhenUnchanged EmbedWhenMissing(store::Store& store, std::shared_ptr<llm::Embedder> embedder,
                                      PolicyOf policy_of, EmbedDone done) {
  if (embedder == nullptr) return {};
  return
      [&store, embedder = std::move(embedder), policy_of = std::move(policy_of),
       done = std::move(done)](const store::Source& source, connect::Connector&, CallContext& ctx) {
        const auto known = store::VectorHashes(store, source.id, llm::IdOf(embedder->info()));
        if (!known) return done(source, known.error());
        if (static_cast<std::int64_t>(known->size()) >= source.table_count + source.view_count)
          return;
        const auto patient = Patient(embedder);
        done(source, index::EmbedTables(store, source, policy_of(source), *patient, ctx));
      };
}

index::AfterIndex InTurn(index::AfterIndex first, index::AfterIndex second) {
  if (!first) return second;
  if (!second) return first;
  return [first = std::move(first), second = std::move(second)](
             const store::Source& source, connect::Connector& connector,
             const index::Indexed& indexed, CallContext& ctx) {
    first(source, connector, indexed, ctx);
    second(source, connector, indexed, ctx);
  };
}

index::WhenUnchanged InTurn(index::WhenUnchanged first, index::WhenUnchanged second) {
  if (!first) return second;
  if (!second) return first;
  return [first = std::move(first), second = std::move(second)](
             const store::Source& source, connect::Connector& connector, CallContext& ctx) {
    first(source, connector, ctx);
    second(source, connector, ctx);
  };
}

void LogEmbedding(const store::Source& source, const Result<index::EmbedSummary>& made) {
  if (!made) {
    log::Write(log::Level::Warn, "embed", "embed_failed", made.error().ToLogText());
    return;
  }
  log::Write(log::Level::Info, "embed", "embedded",
             fmt::format("source={} model={} embedded={} unchanged={} tokens={}", source.name,
                         made->model, made->embedded, made->unchanged, made->tokens));
}

}  // namespace schemaward::app
