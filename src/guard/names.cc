#include "guard/names.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/text_distance.h"
#include "text/fold.h"

namespace schemaward::guard {
namespace {

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

bool FoldsTo(std::string_view a, std::string_view b) { return EqualsIgnoringAsciiCase(a, b); }

bool Means(const sql::query::Name& written, std::string_view real, const sql::Dialect& dialect) {
  if (dialect.name == sql::MySql().name && (!IsAscii(written.text) || !IsAscii(real)))
    return text::FoldCase(written.text) == text::FoldCase(real);
  if (dialect.name != sql::Postgres().name) return FoldsTo(written.text, real);
  return written.is_quoted ? written.text == real : LowerAscii(written.text) == real;
}

std::vector<std::string> NearestOf(std::string_view name, const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 3;
  const std::string wanted = LowerAscii(name);
  const std::size_t limit = std::max<std::size_t>(2, wanted.size() / 3);
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& candidate : names) {
    const std::string lowered = LowerAscii(candidate);
    std::size_t distance = EditDistance(wanted, lowered, limit);
    const bool holds =
        wanted.size() > 2 && (lowered.find(wanted) != std::string::npos ||
                              (lowered.size() > 2 && wanted.find(lowered) != std::string::npos));
    if (distance > limit && !holds) continue;
    if (holds) distance = std::min(distance, limit);
    near.emplace_back(distance, candidate);
  }
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  std::vector<std::string> result;
  for (auto& [distance, candidate] : near)
    if (result.size() < kShown) result.push_back(std::move(candidate));
  return result;
}

}  // namespace schemaward::guard
