#include <fmt/format.h>

#include "json/value.h"
#include "tool/registry.h"
#include "tool/renderer.h"

namespace schemaward::tool {
namespace {

struct Effects {
  std::string_view side_effects;  // the charter's word
  bool read_only, destructive, open_world;
};

// The charter's table of MCP hints, by side effect. [R-META-1]
Effects EffectsOf(Effect effect) {
  switch (effect) {
    case Effect::Pure:
      return {"none", true, false, false};
    case Effect::ReadsIndex:
    case Effect::ReadsSource:
      return {"read", true, false, true};
    case Effect::WritesIndex:
    case Effect::WritesSource:
    case Effect::CallsModel:
      break;
  }
  return {"write", false, true, true};
}

std::string_view WordOf(Latency latency) {
  switch (latency) {
    case Latency::Fast:
      return "fast";
    case Latency::Moderate:
      return "moderate";
    case Latency::Slow:
      break;
  }
  return "slow";
}

std::string Annotations(const ToolSpec& spec) {
  const Effects effects = EffectsOf(spec.effect);
  return fmt::format(
      R"({{"title":{},"readOnlyHint":{},"destructiveHint":{},"idempotentHint":{},"openWorldHint":{}}})",
      json::Quote(spec.title), effects.read_only, effects.destructive, spec.idempotent,
      effects.open_world);
}

std::string Meta(const ToolSpec& spec) {
  return fmt::format(
      R"({{"schemaward/latency_hint":"{}","schemaward/cost_hint":{{"tokens_estimate":{},"dollars_estimate":0}},"schemaward/idempotent":{},"schemaward/side_effects":"{}","schemaward/charter_version":"1.2"}})",
      WordOf(spec.latency), spec.tokens_estimate, spec.idempotent,
      EffectsOf(spec.effect).side_effects);
}

}  // namespace

bool MayBeTask(const ToolSpec& spec) {
  const bool is_slow = spec.latency == Latency::Slow && spec.effect == Effect::ReadsSource;
  return spec.confirmation.empty() && (is_slow || spec.effect == Effect::CallsModel);
}

std::string DefinitionJson(const Tool& tool, bool with_output_schema, bool with_execution) {
  const ToolSpec& spec = tool.spec();
  std::string out = fmt::format(R"({{"name":{})", json::Quote(spec.name));
  if (with_output_schema) out += R"(,"title":)" + json::Quote(spec.title);
  out += R"(,"description":)" + json::Quote(spec.description);
  out += R"(,"inputSchema":)" + tool.InputSchema();
  if (with_output_schema) {
    std::string schema = RendererOf(spec.family).OutputSchema(tool.DataSchema());
    if (!spec.answer_title.empty())
      schema.insert(1, R"("title":)" + json::Quote(spec.answer_title) + ',');
    out += R"(,"outputSchema":)" + schema;
  }
  if (with_execution && MayBeTask(spec)) out += R"(,"execution":{"taskSupport":"optional"})";
  out += R"(,"annotations":)" + Annotations(spec);
  out += R"(,"_meta":)" + Meta(spec);
  return out + '}';
}

}  // namespace schemaward::tool
