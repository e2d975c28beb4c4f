#pragma once

// What search knows of one table, as plain data.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace schemaward::store {

// Where a word stands: bits, since a word may stand in several places.
inline constexpr std::uint8_t kInName = 1;
inline constexpr std::uint8_t kInSchema = 2;
inline constexpr std::uint8_t kInColumn = 4;
inline constexpr std::uint8_t kInComment = 8;
inline constexpr std::uint8_t kInLabel = 16;
inline constexpr std::uint8_t kInType = 32;

/// A word of a table.
struct SearchTerm {
  std::string text;          ///< folded, singular
  std::uint8_t impact = 0;   ///< what a match is worth, 1..255; kImpactUnit is one
  std::uint8_t fields = 0;   ///< kIn... bits
  std::uint16_t column = 0;  ///< 1 + position of the best column that holds it; 0: none does
  bool operator==(const SearchTerm&) const = default;
};

/// An impact of 1.0.
inline constexpr double kImpactUnit = 100.0;

/// A table as search sees it.
struct SearchDocument {
  std::int64_t source_id = 0;
  std::string name;                   ///< qualified; ties between hits are broken by it
  std::uint64_t schema_key = 0;       ///< the same for tables of one schema of one source
  std::uint16_t name_words = 0;       ///< number of words in the table's own name
  std::vector<SearchTerm> terms;      ///< sorted by text, each text once
  std::vector<std::string> columns;   ///< names, for reasons
  std::vector<std::uint64_t> offers;  ///< keys by which other tables may refer to this one; sorted
  std::vector<std::uint64_t> wants;   ///< keys of tables that this one refers to; sorted
  bool operator==(const SearchDocument&) const = default;
};

/// The term that stands for a column's type: no word of a question is spelt so by itself.
inline std::string TypeTerm(std::string_view word) { return std::string(word) + ":type"; }

/// FNV-1a, 64 bits: stable across runs and machines, unlike std::hash.
constexpr std::uint64_t SearchHash(std::string_view text,
                                   std::uint64_t seed = 14695981039346656037ULL) {
  for (const char c : text) {
    seed ^= static_cast<unsigned char>(c);
    seed *= 1099511628211ULL;
  }
  return seed;
}

}  // namespace schemaward::store
