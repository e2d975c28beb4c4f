#pragma once

// The trace of the client's that a request belongs to, so that its records here can be found from
// the client's own.

#include <string>
#include <string_view>

#include "json/value.h"

namespace schemaward::mcp {

/// Returns the 55 characters of a `traceparent` that this can read; empty where `text` is none,
/// which is no error: who follows no traces is answered as well.
/// Source: W3C Trace Context, section 3.2.
std::string_view ReadTraceParent(std::string_view text);

/// Returns the trace parent that `params._meta` names, of whatever revision; empty where it names
/// none. `tracestate` and `baggage`, which are of other programs, are not kept.
std::string TraceParentIn(const json::Value& params);

}  // namespace schemaward::mcp
