// Expressions: which columns they read, and where.
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "base/ascii.h"
#include "guard/analyzer.h"
#include "guard/can_fail.h"
#include "guard/constants.h"

namespace schemaward::guard {
namespace {

constexpr auto kRowids = std::to_array<std::string_view>({"_rowid_", "oid", "rowid"});
constexpr auto kGrowing = std::to_array<std::string_view>(
    {"format", "lpad", "printf", "regexp_replace", "repeat", "replace", "rpad", "space"});
// Functions that we register ourselves in SQLite.
constexpr std::string_view kOwnPrefix = "ward_";
constexpr std::string_view kOwnPercentile = "ward_percentile";
constexpr int kGrowthMax = 2;  // functions that make values larger, one inside another

bool Grows(std::string_view name) {
  return std::any_of(kGrowing.begin(), kGrowing.end(),
                     [&](std::string_view growing) { return FoldsTo(growing, name); });
}

const query::Expression* ArgumentAt(const query::Expression& call, std::size_t index) {
  for (const query::Part& part : call.parts) {
    if (part.text == ")") return nullptr;
    if (part.expression == nullptr) continue;
    if (index-- == 0) return part.expression.get();
  }
  return nullptr;
}

// SQLite's rowid is the column that is its table's INTEGER PRIMARY KEY, where there is one.
Taints RowidOf(const catalog::Table& table) {
  if (!table.primary_key || table.primary_key->columns.size() != 1) return {};
  const std::size_t at = catalog::FindColumn(table, table.primary_key->columns.front());
  if (at >= table.columns.size() || !FoldsTo(table.columns[at].type, "integer")) return {};
  return {{&table, &table.columns[at]}};
}

// A text whose braces hold no number of more than three digits, and no braces.
bool HasPlainBraces(std::string_view format) {
  std::size_t digits = 0;
  bool is_inside = false;
  for (const char c : format) {
    if (c == '{' && is_inside) return false;
    if (c == '{' || c == '}') is_inside = c == '{';
    digits = is_inside && c >= '0' && c <= '9' ? digits + 1 : 0;
    if (digits > 3) return false;
  }
  return true;
}

// A text without widths, stars and precisions.
bool IsPlainFormat(std::string_view format) {
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') continue;
    ++i;
    std::size_t digits = 0;
    while (i < format.size() &&
           (std::string_view("0123456789.-+ #,!$").find(format[i]) != std::string_view::npos)) {
      if (format[i] >= '0' && format[i] <= '9') ++digits;
      ++i;
    }
    if (digits > 3 || (i < format.size() && format[i] == '*')) return false;
  }
  return true;
}

// A column, also cast, or with numbers added and multiplied: no operand can single a row out.
bool IsPlainMeasure(const query::Expression& value) {
  switch (value.kind) {
    case query::ExpressionKind::Column:
    case query::ExpressionKind::Star:
    case query::ExpressionKind::Literal:
    case query::ExpressionKind::Parameter:
      return true;
    case query::ExpressionKind::Call:
      return false;
    case query::ExpressionKind::Syntax:
      break;
  }
  if (value.form == "cast" || value.form == "prefix")
    return value.parts.front().expression != nullptr &&
           IsPlainMeasure(*value.parts.front().expression);
  if (value.form != "operator" || value.parts.size() != 2) return false;
  const auto& left = *value.parts[0].expression;
  const auto& right = *value.parts[1].expression;
  const std::string& op = value.parts[1].text;
  const bool is_sum = op == " + " || op == " - " || op == " * " || op == " / ";
  return is_sum && (ConstantOf(&left) != nullptr || ConstantOf(&right) != nullptr) &&
         IsPlainMeasure(left) && IsPlainMeasure(right);
}

// True where what the statistic is made of cannot come down to one row of its group: a FILTER, a
// CASE or a comparison inside could leave one.
bool IsOfWholeGroup(const query::Expression& call) {
  for (const query::Part& part : call.parts) {
    if (part.text.find("FILTER (WHERE") != std::string::npos) return false;
    if (part.expression != nullptr && !IsPlainMeasure(*part.expression)) return false;
  }
  return true;
}

// Functions of PostgreSQL that no statement may call, and that read nothing but their arguments.
bool IsPureInViews(std::string_view name) {
  return name == "xpath" || name == "xpath_exists" || name == "xml_is_well_formed";
}

// Of a condition within an expression: left out with it.
Place AsPredicate(const Place& around) {
  Place place = around;
  place.where = Position::Predicate;
  place.in_statistic = place.sees_aliases = false;
  place.plain = nullptr;
  place.growth = 0;
  return place;
}

}  // namespace

Status Analyzer::Note(const Taints& taints, const Scope& scope, const Place& place) {
  if (view_depth_ > 0) return Ok();
  for (const Taint& taint : taints) {
    if (out_.uses.size() >= kUsesMax)
      return Error(ErrorKind::SqlSyntax, "the statement reads too many columns");
    const Place& part = around_ != nullptr ? *around_ : place;
    out_.uses.push_back({taint.table, taint.column, taint.is_unknown, place.where,
                         place.in_statistic, place.plain, scope.core, part.output, part.key,
                         part.key_core, part.query});
  }
  return Ok();
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
        for (const Binding& binding : scope.bindings) {
          WARD_TRY(const Taints more, WholeRow(binding, place, scope));
          Add(taints, more);
        }
        return taints;
      }
      for (const Binding& binding : scope.bindings)
        if (Means(expression->names.back(), binding.name, dialect_)) {
          expression->names = {{binding.name, true, false}};
          return WholeRow(binding, place, scope);
        }
      return UnknownColumn(*expression, scope);
    }
    case query::ExpressionKind::Call:
      return Invocation(*expression, scope, place, false);
    case query::ExpressionKind::Syntax:
      break;
  }
  return Syntax(*expression, scope, place);
}

Result<Taints> Analyzer::WholeRow(const Binding& binding, const Place& place, const Scope& scope) {
  Taints taints = binding.open_taints;
  if (!binding.withheld.empty()) ForbidWithheld({binding}, "");
  for (const Info& info : binding.columns) Add(taints, info.taints);
  Place all = place;
  all.plain = nullptr;
  WARD_CHECK(Note(taints, scope, all));
  return taints;
}

Result<Taints> Analyzer::Column(query::ExpressionPtr& expression, Scope& scope,
                                const Place& place) {
  constexpr std::size_t kParts = 3;
  if (expression->names.size() > kParts) return UnknownColumn(*expression, scope);
  return expression->names.size() == 1 ? Unqualified(expression, scope, place)
                                       : Qualified(expression, scope, place);
}

Result<Taints> Analyzer::Unqualified(query::ExpressionPtr& expression, Scope& scope,
                                     const Place& place) {
  query::Name& name = expression->names.front();
  for (const Scope* at = &scope; at != nullptr; at = at->outer) {
    const bool is_own = at == &scope;
    for (const std::string& lambda : at->lambdas)
      if (FoldsTo(lambda, name.text)) return Taints();
    // An output's name comes first in ORDER BY; elsewhere a column of a table does.
    if (is_own && place.sees_aliases && (place.where == Position::Order || at->bindings.empty()))
      for (const Info& alias : at->aliases)
        if (!alias.name.empty() && Means(name, alias.name, dialect_)) {
          name = {alias.name, true, false};
          WARD_CHECK(Note(alias.taints, scope, place));
          return alias.taints;
        }
    std::vector<const Visible*> found;
    for (const Visible& visible : at->visible)
      if (Means(name, InfoOf(*at, visible).name, dialect_)) found.push_back(&visible);
    if (found.size() > 1 && is_postgres_)
      std::erase_if(found, [&](const Visible* v) { return InfoOf(*at, *v).name.empty(); });
    if (found.size() > 1) {
      Error error(
          ErrorKind::SqlUnknownName,
          fmt::format("column \"{}\" is in several tables of the statement: say which", name.text));
      std::vector<std::string> choices;
      for (const Visible* v : found)
        if (!v->is_merged)
          choices.push_back(at->bindings[v->binding].name + "." + InfoOf(*at, *v).name);
      if (!choices.empty() && view_depth_ == 0)
        out_.corrections.push_back({expression->begin, expression->end, choices.front()});
      error.Near(std::move(choices));
      return error;
    }
    if (found.size() == 1) {
      const Info& info = InfoOf(*at, *found.front());
      name = {info.name, true, false};
      Place noted = place;
      if (!is_own || !info.is_base) noted.plain = nullptr;
      WARD_CHECK(Note(info.taints, scope, noted));
      return info.taints;
    }
    // Where a select around has a column of that name, engines differ in which is meant.
    const auto has_column = [&](const Scope& around) {
      return std::any_of(around.visible.begin(), around.visible.end(), [&](const Visible& visible) {
        return Means(name, InfoOf(around, visible).name, dialect_);
      });
    };
    bool is_ambiguous = false;
    for (const Scope* around = at->outer; is_duckdb_ && around != nullptr; around = around->outer)
      is_ambiguous = is_ambiguous || has_column(*around);
    if (is_own && place.sees_aliases && !is_ambiguous)
      for (const Info& alias : at->aliases)
        if (!alias.name.empty() && Means(name, alias.name, dialect_)) {
          name = {alias.name, true, false};
          WARD_CHECK(Note(alias.taints, scope, place));
          return alias.taints;
        }
    for (const Binding& binding : at->bindings)
      if (is_sqlite_ && binding.table != nullptr && !name.is_quoted &&
          std::any_of(kRowids.begin(), kRowids.end(),
                      [&](auto rowid) { return FoldsTo(rowid, name.text); })) {
        Taints taints = RowidOf(*binding.table);
        Place noted = place;
        noted.plain = nullptr;
        WARD_CHECK(Note(taints, scope, noted));
        return taints;
      }
    for (const Binding& binding : at->bindings)
      if (binding.is_open) {
        ForbidWithheld(at->bindings, name.text);
        for (const Binding& row : at->bindings)  // its name alone is its whole row
          if (!row.withheld.empty() && Means(name, row.name, dialect_)) ForbidWithheld({row}, "");
        WARD_CHECK(Note(binding.open_taints, scope, place));
        Canon(name);
        return binding.open_taints;
      }
    // A table's name alone is its whole row.
    if (is_postgres_ || is_duckdb_)
      for (const Binding& binding : at->bindings)
        if (Means(name, binding.name, dialect_)) {
          name = {binding.name, true, false};
          return WholeRow(binding, place, scope);
        }
  }
  if (is_sqlite_ && name.maybe_text && !is_ours_) {
    auto literal = std::make_unique<query::Expression>();
    literal->form = "text";
    literal->value = name.text;
    expression = std::move(literal);
    return Taints();
  }
  return UnknownColumn(*expression, scope);
}

Result<Taints> Analyzer::Qualified(query::ExpressionPtr& expression, Scope& scope,
                                   const Place& place) {
  std::vector<query::Name>& names = expression->names;
  const query::Name qualifier = names[names.size() - 2];
  for (const Scope* at = &scope; at != nullptr; at = at->outer)
    for (const Binding& binding : at->bindings) {
      const bool in_schema =
          names.size() == 2 ||
          (binding.table != nullptr && Means(names.front(), binding.table->schema, dialect_));
      const bool by_table = names.size() == 3 && binding.table != nullptr &&
                            Means(qualifier, binding.table->name, dialect_);
      if (!in_schema || (!by_table && !Means(qualifier, binding.name, dialect_))) continue;
      for (const Info& info : binding.columns) {
        if (!Means(names.back(), info.name, dialect_)) continue;
        names = {{binding.name, true, false}, {info.name, true, false}};
        Place noted = place;
        if (at != &scope || !info.is_base) noted.plain = nullptr;
        WARD_CHECK(Note(info.taints, scope, noted));
        return info.taints;
      }
      const bool is_rowid = is_sqlite_ && binding.table != nullptr &&
                            std::any_of(kRowids.begin(), kRowids.end(), [&](auto rowid) {
                              return FoldsTo(rowid, names.back().text);
                            });
      if (binding.is_open || is_rowid) {
        query::Name column = names.back();
        if (binding.is_open) ForbidWithheld({binding}, column.text);
        Canon(column);
        names = {{binding.name, true, false}, column};
        Taints taints = is_rowid ? RowidOf(*binding.table) : binding.open_taints;
        Place noted = place;
        noted.plain = nullptr;
        WARD_CHECK(Note(taints, scope, noted));
        return taints;
      }
      return UnknownColumn(*expression, scope);
    }
  // A field of a struct column, in DuckDB.
  if (is_duckdb_ && names.size() == 2) {
    auto column = std::make_unique<query::Expression>();
    column->kind = query::ExpressionKind::Column;
    column->names = {names.front()};
    column->begin = expression->begin;
    column->end = expression->end;
    const std::size_t corrections = out_.corrections.size();
    auto taints = Unqualified(column, scope, place);
    if (taints) {
      names.front() = column->names.front();
      return taints;
    }
    out_.corrections.resize(corrections);
  }
  return UnknownColumn(*expression, scope);
}

bool Analyzer::IsHidden(const Info& info) const {
  return out_.hides != nullptr &&
         std::any_of(info.taints.begin(), info.taints.end(), [&](const Taint& taint) {
           return taint.table != nullptr &&
                  out_.hides->RuleOf(*taint.table, *taint.column).IsBlocked();
         });
}

Error Analyzer::UnknownColumn(const query::Expression& expression, const Scope& scope) {
  std::string shown;
  for (const query::Name& name : expression.names) shown += (shown.empty() ? "" : ".") + name.text;
  if (expression.kind == query::ExpressionKind::Star) shown += ".*";
  Error error(ErrorKind::SqlUnknownName,
              fmt::format("the statement reads column \"{}\", which is not there", shown));
  std::vector<std::string> names;
  std::string qualifier;
  if (expression.names.size() > 1) qualifier = expression.names[expression.names.size() - 2].text;
  for (const Scope* at = &scope; at != nullptr; at = at->outer)
    for (const Binding& binding : at->bindings)
      if (qualifier.empty() || FoldsTo(binding.name, qualifier))
        for (const Info& info : binding.columns)
          if (!info.name.empty() && !IsHidden(info)) names.push_back(info.name);
  auto near = NearestOf(expression.names.empty() ? "" : expression.names.back().text, names);
  if (!qualifier.empty())
    for (std::string& name : near)
      name = catalog::QuoteName(qualifier) + "." + catalog::QuoteName(name);
  if (!near.empty() && view_depth_ == 0)
    out_.corrections.push_back({expression.begin, expression.end, near.front()});
  error.Near(std::move(near));
  return error;
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
      const auto outputs = Query(*part.query, &scope, scope.commons, false);
      around_ = outside;
      if (!outputs) return outputs.error();
      for (const Info& info : *outputs) Add(taints, info.taints);
    }
  }
  return taints;
}

Result<Taints> Analyzer::Syntax(query::Expression& expression, Scope& scope, Place place) {
  if (expression.form == "window") return Window(expression, scope, place);
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
  place.in_statistic = place.sees_aliases = false;
  place.plain = nullptr;
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

// (row).field: where the operand is a table's name alone, only that column is read.
Result<Taints> Analyzer::Field(query::Expression& field, Scope& scope, const Place& place) {
  query::Expression* inner = field.parts.front().expression.get();
  if (inner->form == "parens") inner = inner->parts.front().expression.get();
  if (inner->kind == query::ExpressionKind::Column && inner->names.size() == 1) {
    const auto is_column = [&](const Scope& at) {
      return std::any_of(at.visible.begin(), at.visible.end(), [&](const Visible& visible) {
        return Means(inner->names.front(), InfoOf(at, visible).name, dialect_);
      });
    };
    for (const Scope* at = &scope; at != nullptr && !is_column(*at); at = at->outer)
      for (const Binding& binding : at->bindings) {
        if (!Means(inner->names.front(), binding.name, dialect_) || binding.is_open) continue;
        for (const Info& info : binding.columns) {
          if (!Means(field.names.front(), info.name, dialect_)) continue;
          inner->names = {{binding.name, true, false}};
          field.names.front() = {info.name, true, false};
          Place noted = place;
          noted.plain = nullptr;
          WARD_CHECK(Note(info.taints, scope, noted));
          return info.taints;
        }
        return UnknownColumn(*inner, scope);
      }
  }
  Canon(field.names.front());
  return Children(field, scope, place);
}

Result<Taints> Analyzer::Invocation(query::Expression& call, Scope& scope, Place place,
                                    bool in_from) {
  query::Name& name = call.names.back();
  const std::string written = name.text;
  place.plain = nullptr;
  const bool in_pg_catalog =
      call.names.size() == 2 && is_postgres_ && FoldsTo(call.names.front().text, "pg_catalog");
  const bool is_named_plainly = call.names.size() == 1 || in_pg_catalog;
  if (is_duckdb_ && FoldsTo(written, "columns")) {  // every column that a pattern meets
    Taints all;
    for (const Binding& binding : scope.bindings) {
      WARD_TRY(const Taints row, WholeRow(binding, place, scope));
      Add(all, row);
    }
    Forbid("chooses columns by a pattern (COLUMNS); name them");
    return all;
  }
  const Function* function = is_named_plainly ? FindFunction(dialect_, written) : nullptr;
  if (is_ours_ && is_named_plainly && written.starts_with(kOwnPrefix)) {
    place.in_statistic = place.in_statistic || written == kOwnPercentile;
    return Children(call, scope, place);
  }
  const bool folds_wrongly =
      is_postgres_ && name.is_quoted && function != nullptr && function->name != written;
  if (function == nullptr || folds_wrongly) {
    Forbid(fmt::format("calls \"{}\", which is not on the list of reading functions", written));
  } else {
    const bool is_of_rows =
        function->kind == FunctionKind::Table || function->kind == FunctionKind::TableScalar;
    if (in_from && !is_of_rows)
      Forbid(fmt::format("reads \"{}\" in FROM, which is not on the list of reading functions",
                         written));
    if (function->kind == FunctionKind::Window && !call.has_window)
      Forbid(fmt::format("calls \"{}\" without OVER", written));
    CheckBound(*function, call);
    place.growth += function->bound == FunctionBound::Length ? kGrowthMax : Grows(written) ? 1 : 0;
    if (place.growth > kGrowthMax)
      Forbid(fmt::format("nests functions that make values larger (\"{}\")", written));
    call.names = {{std::string(function->name), false, false}};
    if (function->kind == FunctionKind::Statistic)
      place.in_statistic = !call.has_window && IsOfWholeGroup(call);
    else if (function->kind != FunctionKind::Scalar || call.has_window)
      place.in_statistic = false;
  }
  Taints taints;
  // What a function of the database reads is in no text of the view.
  const bool is_pure = is_named_plainly && is_postgres_ && IsPureInViews(written);
  if (view_depth_ > 0 && !is_pure && (function == nullptr || folds_wrongly))
    taints.push_back(kUnknown);
  const bool is_count = function != nullptr && function->name == "count";
  for (query::Part& part : call.parts) {
    Place at = place;
    if (part.text.find("FILTER (WHERE") != std::string::npos) at = AsPredicate(place);
    if (part.text == " ORDER BY " && !place.in_statistic) at.where = Position::Order;
    if (part.expression != nullptr) {
      const bool is_star = part.expression->kind == query::ExpressionKind::Star;
      if (is_star && is_count && part.expression->names.empty()) continue;
      WARD_TRY(const Taints more, Walk(part.expression, scope, at));
      Add(taints, more);
    }
  }
  return taints;
}

void Analyzer::CheckBound(const Function& function, const query::Expression& call) {
  switch (function.bound) {
    case FunctionBound::None:
      return;
    case FunctionBound::Length: {
      const std::size_t at = function.name == "space" ? 0 : 1;
      const auto length = IntegerOf(ArgumentAt(call, at));
      if (!length || *length > kLengthMax)
        Forbid(fmt::format("calls \"{}\" with a length that is not a number up to {}",
                           function.name, kLengthMax));
      return;
    }
    case FunctionBound::Width: {
      constexpr std::size_t kWidthAt = 3;
      const query::Expression* width = ArgumentAt(call, kWidthAt);
      const auto length = IntegerOf(width);
      if (width != nullptr && (!length || *length > kLengthMax))
        Forbid(fmt::format("calls \"{}\" with a width that is not a number up to {}", function.name,
                           kLengthMax));
      return;
    }
    case FunctionBound::Format: {
      const query::Expression* format = ArgumentAt(call, 0);
      const bool plain = format != nullptr && format->kind == query::ExpressionKind::Literal &&
                         format->form == "text" && IsPlainFormat(format->value) &&
                         (!is_duckdb_ || HasPlainBraces(format->value));
      if (!plain)
        Forbid(fmt::format("calls \"{}\" with a format that is not a plain text", function.name));
      return;
    }
    case FunctionBound::Series:
      break;
  }
  const query::Expression* first = ArgumentAt(call, 0);
  const query::Expression* second = ArgumentAt(call, 1);
  const query::Expression* third = ArgumentAt(call, 2);
  const auto a = IntegerOf(first), b = IntegerOf(second), step = IntegerOf(third);
  if (second == nullptr && a && *a <= kSeriesMax) return;  // range(n)
  if (a && b && (third == nullptr || step)) {
    const std::int64_t by = step.value_or(1);
    if (by != 0 && *a > -kSeriesMax * 1000 && *b < kSeriesMax * 1000 &&
        (*b - *a) / by <= kSeriesMax)
      return;
  }
  if (!a && !b && ConstantOf(first) != nullptr && ConstantOf(second) != nullptr &&
      IsLongStep(third))
    return;
  Forbid(
      fmt::format("calls \"{}\" with bounds that are not constants up to {} rows, or steps of time "
                  "shorter than an hour",
                  function.name, kSeriesMax));
}

}  // namespace schemaward::guard
