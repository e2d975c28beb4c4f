#pragma once

// The values that a type or a CHECK constraint lists.

#include <string>
#include <string_view>
#include <vector>

namespace schemaward::connect::mysql {

/// Returns the values of enum('a','b') or set('a','b'), in their order; nothing for other types.
/// Requires: as information_schema prints types, quotes doubled.
std::vector<std::string> LabelsOfType(std::string_view type);

struct ListCheck {
  std::string column;
  std::vector<std::string> labels;
};

/// Returns what  `column` in ('a','b')  or  `column` = 'a'  lists, whatever brackets and character
/// sets the server prints around it; an empty column for any other condition. Numbers are taken as
/// their texts.
ListCheck LabelsOfCheck(std::string_view expression);

}  // namespace schemaward::connect::mysql
