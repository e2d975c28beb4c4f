#include "base/call_context.h"

namespace schemaward {

Status CallContext::Check() const {
  if (stop.stop_requested()) return Error(ErrorKind::Cancelled, "the call was cancelled");
  if (deadline.HasPassed(clock))
    return Error(ErrorKind::DeadlineExceeded, "the call ran out of time");
  return Ok();
}

}  // namespace schemaward
