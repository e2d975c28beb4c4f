#include "semantic/conditions.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "json/value.h"
#include "text/nearest.h"

namespace schemaward::semantic {
namespace {

using sql::ExpressionPtr;
using sql::MakeBinary;
using sql::MakeLiteral;
using sql::MakeUnary;

constexpr std::size_t kShownMax = 5;

// What the values of a column are compared as.
enum class Family : std::uint8_t { Text, Number, Boolean, Time, Other };

Family FamilyOf(const std::string& type) {
  const std::string lower = LowerAscii(type);
  if (TimeKindOf(type)) return Family::Time;
  if (lower.substr(0, 4) == "bool") return Family::Boolean;
  if (IsNumericType(type) || lower == "number") return Family::Number;
  for (const std::string_view word : {"char", "text", "clob", "string"})
    if (lower.find(word) != std::string::npos) return Family::Text;
  return Family::Other;
}

Error Misfit(std::string_view column, std::string_view wanted, std::string_view given) {
  return {ErrorKind::MalformedName,
          fmt::format("filter on \"{}\": the value must be {}, not {}", column, wanted, given)};
}

std::optional<double> NumberIn(const std::string& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, number);
  if (code != std::errc() || stop != end) return std::nullopt;
  return number;
}

// Whether a double may lose digits of it: such a number stays a text.
bool HasManyDigits(const std::string& number) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return std::count_if(number.begin(), number.end(), is_digit) >
         std::numeric_limits<double>::digits10;
}

class Comparer {
 public:
  Comparer(const ColumnTarget& target, ExpressionPtr column, const Clockwork& clock)
      : target_(target),
        family_(FamilyOf(target.type())),
        kind_(TimeKindOf(target.type())),
        column_(std::move(column)),
        clock_(clock) {}

  // The column as it is compared.
  ExpressionPtr Left() const {
    if (family_ == Family::Time) return sql::Make({sql::Comparable{column_, *kind_}});
    return needs_text_ ? sql::Make({sql::Cast{column_, sql::CastType::Text}}) : column_;
  }

  Result<ExpressionPtr> Right(const json::Value& value) {
    if (value.is_object() || value.is_array())
      return Misfit(target_.name, "a single value", value.type_name());
    switch (family_) {
      case Family::Number:
        return Number(value);
      case Family::Boolean:
        return Boolean(value);
      case Family::Time:
        return Time(value);
      default:
        return Text(value);
    }
  }

 private:
  Result<ExpressionPtr> Number(const json::Value& value) const {
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX)
      return Number(json::Value(value.dump()));  // as text, so that no digit is lost
    if (value.is_number_integer()) return MakeLiteral({value.get<std::int64_t>()});
    if (value.is_number()) return MakeLiteral({value.get<double>()});
    if (value.is_string()) {
      const auto& text = value.get_ref<const std::string&>();
      std::int64_t integer = 0;
      const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), integer);
      if (code == std::errc() && stop == text.data() + text.size()) return MakeLiteral({integer});
      if (const auto number = NumberIn(text))
        return HasManyDigits(text) ? MakeLiteral({text}) : MakeLiteral({*number});
    }
    return Misfit(target_.name, "a number", value.dump());
  }

  Result<ExpressionPtr> Boolean(const json::Value& value) const {
    if (value.is_boolean()) return MakeLiteral({value.get<bool>()});
    if (value.is_number_integer()) return MakeLiteral({value.get<std::int64_t>() != 0});
    const std::string word = value.is_string() ? LowerAscii(value.get<std::string>()) : "";
    if (word == "true" || word == "t" || word == "yes" || word == "1") return MakeLiteral({true});
    if (word == "false" || word == "f" || word == "no" || word == "0") return MakeLiteral({false});
    return Misfit(target_.name, "true or false", value.dump());
  }

  Result<ExpressionPtr> Time(const json::Value& value) const {
    if (!value.is_string()) return Misfit(target_.name, "an ISO date or time", value.dump());
    auto range = ReadRange({value.get<std::string>(), ""}, clock_);
    if (!range || !range->start) return Misfit(target_.name, "an ISO date or time", value.dump());
    const std::string zone =
        target_.entity != nullptr ? target_.entity->definition.time_zone : std::string();
    return sql::Make({sql::Moment{clock_.ForColumn(*range->start, *kind_, zone), *kind_}});
  }

  Result<ExpressionPtr> Text(const json::Value& value) {
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    // An enum's engine refuses a value that is not one of its labels: as texts they just differ.
    const auto* column = target_.column;
    if (column != nullptr && !column->labels.empty() &&
        std::find(column->labels.begin(), column->labels.end(), text) == column->labels.end())
      needs_text_ = true;
    if (family_ == Family::Other && target_.column != nullptr && column->labels.empty())
      needs_text_ = true;
    return MakeLiteral({text});
  }

  const ColumnTarget& target_;
  const Family family_;
  const std::optional<sql::TimeKind> kind_;
  const ExpressionPtr column_;
  const Clockwork& clock_;
  bool needs_text_ = false;
};

std::string_view SymbolOf(Op op) {
  switch (op) {
    case Op::Eq:
      return "=";
    case Op::Ne:
      return "is not";
    case Op::Lt:
      return "<";
    case Op::Lte:
      return "<=";
    case Op::Gt:
      return ">";
    case Op::Gte:
      return ">=";
    default:
      return "";
  }
}

Result<Op> ReadOp(std::string_view column, const std::string& word) {
  const auto op = OpOf(word);
  if (op) return *op;
  std::vector<std::string> words;
  for (int i = 0; i <= static_cast<int>(Op::StartsWith); ++i)
    words.emplace_back(WordOf(static_cast<Op>(i)));
  Error error(ErrorKind::MalformedName,
              fmt::format("filter on \"{}\": \"{}\" is not an op", column, word));
  error.Near(text::FindNearestNames(word, words, 3));
  return error;
}

// The values of a leaf, whichever of value and values holds them.
Result<std::vector<json::Value>> ValuesOf(const FilterLeaf& leaf) {
  std::vector<json::Value> values;
  const auto add = [&](const json::Raw& raw) -> schemaward::Status {
    WARD_TRY(auto parsed, json::Parse(raw.text));
    if (parsed.value().is_array())
      for (const json::Value& item : parsed.value()) values.push_back(item);
    else
      values.push_back(parsed.value());
    return Ok();
  };
  if (!leaf.value.text.empty()) WARD_CHECK(add(leaf.value));
  for (const json::Raw& raw : leaf.values) WARD_CHECK(add(raw));
  return values;
}

struct Arity {
  std::size_t least;
  std::size_t most;
  std::string_view words;
};

Arity ArityOf(Op op) {
  switch (op) {
    case Op::IsNull:
    case Op::NotNull:
      return {0, 0, "no value"};
    case Op::In:
    case Op::NotIn:
      return {1, kFilterValuesMax, "1 to 200 values"};
    case Op::Between:
      return {2, 2, "two values"};
    default:
      return {1, 1, "one value"};
  }
}

ExpressionPtr Or(ExpressionPtr a, ExpressionPtr b) {
  return a == nullptr ? b : MakeBinary("or", std::move(a), std::move(b));
}

Result<ExpressionPtr> Membership(Comparer& comparer, const std::vector<json::Value>& values,
                                 const ExpressionPtr& column, bool negated) {
  std::vector<ExpressionPtr> items;
  bool has_null = false;
  for (const json::Value& value : values) {
    if (value.is_null()) {
      has_null = true;
      continue;
    }
    WARD_TRY(auto item, comparer.Right(value));
    items.push_back(std::move(item));
  }
  const ExpressionPtr is_null = MakeUnary("is null", column);
  if (items.empty()) return negated ? MakeUnary("is not null", column) : is_null;
  ExpressionPtr in = sql::Make({sql::InList{comparer.Left(), std::move(items), negated}});
  // A null is in no list: it is kept by not_in, and by in where the list holds it.
  if (negated) return has_null ? in : Or(std::move(in), is_null);
  return has_null ? Or(std::move(in), is_null) : in;
}

}  // namespace

Result<ExpressionPtr> ConditionOf(const ColumnTarget& target, const ExpressionPtr& column,
                                  const FilterLeaf& leaf, const Clockwork& clock) {
  WARD_TRY(Op op, ReadOp(target.name, leaf.op));
  WARD_TRY(const std::vector<json::Value> values, ValuesOf(leaf));
  // A list with eq means any of them.
  if (op == Op::Eq && values.size() > 1) op = Op::In;
  if (op == Op::Ne && values.size() > 1) op = Op::NotIn;
  const Arity arity = ArityOf(op);
  if (values.size() < arity.least || values.size() > arity.most)
    return Error(ErrorKind::MalformedName,
                 fmt::format("filter on \"{}\": {} takes {}, not {}", target.name, WordOf(op),
                             arity.words, values.size()));
  if (op == Op::IsNull) return MakeUnary("is null", column);
  if (op == Op::NotNull) return MakeUnary("is not null", column);
  Comparer comparer(target, column, clock);
  if (op == Op::In || op == Op::NotIn) return Membership(comparer, values, column, op == Op::NotIn);
  if (op == Op::Contains || op == Op::StartsWith) {
    const std::string text =
        values.front().is_string() ? values.front().get<std::string>() : values.front().dump();
    return sql::Make({sql::TextMatch{column, text, op == Op::StartsWith}});
  }
  if (values.front().is_null() && op == Op::Eq) return MakeUnary("is null", column);
  if (values.front().is_null() && op == Op::Ne) return MakeUnary("is not null", column);
  WARD_TRY(auto first, comparer.Right(values.front()));
  if (op != Op::Between)
    return MakeBinary(std::string(SymbolOf(op)), comparer.Left(), std::move(first));
  WARD_TRY(auto last, comparer.Right(values.back()));
  return MakeBinary("and", MakeBinary(">=", comparer.Left(), std::move(first)),
                    MakeBinary("<=", comparer.Left(), std::move(last)));
}

Result<ExpressionPtr> HavingOf(const ExpressionPtr& value, const Having& having) {
  ModelEntity none;
  catalog::Column column;
  column.type = "number";
  ColumnTarget target;
  target.entity = &none;
  target.column = &column;
  target.name = having.metric;
  return ConditionOf(target, value, {having.metric, having.op, having.value, having.values}, {});
}

std::string Describe(std::string_view column, const FilterLeaf& leaf) {
  const auto op = OpOf(leaf.op);
  std::string text = fmt::format("{} {}", column, op ? WordOf(*op) : leaf.op);
  const auto values = ValuesOf(leaf);
  if (!values || values->empty()) return text;
  std::string list;
  for (std::size_t i = 0; i < values->size() && i < kShownMax; ++i) {
    const json::Value& value = (*values)[i];
    list += (i > 0 ? ", " : "") + (value.is_string() ? value.get<std::string>() : value.dump());
  }
  if (values->size() > kShownMax) list += fmt::format(", {} more", values->size() - kShownMax);
  return values->size() == 1 ? text + " " + list : text + " (" + list + ")";
}

}  // namespace schemaward::semantic
