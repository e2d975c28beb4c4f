#include "explore/action.h"

#include <array>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/contains.h"
#include "explore/claims.h"
#include "explore/limits.h"
#include "explore/objects.h"
#include "json/access.h"
#include "json/value.h"

namespace schemaward::explore {
namespace {

constexpr std::array<ActionKind, 4> kByPrecedence = {ActionKind::Complete, ActionKind::QueryData,
                                                     ActionKind::LookupSchema,
                                                     ActionKind::SearchTables};

// A payload as it stands, before its types are looked at. Null: not there.
struct Payload {
  json::Value done, query, purpose, lookup, search, hits, summary, claims;
};

bool IsThere(const json::Value& value) { return !value.is_null(); }

// Sets what is not there yet.
void Fill(json::Value& into, const json::Value& value) {
  if (!IsThere(into) && IsThere(value)) into = value;
}

std::optional<ActionKind> KindNamed(std::string_view name) {
  for (const ActionKind kind : kByPrecedence)
    if (NameOf(kind) == name) return kind;
  return std::nullopt;
}

// What {"name": ..., "input": {...}} and {"action": ..., ...} hold, into what is still open.
void FillFrom(ActionKind kind, const json::Value& input, Payload& payload) {
  switch (kind) {
    case ActionKind::QueryData:
      Fill(payload.query, json::Member(input, "query"));
      Fill(payload.purpose, json::Member(input, "purpose"));
      Fill(payload.purpose, json::Member(input, "query_purpose"));
      return;
    case ActionKind::LookupSchema:
      for (const char* name : {"tables", "lookup_schema"})
        Fill(payload.lookup, json::Member(input, name));
      return;
    case ActionKind::SearchTables:
      for (const char* name : {"query", "search_tables"})
        Fill(payload.search, json::Member(input, name));
      for (const char* name : {"top_k", "search_top_k"})
        Fill(payload.hits, json::Member(input, name));
      return;
    case ActionKind::Complete:
      Fill(payload.done, true);
      for (const char* name : {"summary", "reason"})
        Fill(payload.summary, json::Member(input, name));
      Fill(payload.claims, json::Member(input, "claims"));
      return;
  }
}

bool HasPayload(const Payload& payload) {
  return json::IsTrue(payload.done) || IsThere(payload.query) || IsThere(payload.lookup) ||
         IsThere(payload.search);
}

Payload ReadPayload(const json::Value& object) {
  Payload payload{json::Member(object, "done"),          json::Member(object, "query"),
                  json::Member(object, "query_purpose"), json::Member(object, "lookup_schema"),
                  json::Member(object, "search_tables"), json::Member(object, "search_top_k"),
                  json::Member(object, "summary"),       json::Member(object, "claims")};
  const json::Value& input = json::Member(object, "input");
  if (const auto kind = KindNamed(json::TextOf(object, "name")); kind && input.is_object())
    FillFrom(*kind, input, payload);
  if (const auto kind = KindNamed(json::TextOf(object, "action")); kind && !HasPayload(payload))
    FillFrom(*kind, object, payload);
  return payload;
}

std::string Trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

ParsedAction Fault(ParseFault fault, std::string why) {
  return {std::nullopt, fault, std::move(why)};
}

ParsedAction WrongShape(std::string_view member, std::string_view what) {
  return Fault(ParseFault::WrongShape, fmt::format("\"{}\" must be {}.", member, what));
}

ParsedAction LookupOf(const json::Value& tables, Action action) {
  if (tables.is_string()) {
    action.tables.push_back(tables.get<std::string>());
    return {std::move(action)};
  }
  if (!tables.is_array()) return WrongShape("lookup_schema", "a list of names of tables");
  for (const json::Value& table : tables) {
    if (!table.is_string()) return WrongShape("lookup_schema", "a list of names of tables");
    action.tables.push_back(table.get<std::string>());
  }
  return {std::move(action)};
}

ParsedAction SearchOf(const Payload& payload, Action action) {
  if (!payload.search.is_string()) return WrongShape("search_tables", "a text to search for");
  action.search = Trimmed(payload.search.get<std::string>());
  if (IsThere(payload.hits)) {
    const auto hits = json::IntegerOf(payload.hits);
    if (!hits) return WrongShape("search_top_k", "a whole number");
    action.hits_wanted = *hits;
  }
  return {std::move(action)};
}

ParsedAction QueryOf(const Payload& payload, Action action) {
  if (!payload.query.is_string() || Trimmed(payload.query.get<std::string>()).empty())
    return WrongShape("query", "one SELECT as a text");
  action.query = Trimmed(payload.query.get<std::string>());
  action.purpose = json::TextOf(payload.purpose);
  return {std::move(action)};
}

ParsedAction CompleteOf(const Payload& payload, Action action) {
  action.summary = json::TextOf(payload.summary);
  if (!IsThere(payload.claims) || payload.claims.empty()) return {std::move(action)};
  action.claims = json::Canonical(payload.claims);
  const auto claims = ReadClaims(action.claims);
  if (!claims)
    return Fault(ParseFault::WrongShape,
                 fmt::format("\"claims\" cannot be read: {}.", claims.error().message()));
  return {std::move(action)};
}

// Nothing where the object asks for nothing.
std::optional<ParsedAction> ActionOf(const json::Value& object) {
  const Payload payload = ReadPayload(object);
  Action action;
  action.thinking = json::TextOf(object, "thinking");
  if (json::IsTrue(payload.done)) {
    action.kind = ActionKind::Complete;
    return CompleteOf(payload, std::move(action));
  }
  if (IsThere(payload.query)) {
    action.kind = ActionKind::QueryData;
    return QueryOf(payload, std::move(action));
  }
  if (IsThere(payload.lookup)) {
    action.kind = ActionKind::LookupSchema;
    return LookupOf(payload.lookup, std::move(action));
  }
  if (IsThere(payload.search)) {
    action.kind = ActionKind::SearchTables;
    return SearchOf(payload, std::move(action));
  }
  return std::nullopt;
}

// The last object that asks for something; the faults of those that do not, where none does.
ParsedAction Choose(const FoundObjects& found) {
  std::optional<ParsedAction> chosen;
  std::size_t in_list = 0;
  std::size_t broken = 0;
  for (const FoundObject& object : found.objects) {
    const auto document = json::Parse(object.text);
    if (!document) {
      ++broken;
      continue;
    }
    auto asked = ActionOf(document->value());
    if (!asked) continue;
    in_list = object.is_list_item ? in_list + 1 : 0;
    chosen = std::move(asked);
  }
  if (found.is_cut) return Fault(ParseFault::Cut, "The JSON object of the reply does not end.");
  if (in_list > 1)
    return Fault(ParseFault::Several, "The reply is a list of several actions; send one.");
  if (chosen) return *std::move(chosen);
  if (found.objects.empty())
    return Fault(ParseFault::NoJson, "The reply has no JSON object outside its thinking.");
  if (broken == found.objects.size())
    return Fault(ParseFault::NotJson, "The object of the reply is not valid JSON.");
  return Fault(ParseFault::NoAction, "The JSON object of the reply asks for no known action.");
}

std::string_view ShapeOf(ActionKind kind) {
  switch (kind) {
    case ActionKind::QueryData:
      return R"({"thinking": "...", "query": "SELECT ...", "query_purpose": "..."})";
    case ActionKind::LookupSchema:
      return R"({"thinking": "...", "lookup_schema": ["schema.table", ...]})";
    case ActionKind::SearchTables:
      return R"({"thinking": "...", "search_tables": "words", "search_top_k": 10})";
    case ActionKind::Complete:
      return R"({"done": true, "summary": "...", "claims": [{"claim": "...", "figures": [{"value": "12", "kind": "cell", "of": {"step": 3, "column": "n"}}]}]})";
  }
  return {};
}

}  // namespace

std::string_view NameOf(ActionKind kind) {
  switch (kind) {
    case ActionKind::QueryData:
      return "query_data";
    case ActionKind::LookupSchema:
      return "lookup_schema";
    case ActionKind::SearchTables:
      return "search_tables";
    case ActionKind::Complete:
      return "complete";
  }
  return {};
}

ParsedAction ParseAction(std::string_view reply, const std::vector<ActionKind>& allowed) {
  if (reply.size() > kReplyBytesMax)
    return Fault(ParseFault::Cut, fmt::format("The reply has more than {} bytes.", kReplyBytesMax));
  ParsedAction parsed = Choose(FindObjects(reply));
  if (parsed.action && !Contains(allowed, parsed.action->kind))
    return Fault(ParseFault::NotAllowed,
                 fmt::format("The action {} is not allowed here.", NameOf(parsed.action->kind)));
  return parsed;
}

std::string Nudge(const ParsedAction& parsed, const std::vector<ActionKind>& allowed) {
  std::string text = parsed.why +
                     " Nothing was run. Answer with one JSON object and nothing else, "
                     "one of:\n";
  for (const ActionKind kind : allowed) text += fmt::format("{}\n", ShapeOf(kind));
  return text;
}

std::string ToJson(const Action& action) {
  json::Value object = json::Value::object();
  switch (action.kind) {
    case ActionKind::QueryData:
      object["query"] = action.query;
      if (!action.purpose.empty()) object["query_purpose"] = action.purpose;
      break;
    case ActionKind::LookupSchema:
      object["lookup_schema"] = action.tables;
      break;
    case ActionKind::SearchTables:
      object["search_tables"] = action.search;
      if (action.hits_wanted != 0) object["search_top_k"] = action.hits_wanted;
      break;
    case ActionKind::Complete:
      object["done"] = true;
      if (!action.summary.empty()) object["summary"] = action.summary;
      if (!action.claims.empty())
        if (const auto claims = json::Parse(action.claims)) object["claims"] = claims->value();
      break;
  }
  return json::Canonical(object);
}

}  // namespace schemaward::explore
