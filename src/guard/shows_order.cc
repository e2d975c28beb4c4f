#include "guard/shows_order.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "base/contains.h"
#include "guard/forms.h"
#include "guard/function_list.h"
#include "guard/walk.h"

namespace schemaward::guard {
namespace {

namespace query = sql::query;

// Aggregates and functions of a window that give the same whatever the order.
constexpr std::string_view kOfAnyOrder[] = {"approx_quantile",
                                            "bit_and",
                                            "bit_or",
                                            "bit_xor",
                                            "bitstring_agg",
                                            "corr",
                                            "covar_pop",
                                            "covar_samp",
                                            "cume_dist",
                                            "dense_rank",
                                            "histogram",
                                            "mad",
                                            "max",
                                            "median",
                                            "min",
                                            "percent_rank",
                                            "quantile",
                                            "quantile_cont",
                                            "quantile_disc",
                                            "range_agg",
                                            "rank",
                                            "mode",
                                            "percentile_cont",
                                            "percentile_disc",
                                            "range_intersect_agg"};
constexpr std::string_view kFloats[] = {"double", "float", "real"};

bool HasKeys(const query::Expression& call) {
  return std::any_of(call.parts.begin(), call.parts.end(), [](const query::Part& part) {
    if (part.text.find("ORDER BY ") != std::string::npos || part.text.find(" OVER ") == 0)
      return part.expression == nullptr || !IsForm(*part.expression, "window") ||
             HasKeys(*part.expression);
    return false;
  });
}

bool IsDistinct(const query::Expression& call) {
  return !call.parts.empty() && call.parts.front().text.ends_with("DISTINCT ");
}

// By a frame of so many rows.
bool CountsRows(const query::Expression& call) {
  return std::any_of(call.parts.begin(), call.parts.end(), [](const query::Part& part) {
    return part.text == " ROWS" ||
           (part.expression != nullptr && IsForm(*part.expression, "window") &&
            CountsRows(*part.expression));
  });
}

bool IsFloat(const catalog::Column& column) {
  const std::string type = LowerAscii(column.type);
  return std::any_of(std::begin(kFloats), std::end(kFloats),
                     [&](std::string_view word) { return type.find(word) != std::string::npos; });
}

// Of equal values of such a type one differs from another to who reads it: 1.0 and 1.00.
bool IsLoose(const catalog::Column& column) {
  const std::string type = LowerAscii(column.type);
  return type == "numeric" || type == "interval" || IsFloat(column);
}

constexpr std::string_view kPicks[] = {"max", "min", "mode", "percentile_disc"};

/// Thread: owner.
class Shows {
 public:
  Shows(const Analysis& inner, OrderInside inside, const sql::Dialect& dialect)
      : inner_(inner), inside_(std::move(inside)), dialect_(dialect) {}

  // From 16 on the rows are sorted once for all aggregates of a select.
  // `by_outputs`: a DISTINCT of an output counts.
  bool SortsForAnother(const query::Core& core, const catalog::Column* counted,
                       bool by_outputs) const {
    if (dialect_.name != sql::Postgres().name) return false;
    bool is_distinct = false, adds = false, gathers = false;
    const auto look = [&](const query::Expression& value, const auto& self) -> void {
      if (value.kind == query::ExpressionKind::Call && !value.has_window) {
        const Function* function = FindFunction(dialect_, value.names.back().text);
        if (IsDistinct(value)) {
          is_distinct = true;
          return;
        }
        adds = adds || Adds(value, function);
        gathers = gathers || Call(value, true, true);
      }
      for (const query::Part& part : value.parts)
        if (part.expression != nullptr) self(*part.expression, self);
    };
    for (const query::Output& output : core.outputs) look(*output.expression, look);
    is_distinct = is_distinct && by_outputs;
    if (core.having != nullptr) look(*core.having, look);
    return is_distinct && (gathers || (adds && ReadsFloats(core, counted)));
  }

  bool In(const query::Query& text) {
    bool shows = false;
    text_ = &text;
    ForEachQuery(text, [&](const query::Query& one) { shows = shows || Itself(one); });
    return shows;
  }

 private:
  bool Itself(const query::Query& one) const {
    const bool is_sorted = (!one.order_by.empty() || one.orders_all) && !inside_.ties_tell;
    const bool is_cut = (one.limit != nullptr || one.offset != nullptr) && !is_sorted;
    bool shows = is_cut && one.terms.size() > 1;
    const bool is_set = std::any_of(
        one.terms.begin(), one.terms.end(),
        [](const query::SetTerm& term) { return !term.op.empty() && term.op != " UNION ALL "; });
    for (const query::SetTerm& term : one.terms) {
      if (term.nested != nullptr) {
        shows = shows || is_cut;
        continue;
      }
      const query::Core& core = term.core;
      const bool computes =
          &one != text_ || one.terms.size() > 1 || core.is_distinct || inside_.is_kept;
      const bool follows = Follows(core);
      const bool makes = follows || (!inside_.ties_tell && TellsApart(core));
      shows = shows || (makes && is_cut) || SortsForAnother(core, nullptr, computes) ||
              (follows && ((!core.distinct_on.empty() && !is_sorted) || AddsFloats(core) ||
                           PicksOfEqual(core, is_set)));
      for (const query::Output& output : core.outputs)
        shows = shows || Value(*output.expression, follows, makes);
      if (core.having != nullptr) shows = shows || Value(*core.having, follows, makes);
      if (core.qualify != nullptr) shows = shows || Value(*core.qualify, follows, makes);
      if (core.where != nullptr) shows = shows || Value(*core.where, follows, makes);
    }
    return shows;
  }

  bool Follows(const query::TableExpression& from) const {
    switch (from.kind) {
      case query::TableKind::Join:
        return Follows(*from.left) || Follows(*from.right);
      case query::TableKind::Table:
        return !inside_.told.contains(&from);
      case query::TableKind::Derived:
        return true;
      case query::TableKind::Function:
        break;
    }
    return false;
  }

  bool Follows(const query::Core& core) const {
    if (inside_.joins_tell && (Joins(core) || (core.where != nullptr && HoldsSelect(*core.where))))
      return true;
    return std::any_of(core.from.begin(), core.from.end(),
                       [this](const auto& from) { return Follows(*from); });
  }

  // It may come sorted by what it groups or joins by.
  static bool TellsApart(const query::Core& core) {
    return !core.group_by.empty() || core.groups_all || core.is_distinct || Joins(core);
  }

  static bool Joins(const query::Core& core) {
    return core.from.size() > 1 ||
           (core.from.size() == 1 && core.from.front()->kind == query::TableKind::Join);
  }

  bool Value(const query::Expression& value, bool follows, bool makes) const {
    if (value.kind == query::ExpressionKind::Call && Call(value, follows, makes)) return true;
    return std::any_of(value.parts.begin(), value.parts.end(), [&](const query::Part& part) {
      const bool is_array = part.query != nullptr && IsForm(value, "array");
      return (is_array && Gathers(*part.query)) ||
             (part.expression != nullptr && Value(*part.expression, follows, makes));
    });
  }

  // ARRAY(SELECT ...) of PostgreSQL and DuckDB.
  bool Gathers(const query::Query& one) const {
    if (!inside_.ties_tell && !one.order_by.empty()) return false;
    return std::any_of(one.terms.begin(), one.terms.end(), [this](const query::SetTerm& term) {
      return term.nested != nullptr || Follows(term.core) ||
             (!inside_.ties_tell && TellsApart(term.core));
    });
  }

  bool Call(const query::Expression& call, bool follows, bool makes) const {
    const std::string name = LowerAscii(call.names.back().text);
    const Function* function = FindFunction(dialect_, name);
    // PostgreSQL sorts for DISTINCT.
    if (dialect_.name == sql::Postgres().name && IsDistinct(call)) return false;
    if (function == nullptr || (HasKeys(call) && !inside_.ties_tell)) return false;
    const bool is_of_rows =
        function->kind == FunctionKind::Aggregate || function->kind == FunctionKind::Window;
    const bool is_of_any_order =
        !is_of_rows || name.starts_with("regr_") || Contains(kOfAnyOrder, name);
    // A window is opened over the groups of its own select.
    return call.has_window ? makes && (!is_of_any_order || CountsRows(call))
                           : follows && !is_of_any_order;
  }

  // A sum of floating numbers is not the same from the other end.
  bool AddsFloats(const query::Core& core) const {
    if (!inside_.ties_tell) return false;
    bool adds = false;
    const auto look = [&](const query::Expression& value, const auto& self) -> void {
      if (value.kind == query::ExpressionKind::Call)
        adds = adds || Adds(value, FindFunction(dialect_, value.names.back().text));
      for (const query::Part& part : value.parts)
        if (part.expression != nullptr) self(*part.expression, self);
    };
    for (const query::Output& output : core.outputs) look(*output.expression, look);
    if (core.having != nullptr) look(*core.having, look);
    return adds && ReadsFloats(core, nullptr);
  }

  // A group is called as its first row is.
  bool PicksOfEqual(const query::Core& core, bool is_set) const {
    if (!inside_.ties_tell) return false;
    bool picks = false;
    for (const Use& use : inner_.uses) {
      if (use.core != &core || !IsLoose(*use.column)) continue;
      picks = picks || use.where == Position::Group || (is_set && use.where == Position::Output);
      const auto look = [&](const query::Expression& value, const auto& self) -> void {
        const bool is_pick = value.kind == query::ExpressionKind::Call &&
                             Contains(kPicks, LowerAscii(value.names.back().text));
        for (const query::Part& part : value.parts) {
          if (part.expression == nullptr) continue;
          picks = picks || (is_pick && part.expression->kind == query::ExpressionKind::Column &&
                            part.expression->names.back().text == use.column->name);
          self(*part.expression, self);
        }
      };
      for (const query::Output& output : core.outputs) look(*output.expression, look);
    }
    return picks;
  }

  static bool Adds(const query::Expression& call, const Function* function) {
    return function != nullptr && function->kind == FunctionKind::Statistic &&
           !EqualsIgnoringAsciiCase(call.names.back().text, "count");
  }

  bool ReadsFloats(const query::Core& core, const catalog::Column* but) const {
    return std::any_of(inner_.uses.begin(), inner_.uses.end(), [&](const Use& use) {
      return use.core == &core && use.column != but && IsFloat(*use.column);
    });
  }

  const query::Query* text_ = nullptr;
  const Analysis& inner_;
  const OrderInside inside_;
  const sql::Dialect& dialect_;
};

}  // namespace

bool ShowsOrder(const query::Query& text, const Analysis& inner, const OrderInside& inside,
                const sql::Dialect& dialect) {
  return Shows(inner, inside, dialect).In(text);
}

bool SortsForAnother(const query::Core& core, const catalog::Column* counted,
                     const Analysis& analysis, const sql::Dialect& dialect) {
  return Shows(analysis, {}, dialect).SortsForAnother(core, counted, true);
}

}  // namespace schemaward::guard
