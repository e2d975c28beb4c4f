#pragma once

// Precision and recall of the name rules on labelled columns.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "privacy/category.h"

namespace schemaward::privacy {

/// A column and what it holds: at most one category.
struct LabelledColumn {
  std::string half;  ///< dev | held, or any other word
  std::string language;
  std::string table, column, type;
  std::string category;  ///< a category's name, or empty
};

/// Reads lines of six fields, half, language, table, column, type, category ("-": none), parted by
/// tabs; the line of names and lines that start with # are passed over. Errors: InputUnreadable
/// with the line's number; more than kLabelledMax lines.
Result<std::vector<LabelledColumn>> ReadLabelled(std::string_view text);
inline constexpr std::size_t kLabelledMax = 100'000;

struct Counts {
  std::int64_t right = 0;    ///< found and labelled so
  std::int64_t wrong = 0;    ///< found, not labelled so
  std::int64_t missed = 0;   ///< labelled, not found
  double Precision() const;  ///< 1 where nothing was found
  double Recall() const;     ///< 1 where nothing is labelled
};

struct Measured {
  std::array<Counts, kCategoryCount> by_category{};
  Counts personal;  ///< whether a column is personal at all, whichever the category
  std::int64_t columns = 0;
  std::vector<std::string> mistakes;  ///< "wrong table.column: contact" and "missed ..."
  /// All categories together.
  Counts All() const;
};

/// Classifies each column of `half` (all where it is empty) by names and type.
Measured Measure(const std::vector<LabelledColumn>& columns, std::string_view half);

/// A table for people: category, precision, recall, number of labels.
std::string ToText(const Measured& measured);

}  // namespace schemaward::privacy
