#include "app/refresh_work.h"

#include "app/query_logs.h"
#include "app/suggest_after.h"

namespace schemaward::app {

index::RunOptions RefreshRun(const Application& application, store::Store& store,
                             const privacy::Policy& policy, const PolicyOf& policy_of) {
  index::RunOptions run;
  run.policy = policy;
  const SuggestAfterOptions suggest{policy, false, QueryLogOptionsOf(application.config())};
  run.after = InTurn(SuggestAfter(store, suggest, LogSuggestion),
                     EmbedAfter(store, application.embedder(), policy_of, LogEmbedding));
  run.when_unchanged =
      InTurn(SuggestWhenUnchanged(store, suggest, LogSuggestion),
             EmbedWhenMissing(store, application.embedder(), policy_of, LogEmbedding));
  return run;
}

index::OpenSource OpenFor(Application& application) {
  return [&application](const store::Source& source, CallContext& ctx) {
    return application.Connect(source, ctx);
  };
}

}  // namespace schemaward::app
