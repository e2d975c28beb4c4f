// Statements: the clauses of a SELECT in their order. Expressions are in render_expression.cc.
#include "sql/render.h"

#include <utility>

#include <fmt/format.h>

#include "sql/lower_percentile.h"
#include "sql/printer.h"

namespace schemaward::sql {

Error Unprintable(std::string_view what) {
  return {ErrorKind::Internal, fmt::format("a statement cannot be printed: {}", what)};
}

Status Printer::Statement(const Select& select, int depth) {
  if (depth >= kSelectDepthMax) return Unprintable("its selects are nested too deeply");
  if (!dialect_.has_percentiles && HoldsPercentile(select)) {
    WARD_TRY(const Select lowered, LowerPercentiles(select));
    return Statement(lowered, depth);
  }
  WARD_CHECK(With(select, depth));
  WARD_CHECK(Body(select, depth));
  for (const SelectPtr& more : select.union_all) {
    if (more == nullptr) return Unprintable("a part of a union is absent");
    if (!more->with.empty() || !more->union_all.empty() || !more->order_by.empty() || more->limit)
      return Unprintable("a part of a union has clauses of a whole");
    if (more->columns.size() != select.columns.size())
      return Unprintable("the parts of a union differ in their columns");
    out_.text += " UNION ALL ";
    if (!dialect_.has_percentiles && HoldsPercentile(*more)) {
      WARD_TRY(const Select lowered, LowerPercentiles(*more));
      WARD_CHECK(Body(lowered, depth));
      continue;
    }
    WARD_CHECK(Body(*more, depth));
  }
  for (std::size_t i = 0; i < select.order_by.size(); ++i) {
    out_.text += i == 0 ? " ORDER BY " : ", ";
    WARD_CHECK(Order(select.order_by[i], depth));
  }
  if (!select.limit) return Ok();
  if (*select.limit < 0) return Unprintable("its limit is negative");
  out_.text += fmt::format(" LIMIT {}", *select.limit);
  return Ok();
}

Status Printer::With(const Select& select, int depth) {
  for (std::size_t i = 0; i < select.with.size(); ++i) {
    if (select.with[i].select == nullptr) return Unprintable("a common table is absent");
    out_.text += i == 0 ? "WITH " : ", ";
    WARD_CHECK(Name(select.with[i].name));
    out_.text += " AS (";
    WARD_CHECK(Statement(*select.with[i].select, depth + 1));
    out_.text += ')';
  }
  if (!select.with.empty()) out_.text += ' ';
  return Ok();
}

Status Printer::Body(const Select& select, int depth) {
  out_.text += select.distinct ? "SELECT DISTINCT " : "SELECT ";
  WARD_CHECK(Columns(select.columns, depth));
  out_.text += " FROM ";
  WARD_CHECK(From(select.from, depth));
  for (const Join& join : select.joins) WARD_CHECK(JoinClause(join, depth));
  if (select.where != nullptr) {
    out_.text += " WHERE ";
    WARD_CHECK(Value(select.where, depth));
  }
  for (std::size_t i = 0; i < select.group_by.size(); ++i) {
    out_.text += i == 0 ? " GROUP BY " : ", ";
    WARD_CHECK(Value(select.group_by[i], depth));
  }
  if (select.having == nullptr) return Ok();
  out_.text += " HAVING ";
  return Value(select.having, depth);
}

Status Printer::Columns(const std::vector<OutputColumn>& columns, int depth) {
  if (columns.empty()) return Unprintable("it has no columns");
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) out_.text += ", ";
    WARD_CHECK(Typed(columns[i].expression, depth));
    if (columns[i].alias.empty()) continue;
    out_.text += " AS ";
    WARD_CHECK(Name(columns[i].alias));
  }
  return Ok();
}

Status Printer::Order(const OrderItem& item, int depth) {
  // The same on every dialect: nulls after everything, whichever way the values go.
  if (item.nulls_last && !dialect_.has_nulls_first) {
    WARD_CHECK(Value(item.expression, depth));
    out_.text += " IS NULL, ";
  }
  WARD_CHECK(Value(item.expression, depth));
  if (item.descending) out_.text += " DESC";
  if (item.nulls_last && dialect_.has_nulls_first) out_.text += " NULLS LAST";
  return Ok();
}

Status Printer::From(const Relation& relation, int depth) {
  return std::visit([&](const auto& one) { return Table(one, depth); }, relation);
}

Status Printer::Alias(const std::string& alias) {
  if (alias.empty()) return Ok();
  out_.text += " AS ";
  return Name(alias);
}

Status Printer::Table(const TableRef& table, int /*depth*/) {
  if (!table.schema.empty()) {
    WARD_CHECK(Name(table.schema));
    out_.text += '.';
  }
  WARD_CHECK(Name(table.table));
  return Alias(table.alias);
}

Status Printer::Table(const CteRef& table, int /*depth*/) {
  WARD_CHECK(Name(table.name));
  return Alias(table.alias);
}

Status Printer::Table(const DerivedTable& table, int depth) {
  if (table.select == nullptr) return Unprintable("a derived table is absent");
  if (table.alias.empty()) return Unprintable("a derived table has no alias");
  out_.text += '(';
  WARD_CHECK(Statement(*table.select, depth + 1));
  out_.text += ')';
  return Alias(table.alias);
}

// A union of selects would do everywhere, but SQLite takes 500 of them only.
Status Printer::Table(const ValuesTable& table, int depth) {
  if (table.rows.empty()) return Unprintable("a table of values has no rows");
  if (table.alias.empty()) return Unprintable("a table of values has no alias");
  if (table.columns.empty()) return Unprintable("a table of values has no columns");
  if (Is(MySql())) return ValuesByUnion(table, depth);
  if (Is(Sqlite())) {
    out_.text += "(SELECT ";
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      out_.text += fmt::format("{}column{} AS ", i > 0 ? ", " : "", i + 1);
      WARD_CHECK(Name(table.columns[i]));
    }
    out_.text += " FROM ";
  }
  out_.text += "(VALUES ";
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (table.rows[row].size() != table.columns.size())
      return Unprintable("a row of values has not one for each column");
    out_.text += row == 0 ? "" : ", ";
    out_.text += '(';
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (i > 0) out_.text += ", ";
      WARD_CHECK(Typed(table.rows[row][i], depth + 1));
    }
    out_.text += ')';
  }
  out_.text += ')';
  if (Is(Sqlite())) {
    out_.text += ')';
    return Alias(table.alias);
  }
  WARD_CHECK(Alias(table.alias));
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    out_.text += i == 0 ? " (" : ", ";
    WARD_CHECK(Name(table.columns[i]));
  }
  out_.text += ')';
  return Ok();
}

// MySQL writes VALUES ROW(...), MariaDB VALUES (...) and names no columns: a union is common
// ground.
Status Printer::ValuesByUnion(const ValuesTable& table, int depth) {
  out_.text += '(';
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (table.rows[row].size() != table.columns.size())
      return Unprintable("a row of values has not one for each column");
    out_.text += row == 0 ? "SELECT " : " UNION ALL SELECT ";
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (i > 0) out_.text += ", ";
      WARD_CHECK(Typed(table.rows[row][i], depth + 1));
      if (row > 0) continue;
      out_.text += " AS ";
      WARD_CHECK(Name(table.columns[i]));
    }
  }
  out_.text += ')';
  return Alias(table.alias);
}

Status Printer::JoinClause(const Join& join, int depth) {
  switch (join.kind) {
    case JoinKind::Inner:
      out_.text += " JOIN ";
      break;
    case JoinKind::Left:
      out_.text += " LEFT JOIN ";
      break;
    case JoinKind::Cross:
      if (join.on != nullptr) return Unprintable("a cross join has a condition");
      out_.text += " CROSS JOIN ";
      return From(join.table, depth);
  }
  WARD_CHECK(From(join.table, depth));
  out_.text += " ON ";
  return Value(join.on, depth);
}

Status Printer::Name(std::string_view name) {
  if (name.empty()) return Unprintable("a name is empty");
  if (name.find('\0') != std::string_view::npos) return Unprintable("a name holds a zero byte");
  out_.text += QuoteIdentifier(dialect_, name);
  return Ok();
}

Result<Rendered> Render(const Select& select, const Dialect& dialect) {
  Printer printer(dialect);
  WARD_CHECK(printer.Statement(select, 0));
  return printer.Take();
}

}  // namespace schemaward::sql
