#pragma once

// What HTTP says of a request beside its message, held against the message.

#include <optional>
#include <string_view>

#include "rpc/message.h"
#include "transport/transport.h"

namespace schemaward::mcp {

/// Returns HeaderMismatch where `head` does not say what `request` says: the protocol version that
/// its _meta names (`version`), its method, and the name, uri or task that it is about. Nothing
/// where all is well. A name may come as =?base64?...?=. Source: MCP 2026-07-28, streamable HTTP.
std::optional<rpc::Failure> CheckHead(const transport::RequestHead& head, std::string_view version,
                                      const rpc::Request& request);

/// Returns HTTP's status of an answer that is `failure`. `in_session`: a session was named or
/// begun: there a failure of a method is an answer like any other, and a status other than 200
/// would be taken for a failure of the connection.
int StatusOf(const rpc::Failure& failure, bool in_session);

}  // namespace schemaward::mcp
