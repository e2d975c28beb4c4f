#include "guard/sorted_rows.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "catalog/is_view.h"
#include "catalog/type_tags.h"
#include "guard/decision.h"
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

// A value in a form in which no two that differ are alike to the engine, and that has an order.
query::ExpressionPtr Comparable(query::ExpressionPtr value, const catalog::Column& column,
                                const sql::Dialect& dialect) {
  const bool is_number = !column.type.empty() && privacy::FamilyOf(column.type) == privacy::kNumber;
  const bool is_binary =
      dialect.name == sql::DuckDb().name;  // no text is a blob as it stands there
  if (is_number || is_binary || RunsRoutines(column)) return value;
  const std::string_view to = dialect.name == sql::MySql().name      ? " AS BINARY)"
                              : dialect.name == sql::Postgres().name ? " AS TEXT)"
                                                                     : " AS BLOB)";
  std::vector<query::Part> parts;
  parts.push_back(query::ValuePart("CAST(", std::move(value)));
  parts.push_back(query::TextPart(std::string(to)));
  return query::MakeSyntax("cast", std::move(parts), false);
}

query::ExpressionPtr IsThere(query::ExpressionPtr value) {
  std::vector<query::Part> parts;
  parts.push_back(query::ValuePart("", std::move(value)));
  parts.push_back(query::TextPart(" IS NOT NULL"));
  return query::MakeSyntax("postfix", std::move(parts), true);
}

}  // namespace

bool GivesOneRowOfAnyOrder(const query::Core& core) {
  const auto is_of_all_rows = [](const query::Output& output) {
    const query::Expression& call = *output.expression;
    if (call.kind != query::ExpressionKind::Call || call.has_window || call.names.size() != 1)
      return false;
    const std::string& name = call.names.front().text;
    if (FoldsTo(name, "count")) return true;
    // With two arguments these are functions of one row in SQLite.
    return (FoldsTo(name, "min") || FoldsTo(name, "max")) &&
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
    query::OrderItem item;
    item.expression = hidden[i] ? IsThere(ColumnOf(name, column.name))
                                : Comparable(ColumnOf(name, column.name), column, dialect);
    (hidden[i] ? last : order).push_back(std::move(item));
  }
  for (const std::string& rowid : RowidsOf(analysis, table)) {
    outputs.push_back({ColumnOf(name, rowid), {rowid, true, false}});
    order.push_back({ColumnOf(name, rowid), {}});
  }
  std::move(last.begin(), last.end(), std::back_inserter(order));
  if (outputs.empty()) {
    if (!catalog::IsView(table.kind)) return false;
    outputs.push_back({Word("integer", "1"), {}});
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
