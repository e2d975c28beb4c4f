#pragma once

// The model of the connected client: MCP sampling.

#include <functional>
#include <string>
#include <string_view>

#include "llm/model.h"

namespace schemaward::llm {

/// Asks the client that made a call, as CallContext::ask_client does.
using AskClient = std::function<Result<std::string>(std::string_view method,
                                                    std::string_view params_json, CallContext&)>;

/// Asks the client for a reply of whatever model it has, by sampling/createMessage; the client may
/// show the prompt to a person first. Tokens are estimated, since no client counts them for us.
/// Thread: any. Lifetime: good while the call lasts whose context it was made from.
class ClientLlm final : public Llm {
 public:
  ClientLlm(ModelInfo info, AskClient ask);
  const ModelInfo& info() const override { return info_; }
  /// Errors: as Llm::Complete; PermissionDenied where the client, or the person before it, will
  /// not, or answers without a content; InvalidArgument where the client cannot be asked at all.
  Result<Reply> Complete(const Request& request, const OnWords& on_text, CallContext& ctx) override;

 private:
  const ModelInfo info_;
  const AskClient ask_;
};

}  // namespace schemaward::llm
