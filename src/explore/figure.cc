#include "explore/figure.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/ascii.h"
#include "explore/exact.h"
#include "explore/limits.h"
#include "explore/text.h"

namespace schemaward::explore {
namespace {

constexpr std::int64_t kPlacesShownMin = 6;
constexpr std::int64_t kPlacesShownMax = 20;

// A little finer than the claim, without zeros at the end.
std::string Show(const Exact& value, const Number& claim) {
  constexpr std::int64_t kHundred = 100;
  constexpr std::int64_t kPlacesOfPercent = 2;
  const std::int64_t written = claim.places - (claim.is_percent ? kPlacesOfPercent : 0);
  const Exact shown = claim.is_percent ? value * Exact(kHundred) : value;
  std::string text = shown.ToText(std::clamp(written + 2, kPlacesShownMin, kPlacesShownMax));
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text + (claim.is_percent ? "%" : "");
}

bool IsNull(const Cell& cell) { return std::holds_alternative<std::monostate>(cell); }

bool Holds(const Cell& cell, const std::string& value) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text == value;
  if (const auto* truth = std::get_if<bool>(&cell))
    return LowerAscii(value) == (*truth ? "true" : "false");
  const auto number = Number::Of(cell);
  return number && number == Number::Read(value);
}

/// A number, or the verdict that there is none.
struct Found {
  std::optional<Exact> number;
  Checked instead{};
};

Found None(Verdict verdict, std::string reason) {
  return {std::nullopt, {verdict, "", std::move(reason)}};
}

Found Unverifiable(std::string reason) { return None(Verdict::Unverifiable, std::move(reason)); }

std::optional<std::size_t> ColumnAt(const QueryResult& result, const std::string& name) {
  std::optional<std::size_t> folded;
  for (std::size_t c = 0; c < result.columns.size(); ++c) {
    if (result.columns[c].name == name) return c;
    if (LowerAscii(result.columns[c].name) == LowerAscii(name)) folded = c;
  }
  return folded;
}

std::string NoColumn(const QueryResult& result, const Part& part, const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < result.columns.size() && c < kResultColumnsMax; ++c)
    names.push_back(ShowValue(result.columns[c].name));
  return fmt::format("The result of step {} has no column {}; it has {}.", part.step,
                     ShowValue(name), Listed(names));
}

/// The cited rows and column of one result.
class Reader {
 public:
  Reader(const QueryResult& result, const Part& part) : result_(result), part_(part) {}

  Found Read() {
    if (auto fault = FindColumns()) return *std::move(fault);
    if (result_.truncated)
      return Unverifiable(fmt::format("The result of step {} was cut at a limit.", part_.step));
    for (const auto& row : result_.rows)
      if (IsMeant(row)) rows_.push_back(&row);
    switch (part_.kind) {
      case FigureKind::OneCell:
        return OneCell();
      case FigureKind::Sum:
        return Sum();
      case FigureKind::Count:
        return Count();
      default:
        return Unverifiable("A part of a figure must be a cell, a sum or a count.");
    }
  }

 private:
  std::optional<Found> Take(const std::string& name, std::size_t& at) const {
    const auto found = ColumnAt(result_, name);
    if (!found) return Unverifiable(NoColumn(result_, part_, name));
    if (result_.columns[*found].hides_values)
      return Unverifiable(fmt::format("The values of {} are masked.", ShowValue(name)));
    at = *found;
    return std::nullopt;
  }

  std::optional<Found> FindColumns() {
    const bool counts_rows = part_.kind == FigureKind::Count && part_.column.empty();
    if (!counts_rows)
      if (auto fault = Take(part_.column, column_)) return fault;
    for (const RowMatch& match : part_.where) {
      where_.emplace_back();
      if (auto fault = Take(match.column, where_.back())) return fault;
    }
    return std::nullopt;
  }

  bool IsMeant(const std::vector<Cell>& row) const {
    for (std::size_t i = 0; i < where_.size(); ++i)
      if (where_[i] >= row.size() || !Holds(row[where_[i]], part_.where[i].value)) return false;
    return true;
  }

  static const Cell& At(const std::vector<Cell>& row, std::size_t column) {
    static const Cell null;
    return column < row.size() ? row[column] : null;
  }

  Found NotANumber() const {
    return Unverifiable(fmt::format("Column {} of step {} holds a value that is no number.",
                                    ShowValue(part_.column), part_.step));
  }

  Found OneCell() const {
    if (rows_.empty())
      return None(Verdict::Rejected,
                  fmt::format("The result of step {} has no such row.", part_.step));
    if (rows_.size() > 1)
      return Unverifiable(
          fmt::format("{} rows of step {} fit; say which with `where`.", rows_.size(), part_.step));
    const auto number = Number::Of(At(*rows_.front(), column_));
    return number ? Found{number->value} : NotANumber();
  }

  Found Sum() const {
    Exact sum;
    for (const auto* row : rows_) {
      const Cell& cell = At(*row, column_);
      if (IsNull(cell)) continue;
      const auto number = Number::Of(cell);
      if (!number) return NotANumber();
      sum = sum + number->value;
    }
    return {sum};
  }

  Found Count() const {
    std::int64_t count = 0;
    for (const auto* row : rows_)
      if (part_.column.empty() || !IsNull(At(*row, column_))) ++count;
    return {Exact(count)};
  }

  const QueryResult& result_;
  const Part& part_;
  std::size_t column_ = 0;
  std::vector<std::size_t> where_;
  std::vector<const std::vector<Cell>*> rows_;
};

bool EndsTheCall(const Error& error) {
  return error.kind() == ErrorKind::Cancelled || error.kind() == ErrorKind::DeadlineExceeded;
}

Result<Found> Compute(const Part& part, const ResultOfStep& result_of) {
  auto result = result_of(part.step);
  if (result) return Reader(**result, part).Read();
  if (EndsTheCall(result.error())) return std::move(result).error();
  return None(Verdict::Error, fmt::format("Step {}: {}.", part.step, result.error().message()));
}

Result<Found> Compute(const Figure& figure, const ResultOfStep& result_of) {
  const bool is_of_two = figure.kind == FigureKind::Ratio || figure.kind == FigureKind::Difference;
  if (!is_of_two) {
    Part part = figure.of;
    part.kind = figure.kind;
    return Compute(part, result_of);
  }
  if (!figure.base) return None(Verdict::Error, "A ratio and a difference need a base.");
  WARD_TRY(Found of, Compute(figure.of, result_of));
  if (!of.number) return of;
  WARD_TRY(Found base, Compute(*figure.base, result_of));
  if (!base.number) return base;
  if (figure.kind == FigureKind::Difference) return Found{*of.number - *base.number};
  if (base.number->sign() == 0) return Unverifiable("The base of the ratio is 0.");
  return Found{*of.number / *base.number};
}

}  // namespace

Result<Checked> CheckFigure(const Figure& figure, const ResultOfStep& result_of) {
  const auto claim = Number::ReadClaim(figure.value);
  if (!claim)
    return Checked{Verdict::Error, "",
                   fmt::format("The claimed value {} is no number.", ShowValue(figure.value))};
  WARD_TRY(const Found found, Compute(figure, result_of));
  if (!found.number) return found.instead;
  const Exact& right = *found.number;
  const std::string shown = Show(right, *claim);
  if (Meets(right, *claim))
    return Checked{Verdict::Confirmed, shown, "The number is right as it is written."};
  if (right.sign() != 0 && right.sign() == claim->value.sign())
    return Checked{Verdict::Adjusted, shown, fmt::format("The right number is {}.", shown)};
  return Checked{Verdict::Rejected, shown,
                 fmt::format("The right number is {}, which the claim denies.", shown)};
}

Verdict WorstOf(const std::vector<Checked>& checked) {
  for (const Verdict verdict :
       {Verdict::Error, Verdict::Rejected, Verdict::Unverifiable, Verdict::Adjusted})
    for (const Checked& one : checked)
      if (one.verdict == verdict) return verdict;
  return checked.empty() ? Verdict::Error : Verdict::Confirmed;
}

}  // namespace schemaward::explore
