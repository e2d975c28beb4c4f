#include "guard/sorted_rows.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "catalog/is_view.h"
#include "catalog/type_tags.h"
#include "guard/decision.h"
#include "guard/forms.h"
#include "guard/names.h"
#include "guard/own_conditions.h"
#include "guard/own_types.h"
#include "privacy/mention.h"
#include "privacy/name_rules.h"
#include "privacy/type_family.h"

namespace schemaward::guard {
namespace {

namespace query = sql::query;

bool IsAnyHidden(const catalog::Table& table, const catalog::Key& key,
                 const std::vector<bool>& hidden) {
  return std::any_of(key.columns.begin(), key.columns.end(), [&](const std::string& name) {
    const std::size_t at = catalog::FindColumn(table, name);
    return at >= hidden.size() || hidden[at];
  });
}

bool IsNeverNull(const catalog::Table& table, const catalog::Key& key) {
  return std::all_of(key.columns.begin(), key.columns.end(), [&](const std::string& name) {
    const std::size_t at = catalog::FindColumn(table, name);
    return at < table.columns.size() && !table.columns[at].nullable;
  });
}

// True for a type of which equal values are the same: 1.0 and 1.00 are not, nor 0 and -0.
bool IsWhole(const catalog::Column& column) {
  if (column.type.empty() || privacy::FamilyOf(column.type) != privacy::kNumber) return false;
  const std::string type = LowerAscii(column.type);
  return type.find("int") != std::string::npos || type.find("serial") != std::string::npos;
}

// The value byte by byte: a collation may tell letters not apart.
query::ExpressionPtr BytesOf(query::ExpressionPtr value, const sql::Dialect& dialect) {
  const bool is_postgres = dialect.name == sql::Postgres().name;
  const std::string_view to = dialect.name == sql::MySql().name ? " AS BINARY)"
                              : is_postgres                     ? " AS TEXT)"
                                                                : " AS BLOB)";
  std::vector<query::Part> parts;
  parts.push_back(query::ValuePart("CAST(", std::move(value)));
  parts.push_back(query::TextPart(std::string(to)));
  auto bytes = query::MakeSyntax("cast", std::move(parts), false);
  return is_postgres ? Suffixed(std::move(bytes), R"( COLLATE "C")") : std::move(bytes);
}

// Keys that no two values share that differ to who reads them.
void AddKeys(const query::Name& table, const catalog::Column& column, const sql::Dialect& dialect,
             std::vector<query::OrderItem>& order) {
  const bool is_number = !column.type.empty() && privacy::FamilyOf(column.type) == privacy::kNumber;
  const bool is_binary =
      dialect.name == sql::DuckDb().name;  // no text is a blob as it stands there
  const bool is_value = is_binary || RunsRoutines(column);
  // SQLite holds values of any type in a column: 1 and '1' have the same bytes.
  if (is_number || is_value || dialect.name == sql::Sqlite().name)
    order.push_back({ColumnOf(table, column.name), {}});
  if (!is_value && !IsWhole(column))
    order.push_back({BytesOf(ColumnOf(table, column.name), dialect), {}});
}

}  // namespace

bool GivesOneRowOfAnyOrder(const query::Core& core, const catalog::Table& table) {
  // Of values that are equal and not the same the first would be shown, or the last.
  const auto is_whole = [&](const query::Expression* value) {
    if (value == nullptr || value->kind != query::ExpressionKind::Column) return false;
    const std::size_t at = catalog::FindColumn(table, value->names.back().text);
    return at < table.columns.size() && IsWhole(table.columns[at]);
  };
  const auto is_of_all_rows = [&](const query::Output& output) {
    const query::Expression& call = *output.expression;
    if (call.kind != query::ExpressionKind::Call || call.has_window || call.names.size() != 1)
      return false;
    const std::string& name = call.names.front().text;
    if (FoldsTo(name, "count")) return true;
    // With two arguments these are functions of one row in SQLite.
    return (FoldsTo(name, "min") || FoldsTo(name, "max")) && is_whole(ArgumentAt(call, 0)) &&
           std::count_if(call.parts.begin(), call.parts.end(),
                         [](const query::Part& part) { return part.expression != nullptr; }) == 1;
  };
  return core.group_by.empty() && !core.groups_all && core.having == nullptr &&
         !core.outputs.empty() &&
         std::all_of(core.outputs.begin(), core.outputs.end(), is_of_all_rows);
}

bool StandsByHidden(const catalog::Table& table, const std::vector<bool>& hidden,
                    const sql::Dialect& dialect) {
  if (std::any_of(table.columns.begin(), table.columns.end(), [](const catalog::Column& column) {
        return catalog::HasTag(column, catalog::kClusteredByHiddenTag);
      }))
    return true;
  if (std::none_of(hidden.begin(), hidden.end(), [](bool is) { return is; })) return false;
  const auto& key = table.primary_key;
  if (dialect.name != sql::Postgres().name) {
    if (key && IsAnyHidden(table, *key, hidden)) return true;
    if (!key && dialect.name == sql::MySql().name &&
        std::any_of(table.unique_keys.begin(), table.unique_keys.end(), [&](const auto& one) {
          return IsNeverNull(table, one) && IsAnyHidden(table, one, hidden);
        }))
      return true;
  }
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (hidden[i] && catalog::HasTag(table.columns[i], catalog::kClusteredTag)) return true;
  if (table.partition_count == 0 && table.kind != catalog::TableKind::PartitionedTable)
    return false;
  if (!table.partition_key.empty()) {
    for (std::size_t i = 0; i < hidden.size(); ++i)
      if (hidden[i] && privacy::Mentions(table.partition_key, table.columns[i].name)) return true;
    return false;
  }
  return (!key || IsAnyHidden(table, *key, hidden)) &&
         std::all_of(table.unique_keys.begin(), table.unique_keys.end(),
                     [&](const auto& one) { return IsAnyHidden(table, one, hidden); });
}

bool SortRows(TableUse& use, const Analysis& analysis, const std::vector<bool>& hidden,
              const sql::Dialect& dialect, std::vector<query::OrderItem> order) {
  const catalog::Table& table = *use.table;
  const query::Name name{table.name, true, false};
  std::vector<query::Output> outputs;
  // Whether a hidden value is there decides between rows that are otherwise alike alone: a list of
  // names (AS t(a, b)) reads all columns, shown or not.
  std::vector<query::OrderItem> last;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const catalog::Column& column = table.columns[i];
    if (!IsUsed(analysis, column)) continue;
    outputs.push_back({ColumnOf(name, column.name), {}});
    if (hidden[i])
      last.push_back({Suffixed(ColumnOf(name, column.name), " IS NOT NULL"), {}});
    else
      AddKeys(name, column, dialect, order);
  }
  for (const std::string& rowid : RowidsOf(analysis, table)) {
    outputs.push_back({ColumnOf(name, rowid), {rowid, true, false}});
    order.push_back({ColumnOf(name, rowid), {}});
  }
  std::move(last.begin(), last.end(), std::back_inserter(order));
  if (outputs.empty()) {
    if (!catalog::IsView(table.kind)) return false;
    outputs.push_back({Word("integer", "1"), {}});
    // DuckDB joins piece by piece, and without a sort the pieces are those of the view's groups.
    if (dialect.name == sql::DuckDb().name && order.empty())
      order.push_back({Word("integer", "1"), {}});
  }
  std::vector<query::ExpressionPtr> own;
  if (use.core != nullptr) own = OwnConditions(*use.core, table, *use.place, dialect);
  query::Query& sorted = Enclose(use);
  query::Core& core = sorted.terms.front().core;
  core.outputs = std::move(outputs);
  for (auto& condition : own) And(core.where, std::move(condition));
  sorted.order_by = std::move(order);
  sorted.limit = Word("integer", std::string(kNoLimit));
  if (dialect.name == sql::Sqlite().name)
    sorted.offset = Word("integer", "0");  // with one SQLite never takes a select apart
  return true;
}

}  // namespace schemaward::guard
