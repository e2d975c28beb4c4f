#include "guard/recursion.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "guard/constants.h"
#include "guard/forms.h"
#include "guard/names.h"

namespace schemaward::guard {
namespace {

namespace query = sql::query;

constexpr int kYearsOfHours = 100;  // kRecursionMax hours, about
constexpr int kYearsOfDays = 2700;

// What is known of a start or a bound.
struct End {
  enum class Kind : std::uint8_t { Unknown, Number, Time, Data } kind = Kind::Unknown;
  int year = 0;  ///< of a Time
};

// How a step changes a column.
struct Move {
  bool is_up = true;
  bool is_time = false;  ///< by a step of time, not by a number
  bool is_short = true;  ///< of a time: can be less than a day
};

bool IsCall(const query::Expression& value, std::string_view name) {
  return value.kind == query::ExpressionKind::Call && FoldsTo(value.names.back().text, name);
}

bool IsLeastOrGreatest(const query::Expression& value) {
  if (!IsCall(value, "min") && !IsCall(value, "max")) return false;
  std::size_t columns = 0;
  for (const query::Part& part : value.parts) {
    if (part.expression == nullptr) continue;
    if (part.expression->kind != query::ExpressionKind::Column) return false;
    ++columns;
  }
  return columns == 1 && !value.has_window;
}

// '2024-01-31' and longer.
std::optional<int> YearOf(std::string_view text) {
  constexpr std::size_t kDate = 10;
  int year = 0;
  if (text.size() < kDate || text[4] != '-' || text[7] != '-') return std::nullopt;
  const std::string_view digits = text.substr(0, 4);
  const auto [end, failed] = std::from_chars(digits.begin(), digits.end(), year);
  if (failed != std::errc() || end != digits.end()) return std::nullopt;
  return year;
}

const query::Expression* BelowCasts(const query::Expression* value) {
  while (value != nullptr && value->kind == query::ExpressionKind::Syntax &&
         (value->form == "cast" || value->form == "typed"))
    value = value->parts.front().expression.get();
  return value;
}

// '2024-01-31', also in date(...).
const query::Expression* BelowDate(const query::Expression* value) {
  const bool is_date = value != nullptr && (IsCall(*value, "date") || IsCall(*value, "datetime"));
  if (!is_date) return value;
  const query::Expression* only = nullptr;
  for (const query::Part& part : value->parts) {
    if (part.expression == nullptr) continue;
    if (only != nullptr) return value;
    only = part.expression.get();
  }
  return only != nullptr && only->kind == query::ExpressionKind::Literal ? only : value;
}

// (SELECT min(x) FROM t ...)
bool IsOfData(const query::Expression& value) {
  if (value.kind != query::ExpressionKind::Syntax || value.form != "subquery") return false;
  const query::Query& inner = *value.parts.front().query;
  if (!inner.with.empty() || inner.terms.size() != 1 || inner.terms.front().nested != nullptr)
    return false;
  const query::Core& core = inner.terms.front().core;
  return core.outputs.size() == 1 && core.from.size() == 1 &&
         core.from.front()->kind == query::TableKind::Table &&
         IsLeastOrGreatest(*core.outputs.front().expression);
}

End EndOf(const query::Expression* value, bool is_start) {
  if (const auto number = IntegerOf(value))
    return {*number >= -kRecursionMax && *number <= kRecursionMax ? End::Kind::Number
                                                                  : End::Kind::Unknown};
  value = BelowDate(BelowCasts(value));
  if (value == nullptr) return {};
  if (value->kind == query::ExpressionKind::Literal && value->form == "text") {
    const auto year = YearOf(value->value);
    return year ? End{End::Kind::Time, *year} : End{};
  }
  const bool is_of_a_row =
      is_start && (value->kind == query::ExpressionKind::Column || IsLeastOrGreatest(*value));
  return {is_of_a_row || IsOfData(*value) ? End::Kind::Data : End::Kind::Unknown};
}

// The common table among what stands in FROM, or null.
const query::TableExpression* FindOwn(const query::TableExpression& from, std::string_view name) {
  if (from.kind == query::TableKind::Join) {
    const query::TableExpression* found = FindOwn(*from.left, name);
    return found != nullptr ? found : FindOwn(*from.right, name);
  }
  const bool is_own = from.kind == query::TableKind::Table && from.names.size() == 1 &&
                      FoldsTo(from.names.front().text, name);
  return is_own ? &from : nullptr;
}

// The common table in the step's FROM, and its columns' names.
class Own {
 public:
  Own(const query::CommonTable& common, const query::Query& around, const query::Core& step) {
    for (const auto& from : step.from)
      if (const query::TableExpression* table = FindOwn(*from, common.name.text))
        name_ = table->alias.text.empty() ? common.name.text : table->alias.text;
    const query::Core& first = around.terms.front().core;
    for (std::size_t i = 0; i < step.outputs.size(); ++i) {
      std::string name;
      if (i < common.columns.size())
        name = common.columns[i].text;
      else if (i < first.outputs.size())
        name = NameOf(first.outputs[i]);
      names_.push_back(std::move(name));
    }
  }

  bool Is(const query::Expression* value, std::size_t column) const {
    if (name_.empty() || value == nullptr || value->kind != query::ExpressionKind::Column ||
        value->names.size() > 2 || names_[column].empty())
      return false;
    return FoldsTo(value->names.back().text, names_[column]) &&
           (value->names.size() == 1 || FoldsTo(value->names.front().text, name_));
  }

  /// Of a column by its table's name, whether that is the common table; of one without, whether a
  /// column of it has that name.
  bool MayHold(const query::Expression& column) const {
    if (column.names.size() > 1) return FoldsTo(column.names[column.names.size() - 2].text, name_);
    return !KnowsNames() || std::any_of(names_.begin(), names_.end(), [&](const std::string& name) {
      return FoldsTo(column.names.front().text, name);
    });
  }
  bool KnowsNames() const {
    return std::none_of(names_.begin(), names_.end(),
                        [](const std::string& name) { return name.empty(); });
  }

 private:
  static std::string NameOf(const query::Output& output) {
    if (!output.alias.text.empty()) return output.alias.text;
    return output.expression->kind == query::ExpressionKind::Column
               ? output.expression->names.back().text
               : std::string();
  }

  std::string name_;
  std::vector<std::string> names_;
};

bool IsShort(const query::Expression* step) {
  const query::Expression* literal = ConstantOf(step);
  const std::string unit = step->parts.size() > 1 ? step->parts[1].text : std::string();
  return (literal->value + unit).find("our") != std::string::npos ||
         (literal->value + unit).find("OUR") != std::string::npos;
}

bool IsOfTime(const query::Expression& step) {
  return step.kind == query::ExpressionKind::Syntax &&
         (step.form == "interval" ||
          std::any_of(step.parts.begin(), step.parts.end(), [](const query::Part& part) {
            return part.expression != nullptr && IsOfTime(*part.expression);
          }));
}

// x + 1, x - 1, x + INTERVAL '1 day', date(x, '+1 day'), date_add(x, INTERVAL 1 DAY).
std::optional<Move> MoveOf(const query::Expression* value, const Own& own, std::size_t column) {
  value = BelowCasts(value);
  if (value == nullptr) return std::nullopt;
  const query::Expression* left = nullptr;
  const query::Expression* right = nullptr;
  bool is_minus = false, is_plus = false;
  if (value->kind == query::ExpressionKind::Syntax && value->form == "operator" &&
      value->parts.size() == 2) {
    is_plus = value->parts[1].text == " + ";
    is_minus = value->parts[1].text == " - ";
    left = value->parts[0].expression.get();
    right = value->parts[1].expression.get();
  } else if (IsCall(*value, "date") || IsCall(*value, "datetime") || IsCall(*value, "date_add") ||
             IsCall(*value, "adddate")) {
    std::vector<const query::Expression*> arguments;
    for (const query::Part& part : value->parts)
      if (part.expression != nullptr) arguments.push_back(part.expression.get());
    if (arguments.size() != 2) return std::nullopt;
    left = arguments[0];
    right = arguments[1];
    is_plus = true;
  }
  if (!is_plus && !is_minus) return std::nullopt;
  if (is_plus && own.Is(BelowCasts(right), column)) std::swap(left, right);
  if (!own.Is(BelowCasts(left), column)) return std::nullopt;
  const auto by = IsOfTime(*right) ? std::nullopt : IntegerOf(right);  // INTERVAL 1 SECOND is no 1
  if (by && *by >= 1 && *by <= kRecursionMax) return Move{is_plus, false, false};
  if (is_plus && IsForwardStep(right)) return Move{true, true, IsShort(right)};
  return std::nullopt;
}

// The column itself, or with a number added, as one writes `i + 5 <= 100`.
bool IsAbout(const query::Expression* value, const Own& own, std::size_t column) {
  if (own.Is(BelowCasts(value), column)) return true;
  return MoveOf(value, own, column).has_value();
}

void Conjuncts(const query::ExpressionPtr& condition, std::vector<const query::Expression*>& out) {
  if (condition == nullptr || condition->kind != query::ExpressionKind::Syntax) return;
  if (condition->form == "operator" && condition->parts.size() == 2 &&
      condition->parts[1].text == " AND ") {
    Conjuncts(condition->parts[0].expression, out);
    Conjuncts(condition->parts[1].expression, out);
    return;
  }
  out.push_back(condition.get());
}

// What `conjunct` keeps the column below (or, for a move down, above), or null.
const query::Expression* BoundOf(const query::Expression& conjunct, const Own& own,
                                 std::size_t column, bool is_up) {
  if (conjunct.form == "between" && conjunct.parts.size() == 3 &&
      conjunct.parts[1].text == " BETWEEN ")
    return IsAbout(conjunct.parts[0].expression.get(), own, column)
               ? conjunct.parts[is_up ? 2 : 1].expression.get()
               : nullptr;
  if (conjunct.form != "operator" || conjunct.parts.size() != 2) return nullptr;
  const std::string& op = conjunct.parts[1].text;
  const query::Expression* left = conjunct.parts[0].expression.get();
  const query::Expression* right = conjunct.parts[1].expression.get();
  const bool is_below = op == " < " || op == " <= ", is_above = op == " > " || op == " >= ";
  if (!is_below && !is_above) return nullptr;
  if (IsAbout(left, own, column)) return is_below == is_up ? right : nullptr;
  if (IsAbout(right, own, column)) return is_above == is_up ? left : nullptr;
  return nullptr;
}

bool IsWithin(const Move& move, const End& start, const End& bound, bool is_loosely_typed) {
  using Kind = End::Kind;
  if (start.kind == Kind::Unknown || bound.kind == Kind::Unknown) return false;
  if (start.kind == Kind::Number && bound.kind == Kind::Number) return !move.is_time;
  if (start.kind == Kind::Time && bound.kind == Kind::Time) {
    if (is_loosely_typed && !move.is_time) return false;
    return bound.year - start.year <= (move.is_short ? kYearsOfHours : kYearsOfDays);
  }
  const bool is_mixed = (start.kind == Kind::Number && bound.kind == Kind::Time) ||
                        (start.kind == Kind::Time && bound.kind == Kind::Number);
  // A number is below every text there: such a comparison never ends.
  return !is_mixed && (move.is_time || !is_loosely_typed);
}

// What each term that is no step puts first into the column.
std::vector<End> StartsOf(const query::Query& around, const query::Core& step, std::size_t column) {
  std::vector<End> starts;
  for (const query::SetTerm& term : around.terms) {
    if (&term.core == &step) break;
    if (term.nested != nullptr) return {{}};
    for (const auto& row : term.core.values)
      starts.push_back(column < row.size() ? EndOf(row[column].get(), true) : End{});
    if (term.core.values.empty())
      starts.push_back(column < term.core.outputs.size()
                           ? EndOf(term.core.outputs[column].expression.get(), true)
                           : End{});
  }
  return starts;
}

// Whether a condition compares a column of the common table with what is not its own.
class Links {
 public:
  explicit Links(const Own& own) : own_(own) {}

  bool Of(const query::Expression& condition) const {
    const bool is_and = IsAnd(condition);
    const bool is_or = IsForm(condition, "operator") && condition.parts.size() == 2 &&
                       condition.parts[1].text == " OR ";
    if (is_and || is_or) {
      const bool left = Of(*condition.parts[0].expression),
                 right = Of(*condition.parts[1].expression);
      return is_and ? left || right : left && right;
    }
    bool is_own = false, is_other = false;
    Look(condition, is_own, is_other);
    return is_own && is_other;
  }

  bool Of(const query::TableExpression& from) const {
    if (from.kind != query::TableKind::Join) return false;
    // The other rows of an outer join come whatever is compared.
    constexpr auto kKeeping =
        std::to_array<std::string_view>({"LEFT", "RIGHT", "FULL", "ANTI", "ASOF", "POSITIONAL"});
    const bool keeps = std::any_of(kKeeping.begin(), kKeeping.end(), [&](std::string_view word) {
      return from.join.find(word) != std::string::npos;
    });
    if (!keeps && (from.is_natural || !from.using_columns.empty())) return true;
    if (!keeps && from.on != nullptr && Of(*from.on)) return true;
    return Of(*from.left) || Of(*from.right);
  }

 private:
  void Look(const query::Expression& value, bool& is_own, bool& is_other) const {
    if (value.kind == query::ExpressionKind::Column) {
      const bool may_be_own = own_.MayHold(value);
      is_own = is_own || may_be_own;
      is_other = is_other || !may_be_own || (value.names.size() == 1 && !own_.KnowsNames());
      return;
    }
    for (const query::Part& part : value.parts) {
      if (part.query != nullptr) is_own = is_other = true;  // what it reads is not looked at
      if (part.expression != nullptr) Look(*part.expression, is_own, is_other);
    }
  }

  const Own& own_;
};

bool IsAlone(const query::Core& step) {
  return step.from.size() == 1 && step.from.front()->kind == query::TableKind::Table;
}

}  // namespace

bool WalksATable(const query::CommonTable& common, const query::Query& around,
                 const query::Core& step) {
  const Own own(common, around, step);
  const Links links(own);
  return (step.where != nullptr && links.Of(*step.where)) ||
         std::any_of(step.from.begin(), step.from.end(),
                     [&](const auto& from) { return links.Of(*from); });
}

bool CountsToAnEnd(const query::CommonTable& common, const query::Query& around,
                   const query::Core& step, const sql::Dialect& dialect, bool beside_tables) {
  if (!beside_tables && !IsAlone(step)) return false;
  const Own own(common, around, step);
  const bool is_loosely_typed = dialect.name == sql::Sqlite().name;
  std::vector<const query::Expression*> conjuncts;
  Conjuncts(step.where, conjuncts);
  for (std::size_t column = 0; column < step.outputs.size(); ++column) {
    const auto move = MoveOf(step.outputs[column].expression.get(), own, column);
    if (!move) continue;
    const std::vector<End> starts = StartsOf(around, step, column);
    for (const query::Expression* conjunct : conjuncts) {
      const query::Expression* bound = BoundOf(*conjunct, own, column, move->is_up);
      if (bound == nullptr) continue;
      const End end = EndOf(bound, false);
      bool is_within = !starts.empty();
      for (const End& start : starts)
        is_within = is_within && IsWithin(*move, start, end, is_loosely_typed);
      if (is_within) return true;
    }
  }
  return false;
}

}  // namespace schemaward::guard
