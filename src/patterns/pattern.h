#pragma once

// A SQL pattern: a query for a need that many schemas have, with parameters in place of names, and
// what became of its example on real engines. docs/formats/pattern.md is the layout of the files.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/fields.h"

namespace schemaward::patterns {

/// What a pattern is about. The names are those of the files.
enum class Category : std::uint8_t {
  Aggregation,
  TopN,
  Window,
  Joins,
  TimeSeries,
  GapsIslands,
  Analytics,
  Dedup,
  History,
  Hierarchy,
  Pivot,
  Pagination,
  Write,
  DataQuality,
  Text,
  Json
};

enum class Difficulty : std::uint8_t { Beginner, Intermediate, Advanced };

enum class Fills : std::uint8_t { Table, Column, Value };

/// What a column must be to fill a parameter.
enum class Role : std::uint8_t {
  Any,
  PrimaryKey,  ///< the one column of the table's primary key
  Reference,   ///< a foreign key, or what rows are grouped by
  Number,
  Text,
  Time,
  Json
};

/// A name in braces in the SQL.
struct Parameter {
  std::string name;
  Fills fills = Fills::Value;
  Role role = Role::Any;  ///< of Column; of Value its type
  std::string table;      ///< of Column: the parameter that its table fills
  std::string refers_to;  ///< of a Reference: the parameter of the table that it refers to, or ""
  std::string example;    ///< what fills it on the fixture; SQL for a value
  std::string meaning;
};

/// The SQL for some dialects, parameters in braces.
struct Text {
  std::vector<std::string> dialects;  ///< postgres, mysql, sqlite, duckdb
  std::string sql;
};

/// What became of the example on one engine; written by the runner alone.
struct Evidence {
  std::string engine;     ///< postgres | mariadb | sqlite | duckdb
  std::string version;    ///< as the engine says it
  std::int64_t rows = 0;  ///< of the result, equal to the pattern's result
  std::string statement;  ///< SHA-256 of what ran, hexadecimal
  void Bind(json::Fields& f);
};

struct Pattern {
  std::string id;  ///< of a-z, 0-9 and -
  std::string title;
  std::string summary;  ///< a sentence or two
  Category category = Category::Aggregation;
  Difficulty difficulty = Difficulty::Beginner;
  bool writes = false;  ///< it changes data: shown, never run through this program
  std::vector<std::string> tags, related;
  std::string fixture;  ///< the script of its example's tables
  std::vector<std::string> use_when, avoid_when, needs, pitfalls;
  std::vector<Parameter> parameters;
  std::vector<Text> texts;
  std::string check;               ///< of one that writes: the SELECT whose rows are the result
  std::string result;              ///< the rows of the example, a Markdown table
  std::vector<Evidence> evidence;  ///< sorted by engine
};

/// Returns the pattern in a file's text. Errors: InputUnreadable, which names the line.
Result<Pattern> ParsePattern(std::string_view text);

/// Returns the SQL of `dialect`, or null where the pattern has none for it.
const Text* FindText(const Pattern& pattern, std::string_view dialect);

const Parameter* FindParameter(const Pattern& pattern, std::string_view name);

/// Returns `sql` with `values[i]` in place of the i-th parameter of `pattern` in braces.
/// Requires: as many values as parameters.
std::string Substitute(const Pattern& pattern, std::string_view sql,
                       const std::vector<std::string>& values);

/// Returns the example: the SQL with the parameters' examples in it.
std::string ExampleOf(const Pattern& pattern, std::string_view sql);

}  // namespace schemaward::patterns

template <>
struct schemaward::json::EnumNames<schemaward::patterns::Category> {
  static constexpr std::array<std::string_view, 16> kNames = {
      "aggregation", "top-n",        "window",  "joins",     "time-series", "gaps-islands",
      "analytics",   "dedup",        "history", "hierarchy", "pivot",       "pagination",
      "write",       "data-quality", "text",    "json"};
};
template <>
struct schemaward::json::EnumNames<schemaward::patterns::Difficulty> {
  static constexpr std::array<std::string_view, 3> kNames = {"beginner", "intermediate",
                                                             "advanced"};
};
template <>
struct schemaward::json::EnumNames<schemaward::patterns::Fills> {
  static constexpr std::array<std::string_view, 3> kNames = {"table", "column", "value"};
};
template <>
struct schemaward::json::EnumNames<schemaward::patterns::Role> {
  static constexpr std::array<std::string_view, 7> kNames = {
      "any", "primary key", "reference", "number", "text", "time", "json"};
};
