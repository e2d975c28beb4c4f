#include "privacy/measure.h"

#include <algorithm>

#include <fmt/format.h>

#include "privacy/classify.h"

namespace schemaward::privacy {
namespace {

constexpr std::size_t kFields = 6;

std::vector<std::string> FieldsOf(std::string_view line) {
  std::vector<std::string> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find('\t', begin), line.size());
    fields.emplace_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return fields;
}

double Share(std::int64_t part, std::int64_t rest) {
  return part + rest == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(part + rest);
}

std::string Row(std::string_view name, const Counts& counts) {
  return fmt::format("{:<22} {:>9.3f} {:>7.3f} {:>7} {:>6} {:>7}\n", name, counts.Precision(),
                     counts.Recall(), counts.right + counts.missed, counts.wrong, counts.missed);
}

void Judge(const LabelledColumn& column, Measured& measured) {
  const Classification found = ClassifyName(column.table, column.column, column.type);
  const auto label = CategoryNamed(column.category);
  const std::string place = column.language + ' ' + column.table + '.' + column.column;
  for (const Finding& finding : found.findings) {
    Counts& counts = measured.by_category[static_cast<std::size_t>(finding.category)];
    const bool is_right = label == finding.category;
    ++(is_right ? counts.right : counts.wrong);
    if (!is_right)
      measured.mistakes.push_back(
          fmt::format("wrong  {}: {} ({})", place, NameOf(finding.category), finding.evidence));
  }
  if (label && !found.Has(*label)) {
    ++measured.by_category[static_cast<std::size_t>(*label)].missed;
    measured.mistakes.push_back(fmt::format("missed {}: {}", place, column.category));
  }
  if (found.IsPersonal()) ++(label ? measured.personal.right : measured.personal.wrong);
  if (label && !found.IsPersonal()) ++measured.personal.missed;
}

}  // namespace

double Counts::Precision() const { return Share(right, wrong); }
double Counts::Recall() const { return Share(right, missed); }

Counts Measured::All() const {
  Counts all;
  for (const Counts& counts : by_category) {
    all.right += counts.right;
    all.wrong += counts.wrong;
    all.missed += counts.missed;
  }
  return all;
}

Result<std::vector<LabelledColumn>> ReadLabelled(std::string_view text) {
  std::vector<LabelledColumn> columns;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.empty() || line.front() == '#' || line.starts_with("half\t")) continue;
    std::vector<std::string> fields = FieldsOf(line);
    const bool is_known = fields.size() == kFields &&
                          (fields.back() == "-" || CategoryNamed(fields.back()).has_value());
    if (!is_known || columns.size() == kLabelledMax)
      return Error(ErrorKind::InputUnreadable,
                   fmt::format("line {} is no labelled column", number));
    if (fields.back() == "-") fields.back().clear();
    columns.push_back({fields[0], fields[1], fields[2], fields[3], fields[4], fields[5]});
  }
  return columns;
}

Measured Measure(const std::vector<LabelledColumn>& columns, std::string_view half) {
  Measured measured;
  for (const LabelledColumn& column : columns) {
    if (!half.empty() && column.half != half) continue;
    ++measured.columns;
    Judge(column, measured);
  }
  return measured;
}

std::string ToText(const Measured& measured) {
  std::string out = fmt::format("{:<22} {:>9} {:>7} {:>7} {:>6} {:>7}\n", "category", "precision",
                                "recall", "labels", "wrong", "missed");
  for (std::size_t i = 0; i < kCategoryCount; ++i)
    out += Row(NameOf(static_cast<Category>(i)), measured.by_category[i]);
  out += Row("all", measured.All());
  out += Row("personal or not", measured.personal);
  return out + fmt::format("{} columns\n", measured.columns);
}

}  // namespace schemaward::privacy
