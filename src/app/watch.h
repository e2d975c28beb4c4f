#pragma once

// The index's refresher as the tools see it.

#include "index/refresher.h"
#include "tools/services.h"

namespace schemaward::app {

/// Thread: any. Lifetime: the refresher outlives it.
class RefreshWatch final : public tools::IndexWatch {
 public:
  explicit RefreshWatch(index::Refresher& refresher) : refresher_(refresher) {}
  tools::BuildState State(const store::Source& source) override;
  void Used(const store::Source& source) override;
  bool LookNow(const store::Source& source, std::string_view name) override;

 private:
  index::Refresher& refresher_;
};

}  // namespace schemaward::app
