#include "interchange/expressions.h"

#include <variant>

#include "sql/read/expression.h"
#include "sql/rewrite.h"

namespace schemaward::interchange {

std::optional<std::string> PlainColumn(std::string_view text) {
  const auto tree = sql::ReadExpression(text);
  if (!tree) return std::nullopt;
  const auto* column = std::get_if<sql::ColumnRef>(&(*tree)->node);
  if (column == nullptr || !column->qualifier.empty()) return std::nullopt;
  return column->column;
}

Result<std::string> Normalized(std::string_view text) {
  WARD_TRY(const sql::ExpressionPtr tree, sql::ReadExpression(text));
  return sql::PrintExpression(tree);
}

Result<std::string> Renamed(std::string_view text, const Rename& rename) {
  WARD_TRY(const sql::ExpressionPtr tree, sql::ReadExpression(text));
  WARD_TRY(
      const sql::ExpressionPtr changed,
      sql::RewriteColumns(tree, [&](const sql::ColumnRef& column) -> Result<sql::ExpressionPtr> {
        const std::string other = rename(column);
        if (other.empty())
          return Error(ErrorKind::SqlSyntax,
                       "\"" + column.column + "\" is no column that can be told");
        return sql::ReadExpression(other);
      }));
  return sql::PrintExpression(changed);
}

std::string Spelled(std::string_view name) {
  return sql::PrintExpression(sql::MakeColumn({}, std::string(name)));
}

std::string Spelled(std::string_view qualifier, std::string_view name) {
  return sql::PrintExpression(sql::MakeColumn(std::string(qualifier), std::string(name)));
}

std::string ReasonOf(const Error& error) {
  std::string reason = error.message();
  for (char& c : reason)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return reason;
}

}  // namespace schemaward::interchange
