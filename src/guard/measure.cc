#include "guard/measure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>

#include "base/ascii.h"
#include "guard/constants.h"
#include "privacy/name_rules.h"
#include "privacy/type_family.h"

namespace schemaward::guard {
namespace {

namespace query = sql::query;
using query::ExpressionKind;

constexpr double kFactorMax = 1e6;  // of all numbers together: no decimal or double overflows by it
// Types that hold every number.
constexpr auto kWide = std::to_array<std::string_view>(
    {" AS NUMERIC)", " AS DECIMAL)", " AS DOUBLE)", " AS DOUBLE PRECISION)", " AS FLOAT8)"});
constexpr auto kWholeTypes = std::to_array<std::string_view>({"int", "serial", "long", "year"});

/// Thread: owner.
class Reader {
 public:
  explicit Reader(const sql::Dialect& dialect)
      : is_sqlite_(dialect.name == sql::Sqlite().name),
        is_duckdb_(dialect.name == sql::DuckDb().name) {}

  // A column, also cast, or with numbers added and multiplied: no operand can single a row out.
  bool Of(const query::Expression& value) {
    switch (value.kind) {
      case ExpressionKind::Column:
      case ExpressionKind::Star:
      case ExpressionKind::Literal:
      case ExpressionKind::Parameter:
        return true;
      case ExpressionKind::Call:
        return false;
      case ExpressionKind::Syntax:
        break;
    }
    measure.is_computed = true;
    if (value.form == "cast" || value.form == "prefix") {
      const query::Expression* inner = value.parts.front().expression.get();
      return inner != nullptr && (value.form == "prefix" || IsWide(value)) && Of(*inner);
    }
    return value.form == "operator" && value.parts.size() == 2 && OfSum(value);
  }

  Measure measure;

 private:
  bool IsWide(const query::Expression& cast) const {
    if (is_sqlite_) return true;  // a cast never fails
    const std::string& to = cast.parts.back().text;
    // DuckDB's DECIMAL has three digits behind the point and fifteen before it.
    return std::find(kWide.begin(), kWide.end(), to) != kWide.end() &&
           !(is_duckdb_ && to.find("DOUBLE") == std::string::npos);
  }

  bool OfSum(const query::Expression& sum) {
    const std::string& op = sum.parts[1].text;
    const query::Expression& left = *sum.parts[0].expression;
    const query::Expression& right = *sum.parts[1].expression;
    const bool divides = op == " / ";
    if (op != " + " && op != " - " && op != " * " && !divides) return false;
    const query::Expression* number = ConstantOf(&right);
    if (number == nullptr && !divides) number = ConstantOf(&left);  // 1 / x fails where x is 0
    return number != nullptr && Number(*number, divides) &&
           Of(number == ConstantOf(&right) ? left : right);
  }

  bool Number(const query::Expression& literal, bool divides) {
    if (literal.form != "integer" && literal.form != "decimal") return false;
    const double number = std::abs(std::strtod(literal.text.c_str(), nullptr));
    if (!std::isfinite(number) || (divides && number < 1 / kFactorMax)) return false;
    factor_ *= std::max(divides ? 1 / number : number, 1.0);
    measure.has_whole_number = measure.has_whole_number || literal.form == "integer";
    return factor_ <= kFactorMax;
  }

  const bool is_sqlite_, is_duckdb_;
  double factor_ = 1;
};

}  // namespace

Measure MeasureOf(const query::Expression& statistic, const sql::Dialect& dialect) {
  Reader reader(dialect);
  bool is_whole_group = true;
  for (const query::Part& part : statistic.parts) {
    // A FILTER, a CASE or a comparison inside could leave one row.
    if (part.text.find("FILTER (WHERE") != std::string::npos) is_whole_group = false;
    if (part.expression != nullptr && !reader.Of(*part.expression)) is_whole_group = false;
  }
  reader.measure.is_whole_group = is_whole_group;
  return reader.measure;
}

bool IsSafeFor(const Measure& measure, std::string_view type, const sql::Dialect& dialect) {
  if (!measure.is_computed || dialect.name == sql::Sqlite().name) return true;
  if (privacy::FamilyOf(type) != privacy::kNumber) return false;
  const std::string lowered = LowerAscii(type);
  const bool is_whole =
      std::any_of(kWholeTypes.begin(), kWholeTypes.end(),
                  [&](std::string_view word) { return lowered.find(word) != std::string::npos; });
  return !is_whole || !measure.has_whole_number;
}

}  // namespace schemaward::guard
