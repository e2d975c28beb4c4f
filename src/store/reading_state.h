#pragma once

// Inside the store: what a Reading holds. For files of this module only.

#include <memory>
#include <optional>

#include "base/result.h"
#include "store/impl.h"
#include "store/reading.h"

namespace schemaward::store {

/// A connection inside a transaction, from the first read on. Thread: its Reading's.
class Reading::State final : public Home {
 public:
  explicit State(Store::Impl& impl) : impl_(impl) {}
  ~State() override;
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  /// What this thread reads of `impl`, or null.
  static State* Of(const Store::Impl& impl);

  /// The connection, begun at need; nothing while it is lent, and after Stop.
  Result<std::optional<Lease>> Lend(Pool& readers);
  void Return(std::unique_ptr<Connection> connection) override;
  void End();
  /// Ends, and begins no more.
  void Stop();

 private:
  Store::Impl& impl_;
  Pool* pool_ = nullptr;  // where connection_ is from
  std::unique_ptr<Connection> connection_;
  bool is_lent_ = false;
  bool ends_ = false;  // when it comes back
  bool is_stopped_ = false;
};

}  // namespace schemaward::store
