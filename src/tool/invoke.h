#pragma once

// Invoke: the straight line of a call, ten steps, the same for every transport and for the command
// line.

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "audit/log.h"
#include "base/call_context.h"
#include "privacy/policy.h"
#include "tool/answer_cache.h"
#include "tool/call_metrics.h"
#include "tool/registry.h"

namespace schemaward::tool {

/// A text among the contents of an answer.
struct TextBlock {
  std::string text;
  std::string_view mime_type;  ///< static; empty: none is said
};

/// A finished answer in its family's shape.
struct Answer {
  std::string structured;  ///< JSON object for structuredContent; empty where the family gives none
                           ///< for this answer
  std::string text;        ///< content[0].text; the same bytes as `structured` in the charter and
                           ///< workspace families
  bool is_error = false;
  int exit_code = 0;                ///< of `schemaward call`
  std::vector<TextBlock> blocks{};  ///< what content holds; empty: `text`, without a type
  std::string question{};  ///< what the user may be asked, so that the same call can be made with
                           ///< the tool's confirmation; empty: there is nothing to ask
  std::string failure{};   ///< the message of its error; empty: there is none
  /// What the caller has to ask for, all of it, where it is refused since it was not granted it.
  std::vector<std::string> scopes_needed{};
};

/// Scopes of which any one is enough; the first is the one that a caller is told to ask for.
using ScopeChoice = std::vector<std::string>;
/// What the tools of a set need, by its name: of each choice, one scope.
using ToolScopes = std::map<std::string, std::vector<ScopeChoice>, std::less<>>;

struct InvokeOptions {
  std::chrono::milliseconds deadline{30'000};  ///< where the caller gives none
  privacy::Policy policy{};                    ///< which tools a caller may use
  /// The profile to record for a call that names `source`, or none (empty); the policy's where this
  /// is empty.
  std::function<std::string(const std::string& source)> profile_of{};
  /// 32 secret bytes that sign what a client is to send back; empty: it is given nothing such.
  std::string state_key{};
  CallMetrics* metrics = nullptr;  ///< where calls are counted, or null; outlives the invoker
  /// Makes what is held over a call that reads the index alone, so that it reads one state of it;
  /// empty: nothing is.
  std::function<std::shared_ptr<const void>()> reading{};
  /// What this thread reads of the index, while what `reading` made is held; nothing where it does
  /// not read one state. Empty: replies are not kept.
  std::function<std::optional<StateStamp>()> stamp{};
  /// What a caller over HTTP must have been granted for the tools of a set.
  ToolScopes scopes{};
};

/// Thread: any. Lifetime: registry, audit log and clock outlive it.
class Invoker {
 public:
  Invoker(const Registry& registry, audit::Log& log, InvokeOptions options);

  /// Makes the call `tool` with `args` (an object, or null for none) and renders its answer. Never
  /// throws. Every call leaves a begin and an end in the audit log; where the begin cannot be
  /// written nothing runs.
  Answer Invoke(std::string_view tool, const json::Value& args, CallContext& ctx) const;

  /// Renders `error` as the answer to a call that was not run, and records it as any other.
  /// For what is known before a worker is free: a full pool, a limit of the transport.
  Answer Refuse(std::string_view tool, const json::Value& args, Error error,
                CallContext& ctx) const;

  /// Returns whether `caller` may use `tool` at all.
  bool MayUse(const Tool& tool, const Principal& caller) const { return !Forbidden(tool, caller); }

  const Registry& registry() const { return registry_; }
  const std::string& state_key() const { return options_.state_key; }

 private:
  /// The begin record of a call, and the profile that both its records name.
  struct Begun {
    std::string profile;
    Result<audit::RecordId> record;
  };
  Begun Begin(std::string_view tool, const json::Value& args, audit::Durability durability,
              const CallContext& ctx) const;
  Answer Finish(const Tool* found, const json::Value& args, const Begun& begun, Reply reply,
                std::chrono::steady_clock::time_point started, CallContext& ctx) const;
  Reply Run(const Tool* found, std::string_view tool, const json::Value& args,
            CallContext& ctx) const;
  Reply CallOrRepeat(const Tool& tool, const json::Value& args, CallContext& ctx) const;
  void SettleRecovery(Reply& reply, const Tool* from, CallContext& ctx) const;
  bool IsAllowed(const Tool& tool, const Principal& caller) const;
  std::optional<Error> Forbidden(const Tool& tool, const Principal& caller) const;
  const std::vector<ScopeChoice>* ScopesLacking(const Tool& tool, const Principal& caller) const;
  std::optional<SuggestedCall> TryOut(SuggestedCall call, CallContext& ctx) const;
  std::string ProfileOf(const json::Value& args) const;
  void KeepServedHints(Reply& reply) const;

  const Registry& registry_;
  audit::Log& log_;
  InvokeOptions options_;
  mutable AnswerCache kept_;
};

}  // namespace schemaward::tool
