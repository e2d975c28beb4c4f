#pragma once

// What only texts of DuckDB's catalog tell: expressions of generated columns, the parts of an
// index, labels of enums and of CHECK (column IN (...)). DuckDB prints these texts itself, in one
// way.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schemaward::connect::duckdb {

/// Lists longer than this are not labels.
inline constexpr std::size_t kLabelsMax = 1'000;

/// Returns name and expression of each generated column of a CREATE TABLE text. Thread: any.
std::map<std::string, std::string> GeneratedColumns(std::string_view create_table);

/// Returns the parts of a CREATE INDEX text in order: a column's name, or an expression's text.
std::vector<std::string> IndexParts(std::string_view create_index);

/// Returns the select of a CREATE VIEW text; nothing where the view names its columns anew, since
/// the select alone would then say too little.
std::string ViewSelect(std::string_view create_view);

/// Returns the labels of a type that is ENUM('a', 'b'); none for any other type.
std::vector<std::string> EnumLabels(std::string_view type);

/// Returns the values where the condition is  column IN ('a', 'b')  and nothing else.
std::vector<std::string> CheckLabels(std::string_view expression, std::string_view column);

}  // namespace schemaward::connect::duckdb
