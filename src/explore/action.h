#pragma once

// What a model asks for: the one parser of its replies, for every caller.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schemaward::explore {

enum class ActionKind : std::uint8_t { QueryData, LookupSchema, SearchTables, Complete };

/// The word of an action on the wire: query_data, lookup_schema, search_tables, complete.
std::string_view NameOf(ActionKind kind);

struct Action {
  ActionKind kind = ActionKind::Complete;
  std::string thinking;
  std::string query, purpose;       ///< query_data
  std::vector<std::string> tables;  ///< lookup_schema, as written
  std::string search;               ///< search_tables
  std::int64_t hits_wanted = 0;     ///< search_tables; 0: not said
  std::string summary;              ///< complete
  std::string claims{};             ///< complete: a JSON list, as ReadClaims reads it; empty: none
  bool operator==(const Action&) const = default;
};

/// Why a reply holds no action.
enum class ParseFault : std::uint8_t {
  NoJson,      ///< no object at all, or only inside thinking
  Cut,         ///< an object does not end
  NotJson,     ///< an object that is not JSON
  NoAction,    ///< JSON that asks for nothing that is known
  WrongShape,  ///< a known action whose payload has another type
  Several,     ///< a list of more than one action
  NotAllowed   ///< a known action that this caller does not take
};

struct ParsedAction {
  std::optional<Action> action;
  ParseFault fault = ParseFault::NoJson;  ///< where there is no action
  std::string why{};                      ///< one sentence about the fault
};

/// Returns the action that `reply` asks for. Thinking blocks, prose and fences around are passed
/// over, as are objects before the last one that asks for something; prose never is an action, nor
/// is SQL without its object. Of several payloads in one object `done` goes first, then `query`,
/// `lookup_schema`, `search_tables`, `action`; {"name": ..., "input": {...}} fills what these leave
/// open. An action outside `allowed` is a fault, never another action. `allowed`: at least one.
/// Thread: any; pure.
ParsedAction ParseAction(std::string_view reply, const std::vector<ActionKind>& allowed);

/// Returns what a model is told after a fault: what was wrong, and each allowed action as JSON.
std::string Nudge(const ParsedAction& parsed, const std::vector<ActionKind>& allowed);

/// Returns the action as the shortest JSON object that parses back to it, without its thinking.
std::string ToJson(const Action& action);

}  // namespace schemaward::explore
