// Expressions: what they are made of, and where they stand. Columns are in analyze_columns.cc,
// calls in analyze_calls.cc.
#include <algorithm>
#include <utility>

#include "guard/analyzer.h"
#include "guard/can_fail.h"
#include "guard/forms.h"
#include "guard/own_types.h"
#include "privacy/name_rules.h"
#include "privacy/type_family.h"

namespace schemaward::guard {

Status Analyzer::Note(const Taints& taints, const Scope& scope, const Place& place) {
  if (view_depth_ > 0) {
    NoteOfView(taints, place.where);
    return Ok();
  }
  for (const Taint& taint : taints) {
    if (out_.uses.size() >= kUsesMax)
      return Error(ErrorKind::SqlSyntax, "the statement reads too many columns");
    if (place.gives_type || (taint.column->is_array && place.plain == nullptr)) CheckType(taint);
    const Place& part = around_ != nullptr ? *around_ : place;
    const bool in_statistic =
        place.in_statistic && IsSafeFor(place.measure, taint.column->type, dialect_);
    const bool is_unknown =
        taint.is_unknown || (place.plain == nullptr && RunsRoutines(*taint.column));
    out_.uses.push_back({taint.table, taint.column, is_unknown, place.where, in_statistic,
                         place.plain, scope.core, part.output, part.key, part.key_core,
                         part.query});
  }
  return Ok();
}

void Analyzer::NoteOfView(const Taints& taints, Position where) {
  for (const Taint& taint : taints) {
    if (taint.column == nullptr) continue;
    if (where == Position::Order && out_.view_orders.size() < kUsesMax)
      out_.view_orders.push_back({taint.table, taint.column, false, Position::Order});
    const ViewGroup group{view_, taint.table, taint.column, where == Position::Join};
    if ((where == Position::Group || where == Position::Join) &&
        out_.view_groups.size() < kUsesMax &&
        std::find(out_.view_groups.begin(), out_.view_groups.end(), group) ==
            out_.view_groups.end())
      out_.view_groups.push_back(group);
  }
}

// A literal that is read as a value of the column's type is checked as one.
void Analyzer::CheckType(const Taint& taint) {
  if (IsCheckedByRoutine(*taint.column))
    Forbid(
        "has a routine of the database check values that it holds itself, as those of a column's "
        "type, and what that reads is not known: cast the column to text");
}

Result<Taints> Analyzer::Walk(query::ExpressionPtr& expression, Scope& scope, Place place) {
  // A row of operators leans to the left and is as deep as it is long.
  if (walk_depth_ >= kWalkDepthMax)
    return Error(ErrorKind::SqlSyntax, "the statement has too many operators in one expression");
  ++walk_depth_;
  struct Leave {
    int& depth;
    ~Leave() { --depth; }
  } leave{walk_depth_};
  if (CanFail(*expression, dialect_)) out_.can_fail = true;
  switch (expression->kind) {
    case query::ExpressionKind::Literal:
    case query::ExpressionKind::Parameter:
      return Taints();
    case query::ExpressionKind::Column:
      return Column(expression, scope, place);
    case query::ExpressionKind::Star: {
      place.plain = nullptr;
      Taints taints;
      if (!expression->parts.empty() || !expression->renamed.empty())
        return Error(ErrorKind::NotARead,
                     "the statement replaces columns of a star in an expression; name the columns");
      if (expression->names.empty()) {
        for (const Binding& binding : InSight(scope)) {
          WARD_TRY(const Taints more, WholeRow(binding, place, scope));
          Add(taints, more);
        }
        return taints;
      }
      for (const Binding& binding : InSight(scope))
        if (Means(expression->names.back(), binding.name, dialect_)) {
          expression->names = {{binding.name, true, false}};
          return WholeRow(binding, place, scope);
        }
      return UnknownColumn(*expression, scope);
    }
    case query::ExpressionKind::Call:
    case query::ExpressionKind::Syntax:
      break;
  }
  WARD_TRY(Taints made, expression->kind == query::ExpressionKind::Call
                            ? Invocation(*expression, scope, place, false)
                            : Syntax(*expression, scope, place));
  // What a cast of it runs, an implicit one too, is in no text of the view.
  const auto runs = [](const Taint& taint) {
    return taint.column != nullptr && RunsRoutines(*taint.column);
  };
  if (view_depth_ > 0 && std::any_of(made.begin(), made.end(), runs)) Add(made, {kUnknown});
  if (view_depth_ > 0) NoteFailing(*expression, made, place.where);
  return made;
}

// Which rows a view's own conditions leave is its owner's decision, and so is what fails there.
void Analyzer::NoteFailing(const query::Expression& value, const Taints& made, Position where) {
  if (failing_ == nullptr || where == Position::Predicate || where == Position::Join) return;
  const bool is_text = std::any_of(made.begin(), made.end(), [](const Taint& taint) {
    return taint.column != nullptr && (privacy::FamilyOf(taint.column->type) & privacy::kText) != 0;
  });
  if (made.empty() || !FailsByValue(value, is_text, dialect_)) return;
  if (where == Position::Group)
    NoteOfView(made, Position::Order);
  else
    Add(*failing_, made);
}

Result<Taints> Analyzer::Children(query::Expression& expression, Scope& scope, Place place) {
  place.plain = nullptr;
  Taints taints;
  for (query::Part& part : expression.parts) {
    if (part.expression != nullptr) {
      WARD_TRY(const Taints more, Walk(part.expression, scope, place));
      Add(taints, more);
    }
    if (part.query != nullptr) {
      const Place* const outside = around_;
      if (around_ == nullptr) around_ = &place;
      Taints compared;
      Taints* const compared_outside =
          std::exchange(compared_, view_depth_ > 0 ? &compared : nullptr);
      Taints multiplied;  // is part of its outputs
      Taints* const multiplied_outside = std::exchange(multiplied_, &multiplied);
      const auto outputs = Query(*part.query, &scope, scope.commons, false);
      multiplied_ = multiplied_outside;
      compared_ = compared_outside;
      around_ = outside;
      if (!outputs) return outputs.error();
      Add(taints, compared);
      for (const Info& info : *outputs) {
        Add(taints, info.taints);
        for (const Taint& taint : info.taints)
          if (place.gives_type && view_depth_ == 0) CheckType(taint);
      }
    }
  }
  return taints;
}

namespace {

// (1, (SELECT ..)) IN (SELECT ..): MariaDB (10.11.19) ends of it in ON of an outer join.
bool ComparesRowOfSelect(const query::Expression& value) {
  if ((value.form != "in_list" && value.form != "quantified") || value.parts.size() < 2)
    return false;
  const query::Expression* left = value.parts.front().expression.get();
  return left != nullptr && left->form == "row" && value.parts[1].query != nullptr &&
         HoldsSelect(*left);
}

// c.id IN (SELECT c.amount): MariaDB (10.11.19) takes it for a comparison, and ends of that beside
// GROUP BY, in HAVING, and where it merges what a column is of.
bool ComparesSelectOfNothing(const query::Expression& value) {
  if ((value.form != "in_list" && value.form != "quantified") || value.parts.size() < 2)
    return false;
  const query::Query* query = value.parts[1].query.get();
  while (query != nullptr && query->terms.size() == 1 && query->terms.front().nested != nullptr)
    query = query->terms.front().nested.get();
  return query != nullptr && query->terms.size() == 1 && query->terms.front().core.values.empty() &&
         query->terms.front().core.from.empty();
}

}  // namespace

Result<Taints> Analyzer::Syntax(query::Expression& expression, Scope& scope, Place place) {
  if (is_mysql_ && ComparesRowOfSelect(expression))
    Forbid("compares a row that holds a select with the rows of a select");
  if (is_mysql_ && view_depth_ == 0 && ComparesSelectOfNothing(expression))
    Forbid("compares with IN, ANY or ALL of a select without FROM; compare with its value");
  place.is_unnested = false;
  if (expression.form == "window") return Window(expression, scope, place);
  if (expression.form == "array") place.gives_type = is_postgres_;
  for (const std::string_view form : {"cast", "operator", "own_cast"})
    if (expression.form == form) place.gives_type = false;
  if (expression.form == "field") return Field(expression, scope, place);
  // What a view casts to is its owner's choice and is not printed.
  if (expression.form == "own_cast" && view_depth_ == 0) WARD_CHECK(CastType(expression, scope));
  if (expression.form == "lambda") {
    const std::size_t before = scope.lambdas.size();
    for (const query::Name& name : expression.names) scope.lambdas.push_back(name.text);
    auto taints = Children(expression, scope, place);
    scope.lambdas.resize(before);
    return taints;
  }
  return Children(expression, scope, place);
}

// PARTITION BY groups, ORDER BY sorts.
Result<Taints> Analyzer::Window(query::Expression& spec, Scope& scope, Place place) {
  place.where = Position::Group;
  place.in_statistic = false;
  place.aliases = Aliases::Unseen;
  place.plain = nullptr;
  place.gives_type = false;
  place.growth = 0;
  Taints taints;
  for (query::Part& part : spec.parts) {
    if (part.text.find("ORDER BY") != std::string::npos) place.where = Position::Order;
    if (part.expression == nullptr) continue;
    WARD_TRY(const Taints more, Walk(part.expression, scope, place));
    Add(taints, more);
  }
  return taints;
}

}  // namespace schemaward::guard
