// PIVOT and UNPIVOT of DuckDB, as statements of their own and as SQL's standard writes them behind
// a table. Both are held as the former: the columns of the result depend on the data or on names
// that the call gives, so they are not known; what is read is.
#include <utility>

#include "sql/query/parser.h"

namespace schemaward::sql::query {
namespace {

QueryPtr AllOf(TableExpressionPtr table) {
  SetTerm term;
  term.core.outputs.emplace_back().expression = std::make_unique<Expression>();
  term.core.outputs.back().expression->kind = ExpressionKind::Star;
  term.core.from.push_back(std::move(table));
  auto query = std::make_unique<Query>();
  query->terms.push_back(std::move(term));
  return query;
}

// A query in brackets is its own; of another table, all columns.
QueryPtr QueryOf(TableExpressionPtr table) {
  const bool is_plain = table->kind == TableKind::Derived && table->call == nullptr &&
                        table->alias.text.empty() && table->sample.empty() && !table->is_lateral;
  return is_plain ? std::move(table->query) : AllOf(std::move(table));
}

}  // namespace

/// PIVOT t ON x USING f(y) GROUP BY z, UNPIVOT t ON a, b INTO NAME n VALUE v; t is a table or a
/// query in brackets.
Result<TableExpressionPtr> Parser::Pivot() {
  const bool is_pivot = TakeWord("PIVOT");
  if (!is_pivot) WARD_CHECK(NeedWord("UNPIVOT"));
  auto table = std::make_unique<TableExpression>();
  table->kind = TableKind::Derived;
  if (TakeSymbol("(")) {
    WARD_TRY(table->query, ReadQuery());
    WARD_CHECK(NeedSymbol(")"));
  } else {
    auto inner = std::make_unique<TableExpression>();
    inner->begin = Now().begin;
    WARD_TRY(inner->names, DottedName("a table's name"));
    inner->end = tokens_[at_ - 1].end;
    table->query = AllOf(std::move(inner));
  }
  WARD_CHECK(NeedWord("ON"));
  std::vector<Part> parts;
  WARD_CHECK(PivotList(" ON ", parts));
  if (!is_pivot) {
    WARD_TRY(table->call, UnpivotInto(std::move(parts)));
    return table;
  }
  WARD_CHECK(NeedWord("USING"));
  WARD_CHECK(PivotList(" USING ", parts));
  WARD_CHECK(PivotGroups(parts));
  table->call = MakeSyntax("pivot", std::move(parts), false);
  return table;
}

/// t PIVOT (f(y) FOR x IN (...) GROUP BY z), t UNPIVOT (v FOR n IN (a, b)), behind t.
Result<TableExpressionPtr> Parser::PivotOf(TableExpressionPtr operand) {
  const std::size_t begin = operand->begin;
  auto table = std::make_unique<TableExpression>();
  table->kind = TableKind::Derived;
  table->query = QueryOf(std::move(operand));
  const bool is_pivot = IsWord("PIVOT");
  Skip();
  WARD_CHECK(NeedSymbol("("));
  WARD_TRY(table->call, is_pivot ? PivotBody() : UnpivotBody());
  WARD_CHECK(NeedSymbol(")"));
  table->begin = begin;
  WARD_CHECK(AfterTable(*table));
  table->end = tokens_[at_ - 1].end;
  return table;
}

Result<ExpressionPtr> Parser::PivotBody() {
  std::vector<Part> used, parts;
  WARD_CHECK(PivotList(" USING ", used));
  WARD_CHECK(NeedWord("FOR"));
  WARD_CHECK(PivotList(" ON ", parts));
  for (Part& part : used) parts.push_back(std::move(part));
  WARD_CHECK(PivotGroups(parts));
  return MakeSyntax("pivot", std::move(parts), false);
}

Result<ExpressionPtr> Parser::UnpivotBody() {
  WARD_TRY(const Name value, ReadName("the column of the values"));
  WARD_CHECK(NeedWord("FOR"));
  WARD_TRY(const Name name, ReadName("the column of the names"));
  WARD_CHECK(NeedWord("IN"));
  WARD_CHECK(NeedSymbol("("));
  std::vector<Part> parts;
  WARD_CHECK(PivotList(" ON ", parts));
  WARD_CHECK(NeedSymbol(")"));
  return Unpivoted(std::move(parts), name, value);
}

Result<ExpressionPtr> Parser::UnpivotInto(std::vector<Part> parts) {
  Name name{"name", true, false}, value{"value", true, false};
  if (TakeWord("INTO")) {
    WARD_CHECK(NeedWord("NAME"));
    WARD_TRY(name, ReadName("the column of the names"));
    WARD_CHECK(NeedWord("VALUE"));
    WARD_TRY(value, ReadName("the column of the values"));
  }
  return Unpivoted(std::move(parts), name, value);
}

ExpressionPtr Parser::Unpivoted(std::vector<Part> parts, const Name& name,
                                const Name& value) const {
  parts.push_back(TextPart(" INTO NAME " + QuoteIdentifier(dialect_, name.text) + " VALUE " +
                           QuoteIdentifier(dialect_, value.text)));
  return MakeSyntax("unpivot", std::move(parts), false);
}

Status Parser::PivotList(std::string_view before, std::vector<Part>& parts) {
  const std::size_t first = parts.size();
  do {
    WARD_TRY(auto value, Value());
    value->is_operator = false;  // in brackets DuckDB would look for the values itself
    parts.push_back(
        ValuePart(std::string(parts.size() == first ? before : ", "), std::move(value)));
    if (!TakeWord("AS")) continue;
    WARD_TRY(const Name alias, ReadName("an alias"));
    parts.push_back(TextPart(" AS " + QuoteIdentifier(dialect_, alias.text)));
  } while (TakeSymbol(","));
  return Ok();
}

Status Parser::PivotGroups(std::vector<Part>& parts) {
  if (!TakeWords({"GROUP", "BY"})) return Ok();
  WARD_TRY(auto keys, Values(")"));
  for (std::size_t i = 0; i < keys.size(); ++i)
    parts.push_back(ValuePart(i == 0 ? " GROUP BY " : ", ", std::move(keys[i])));
  return Ok();
}

}  // namespace schemaward::sql::query
