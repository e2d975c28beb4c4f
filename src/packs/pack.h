#pragma once

// A domain pack: what an exploration of one kind of business looks at, and how models are asked.
// docs/packs.md has the layout of its folder.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/template_text.h"

namespace schemaward::packs {

inline constexpr std::size_t kFilesMax = 200;         ///< of a pack
inline constexpr std::size_t kFileBytesMax = 60'000;  ///< of one of them
inline constexpr std::size_t kCategoriesMax = 20;
inline constexpr std::size_t kAreasMax = 50;
inline constexpr std::size_t kKeywordsMax = 40;    ///< of an area
inline constexpr std::size_t kWordBytesMax = 60;   ///< of an id or a keyword
inline constexpr std::size_t kLineBytesMax = 500;  ///< of a name or a description
inline constexpr std::int64_t kPriorityMax = 100;
inline constexpr std::size_t kFaultsMax = 100;

struct Category {
  std::string id, name, description;
  TemplateText exploration;  ///< what exploring knows of it
};

/// Something that is looked into.
struct Area {
  std::string id, name, description;
  std::vector<std::string> keywords;
  std::int64_t priority = 1;  ///< from 1, which goes first
  std::string category;       ///< id of the only category that it is for; empty: all
  TemplateText prompt;
};

struct Pack {
  std::string id;  ///< the name of its folder
  std::string name, description, version;
  bool is_hidden = false;  ///< listed only when asked for
  std::vector<Category> categories;
  std::vector<Area> areas;  ///< by priority, then id
  TemplateText base, exploration, recommendations;
  std::string profile_schema;  ///< JSON Schema of what a project says of itself

  /// Areas of all categories and of this one.
  std::vector<const Area*> AreasOf(std::string_view category) const;
};

/// Files of a pack by their path below its folder, with / between parts.
using PackFiles = std::map<std::string, std::string, std::less<>>;

/// Something wrong in a file of a pack.
struct PackFault {
  std::string file;
  std::size_t line = 0;  ///< from 1; 0 where it is the file as a whole
  std::string message;
  std::string near;            ///< the nearest name that is there; may be empty
  std::string ToText() const;  ///< file:line: message; the nearest is "..."
};

/// A pack as it was read: good where there are no faults.
struct LoadedPack {
  Pack pack;
  std::vector<PackFault> faults;  ///< at most kFaultsMax, by file and line
};

/// Reads a pack. All that is wrong is in the faults. Thread: any; pure.
LoadedPack ReadPack(std::string_view id, const PackFiles& files);

}  // namespace schemaward::packs
