#pragma once

// The policy in force: the binding file, narrowed by the project's.

#include <string>
#include <string_view>
#include <vector>

#include "app/config.h"
#include "base/result.h"
#include "privacy/policy.h"
#include "store/store.h"
#include "tool/tool.h"

namespace schemaward::app {

/// The file that binds: a project's file, which an agent may be able to edit, only narrows it.
inline constexpr std::string_view kBindingPolicy = "/etc/schemaward/policy.yaml";

/// True when a source is a file, or a server reached by a loopback address or a socket that the
/// location names. What cannot be told is not local.
bool IsLocal(std::string_view engine, std::string_view location);

/// The profile where no policy file names one: dev where every source is local and the transport is
/// standard input and output, else team.
privacy::Profile DefaultProfile(const std::vector<store::Source>& sources, bool on_stdio);

/// Reads the files; `binding` may be absent, the project's where the configuration names it may
/// not. What the project's file may not say goes to the log. Errors: InputUnreadable.
/// `denied_tools`: takes what the files deny of tools, as they write it; null: not asked for.
Result<privacy::Policy> LoadPolicy(const Config& config, privacy::Profile fallback,
                                   const std::string& binding = std::string(kBindingPolicy),
                                   std::vector<std::string>* denied_tools = nullptr);

/// A name that no tool has would deny nothing, without a word. Errors: InputUnreadable where one of
/// `denied` (a name, a pattern, set:NAME) fits none of `tools`, with the nearest.
Status CheckDeniedTools(const std::vector<std::string>& denied,
                        const std::vector<tool::ToolPtr>& tools);

}  // namespace schemaward::app
