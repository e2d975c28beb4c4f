#pragma once

// Which revision a request is spoken in.

#include <string>
#include <variant>

#include "mcp/session.h"
#include "rpc/message.h"

namespace schemaward::mcp {

struct Spoken {
  Revision revision;
  std::string client;  ///< name and version, or empty
};

/// Returns the revision that `request` names in _meta, else the one that its session settled.
/// Fails with InvalidParams where neither does or a required member of _meta is missing, and with
/// UnsupportedProtocolVersion where the named one is not ours.
std::variant<Spoken, rpc::Failure> RevisionOfRequest(const rpc::Request& request,
                                                     const Session& session);

}  // namespace schemaward::mcp
