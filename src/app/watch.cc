#include "app/watch.h"

#include "store/reading.h"

namespace schemaward::app {

tools::BuildState RefreshWatch::State(const store::Source& source) {
  const index::Freshness fresh = refresher_.StateOf(source);
  return {fresh.state == index::IndexState::Building, fresh.progress.done, fresh.progress.total,
          fresh.last_error};
}

void RefreshWatch::Used(const store::Source& source) { (void)refresher_.EnsureFresh(source); }

bool RefreshWatch::LookNow(const store::Source& source, std::string_view name) {
  const bool changed = refresher_.EnsureFreshForName(source, name).changed;
  store::Reading::Renew();  // also where another thread has changed it meanwhile
  return changed;
}

}  // namespace schemaward::app
