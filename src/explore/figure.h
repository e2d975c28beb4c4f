#pragma once

// A claim's numbers as figures: what each is made of is stated, so that it is computed again
// instead of believed.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "explore/warehouse.h"

namespace schemaward::explore {

/// cell: one value; sum, count: over rows; ratio, difference: of two of the others.
enum class FigureKind : std::uint8_t { OneCell, Sum, Count, Ratio, Difference };

/// Rows whose column holds the value. Numbers are compared as numbers, all else as text.
struct RowMatch {
  std::string column, value;
};

/// What is taken out of the result of a step.
struct Part {
  FigureKind kind = FigureKind::OneCell;  ///< cell, sum or count
  std::int64_t step = 0;
  std::string column;           ///< count: of values that are not null; of rows where empty
  std::vector<RowMatch> where;  ///< all of them hold; all rows where empty
};

struct Figure {
  std::string label;
  std::string value;  ///< as claimed: "1,234.5", "12 %", "3.4M"
  FigureKind kind = FigureKind::OneCell;
  Part of;  ///< of a ratio what is divided, of a difference what the base is taken from
  std::optional<Part> base{};  ///< of a ratio and a difference: the other one
};

/// confirmed: the right number, rounded as the claim is written, is the claim. adjusted: it is
/// another of the same sign. rejected: it is 0, or has another sign, or the row is not there.
/// unverifiable: the result does not say. error: nothing was computed.
enum class Verdict : std::uint8_t { Confirmed, Adjusted, Rejected, Unverifiable, Error };

/// What came of a figure.
struct Checked {
  Verdict verdict = Verdict::Error;
  std::string right;   ///< the right number; empty where there is none
  std::string reason;  ///< one sentence
};

/// Gives the result of a step's statement, run again. Lifetime of what it gives: the check.
using ResultOfStep = std::function<Result<const QueryResult*>(std::int64_t step)>;

/// Computes the figure anew, exactly: decimals are never binary fractions. It is confirmed where
/// Meets [exact.h] says so. An error of `result_of` is a verdict of error, save those that end the
/// call. Thread: any.
Result<Checked> CheckFigure(const Figure& figure, const ResultOfStep& result_of);

/// The worst of them: error, rejected, unverifiable, adjusted, confirmed; error where there is
/// none, since nothing was checked.
Verdict WorstOf(const std::vector<Checked>& checked);

}  // namespace schemaward::explore
