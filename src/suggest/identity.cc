#include "suggest/identity.h"

#include <string>

namespace schemaward::suggest {
namespace {

bool Identifies(const ColumnWords& column, const std::vector<std::string>& table, bool is_first) {
  if (column.id_word.empty()) return is_first && column.joined == Join(table);
  if (FitOf(column.stem, table) == Fit::Same) return true;
  return is_first && (column.stem.empty() || FitOf(column.stem, table) >= Fit::Letters);
}

}  // namespace

std::optional<std::size_t> GuessIdentity(const std::vector<std::string>& table_words,
                                         const std::vector<const ColumnWords*>& columns) {
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (Identifies(*columns[c], table_words, c == 0)) return c;
  return std::nullopt;
}

std::optional<std::size_t> GuessIdentity(const catalog::Table& table, ColumnNames& names) {
  std::vector<const ColumnWords*> columns;
  columns.reserve(table.columns.size());
  for (const catalog::Column& column : table.columns) columns.push_back(&names.Read(column.name));
  return GuessIdentity(ReadTableName(table.name), columns);
}

}  // namespace schemaward::suggest
