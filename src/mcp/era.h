#pragma once

// Which revision a request is spoken in.

#include <string>
#include <variant>

#include "mcp/session.h"
#include "rpc/message.h"
#include "transport/transport.h"

namespace schemaward::mcp {

struct Spoken {
  Revision revision;
  std::string client;         ///< name and version, or empty
  bool can_ask_user = false;  ///< by a form, in this revision
  bool offers_model = false;  ///< the client has one that it may be asked for
  bool takes_tasks = false;   ///< by the request's own word, in the era without sessions
};

/// Returns the revision that `request` names in _meta, else the one that its session settled.
/// `head`: what HTTP says beside it, or null. Fails with InvalidParams where neither does or a
/// required member of _meta is missing, with HeaderMismatch where `head` says otherwise, and with
/// UnsupportedProtocolVersion where the named one is not ours.
std::variant<Spoken, rpc::Failure> RevisionOfRequest(const rpc::Request& request,
                                                     const Session& session,
                                                     const transport::RequestHead* head);

}  // namespace schemaward::mcp
