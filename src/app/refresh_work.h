#pragma once

// What a server's refresher does with a source, wherever it does it.

#include "app/application.h"
#include "app/embed_after.h"
#include "index/refresher.h"
#include "privacy/policy.h"

namespace schemaward::app {

/// Returns how a source is indexed in the background, and what follows. `policy_of`: for vectors.
/// Lifetime: the store outlives it.
index::RunOptions RefreshRun(const Application& application, store::Store& store,
                             const privacy::Policy& policy, const PolicyOf& policy_of);

/// Returns what opens a source. Lifetime: the application outlives it.
index::OpenSource OpenFor(Application& application);

}  // namespace schemaward::app
