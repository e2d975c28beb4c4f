#pragma once

// The charter's lint, levels 1 and 2: descriptions, schemas and answers of the served tools.
// [R-DESC-1]

#include <string>
#include <string_view>
#include <vector>

#include "tool/invoke.h"
#include "tool/registry.h"

namespace schemaward::tool {

/// One thing that breaks a rule.
struct LintFinding {
  std::string tool;  ///< empty where it is the set as a whole
  std::string rule;
  std::string what;  ///< one line
};

/// Rules over one tool's words. `served`: names of all served tools.
std::vector<LintFinding> LintDescription(const ToolSpec& spec,
                                         const std::vector<std::string>& served);

/// Rules over one tool's schemas, as JSON text: the subset that every client accepts.
std::vector<LintFinding> LintSchemas(std::string_view tool, std::string_view input_schema,
                                     std::string_view output_schema);

/// Rules over the set: sizes, order, and first sentences that differ. `is_default`: the default
/// set, which is bounded and reads only.
std::vector<LintFinding> LintSet(const std::vector<const Tool*>& tools, bool is_default);

/// Level 2 of one answer: it validates against the tool's outputSchema, its text is the same bytes,
/// and the envelope's rules hold.
std::vector<LintFinding> LintAnswer(const Tool& tool, const Answer& answer);

/// Runs all rules over the served tools; each tool is called with its example. Sorted by tool in
/// the registry's order.
std::vector<LintFinding> LintAll(const Invoker& invoker, bool is_default, CallContext& ctx);

constexpr std::size_t kDefaultToolsMax = 15;
constexpr std::size_t kDefaultTokensMax =
    4'000;  ///< name, title, description and inputSchema; bytes / 4

}  // namespace schemaward::tool
