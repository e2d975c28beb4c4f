#include "explore/figure.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <boost/multiprecision/cpp_int.hpp>
#include <fmt/format.h>

#include "base/ascii.h"
#include "explore/limits.h"
#include "explore/text.h"

namespace schemaward::explore {
namespace {

using Whole = boost::multiprecision::cpp_int;
using Exact = boost::multiprecision::cpp_rational;

constexpr std::size_t kDigitsMax = 400;  // of a number as text, and of an exponent's size
constexpr int kDecimalsShownMin = 6;
constexpr int kDecimalsShownMax = 20;

Exact PowerOfTen(int exponent) {
  const Whole power = boost::multiprecision::pow(
      Whole(10), static_cast<unsigned>(exponent < 0 ? -exponent : exponent));
  return exponent < 0 ? Exact(Whole(1), power) : Exact(power);
}

/// A number as it is written.
struct Written {
  Exact value;
  int decimals = 0;  ///< digits after the point
};

// Sign, digits, point, digits, exponent; at least one digit, and nothing else.
std::optional<Written> ReadNumber(std::string_view text) {
  if (text.empty() || text.size() > kDigitsMax) return std::nullopt;
  const bool is_negative = text.front() == '-';
  if (is_negative || text.front() == '+') text.remove_prefix(1);
  int exponent = 0;
  if (const std::size_t e = text.find_first_of("eE"); e != std::string_view::npos) {
    std::string_view digits = text.substr(e + 1);
    if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) return std::nullopt;
    if (exponent > static_cast<int>(kDigitsMax) || exponent < -static_cast<int>(kDigitsMax))
      return std::nullopt;
    text = text.substr(0, e);
  }
  Written written;
  Whole digits = 0;
  bool has_digit = false;
  bool is_past_point = false;
  for (const char c : text) {
    if (c == '.' && !is_past_point) {
      is_past_point = true;
      continue;
    }
    if (c < '0' || c > '9') return std::nullopt;
    digits = digits * 10 + (c - '0');
    has_digit = true;
    if (is_past_point) ++written.decimals;
  }
  if (!has_digit) return std::nullopt;
  written.value =
      Exact(is_negative ? Whole(-digits) : digits) * PowerOfTen(exponent - written.decimals);
  return written;
}

/// A claimed number: its value, and half a unit of its last digit.
struct Claimed {
  Exact value, tolerance;
  int decimals = 0;
  bool is_percent = false;
};

// "1,234.5", "12.5 %", "3.4M". Commas must stand where thousands end.
std::optional<std::string> WithoutCommas(std::string_view text) {
  constexpr std::size_t kGroup = 3;
  const std::size_t end = std::min(text.find('.'), text.size());
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != ',') {
      plain += text[i];
      continue;
    }
    const std::size_t next = std::min(text.find(',', i + 1), end);
    if (i == 0 || i > end || next - i - 1 != kGroup) return std::nullopt;
  }
  return plain;
}

std::optional<Claimed> ReadClaimed(const std::string& value) {
  constexpr std::string_view kUnits = "KMB";
  constexpr int kThousand = 3;
  std::string text = BareName(value);
  Claimed claimed;
  int scale = 0;
  if (!text.empty() && text.back() == '%') {
    claimed.is_percent = true;
    scale = -2;
    text.pop_back();
  } else if (!text.empty() && kUnits.find(text.back()) != std::string_view::npos) {
    scale = kThousand * static_cast<int>(kUnits.find(text.back()) + 1);
    text.pop_back();
  }
  while (!text.empty() && text.back() == ' ') text.pop_back();
  const auto plain = WithoutCommas(text);
  const auto written = plain ? ReadNumber(*plain) : std::nullopt;
  if (!written) return std::nullopt;
  claimed.value = written->value * PowerOfTen(scale);
  // A claim of nothing is met by nothing alone.
  if (claimed.value != 0) claimed.tolerance = PowerOfTen(scale - written->decimals) / 2;
  claimed.decimals = std::max(written->decimals - (claimed.is_percent ? 0 : scale), 0);
  return claimed;
}

// Rounded half away from zero, without zeros at the end.
std::string Show(const Exact& value, const Claimed& claimed) {
  const int decimals = std::clamp(claimed.decimals + 2, kDecimalsShownMin, kDecimalsShownMax);
  const Exact scaled = abs(value) * PowerOfTen(decimals + (claimed.is_percent ? 2 : 0));
  const Whole rounded = (numerator(scaled) * 2 + denominator(scaled)) / (denominator(scaled) * 2);
  std::string digits = rounded.str();
  const auto point = static_cast<std::size_t>(decimals);
  if (digits.size() <= point) digits.insert(0, point + 1 - digits.size(), '0');
  digits.insert(digits.size() - point, ".");
  while (digits.back() == '0') digits.pop_back();
  if (digits.back() == '.') digits.pop_back();
  return (value < 0 && rounded != 0 ? "-" : "") + digits + (claimed.is_percent ? "%" : "");
}

std::optional<Exact> NumberOf(const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return Exact(Whole(*whole));
  std::optional<Written> written;
  // The shortest decimal that reads back as the same double is what everybody is shown.
  if (const auto* real = std::get_if<double>(&cell)) written = ReadNumber(fmt::format("{}", *real));
  if (const auto* decimal = std::get_if<Decimal>(&cell)) written = ReadNumber(decimal->text);
  if (!written) return std::nullopt;
  return written->value;
}

bool IsNull(const Cell& cell) { return std::holds_alternative<std::monostate>(cell); }

bool Holds(const Cell& cell, const std::string& value) {
  if (const auto number = NumberOf(cell)) {
    const auto wanted = ReadNumber(value);
    return wanted && wanted->value == *number;
  }
  if (const auto* truth = std::get_if<bool>(&cell))
    return LowerAscii(value) == (*truth ? "true" : "false");
  const auto* text = std::get_if<std::string>(&cell);
  return text != nullptr && *text == value;
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
    const auto number = NumberOf(At(*rows_.front(), column_));
    return number ? Found{number} : NotANumber();
  }

  Found Sum() const {
    Exact sum = 0;
    for (const auto* row : rows_) {
      const Cell& cell = At(*row, column_);
      if (IsNull(cell)) continue;
      const auto number = NumberOf(cell);
      if (!number) return NotANumber();
      sum += *number;
    }
    return {sum};
  }

  Found Count() const {
    std::int64_t count = 0;
    for (const auto* row : rows_)
      if (part_.column.empty() || !IsNull(At(*row, column_))) ++count;
    return {Exact(Whole(count))};
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
  if (figure.kind == FigureKind::Difference) return Found{Exact(*of.number - *base.number)};
  if (*base.number == 0) return Unverifiable("The base of the ratio is 0.");
  return Found{Exact(*of.number / *base.number)};
}

}  // namespace

Result<Checked> CheckFigure(const Figure& figure, const ResultOfStep& result_of) {
  const auto claimed = ReadClaimed(figure.value);
  if (!claimed)
    return Checked{Verdict::Error, "",
                   fmt::format("The claimed value {} is no number.", ShowValue(figure.value))};
  WARD_TRY(const Found found, Compute(figure, result_of));
  if (!found.number) return found.instead;
  const Exact& right = *found.number;
  const std::string shown = Show(right, *claimed);
  if (abs(right - claimed->value) <= claimed->tolerance)
    return Checked{Verdict::Confirmed, shown, "The number is right as it is written."};
  if (right.sign() != 0 && right.sign() == claimed->value.sign())
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
