#include "agents/move.h"

#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "explore/objects.h"
#include "json/access.h"

namespace schemaward::agents {
namespace {

Error NoMove(std::string_view why) { return {ErrorKind::InputUnreadable, std::string(why)}; }

// The first of two members that is there.
const json::Value& Either(const json::Value& object, std::string_view one, std::string_view other) {
  const json::Value& first = json::Member(object, one);
  return first.is_null() ? json::Member(object, other) : first;
}

std::string TextOfEnd(const json::Value& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// Nothing: the object asks for nothing that is known.
Result<std::optional<Move>> MoveOf(const json::Value& object) {
  Move move;
  for (const auto& [member, kind] :
       {std::pair{"answer", MoveKind::Answer}, std::pair{"cannot", MoveKind::Cannot}}) {
    const json::Value& end = json::Member(object, member);
    if (end.is_null()) continue;
    move.kind = kind;
    move.text = TextOfEnd(end);
    return std::optional(std::move(move));
  }
  const json::Value& tool = Either(object, "tool", "name");
  if (tool.is_null()) return std::optional<Move>();
  if (!tool.is_string()) return NoMove("\"tool\" must be the name of a tool.");
  const json::Value& arguments = Either(object, "arguments", "input");
  if (!arguments.is_null() && !arguments.is_object())
    return NoMove("\"arguments\" must be a JSON object.");
  move.kind = MoveKind::Call;
  move.tool = tool.get<std::string>();
  move.arguments = json::Document(arguments.is_null() ? json::Value::object() : arguments);
  return std::optional(std::move(move));
}

}  // namespace

Result<Move> ParseMove(std::string_view reply) {
  const explore::FoundObjects found = explore::FindObjects(reply);
  std::optional<Move> move;
  for (const explore::FoundObject& object : found.objects) {
    const auto parsed = json::Parse(object.text);
    if (!parsed) return NoMove("An object of the reply is not JSON.");
    WARD_TRY(std::optional<Move> one, MoveOf(parsed->value()));
    if (!one) continue;
    if (move) return NoMove("The reply asks for more than one thing.");
    move = std::move(one);
  }
  if (found.is_cut) return NoMove("An object of the reply does not end.");
  if (!move) return NoMove("The reply holds no call and no answer.");
  return *std::move(move);
}

}  // namespace schemaward::agents
