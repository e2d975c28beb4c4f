#pragma once

// The tools, resources and prompts that the protocol's conformance suite asks for by name, behind
// the same lifecycle, sessions and transports as ours. Served in place of ours by `serve
// --conformance-fixtures`; nothing of a source can be reached through them.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "mcp/method.h"

namespace schemaward::mcp {

/// The methods that replace ours of the same name, and those that we do not have. Lifetime: static.
std::span<const Method> FixtureMethods();

/// Returns the capabilities member that goes with them.
std::string FixtureCapabilities(Revision revision);

// fixture_tools.cc
MethodResult ListFixtureTools(Parts& parts, Call& call);
MethodResult CallFixtureTool(Parts& parts, Call& call);
// fixture_tasks.cc
bool IsTaskFixture(std::string_view name);
/// Requires: IsTaskFixture of its name.
MethodResult CallTaskFixture(Parts& parts, Call& call);
/// Returns the definitions of those that run as tasks, each with a comma before it.
std::string TaskFixturesJson();

// fixture_lists.cc
MethodResult ListFixtureResources(Parts& parts, Call& call);
MethodResult ListFixtureTemplates(Parts& parts, Call& call);
MethodResult ReadFixtureResource(Parts& parts, Call& call);
MethodResult SubscribeFixture(Parts& parts, Call& call);
MethodResult ListFixturePrompts(Parts& parts, Call& call);
MethodResult GetFixturePrompt(Parts& parts, Call& call);
MethodResult CompleteFixture(Parts& parts, Call& call);

// fixture_input.cc
/// Returns what to ask the client for before the fixture that `call` names can be given, or the
/// failure; nothing where all is there, or nothing is needed.
std::optional<MethodResult> AskByResult(Parts& parts, Call& call);
/// Returns the definitions of the tools that ask, each with a comma before it.
std::string AskingToolsJson();
bool IsAskingTool(std::string_view name);

/// A PNG of one pixel, in base64.
inline constexpr std::string_view kFixturePng =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg"
    "==";

/// Returns the string member `name` of params, or of params' member `inside`; empty where there is
/// none.
std::string FixtureText(const Call& call, const char* name, const char* inside = nullptr);

}  // namespace schemaward::mcp
