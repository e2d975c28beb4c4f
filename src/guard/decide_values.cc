// What stands on the tree for values that are allowed in part: masks, and the least size of groups.
#include <algorithm>

#include <fmt/format.h>

#include "guard/decision.h"

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

}  // namespace

query::ExpressionPtr Word(std::string_view form, std::string text) {
  auto literal = std::make_unique<query::Expression>();
  literal->form = form;
  (form == "text" ? literal->value : literal->text) = std::move(text);
  return literal;
}

void And(query::ExpressionPtr& to, query::ExpressionPtr more) {
  if (to == nullptr) {
    to = std::move(more);
    return;
  }
  auto both = std::make_unique<query::Expression>();
  both->kind = query::ExpressionKind::Syntax;
  both->form = "operator";
  both->is_operator = true;
  both->parts.push_back(query::Part{"", std::move(to), nullptr});
  both->parts.push_back(query::Part{" AND ", std::move(more), nullptr});
  to = std::move(both);
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
    auto is_there = std::make_unique<query::Expression>();
    is_there->kind = query::ExpressionKind::Syntax;
    is_there->form = "postfix";
    is_there->is_operator = true;
    is_there->parts.push_back(query::Part{"", std::move(output->expression), nullptr});
    is_there->parts.push_back(query::Part{" IS NOT NULL", nullptr, nullptr});
    std::vector<query::Part> parts;
    parts.push_back(query::Part{"CASE WHEN ", std::move(is_there), nullptr});
    parts.push_back(query::Part{" THEN ", Word("text", "***"), nullptr});
    parts.push_back(query::Part{" END", nullptr, nullptr});
    auto mask = std::make_unique<query::Expression>();
    mask->kind = query::ExpressionKind::Syntax;
    mask->form = "case";
    mask->is_operator = true;
    mask->parts = std::move(parts);
    output->expression = std::move(mask);
    masked.push_back(output->alias.text);
  }
  std::sort(masked.begin(), masked.end());
}

// True where the rows of `table` in a group can be counted once each, whatever is joined to it.
bool Decision::CanCount(const query::Core& core, const catalog::Table& table) {
  std::vector<const query::TableExpression*> found;
  for (const auto& from : core.from) Collect(from, table, found);
  if (found.size() != 1) return false;
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

// Groups of fewer rows than the policy asks for are left out.
void Decision::HoldGroups() {
  for (const auto& [place, least] : least_rows_) {
    if (least.rows <= 1) continue;
    query::Core* core = place.first;
    auto count = std::make_unique<query::Expression>();
    count->kind = query::ExpressionKind::Call;
    count->names = {query::Name{"count", false, false}};
    auto counted = std::make_unique<query::Expression>();
    const bool is_joined = !least.counted.empty();
    counted->kind = is_joined ? query::ExpressionKind::Column : query::ExpressionKind::Star;
    counted->names = least.counted;
    count->parts.push_back(
        query::Part{is_joined ? "(DISTINCT " : "(", std::move(counted), nullptr});
    count->parts.push_back(query::Part{")", nullptr, nullptr});
    auto condition = std::make_unique<query::Expression>();
    condition->kind = query::ExpressionKind::Syntax;
    condition->form = "operator";
    condition->is_operator = true;
    condition->parts.push_back(query::Part{"", std::move(count), nullptr});
    condition->parts.push_back(
        query::Part{" >= ", Word("integer", fmt::format("{}", least.rows)), nullptr});
    And(core->having, std::move(condition));
  }
}

}  // namespace schemaward::guard
