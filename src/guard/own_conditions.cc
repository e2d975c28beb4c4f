#include "guard/own_conditions.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "guard/forms.h"

namespace schemaward::guard {
namespace {

namespace query = sql::query;
using query::ExpressionKind;

constexpr auto kComparisons =
    std::to_array<std::string_view>({" = ", " < ", " <= ", " > ", " >= "});

// A value that is the same for every row: DATE '2024-01-01' is a cast of one.
bool IsValue(const query::Expression& value) {
  if (value.kind == ExpressionKind::Literal || value.kind == ExpressionKind::Parameter) return true;
  return IsForm(value, "cast") &&
         std::all_of(value.parts.begin(), value.parts.end(), [](const query::Part& part) {
           return part.query == nullptr &&
                  (part.expression == nullptr || part.expression->kind == ExpressionKind::Literal);
         });
}

// A column compared with values: the first operand is the column, and no other part holds one.
bool IsComparison(const query::Expression& value) {
  if (value.parts.empty() || value.parts.front().expression == nullptr) return false;
  const bool is_two = IsForm(value, "operator") && value.parts.size() == 2 &&
                      std::find(kComparisons.begin(), kComparisons.end(), value.parts[1].text) !=
                          kComparisons.end();
  const bool is_in =
      IsForm(value, "in_list") && value.parts.size() > 1 && value.parts[1].text == " IN (";
  if (!is_two && !is_in) return false;
  return std::all_of(value.parts.begin() + 1, value.parts.end(), [](const query::Part& part) {
    return part.query == nullptr && (part.expression == nullptr || IsValue(*part.expression));
  });
}

query::ExpressionPtr CopyOf(const query::Expression& value) {
  auto copy = std::make_unique<query::Expression>();
  copy->kind = value.kind;
  copy->names = value.names;
  copy->form = value.form;
  copy->text = value.text;
  copy->value = value.value;
  copy->number = value.number;
  copy->is_operator = value.is_operator;
  for (const query::Part& part : value.parts)
    copy->parts.push_back(
        {part.text, part.expression != nullptr ? CopyOf(*part.expression) : nullptr, nullptr});
  return copy;
}

/// Thread: owner.
class Own {
 public:
  Own(const query::Core& core, const catalog::Table& table, const query::TableExpression& place)
      : table_(table),
        name_(place.alias.text.empty() ? table.name : place.alias.text),
        is_alone_(core.from.size() == 1 && core.from.front().get() == &place) {}

  void Look(const query::Expression& condition) {
    if (IsAnd(condition)) {
      for (const query::Part& part : condition.parts)
        if (part.expression != nullptr) Look(*part.expression);
    } else if (IsComparison(condition)) {
      const std::size_t column = ColumnOf(*condition.parts.front().expression);
      if (column >= table_.columns.size()) return;
      auto copy = CopyOf(condition);
      copy->parts.front().expression->names = {{table_.name, true, false},
                                               {table_.columns[column].name, true, false}};
      found.push_back(std::move(copy));
    }
  }

  std::vector<query::ExpressionPtr> found;

 private:
  // A name without its table's is only taken where no other table stands beside.
  std::size_t ColumnOf(const query::Expression& value) const {
    constexpr std::size_t kNone = std::string_view::npos;
    if (value.kind != ExpressionKind::Column) return kNone;
    const auto& names = value.names;
    const bool is_own =
        names.size() == 1 ? is_alone_ : names.size() == 2 && names.front().text == name_;
    return is_own ? catalog::FindColumn(table_, names.back().text) : kNone;
  }

  const catalog::Table& table_;
  const std::string name_;
  const bool is_alone_;
};

bool Holds(const query::TableExpression& from, const query::TableExpression& place) {
  return &from == &place || (from.left != nullptr && Holds(*from.left, place)) ||
         (from.right != nullptr && Holds(*from.right, place));
}

}  // namespace

std::vector<query::ExpressionPtr> OwnConditions(const query::Core& core,
                                                const catalog::Table& table,
                                                const query::TableExpression& place,
                                                const sql::Dialect& dialect) {
  if (dialect.name == sql::DuckDb().name || core.where == nullptr || !place.columns.empty())
    return {};
  if (std::none_of(core.from.begin(), core.from.end(),
                   [&](const auto& from) { return Holds(*from, place); }))
    return {};
  Own own(core, table, place);
  own.Look(*core.where);
  return std::move(own.found);
}

}  // namespace schemaward::guard
