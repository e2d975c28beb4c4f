#include "querylog/names.h"

#include "base/ascii.h"

namespace schemaward::querylog {

Names::Names(const std::vector<catalog::Table>& tables) : tables_(tables) {
  for (std::size_t t = 0; t < tables.size(); ++t)
    by_folded_name_[LowerAscii(tables[t].name)].push_back(t);
}

std::optional<std::size_t> Names::InSchema(std::string_view schema, std::string_view name) const {
  const auto found = by_folded_name_.find(LowerAscii(name));
  if (found == by_folded_name_.end()) return std::nullopt;
  std::optional<std::size_t> folded;
  bool several = false;
  for (const std::size_t t : found->second) {
    const catalog::Table& table = tables_[t];
    if (table.schema == schema && table.name == name) return t;
    if (!EqualsIgnoringAsciiCase(table.schema, schema)) continue;
    several = folded.has_value();
    folded = t;
  }
  return several ? std::nullopt : folded;
}

std::optional<std::size_t> Names::FindTable(std::string_view schema, std::string_view name,
                                            const std::vector<std::string>& search_path) const {
  if (!schema.empty()) return InSchema(schema, name);
  for (const std::string& in : search_path)
    if (const auto found = InSchema(in, name)) return found;
  const auto found = by_folded_name_.find(LowerAscii(name));
  if (found == by_folded_name_.end() || found->second.size() != 1) return std::nullopt;
  return found->second.front();
}

std::optional<std::size_t> Names::FindColumn(std::size_t table, std::string_view name) const {
  const catalog::Table& in = tables_[table];
  const std::size_t exact = catalog::FindColumn(in, name);
  if (exact < in.columns.size()) return exact;
  std::optional<std::size_t> found;
  for (std::size_t c = 0; c < in.columns.size(); ++c) {
    if (!EqualsIgnoringAsciiCase(in.columns[c].name, name)) continue;
    if (found) return std::nullopt;
    found = c;
  }
  return found;
}

}  // namespace schemaward::querylog
