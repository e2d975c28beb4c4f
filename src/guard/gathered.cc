#include "guard/gathered.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "guard/constants.h"
#include "guard/forms.h"
#include "guard/function_list.h"
#include "guard/recursion.h"
#include "guard/walk.h"

namespace schemaward::guard {
namespace {

namespace query = sql::query;

constexpr double kValueBytes = 16;  // of a value that no function makes longer
constexpr double kWalk = 1e4;       // rows of a recursion, where they are short
constexpr auto kGathers =
    std::to_array<std::string_view>({"array_agg", "json_agg", "json_object_agg", "jsonb_agg",
                                     "jsonb_object_agg", "range_agg", "string_agg", "xmlagg"});

bool IsCallOf(const query::Expression& value, std::string_view name) {
  return value.kind == query::ExpressionKind::Call && value.names.back().text == name;
}

bool IsGather(const query::Expression& value) {
  return value.kind == query::ExpressionKind::Call &&
         std::find(kGathers.begin(), kGathers.end(), value.names.back().text) != kGathers.end();
}

// Of its own select.
bool Gathers(const query::Expression& value) {
  return IsGather(value) ||
         std::any_of(value.parts.begin(), value.parts.end(), [](const query::Part& part) {
           return part.expression != nullptr && Gathers(*part.expression);
         });
}

bool HoldsGather(const query::Query& one) {
  bool found = false;
  ForEachValue(one, [&](const query::Expression& value) { found = found || IsGather(value); });
  return found;
}

std::optional<int> YearOf(const query::Expression* moment) {
  const query::Expression* literal = ConstantOf(moment);
  int year = 0;
  constexpr std::size_t kDigits = 4;
  if (literal == nullptr || literal->value.size() < kDigits) return std::nullopt;
  const char* const begin = literal->value.data();
  const auto [end, failed] = std::from_chars(begin, begin + kDigits, year);
  if (failed != std::errc() || end != begin + kDigits) return std::nullopt;
  return year;
}

// By the shortest step that its unit allows.
double RowsOfTime(const query::Expression* first, const query::Expression* last,
                  const query::Expression* step) {
  constexpr int kUnknownYears = 100;  // of 'now', 'epoch' or a year of fewer digits
  constexpr double kHours = 8784, kDays = 366;
  const auto a = YearOf(first), b = YearOf(last);
  const int years = a && b ? std::abs(*a - *b) + 1 : kUnknownYears + b.value_or(0);
  const query::Expression* literal = ConstantOf(step);
  std::string words = literal != nullptr ? literal->value + literal->text : std::string();
  if (step != nullptr && IsForm(*step, "interval") && step->parts.size() > 1)
    words += step->parts[1].text;
  return years * (LowerAscii(words).find("hour") != std::string::npos ? kHours : kDays);
}

/// Thread: owner.
class Reader {
 public:
  explicit Reader(const query::Query& whole) {
    ForEachValue(whole, [&](const query::Expression& value) {
      for (const std::string_view name : {"lpad", "repeat", "rpad"})
        if (IsCallOf(value, name))
          length_ += static_cast<double>(IntegerOf(ArgumentAt(value, 1)).value_or(kLengthMax));
    });
  }

  // Rows of the select, times what gathers in it put together for each.
  double Of(const query::Query& one) {
    const auto outside = commons_;
    for (const query::CommonTable& common : one.with) {
      if (common.query == nullptr) continue;
      double rows = Of(*common.query);
      if (one.is_recursive && common.query->terms.size() > 1)
        rows *= length_ > kValueBytes ? static_cast<double>(kRecursionMax) : kWalk;
      commons_[common.name.text] = rows;
    }
    double rows = 0;
    for (const query::SetTerm& term : one.terms)
      rows += term.nested != nullptr ? Of(*term.nested) : OfCore(term.core);
    for (const query::OrderItem& item : one.order_by) rows *= OfValue(*item.expression);
    for (const auto* part : {&one.limit, &one.offset})
      if (*part != nullptr) (void)OfValue(**part);  // of one row
    commons_ = outside;
    const auto limit = IntegerOf(one.limit.get());
    const bool is_limited = limit && *limit >= 0 && !one.has_ties && !HoldsGather(one);
    return is_limited ? std::min(rows, static_cast<double>(*limit)) : rows;
  }

  double most = 0;

 private:
  double OfCore(const query::Core& core) {
    double rows = std::max<double>(1, static_cast<double>(core.values.size()));
    for (const auto& row : core.values)
      for (const auto& value : row) rows *= OfValue(*value);
    for (const auto& table : core.from) rows *= OfTable(*table);
    for (const query::Output& output : core.outputs) rows *= OfValue(*output.expression);
    for (const auto* condition : {&core.where, &core.having})
      if (*condition != nullptr) rows *= OfValue(**condition);
    for (const auto* keys : {&core.group_by, &core.distinct_on})
      for (const auto& key : *keys) rows *= OfValue(*key);
    for (const query::NamedWindow& window : core.windows) rows *= OfValue(*window.spec);
    bool gathers = core.having != nullptr && Gathers(*core.having);
    for (const query::Output& output : core.outputs)
      gathers = gathers || Gathers(*output.expression);
    if (gathers) most = std::max(most, rows * length_);
    return rows;
  }

  double OfTable(const query::TableExpression& table) {
    switch (table.kind) {
      case query::TableKind::Table: {
        const auto known = commons_.find(table.names.back().text);
        return table.names.size() == 1 && known != commons_.end() ? known->second : 1;
      }
      case query::TableKind::Function:
        return OfValue(*table.call);
      case query::TableKind::Derived:
        return Of(*table.query);
      case query::TableKind::Join:
        break;
    }
    return OfTable(*table.left) * OfTable(*table.right) *
           (table.on != nullptr ? OfValue(*table.on) : 1);
  }

  // What functions of rows in it multiply the rows beside it by, and gathers in its selects its
  // size.
  double OfValue(const query::Expression& value) {
    double times = 1;
    for (const query::Part& part : value.parts) {
      if (part.expression != nullptr) times *= OfValue(*part.expression);
      if (part.query == nullptr) continue;
      const double rows = Of(*part.query);
      if (IsForm(value, "array")) most = std::max(most, rows * length_);
      if (IsForm(value, "array") || HoldsGather(*part.query)) times *= std::max(rows, 1.0);
    }
    if (value.kind != query::ExpressionKind::Call) return times;
    const Function* function = FindFunction(sql::Postgres(), value.names.back().text);
    if (function == nullptr) return times;
    if (function->bound == FunctionBound::Series) return times * RowsOfSeries(value);
    const bool makes_rows =
        function->kind == FunctionKind::Table || function->kind == FunctionKind::TableScalar;
    return makes_rows ? times * length_ : times;
  }

  static double RowsOfSeries(const query::Expression& series) {
    const query::Expression* first = ArgumentAt(series, 0);
    const query::Expression* second = ArgumentAt(series, 1);
    const auto a = IntegerOf(first), b = IntegerOf(second), step = IntegerOf(ArgumentAt(series, 2));
    if (!a || !b) return RowsOfTime(first, second, ArgumentAt(series, 2));
    const double by = static_cast<double>(step.value_or(1));
    return std::max(1.0,
                    by == 0 ? 1 : (static_cast<double>(*b) - static_cast<double>(*a)) / by + 1);
  }

  double length_ = kValueBytes;  // of the longest value that the statement makes
  std::map<std::string, double> commons_;
};

}  // namespace

double GatheredBytes(const query::Query& query) {
  Reader reader(query);
  (void)reader.Of(query);
  return reader.most;
}

}  // namespace schemaward::guard
