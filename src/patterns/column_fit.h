#pragma once

// How well a column of a table fills a parameter.

#include <string_view>

#include "catalog/catalog.h"
#include "patterns/pattern.h"

namespace schemaward::patterns {

/// How well, and why.
struct Fit {
  double score = 0;      ///< 0: it cannot; else above 0, at most some 2
  std::string_view how;  ///< static
};

/// `target`: the table that fills what the parameter refers to, or null.
Fit FitOf(const Parameter& parameter, const catalog::Table& table, const catalog::Column& column,
          const catalog::Table* target);

/// How alike two names are by their words, in [0, 1]. A plural is its singular.
double Likeness(std::string_view name, std::string_view other);

}  // namespace schemaward::patterns
