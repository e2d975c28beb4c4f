#pragma once

// The protocol's revisions: one table, and the comparisons that the encoders make.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace schemaward::mcp {

/// In order of time; compared with < and >=.
enum class Revision : std::uint8_t { R20241105, R20250326, R20250618, R20251125, R20260728 };

inline constexpr std::array<std::string_view, 5> kRevisionNames = {
    "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"};

/// The last one that opens with `initialize`; what a client with an unknown revision is offered.
inline constexpr Revision kLatestLegacy = Revision::R20251125;
/// The first one in which every request names its revision.
inline constexpr Revision kFirstModern = Revision::R20260728;

constexpr std::string_view NameOf(Revision revision) {
  return kRevisionNames[static_cast<std::size_t>(revision)];
}

/// Returns the revision of that name, if it is one of ours.
std::optional<Revision> RevisionOf(std::string_view name);

/// Returns the names as a JSON array, newest first.
std::string SupportedJson();

// What differs, as questions. Source: the changelogs of the specification.
constexpr bool IsModern(Revision r) { return r >= kFirstModern; }
constexpr bool HasBatches(Revision r) { return r == Revision::R20250326; }
constexpr bool HasProgressMessage(Revision r) { return r >= Revision::R20250326; }
constexpr bool HasStructuredContent(Revision r) { return r >= Revision::R20250618; }
constexpr bool HasElicitation(Revision r) { return r >= Revision::R20250618; }
// Tasks that the client asks for, by a member of its request.
constexpr bool AsksForTasks(Revision r) { return r == Revision::R20251125; }
constexpr bool HasTitles(Revision r) { return r >= Revision::R20250618; }

}  // namespace schemaward::mcp
