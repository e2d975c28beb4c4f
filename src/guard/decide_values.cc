// What stands on the tree for values that are allowed in part: masks, and the least size of groups.
#include <algorithm>

#include <fmt/format.h>

#include "guard/decision.h"
#include "guard/forms.h"

namespace schemaward::guard {
namespace {

namespace query = sql::query;

void Collect(const query::TableExpressionPtr& from, const catalog::Table& table,
             std::vector<const query::TableExpression*>& out) {
  if (from == nullptr) return;
  Collect(from->left, table, out);
  Collect(from->right, table, out);
  const bool is_it =
      from->kind == query::TableKind::Table && !from->names.empty() &&
      from->names.back().text == table.name &&
      (from->names.size() == 2 ? from->names.front().text == table.schema : table.schema.empty());
  if (is_it) out.push_back(from.get());
}

query::ExpressionPtr Operator(query::ExpressionPtr left, std::string op,
                              query::ExpressionPtr right) {
  std::vector<query::Part> parts;
  parts.push_back(query::ValuePart("", std::move(left)));
  parts.push_back(query::ValuePart(std::move(op), std::move(right)));
  return query::MakeSyntax("operator", std::move(parts), true);
}

// CASE WHEN value IS NOT NULL THEN then END
query::ExpressionPtr IfThere(query::ExpressionPtr value, query::ExpressionPtr then) {
  return CaseWhen(Suffixed(std::move(value), " IS NOT NULL"), std::move(then));
}

}  // namespace

query::ExpressionPtr Word(std::string_view form, std::string text) {
  auto literal = std::make_unique<query::Expression>();
  literal->form = form;
  (form == "text" ? literal->value : literal->text) = std::move(text);
  return literal;
}

query::ExpressionPtr ColumnOf(const query::Name& table, const std::string& column) {
  auto expression = std::make_unique<query::Expression>();
  expression->kind = query::ExpressionKind::Column;
  expression->names = {table, {column, true, false}};
  return expression;
}

void And(query::ExpressionPtr& to, query::ExpressionPtr more) {
  to = to == nullptr ? std::move(more) : Operator(std::move(to), " AND ", std::move(more));
}

// The name of a column that a star brought is its place where names are hidden.
std::string Decision::MaskedNameOf(const query::Output& output) const {
  if (policy_.hide_names())
    for (const Use& use : analysis.uses)
      if (use.plain == &output && IsUnnamed(*use.table, *use.column))
        return privacy::HiddenName(PositionOf(*use.table, *use.column));
  return output.expression->names.back().text;
}

void Decision::Mask() {
  for (query::Output* output : to_mask_) {
    if (output->alias.text.empty()) output->alias = {MaskedNameOf(*output), true, false};
    output->expression = IfThere(std::move(output->expression), Word("text", "***"));
    masked.push_back(output->alias.text);
  }
  std::sort(masked.begin(), masked.end());
}

// True where the rows of `table` in a group can be counted once each, whatever is joined to it, by
// the names of its columns.
bool Decision::CanCount(const query::Core& core, const catalog::Table& table) {
  std::vector<const query::TableExpression*> found;
  for (const auto& from : core.from) Collect(from, table, found);
  if (found.size() != 1 || !found.front()->columns.empty()) return false;  // other names
  if (JoinedTable(core, table) == nullptr) return true;
  return table.primary_key && table.primary_key->columns.size() == 1;
}

// The table in a select that joins it to others, by whose key its rows are counted; null where
// it is the only one.
const query::TableExpression* Decision::JoinedTable(const query::Core& core,
                                                    const catalog::Table& table) {
  std::vector<const query::TableExpression*> found;
  for (const auto& from : core.from) Collect(from, table, found);
  const bool is_alone = core.from.size() == 1 && core.from.front()->kind == query::TableKind::Table;
  return is_alone || found.size() != 1 ? nullptr : found.front();
}

// count(t.column), or count(DISTINCT CASE WHEN t.column IS NOT NULL THEN t.key END) where a join
// can repeat its rows.
query::ExpressionPtr Decision::CountOfValues(const Grouped& grouped) {
  const query::TableExpression* joined = JoinedTable(*grouped.core, *grouped.table);
  const query::Name& alias = joined != nullptr ? joined->alias : grouped.core->from.front()->alias;
  auto counted = ColumnOf(alias, grouped.column->name);
  if (joined != nullptr)
    counted = IfThere(std::move(counted), ColumnOf(alias, grouped.table->primary_key->columns[0]));
  auto count = std::make_unique<query::Expression>();
  count->kind = query::ExpressionKind::Call;
  count->names = {query::Name{"count", false, false}};
  count->parts.push_back(
      query::Part{joined != nullptr ? "(DISTINCT " : "(", std::move(counted), nullptr});
  count->parts.push_back(query::Part{")", nullptr, nullptr});
  return count;
}

// Groups with fewer values than the policy asks for are left out: rows without one hide nobody.
void Decision::HoldGroups() {
  for (const auto& [grouped, least] : least_values_) {
    if (least <= 1) continue;
    And(grouped.core->having,
        Operator(CountOfValues(grouped), " >= ", Word("integer", fmt::format("{}", least))));
    if (JoinedTable(*grouped.core, *grouped.table) != nullptr) NoteKey(grouped);
  }
}

// A row filter leaves the columns that are used.
void Decision::NoteKey(const Grouped& grouped) {
  const std::string& key = grouped.table->primary_key->columns[0];
  for (const catalog::Column& column : grouped.table->columns)
    if (column.name == key) {
      Use& use = analysis.uses.emplace_back();
      use.table = grouped.table;
      use.column = &column;
      use.where = Position::Predicate;
      use.in_statistic = true;
      use.core = grouped.core;
    }
}

}  // namespace schemaward::guard
