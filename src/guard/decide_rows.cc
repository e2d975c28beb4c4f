// Row filters on the tree.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "guard/constants.h"
#include "guard/decision.h"
#include "guard/forms.h"
#include "guard/own_conditions.h"
#include "guard/windows_apart.h"
#include "sql/query/reader.h"

namespace schemaward::guard {

namespace query = sql::query;

query::Query& Enclose(TableUse& use) {
  query::TableExpression& place = *use.place;
  auto table = std::make_unique<query::TableExpression>();
  table->names = std::move(place.names);
  table->is_only = std::exchange(place.is_only, false);
  table->sample = std::exchange(place.sample, {});
  table->hint = std::exchange(place.hint, {});
  table->alias = {use.table->name, true, false};
  use.place = table.get();
  auto select = std::make_unique<query::Query>();
  select->terms.emplace_back().core.from.push_back(std::move(table));
  place.kind = query::TableKind::Derived;
  place.names.clear();
  place.query = std::move(select);
  return *place.query;
}

namespace {

// True where the condition leaves one value of the column: then no order of it is left either.
bool LeavesOneOf(const query::Expression& condition, std::string_view column) {
  if (IsAnd(condition) || (IsForm(condition, "parens") && condition.parts.size() == 1))
    return std::any_of(condition.parts.begin(), condition.parts.end(),
                       [&](const query::Part& part) {
                         return part.expression != nullptr && LeavesOneOf(*part.expression, column);
                       });
  if (!IsForm(condition, "operator") || condition.parts.size() != 2 ||
      condition.parts[1].text != " = ")
    return false;
  const query::Expression* left = condition.parts[0].expression.get();
  const query::Expression* right = condition.parts[1].expression.get();
  if (left == nullptr || right == nullptr) return false;
  if (left->kind != query::ExpressionKind::Column) std::swap(left, right);
  return left->kind == query::ExpressionKind::Column && left->names.back().text == column &&
         ConstantOf(right) != nullptr;
}

}  // namespace

bool IsUsed(const Analysis& analysis, const catalog::Column& column) {
  return std::any_of(analysis.uses.begin(), analysis.uses.end(),
                     [&](const Use& one) { return one.column == &column; });
}

// Names by place are the engine's places: of a column that the role may not read, or that has been
// dropped since, the catalog knows nothing, and every name behind it would mean another. The table
// becomes (SELECT its columns by name FROM it), under the same alias.
void Decision::PlaceColumns() {
  for (TableUse& use : analysis.tables) {
    if (use.place == nullptr || use.place->columns.empty()) continue;
    if (use.place->kind != query::TableKind::Table) continue;  // done: a recursion is read twice
    const query::Name name{use.table->name, true, false};
    const std::size_t named = use.place->columns.size();
    auto& outputs = Enclose(use).terms.front().core.outputs;
    for (std::size_t i = 0; i < use.table->columns.size(); ++i) {
      const catalog::Column& column = use.table->columns[i];
      if (IsUsed(analysis, column))
        outputs.push_back({ColumnOf(name, column.name), {}});
      else if (i < named)
        outputs.push_back({Word("word", "NULL"), {}});
    }
  }
}

// A table with filters becomes (SELECT its columns FROM it WHERE filters), under the same alias.
// An engine may try the statement's own conditions first, and the failure of one would tell of a
// row that is not the caller's: where one can fail, the select has a limit that nothing reaches,
// past which no engine moves a condition; those that cannot fail are repeated before it. What our
// own code wrote holds nothing of the caller's but values.
Status Decision::FilterRows() {
  for (TableUse& use : analysis.tables) {
    if (use.place != nullptr && use.place->kind != query::TableKind::Table) continue;  // done
    const auto filters = caller_.RowFiltersOf(use.table->schema, use.table->name);
    if (filters.empty()) continue;
    if (use.place == nullptr)
      return Error(ErrorKind::PolicyBlocked,
                   fmt::format("table \"{}\" is filtered by rows and can be read by a query only",
                               catalog::QualifiedName(*use.table)));
    filters_rows = true;
    const bool is_fenced = analysis.can_fail && !is_ours_;
    std::vector<query::ExpressionPtr> own;
    if (is_fenced && use.core != nullptr)
      own = OwnConditions(*use.core, *use.table, *use.place, dialect_);
    query::Query& inner = Enclose(use);
    query::Core& core = inner.terms.front().core;
    core.outputs = ColumnsUsedOf(use);
    for (const std::string& filter : filters) {
      WARD_TRY(auto condition, query::ReadCondition(filter, dialect_));
      const std::size_t before = analysis.uses.size();
      WARD_CHECK(AnalyzeCondition(*condition, *use.table, use.table->name, dialect_, lookup_,
                                  analysis.uses));
      for (std::size_t i = before; i < analysis.uses.size(); ++i)
        analysis.uses[i].is_of_policy = !LeavesOneOf(*condition, analysis.uses[i].column->name);
      WARD_CHECK(FillPlaceholders(*condition));
      And(core.where, std::move(condition));
    }
    for (auto& condition : own) And(core.where, std::move(condition));
    if (is_fenced) inner.limit = Word("integer", std::string(kNoLimit));
  }
  return Ok();
}

// What MariaDB may not merge beside a window, see windows_apart.h: a view becomes (SELECT its
// columns FROM it), with a limit.
void Decision::StayApart(query::Query& query) {
  const auto windows = SelectsWithWindows(query);
  for (TableUse& use : analysis.tables) {
    if (use.table->kind != catalog::TableKind::View || use.place == nullptr ||
        use.place->kind != query::TableKind::Table || !windows.contains(use.core))
      continue;
    const query::Name name{use.table->name, true, false};
    if (!MayHoldName(analysis, use.place->alias.text.empty() ? name : use.place->alias)) continue;
    query::Query& inner = Enclose(use);
    inner.terms.front().core.outputs = ColumnsUsedOf(use);
    inner.limit = Word("integer", std::string(kNoLimit));
  }
  KeepApart(query, windows, analysis);
}

// The columns that the statement reads of the table.
std::vector<query::Output> Decision::ColumnsUsedOf(const TableUse& use) const {
  std::vector<query::Output> outputs;
  for (const catalog::Column& column : use.table->columns) {
    if (!IsUsed(analysis, column)) continue;
    query::Output output;
    output.expression = ColumnOf({use.table->name, true, false}, column.name);
    outputs.push_back(std::move(output));
  }
  for (const std::string& rowid : RowidsOf(analysis, *use.table))
    outputs.push_back({ColumnOf({use.table->name, true, false}, rowid), {rowid, true, false}});
  if (outputs.empty()) outputs.push_back({Word("integer", "1"), {"one", true, false}});
  return outputs;
}

// '${principal.id}' stands for what is known of the caller; what is not known matches nothing.
Status Decision::FillPlaceholders(query::Expression& expression) const {
  for (query::Part& part : expression.parts) {
    if (part.query != nullptr) return Error(ErrorKind::PolicyBlocked, "a row filter holds a query");
    if (part.expression == nullptr) continue;
    WARD_CHECK(FillPlaceholders(*part.expression));
    if (part.expression->kind != query::ExpressionKind::Literal || part.expression->form != "text")
      continue;
    const auto placeholder = privacy::PlaceholderOf(part.expression->value);
    if (!placeholder) continue;
    const auto known = privacy::KnownOf(principal_, *placeholder);
    part.expression = known ? Word("text", *known) : Word("word", "NULL");
  }
  return Ok();
}

}  // namespace schemaward::guard
