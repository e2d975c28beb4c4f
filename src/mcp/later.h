#pragma once

// Requests whose answer takes a call: they enter the session's list of running requests, where they
// can be cancelled, and run where calls of tools run.

#include <functional>
#include <stop_token>
#include <string>

#include "mcp/method.h"

namespace schemaward::mcp {

/// What such a request does. Must not return Later. Thread: any; one at a time.
using Work = std::function<MethodResult(Parts& parts, const Call& call, CallContext& ctx)>;

/// Answers with what `work` returns, later. Fails at once where a request of the same id still
/// runs, or too many do, or no worker is free.
MethodResult RunLater(Parts& parts, Call& call, Work work);

/// Sends the last word of a request that runs, unless it was cancelled, and takes the request off
/// the session's list.
void SendLast(const Call& call, const std::string& message, int status = transport::kStatusOk);

/// Has the call of a request end when nobody waits for its answer: a stream that the other side
/// closes cancels it in the era without sessions; before that a client may lose its connection and
/// says notifications/cancelled where it means to. When we end, every call is stopped. Source: the
/// transport pages of 2025-11-25 and 2026-07-28.
void StopWhenGone(const Call& call);

/// Returns the failure of a request that cannot enter the session's list.
rpc::Failure NotBegun();

/// Returns who calls, for the calls that `call` makes. Its request id is that of the request, as
/// JSON, and behind it the trace parent that the request names, as " traceparent=...".
CallContext ContextOf(const Parts& parts, const Call& call, std::stop_token stop);

/// Returns the result of resources/read of `uri`, as whoever `ctx` says. Thread: any. resources.cc
MethodResult ReadAt(const Parts& parts, const Call& call, const std::string& uri, CallContext& ctx);

/// Returns the string member `name` of `object`; empty where there is none.
std::string TextIn(const json::Value& object, const char* name);

}  // namespace schemaward::mcp
