#include "sql/lower_percentile.h"

#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sql/render.h"
#include "sql/rewrite.h"

namespace schemaward::sql {
namespace {

constexpr const char* kRanked = "ranked";

Error TooDeep() { return {ErrorKind::Internal, "an expression is nested too deeply"}; }

// Whether there is a percentile at or under an expression; what cannot be walked holds none here,
// and is refused by the printer.
bool Holds(const ExpressionPtr& expression, int depth) {
  if (expression == nullptr || depth >= kExpressionDepthMax) return false;
  if (std::holds_alternative<Percentile>(expression->node)) return true;
  bool found = false;
  (void)WithOperands(*expression, [&](const ExpressionPtr& operand) -> Result<ExpressionPtr> {
    found = found || Holds(operand, depth + 1);
    return operand;
  });
  return found;
}

ExpressionPtr Number(double value) { return MakeLiteral({value}); }
ExpressionPtr One() { return Number(1); }
ExpressionPtr Ranked(const std::string& column) { return MakeColumn(kRanked, column); }

class Lowering {
 public:
  explicit Lowering(const Select& select) : select_(select) {}

  Result<Select> Run() {
    Select outer = select_;
    outer.from = CteRef{};  // until the inner select is whole
    outer.joins.clear();
    outer.where = nullptr;
    for (OutputColumn& column : outer.columns) WARD_CHECK(Change(column.expression));
    for (ExpressionPtr& key : outer.group_by) WARD_CHECK(Change(key));
    if (outer.having != nullptr) WARD_CHECK(Change(outer.having));
    for (OrderItem& item : outer.order_by) WARD_CHECK(Change(item.expression));
    inner_.from = select_.from;
    inner_.joins = select_.joins;
    inner_.where = select_.where;
    outer.from = DerivedTable{std::make_shared<const Select>(std::move(inner_)), kRanked};
    return outer;
  }

 private:
  Status Change(ExpressionPtr& expression) {
    WARD_TRY(expression, Changed(expression, 0));
    return Ok();
  }

  Result<ExpressionPtr> Changed(const ExpressionPtr& expression, int depth) {
    if (expression == nullptr || depth >= kExpressionDepthMax) return TooDeep();
    if (const auto* column = std::get_if<ColumnRef>(&expression->node)) return Carried(*column);
    if (const auto* percentile = std::get_if<Percentile>(&expression->node))
      return Weighted(*percentile);
    return WithOperands(*expression,
                        [&](const ExpressionPtr& operand) { return Changed(operand, depth + 1); });
  }

  // A column of the inner select that stands for one of the tables'.
  ExpressionPtr Carried(const ColumnRef& column) {
    const auto [found, is_new] = columns_.try_emplace({column.qualifier, column.column},
                                                      fmt::format("c{}", columns_.size()));
    if (is_new)
      inner_.columns.push_back({MakeColumn(column.qualifier, column.column), found->second});
    return Ranked(found->second);
  }

  // sum(value * greatest(0, 1 - abs(place - fraction * (count - 1)))), places from 0.
  Result<ExpressionPtr> Weighted(const Percentile& percentile) {
    if (Holds(percentile.operand, 0))
      return Error(ErrorKind::Internal, "a percentile stands inside a percentile");
    const std::string value = fmt::format("x{}", percentiles_);
    const std::string place = fmt::format("place{}", percentiles_);
    const std::string count = fmt::format("n{}", percentiles_++);
    Window ranks{.call = {.function = "row_number", .arguments = {}},
                 .partition_by = select_.group_by,
                 .order_by = {{percentile.operand, false, true}}};
    Window counts{.call = {.function = "count", .arguments = {percentile.operand}},
                  .partition_by = select_.group_by,
                  .order_by = {}};
    inner_.columns.push_back({percentile.operand, value});
    inner_.columns.push_back({Make({std::move(ranks)}), place});
    inner_.columns.push_back({Make({std::move(counts)}), count});
    ExpressionPtr wanted =
        MakeBinary("*", Number(percentile.fraction), MakeBinary("-", Ranked(count), One()));
    ExpressionPtr away = MakeCall(
        {.function = "abs",
         .arguments = {MakeBinary("-", MakeBinary("-", Ranked(place), One()), std::move(wanted))}});
    ExpressionPtr share =
        MakeCall({.function = "greatest",
                  .arguments = {Number(0), MakeBinary("-", One(), std::move(away))}});
    return MakeCall(
        {.function = "sum", .arguments = {MakeBinary("*", Ranked(value), std::move(share))}});
  }

  const Select& select_;
  Select inner_;
  std::map<std::pair<std::string, std::string>, std::string> columns_;
  std::size_t percentiles_ = 0;
};

}  // namespace

bool HoldsPercentile(const Select& select) {
  for (const OutputColumn& column : select.columns)
    if (Holds(column.expression, 0)) return true;
  for (const OrderItem& item : select.order_by)
    if (Holds(item.expression, 0)) return true;
  return Holds(select.having, 0);
}

Result<Select> LowerPercentiles(const Select& select) { return Lowering(select).Run(); }

}  // namespace schemaward::sql
