#pragma once

// Reading: one state of the store for all that a call asks of it.

#include <memory>
#include <optional>

#include "base/state_stamp.h"
#include "store/store.h"

namespace schemaward::store {

/// While it lives, what this thread reads of the store is one state, that of its first read, over
/// one connection: a call that asks six questions takes and gives back the file's locks once. Renew
/// ends the state, and the next read begins another. Once this thread writes, each read is by
/// itself, as without a Reading. Where one lives already in the thread, a second changes nothing. A
/// read inside another's visitor is apart and may see a later state. Errors: none here; a read
/// gives its own. Thread: its own. Lifetime: ends before the store.
class Reading {
 public:
  explicit Reading(Store& store);
  ~Reading();
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

  /// Ends the state that this thread reads, if any: for one who has waited for a change.
  static void Renew();

  /// Which state of the store this thread reads; the first read begins it. A reader is one
  /// connection. Nothing where this thread does not read one state of `store`, or that cannot be
  /// read.
  static std::optional<StateStamp> StampOf(Store& store);

  class State;

 private:
  std::unique_ptr<State> state_;  // null where another Reading of this thread has it
};

}  // namespace schemaward::store
