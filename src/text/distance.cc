#include "text/distance.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace schemaward::text {
namespace {

constexpr std::uint32_t kLimitMax = 1U << 20;  // keeps sums far from overflow

bool IsDigit(char32_t c) { return c >= U'0' && c <= U'9'; }

std::uint32_t LeastEdit(const EditCosts& costs) {
  return std::max<std::uint32_t>(1, std::min({costs.edit, costs.doubled, costs.digit}));
}

/// Three rows of the table of prefixes: the current one and the two before it.
class Table {
 public:
  Table(std::u32string_view a, std::u32string_view b, std::uint32_t limit, const EditCosts& costs)
      : a_(a), b_(b), limit_(limit), costs_(costs) {
    least_edit_ = LeastEdit(costs);
    const std::size_t width = b.size() + 1;
    std::uint32_t* cells = small_.data();
    if (width * 3 > small_.size()) {
      large_.resize(width * 3);
      cells = large_.data();
    }
    for (std::size_t r = 0; r < rows_.size(); ++r) rows_[r] = cells + r * width;
    std::fill(cells, cells + width * 3, limit + 1);
  }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  std::uint32_t Run() {
    const std::size_t band = limit_ / least_edit_;
    FirstRow(band);
    std::uint32_t least_before = 0;
    for (std::size_t i = 1; i <= a_.size(); ++i) {
      std::rotate(rows_.begin(), rows_.begin() + 2, rows_.end());  // {current, last, before last}
      const std::uint32_t least = NextRow(i, band);
      // A swap reaches back two rows, so the cheapest of the last row counts as well.
      if (std::min(least, least_before) > limit_) return limit_ + 1;
      least_before = least;
    }
    return std::min(rows_[0][b_.size()], limit_ + 1);
  }

 private:
  static constexpr std::size_t kSmallCells =
      std::size_t{3} * 64;  // on the stack: most names are short

  void FirstRow(std::size_t band) {
    rows_[0][0] = 0;
    for (std::size_t j = 1; j <= std::min(band, b_.size()); ++j) {
      rows_[0][j] = rows_[0][j - 1] + Gap(b_, j - 1);
    }
  }

  /// Fills row `i` within the band and returns its cheapest cell.
  std::uint32_t NextRow(std::size_t i, std::size_t band) {
    std::uint32_t* row = rows_[0];
    const std::size_t from = i > band ? i - band : 0;
    const std::size_t to = std::min(b_.size(), i + band);
    // What the row held two rows ago is gone; beside the band nothing may be read as cheap.
    std::fill(row, row + b_.size() + 1, limit_ + 1);
    std::uint32_t least = limit_ + 1;
    for (std::size_t j = from; j <= to; ++j) {
      row[j] = Cell(i, j);
      least = std::min(least, row[j]);
    }
    return least;
  }

  std::uint32_t Cell(std::size_t i, std::size_t j) const {
    const std::uint32_t *row = rows_[0], *last = rows_[1], *before = rows_[2];
    std::uint32_t best = last[j] + Gap(a_, i - 1);
    if (j == 0) return best;
    best = std::min(best, row[j - 1] + Gap(b_, j - 1));
    const char32_t x = a_[i - 1], y = b_[j - 1];
    best = std::min(best, last[j - 1] + (x == y ? 0 : Edit(x, y)));
    if (i > 1 && j > 1 && x == b_[j - 2] && a_[i - 2] == y && x != y) {
      best = std::min(best, before[j - 2] + Edit(x, y));
    }
    return best;
  }

  std::uint32_t Edit(char32_t x, char32_t y) const {
    return IsDigit(x) || IsDigit(y) ? costs_.digit : costs_.edit;
  }

  /// The cost of the letter at `at` standing in one text only.
  std::uint32_t Gap(std::u32string_view text, std::size_t at) const {
    if (IsDigit(text[at])) return costs_.digit;
    const bool doubled = at > 0 && text[at - 1] == text[at];
    return doubled ? costs_.doubled : costs_.edit;
  }

  std::u32string_view a_, b_;
  std::uint32_t limit_;
  EditCosts costs_;
  std::uint32_t least_edit_ = 1;
  std::array<std::uint32_t*, 3> rows_{};
  std::array<std::uint32_t, kSmallCells> small_;
  std::vector<std::uint32_t> large_;
};

}  // namespace

std::uint32_t EditCost(std::u32string_view a, std::u32string_view b, std::uint32_t limit,
                       const EditCosts& costs) {
  limit = std::min(limit, kLimitMax);
  const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (difference > limit / LeastEdit(costs)) return limit + 1;
  return Table(a, b, limit, costs).Run();
}

std::uint32_t EditDistance(std::u32string_view a, std::u32string_view b, std::uint32_t limit) {
  return EditCost(a, b, limit, EditCosts{.edit = 1, .doubled = 1, .digit = 1});
}

}  // namespace schemaward::text
