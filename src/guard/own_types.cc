#include "guard/own_types.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "catalog/type_tags.h"
#include "guard/analyzer.h"
#include "guard/names.h"
#include "sql/query/reader.h"

namespace schemaward::guard {
namespace {

constexpr std::string_view kArray = "[]";

// schema.name; a name without a schema cannot be told from the engine's own types.
std::optional<OwnType> Parsed(std::string_view text) {
  while (text.ends_with(kArray)) text.remove_suffix(kArray.size());
  std::vector<std::string> parts = catalog::SplitName(text);
  if (parts.size() != 2 || FoldsTo(parts[0], "pg_catalog") ||
      FoldsTo(parts[0], "information_schema"))
    return std::nullopt;
  return OwnType{std::move(parts[0]), std::move(parts[1])};
}

bool IsChecked(const catalog::Table& table, const catalog::Column& column) {
  return std::any_of(table.checks.begin(), table.checks.end(), [&](const catalog::Check& check) {
    return check.expression.find(column.name) != std::string::npos;
  });
}

}  // namespace

bool RunsRoutines(const catalog::Column& column) {
  return catalog::HasTag(column, catalog::kConvertedTag);
}

bool IsCheckedByRoutine(const catalog::Column& column) {
  return catalog::HasTag(column, catalog::kCheckedTag);
}

std::vector<OwnType> OwnTypesOf(const catalog::Table& table) {
  std::vector<OwnType> types;
  for (const catalog::Column& column : table.columns) {
    if (RunsRoutines(column) || IsCheckedByRoutine(column)) continue;
    const bool is_enum = !column.domain && !column.labels.empty() && !IsChecked(table, column);
    if (!column.domain && !is_enum) continue;
    if (auto type = Parsed(column.domain ? *column.domain : column.type))
      types.push_back(*std::move(type));
  }
  std::sort(types.begin(), types.end(), [](const OwnType& a, const OwnType& b) {
    return std::tie(a.schema, a.name) < std::tie(b.schema, b.name);
  });
  types.erase(std::unique(types.begin(), types.end()), types.end());
  return types;
}

bool IsOwnRow(const catalog::Column& column) {
  return !column.domain && column.labels.empty() && Parsed(column.type).has_value();
}

// Writes out the type that a cast names: an enum or a domain of a table that the statement reads.
Status Analyzer::CastType(query::Expression& cast, const Scope& scope) {
  std::vector<OwnType> fits;
  const query::Name& written = cast.names.back();
  const auto look = [&](const catalog::Table& table) {
    for (const auto& type : OwnTypesOf(table))
      if (Means(written, type.name, dialect_) &&
          (cast.names.size() == 1 || Means(cast.names.front(), type.schema, dialect_)) &&
          std::find(fits.begin(), fits.end(), type) == fits.end())
        fits.push_back(type);
  };
  for (const Scope* at = &scope; at != nullptr; at = at->outer)
    for (const Binding& binding : at->bindings)
      if (binding.table != nullptr) look(*binding.table);
  for (const TableUse& use : out_.tables) look(*use.table);
  // Without a schema a table's name means the type of its rows.
  bool means_another = false;
  if (cast.names.size() == 1 && fits.size() == 1) {
    WARD_TRY(const auto tables, lookup_.Find(std::nullopt, written.text));
    means_another = !tables.empty();
  }
  if (fits.size() != 1 || means_another)
    return std::move(
        Error(ErrorKind::NotARead,
              fmt::format("the statement casts to \"{}\", a type that is not on the list",
                          written.text))
            .Hint(query::kWriteWithout));
  cast.names = {{fits.front().schema, true, false}, {fits.front().name, true, false}};
  return Ok();
}

}  // namespace schemaward::guard
