#include "guard/needed.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "guard/forms.h"
#include "guard/function_list.h"
#include "guard/names.h"

namespace schemaward::guard {
namespace {

namespace query = sql::query;

constexpr auto kComparisons =
    std::to_array<std::string_view>({" = ", " <> ", " != ", " < ", " <= ", " > ", " >= ", " IS "});
constexpr auto kOuterJoins = std::to_array<std::string_view>({"LEFT", "RIGHT", "FULL"});

/// Thread: owner.
class Needed {
 public:
  Needed(const catalog::Table& table, const query::TableExpression& place,
         const sql::Dialect& dialect)
      : table_(table), place_(place), dialect_(dialect) {}

  std::set<std::size_t> Of(const query::Core& core) {
    for (const auto& from : core.from) Look(*from);
    for (const query::Output& output : core.outputs) Output(*output.expression);
    for (const auto& key : core.group_by) Column(*key);
    if (core.where != nullptr) Condition(*core.where);
    if (!has_outer_)  // the other side of an outer join may be left out, with its condition
      for (const query::Expression* on : ons_) Condition(*on);
    return std::move(columns_);
  }

 private:
  void Look(const query::TableExpression& from) {
    if (from.kind != query::TableKind::Join) return;
    for (const std::string_view outer : kOuterJoins)
      has_outer_ = has_outer_ || from.join.find(outer) != std::string::npos;
    has_merged_ = has_merged_ || from.is_natural || !from.using_columns.empty();
    if (from.on != nullptr) ons_.push_back(from.on.get());
    Look(*from.left);
    Look(*from.right);
  }

  void Column(const query::Expression& value) {
    if (value.kind != query::ExpressionKind::Column) return;
    const auto& names = value.names;
    // A column of USING is that of either side.
    if (names.size() == 1 ? has_merged_ : !FoldsTo(names[names.size() - 2].text, place_.alias.text))
      return;
    const std::size_t at = catalog::FindColumn(table_, names.back().text);
    if (at < table_.columns.size()) columns_.insert(at);
  }

  void Output(const query::Expression& value) {
    Column(value);
    if (value.kind != query::ExpressionKind::Call || value.has_window) return;
    const Function* function = FindFunction(dialect_, value.names.back().text);
    if (function == nullptr ||
        (function->kind != FunctionKind::Statistic && function->kind != FunctionKind::Aggregate))
      return;
    for (const query::Part& part : value.parts)
      if (part.expression != nullptr) Column(*part.expression);
  }

  // Where one of the conditions is false whatever the row, there are no rows.
  void Condition(const query::Expression& condition) {
    const bool is_parens = IsForm(condition, "parens") && condition.parts.size() == 1;
    if (!IsAnd(condition) && !is_parens) return Comparison(condition);
    for (const query::Part& part : condition.parts)
      if (part.expression != nullptr) Condition(*part.expression);
  }

  void Comparison(const query::Expression& value) {
    if (value.parts.size() < 2 || value.parts[1].expression == nullptr) return;  // IN ()
    const bool is_two = IsForm(value, "operator") &&
                        std::find(kComparisons.begin(), kComparisons.end(), value.parts[1].text) !=
                            kComparisons.end();
    if (is_two) Column(*value.parts[1].expression);
    if (is_two || IsForm(value, "in_list") || IsForm(value, "between") || IsForm(value, "like"))
      Column(*value.parts.front().expression);
  }

  const catalog::Table& table_;
  const query::TableExpression& place_;
  const sql::Dialect& dialect_;
  std::set<std::size_t> columns_;
  std::vector<const query::Expression*> ons_;
  bool has_outer_ = false;
  bool has_merged_ = false;
};

}  // namespace

std::set<std::size_t> NeededColumns(const query::Core& core, const catalog::Table& table,
                                    const query::TableExpression& place,
                                    const sql::Dialect& dialect) {
  return Needed(table, place, dialect).Of(core);
}

}  // namespace schemaward::guard
