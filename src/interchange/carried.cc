#include "interchange/carried.h"

#include <nlohmann/json.hpp>

#include "base/sha256.h"

namespace schemaward::interchange {
namespace {

using json::Member;
using json::Value;
using Json = nlohmann::ordered_json;

std::string HashOf(const Value& part) { return Sha256Hex(json::Canonical(part)); }

/// Takes our note out of `meta`, and `meta` itself where nothing else is in it.
void DropNote(Value& holder, const char* meta) {
  if (!holder.is_object() || !holder.contains(meta)) return;
  if (holder[meta].is_object()) holder[meta].erase(std::string(kNote));
  if (holder[meta].empty()) holder.erase(meta);
}

}  // namespace

Json NoteOn(const Json& written, const std::string& definition) {
  return {{"written", HashOf(Value::parse(written.dump()))},
          {"definition", Json::parse(definition)}};
}

Value NotedPart(const Value& object, std::span<const std::string_view> apart) {
  Value part = object;
  for (const std::string_view member : apart) part.erase(std::string(member));
  DropNote(part, "meta");
  if (!part.contains("config")) return part;
  DropNote(part["config"], "meta");
  if (part["config"].empty()) part.erase("config");
  return part;
}

bool IsUnchanged(const Value& note, const Value& part) {
  return note.is_object() && json::TextOf(note, "written") == HashOf(part);
}

void TakeWordless(const Value& note, semantic::Entity& entity) {
  semantic::Entity noted;
  if (!json::Read(Member(note, "definition"), noted).ok()) return;
  entity.time_zone = noted.time_zone;
  entity.columns = noted.columns;
  entity.trust = noted.trust;
}

void TakeWordless(const Value& note, semantic::Metric& metric) {
  semantic::Metric noted;
  if (!json::Read(Member(note, "definition"), noted).ok()) return;
  if (metric.unit.empty()) metric.unit = noted.unit;
  if (metric.owner.empty()) metric.owner = noted.owner;
  if (metric.time_dimension.empty()) metric.time_dimension = noted.time_dimension;
  if (metric.time_grains.empty()) metric.time_grains = noted.time_grains;
  metric.trust.method = noted.trust.method;
}

}  // namespace schemaward::interchange
