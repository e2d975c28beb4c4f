// Calls of functions: whether they are listed, and whether what they give is bounded.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "guard/analyzer.h"
#include "guard/constants.h"
#include "guard/forms.h"
#include "guard/growth.h"

namespace schemaward::guard {
namespace {

constexpr auto kGrowing = std::to_array<std::string_view>(
    {"format", "lpad", "printf", "regexp_replace", "repeat", "replace", "rpad", "space"});
// Functions that we register ourselves in SQLite.
constexpr std::string_view kOwnPrefix = "ward_";
constexpr std::string_view kOwnPercentile = "ward_percentile";
constexpr std::int64_t kInLambdaMax = 100;    // characters or elements that a lambda makes
constexpr std::int64_t kInValueMax = 10'000;  // elements of a series that is a list
constexpr int kGrowthMax = 2;  // functions that make values larger, one inside another
constexpr int kEscapesMax = 10;

bool Grows(std::string_view name) {
  return std::any_of(kGrowing.begin(), kGrowing.end(),
                     [&](std::string_view growing) { return FoldsTo(growing, name); });
}

// Listed functions whose plain name the grammar of MySQL or DuckDB reads on its own.
bool IsWordOfCalls(std::string_view name) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"current_date", "current_time", "current_timestamp", "extract", "localtime",
       "localtimestamp", "position", "substr", "substring", "trim"});
  return std::find(kWords.begin(), kWords.end(), name) != kWords.end();
}

// Functions of PostgreSQL that write quotes, signs or bytes as two or more characters.
bool Escapes(std::string_view name) {
  constexpr auto kNames = std::to_array<std::string_view>(
      {"array_to_json", "encode", "json_build_array", "json_build_object", "jsonb_build_array",
       "jsonb_build_object", "quote_ident", "quote_literal", "quote_nullable", "row_to_json",
       "to_json", "to_jsonb"});
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

bool IsShortText(const query::Expression* value) {
  constexpr std::size_t kShortMax = 100;
  return value != nullptr && value->kind == query::ExpressionKind::Literal &&
         value->value.size() <= kShortMax;
}

// What PostgreSQL puts between or around all parts of a value, or before each of its lines.
bool Interleaves(const query::Expression& call, std::string_view name) {
  if (name == "array_to_string")
    return !IsShortText(ArgumentAt(call, 1)) ||
           (ArgumentAt(call, 2) != nullptr && !IsShortText(ArgumentAt(call, 2)));
  return name == "jsonb_pretty" || name == "ts_headline";
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

// Functions of PostgreSQL that no statement may call, and that read nothing but their arguments.
bool IsPureInViews(std::string_view name) {
  return name == "xpath" || name == "xpath_exists" || name == "xml_is_well_formed";
}

// A function that gives rows where it stands for a value too: each repeats what stands beside it.
bool MakesRows(const query::Expression& call, const Function* function) {
  constexpr auto kUnlisted =
      std::to_array<std::string_view>({"json_populate_recordset", "jsonb_path_query_tz",
                                       "jsonb_populate_recordset", "ts_debug", "ts_parse"});
  if (function != nullptr)
    return function->kind == FunctionKind::Table || function->kind == FunctionKind::TableScalar;
  const std::string& name = call.names.back().text;
  return std::find(kUnlisted.begin(), kUnlisted.end(), name) != kUnlisted.end();
}

// Every row, and no column: what leaves columns out or replaces them reads the others.
bool IsPlainStar(const query::Expression& star) {
  return star.kind == query::ExpressionKind::Star && star.names.empty() && star.excluded.empty() &&
         star.parts.empty() && star.renamed.empty();
}

// Functions of PostgreSQL that read a literal as a value of the type that another argument has.
bool TakesTypeOfAnother(std::string_view name) {
  constexpr auto kNames = std::to_array<std::string_view>(
      {"array_agg", "array_append", "array_cat", "array_position", "array_positions",
       "array_prepend", "array_remove", "array_replace", "lag", "lead", "width_bucket"});
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

// Of a condition within an expression: left out with it.
Place AsPredicate(const Place& around) {
  Place place = around;
  place.where = Position::Predicate;
  place.in_statistic = false;
  place.aliases = Aliases::Unseen;
  place.plain = nullptr;
  place.gives_type = false;
  place.growth = 0;
  return place;
}

/// Takes the lambdas' names out of a scope while it lives. Lifetime: ends before the scope.
class HiddenLambdas {
 public:
  HiddenLambdas(Scope& scope, bool hides) : scope_(scope), hides_(hides) {
    if (hides_) names_.swap(scope_.lambdas);
  }
  ~HiddenLambdas() {
    if (hides_) names_.swap(scope_.lambdas);
  }
  HiddenLambdas(const HiddenLambdas&) = delete;
  HiddenLambdas& operator=(const HiddenLambdas&) = delete;

 private:
  Scope& scope_;
  const bool hides_;
  std::vector<std::string> names_;
};

}  // namespace

Result<Taints> Analyzer::Invocation(query::Expression& call, Scope& scope, Place place,
                                    bool in_from) {
  query::Name& name = call.names.back();
  const std::string written = name.text;
  place.plain = nullptr;
  const bool is_unnested = std::exchange(place.is_unnested, false) || in_from;
  // DuckDB prints what stood for a form of words in a view (trim, extract, a list) as main.f.
  const std::string_view system = is_postgres_                    ? "pg_catalog"
                                  : is_duckdb_ && view_depth_ > 0 ? "main"
                                                                  : "";
  const bool in_system =
      call.names.size() == 2 && !system.empty() && FoldsTo(call.names.front().text, system);
  const bool is_named_plainly = call.names.size() == 1 || in_system;
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
    // Printed plainly it would be the word. A view's text is not printed where it is in quotes.
    if (!is_postgres_ && name.is_quoted && view_depth_ == 0 && IsWordOfCalls(function->name))
      Forbid(fmt::format("calls \"{0}\" in quotes; write {0} without them", function->name));
    const bool is_of_rows =
        function->kind == FunctionKind::Table || function->kind == FunctionKind::TableScalar;
    if (in_from && !is_of_rows)
      Forbid(fmt::format("reads \"{}\" in FROM, which is not on the list of reading functions",
                         written));
    const bool is_within_group = std::any_of(
        call.parts.begin(), call.parts.end(),
        [](const query::Part& part) { return part.text == " WITHIN GROUP (ORDER BY "; });
    const bool is_hypothetical = is_postgres_ && is_within_group;  // rank(5) WITHIN GROUP (...)
    if (function->kind == FunctionKind::Window && !call.has_window && !is_hypothetical)
      Forbid(fmt::format("calls \"{}\" without OVER", written));
    // DuckDB has these as a form only: without it they are macros of the database.
    if (is_duckdb_ && function->name.starts_with("percentile_") && !is_within_group)
      Forbid(fmt::format("calls \"{}\" without WITHIN GROUP", written));
    CheckGrowth(*function, call, scope, is_unnested);
    // Of any table, column or type by its number: a comment, or a name.
    if (is_postgres_ && (written.ends_with("_description") || written == "format_type") &&
        out_.system_relation.empty())
      out_.system_relation = written;
    place.is_unnested = function->name == "unnest";
    const bool grows = Grows(written) || (is_duckdb_ && MayMultiply(call, false)) ||
                       (is_postgres_ && Interleaves(call, function->name));
    place.growth += function->bound == FunctionBound::Length ? kGrowthMax : grows ? 1 : 0;
    if (is_postgres_ && Escapes(function->name)) ++place.escapes;
    if (place.escapes > kEscapesMax)
      Forbid(fmt::format("nests functions that write characters as several (\"{}\")", written));
    if (place.growth > kGrowthMax)
      Forbid(fmt::format("nests functions that make values larger (\"{}\")", written));
    call.names = {{std::string(function->name), false, false}};
    if (function->kind == FunctionKind::Statistic) {
      place.measure = MeasureOf(call, dialect_);
      place.in_statistic = !call.has_window && place.measure.is_whole_group;
    } else if (function->kind != FunctionKind::Scalar || call.has_window) {
      place.in_statistic = false;
    }
  }
  Taints taints;
  // What a function of the database reads is in no text of the view.
  const bool is_pure = is_named_plainly && is_postgres_ && IsPureInViews(written);
  if (view_depth_ > 0 && !is_pure && (function == nullptr || folds_wrongly))
    taints.push_back(kUnknown);
  if (call.has_window) Add(taints, scope.windows);
  const bool is_count = function != nullptr && function->name == "count";
  // What a lambda calls so is out of sight of an aggregate or a window inside of it.
  const bool is_of_one_row =
      function != nullptr && function->kind == FunctionKind::Scalar && !call.has_window;
  const HiddenLambdas hidden(scope, !is_of_one_row);
  if (is_postgres_ && function != nullptr && TakesTypeOfAnother(function->name))
    place.gives_type = true;
  bool sorts = false;
  for (query::Part& part : call.parts) {
    Place at = place;
    if (part.text.find("FILTER (WHERE") != std::string::npos) at = AsPredicate(place);
    if (part.expression != nullptr)
      sorts = part.text == " ORDER BY " || (sorts && part.text == ", ");
    if (sorts) {  // a sum of doubles follows the order of its operands
      at.where = Position::Order;
      at.in_statistic = false;
      at.gives_type = false;
    }
    if (part.expression != nullptr) {
      if (is_count && IsPlainStar(*part.expression)) continue;
      WARD_TRY(const Taints more, Walk(part.expression, scope, at));
      Add(taints, more);
    }
  }
  const bool is_distinct = !call.parts.empty() && call.parts.front().text.ends_with("DISTINCT ");
  if (view_depth_ > 0 && is_postgres_ && is_distinct) NoteOfView(taints, Position::Group);
  // DuckDB's others give a list there.
  const bool makes_rows = MakesRows(call, function) && (!is_duckdb_ || FoldsTo("unnest", written));
  if (multiplied_ != nullptr && (in_from || makes_rows))
    for (const Taint& taint : taints)
      if (!(taint == kUnknown)) Add(*multiplied_, {taint});
  if (is_mysql_ && view_depth_ == 0) StandIn(call);
  return taints;
}

// To MariaDB, or to MySQL, which have no such functions, these are the database's own of that name,
// whatever they read: what means the same to every server stands in their place.
void Analyzer::StandIn(query::Expression& call) {
  query::Name& name = call.names.back();
  if (name.text == "any_value") name.text = "min";
  if (name.text == "nvl") name.text = "ifnull";
  if (name.text == "lengthb") name.text = "octet_length";
  if (name.text == "nvl2" && ArgumentAt(call, 0) != nullptr) {
    name.text = "if";
    query::ExpressionPtr& value = call.parts[1].expression;
    value = Suffixed(std::move(value), " IS NOT NULL");
  }
  if (name.text != "regexp_like") return;
  if (ArgumentAt(call, 1) == nullptr || ArgumentAt(call, 2) != nullptr || call.has_window) {
    Forbid("calls \"regexp_like\" with more than a value and a pattern");
    return;
  }
  std::vector<query::Part> parts;
  for (query::Part& part : call.parts)
    if (part.expression != nullptr)
      parts.push_back(
          query::ValuePart(parts.empty() ? "" : " REGEXP ", std::move(part.expression)));
  call.kind = query::ExpressionKind::Syntax;
  call.form = "like";
  call.is_operator = true;
  call.names.clear();
  call.parts = std::move(parts);
}

// DuckDB's memory limit does not hold for what a lambda makes of each element, nor for a list that
// is a value of each row.
void Analyzer::CheckGrowth(const Function& function, const query::Expression& call,
                           const Scope& scope, bool is_unnested) {
  const bool is_in_lambda = is_duckdb_ && !scope.lambdas.empty();
  if (is_in_lambda && function.bound != FunctionBound::None)
    return CheckBound(function, call, kInLambdaMax, kInLambdaMax);
  const bool is_value = is_duckdb_ && !is_unnested;
  CheckBound(function, call, is_value ? kInValueMax : kSeriesMax, kLengthMax);
  const std::string_view name = function.name;
  if (is_duckdb_ && (name == "list_reduce" || name == "reduce") && MayMultiply(call, true))
    Forbid(
        fmt::format("calls \"{}\" with a lambda that can make its value larger than by what it "
                    "adds; name the value once",
                    name));
}

void Analyzer::CheckBound(const Function& function, const query::Expression& call,
                          std::int64_t series_max, std::int64_t length_max) {
  switch (function.bound) {
    case FunctionBound::None:
      return;
    case FunctionBound::Length: {
      const std::size_t at = function.name == "space" ? 0 : 1;
      const auto length = IntegerOf(ArgumentAt(call, at));
      if (!length || *length > length_max)
        Forbid(fmt::format("calls \"{}\" with a length that is not a number up to {}",
                           function.name, length_max));
      return;
    }
    case FunctionBound::Width: {
      constexpr std::size_t kWidthAt = 3;
      const query::Expression* width = ArgumentAt(call, kWidthAt);
      const auto length = IntegerOf(width);
      if (width != nullptr && (!length || *length > length_max))
        Forbid(fmt::format("calls \"{}\" with a width that is not a number up to {}", function.name,
                           length_max));
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
  if (second == nullptr && a && *a <= series_max) return;  // range(n)
  if (a && b && (third == nullptr || step)) {
    const auto rows = [](std::int64_t from, std::int64_t to, std::int64_t by) {
      return (static_cast<double>(to) - static_cast<double>(from)) / static_cast<double>(by);
    };
    const std::int64_t by = step.value_or(1);
    if (by != 0 && *a > -kSeriesMax * 1000 && *b < kSeriesMax * 1000 &&
        rows(*a, *b, by) <= static_cast<double>(series_max))
      return;
  }
  const bool takes_times = series_max > kInLambdaMax;  // how many there are is not counted
  if (takes_times && !a && !b && IsBoundedTime(first) && IsBoundedTime(second) && IsLongStep(third))
    return;
  Forbid(
      fmt::format("calls \"{}\" with bounds that are not constants up to {} rows, or steps of time "
                  "shorter than an hour",
                  function.name, series_max));
}

}  // namespace schemaward::guard
