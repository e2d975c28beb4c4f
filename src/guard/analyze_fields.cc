// Names behind a dot that are no columns of the catalog: fields of rows, and what an engine takes
// such a name for where there is no field.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/ascii.h"
#include "base/contains.h"
#include "guard/analyzer.h"
#include "guard/decision.h"
#include "guard/forms.h"
#include "guard/own_types.h"

namespace schemaward::guard {
namespace {

// Of every table of the engine, whether it is written or not: where a row stands, and in which
// partition, which follow what else the row holds. MySQL's are another name of the key, and when a
// row of a table with versions was changed.
constexpr auto kSystemColumns =
    std::to_array<std::string_view>({"cmax", "cmin", "ctid", "tableoid", "xmax", "xmin"});
constexpr auto kSystemColumnsOfMySql =
    std::to_array<std::string_view>({"_rowid", "row_end", "row_start"});
// What the functions of PostgreSQL that give rows call their columns.
constexpr auto kRowColumns = std::to_array<std::string_view>(
    {"key", "lexeme", "ordinality", "positions", "value", "weights"});
constexpr auto kPairs = std::to_array<std::string_view>(
    {"json_each", "json_each_text", "jsonb_each", "jsonb_each_text"});

const query::Expression& InBrackets(const query::Expression& value) {
  return IsForm(value, "parens") ? InBrackets(*value.parts.front().expression) : value;
}

bool IsFunctionOfAType(std::string_view name) {
  return name.starts_with("pg_") || name.starts_with("lo_") || name.starts_with("reg");
}

}  // namespace

// True for a column that an engine gives to tables by itself, where one is in sight from `scope` to
// the select before `end`.
bool Analyzer::MeansSystemColumn(const Scope& scope, const query::Name& name,
                                 const Scope* end) const {
  const auto is_called = [&](std::string_view one) { return Means(name, one, dialect_); };
  const bool is_one =
      is_mysql_
          ? std::any_of(kSystemColumnsOfMySql.begin(), kSystemColumnsOfMySql.end(), is_called)
          : is_postgres_ && std::any_of(kSystemColumns.begin(), kSystemColumns.end(), is_called);
  if (!is_one) return false;
  for (const Scope* at = &scope; at != end; at = at->outer)
    for (const Binding& binding : InSight(*at))
      if (binding.table != nullptr) return true;
  return false;
}

// To PostgreSQL x.name is the function of that name called with x, or x cast to a type of that
// name, where x has no such column: what is not known to have it must not be able to be that.
bool Analyzer::MayBeColumn(const Binding& binding, const query::Name& name) const {
  if (!is_postgres_ || view_depth_ > 0) return true;
  query::Name written = name;
  Canon(written);
  if (binding.function != nullptr)
    return written.text == *binding.function || written.text == binding.name ||
           Contains(kRowColumns, written.text);
  return binding.prefixes.empty() ||
         std::any_of(binding.prefixes.begin(), binding.prefixes.end(),
                     [&](std::string_view prefix) { return written.text.starts_with(prefix); });
}

// PostgreSQL's estimate of how many rows a relation has. Of a table that is no value; of an index
// with a condition it is how many rows meet it, and of what holds a table's long values how long
// these are: it is printed for tables only, and not where rows are filtered. True where
// `expression` is that now.
bool Analyzer::CountOfRows(const Scope& scope, std::string_view qualifier, const query::Name& name,
                           query::ExpressionPtr& expression) const {
  if (!is_postgres_ || view_depth_ > 0 || !Means(name, "reltuples", dialect_)) return false;
  if (out_.withholds_counts) return false;  // then it is refused as the others are
  const Binding* found = nullptr;
  for (const Binding& binding : InSight(scope)) {
    if (!binding.is_pg_class || (!qualifier.empty() && binding.name != qualifier)) continue;
    if (found != nullptr) return false;
    found = &binding;
  }
  if (found == nullptr) return false;
  const query::Name relation{found->name, true, false};
  std::vector<query::Part> is_table;
  is_table.push_back(query::ValuePart("", ColumnOf(relation, "relkind")));
  is_table.push_back(query::ValuePart(" IN (", Word("text", "r")));
  for (const char* kind : {"p", "m", "f"})
    is_table.push_back(query::ValuePart(", ", Word("text", kind)));
  is_table.push_back(query::TextPart(")"));
  std::vector<query::Part> parts;
  parts.push_back(
      query::ValuePart("CASE WHEN ", query::MakeSyntax("in_list", std::move(is_table), true)));
  parts.push_back(query::ValuePart(" THEN ", ColumnOf(relation, "reltuples")));
  std::vector<query::Part> minus;
  minus.push_back(query::ValuePart("- ", Word("integer", "1")));
  parts.push_back(query::ValuePart(" ELSE ", query::MakeSyntax("prefix", std::move(minus), true)));
  parts.push_back(query::TextPart(" END"));
  expression = query::MakeSyntax("case", std::move(parts), true);
  return true;
}

// The column of a table itself that `value` is, or null.
const catalog::Column* Analyzer::TableColumn(const query::Expression& value,
                                             const Scope& scope) const {
  if (value.kind != query::ExpressionKind::Column || value.names.size() > 2) return nullptr;
  const auto column_of = [](const Info& info) {
    return info.is_base && !info.taints.empty() ? info.taints.front().column : nullptr;
  };
  const query::Name& name = value.names.back();
  for (const Scope* at = &scope; at != nullptr; at = at->outer) {
    if (value.names.size() == 1)
      for (const Visible& visible : at->visible)
        if (Means(name, InfoOf(*at, visible).name, dialect_))
          return column_of(InfoOf(*at, visible));
    for (const Binding& binding : InSight(*at)) {
      if (binding.is_open) return nullptr;
      if (value.names.size() == 1 || !Means(value.names.front(), binding.name, dialect_)) continue;
      for (const Info& info : binding.columns)
        if (Means(name, info.name, dialect_)) return column_of(info);
      return nullptr;
    }
  }
  return nullptr;
}

// True where (row).field can be nothing but a field: the row is a column whose type the database
// made, an element of one, or the pair that a function gives.
bool Analyzer::IsField(const query::Expression& field, const Scope& scope) const {
  query::Name name = field.names.front();
  Canon(name);
  const query::Expression* row = &InBrackets(*field.parts.front().expression);
  if (row->kind == query::ExpressionKind::Call)
    return Contains(kPairs, LowerAscii(row->names.back().text)) &&
           (name.text == "key" || name.text == "value");
  const bool is_element = IsForm(*row, "subscript");
  if (is_element) row = &InBrackets(*row->parts.front().expression);
  const catalog::Column* const column = TableColumn(*row, scope);
  return column != nullptr && column->is_array == is_element && IsOwnRow(*column) &&
         !IsFunctionOfAType(name.text);
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
      for (const Binding& binding : InSight(*at)) {
        if (!Means(inner->names.front(), binding.name, dialect_) || binding.is_open) continue;
        for (const Info& info : binding.columns) {
          if (!Means(field.names.front(), info.name, dialect_)) continue;
          Taints taints = info.taints;
          AddFromAround(*at, inner->names, taints);
          inner->names = {{binding.name, true, false}};
          field.names.front() = {info.name, true, false};
          WARD_CHECK(Note(taints, scope, NotAlone(place)));
          return taints;
        }
        return UnknownColumn(*inner, scope);
      }
  }
  if (is_postgres_ && view_depth_ == 0 && !IsField(field, scope))
    Forbid(
        fmt::format("reads the field \"{}\" of what is not known to have it, which can be a call "
                    "of the function of that name",
                    field.names.front().text));
  Canon(field.names.front());
  return Children(field, scope, place);
}

}  // namespace schemaward::guard
