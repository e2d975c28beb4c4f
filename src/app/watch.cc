#include "app/watch.h"

namespace schemaward::app {

tools::BuildState RefreshWatch::State(const store::Source& source) {
  const index::Freshness fresh = refresher_.StateOf(source);
  return {fresh.state == index::IndexState::Building, fresh.progress.done, fresh.progress.total,
          fresh.last_error};
}

void RefreshWatch::Used(const store::Source& source) { (void)refresher_.EnsureFresh(source); }

bool RefreshWatch::LookNow(const store::Source& source, std::string_view name) {
  return refresher_.EnsureFreshForName(source, name).changed;
}

}  // namespace schemaward::app
