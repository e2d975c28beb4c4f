#include "interchange/plain_sql.h"

#include <cctype>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "base/ascii.h"
#include "catalog/catalog.h"
#include "json/write.h"
#include "semantic/columns.h"
#include "sql/read/expression.h"
#include "sql/rewrite.h"

namespace schemaward::interchange {
namespace {

using sql::ExpressionPtr;

ExpressionPtr Make(sql::Expression node) {
  return std::make_shared<const sql::Expression>(std::move(node));
}

const sql::Literal* NumberOf(const ExpressionPtr& tree) {
  const auto* literal = std::get_if<sql::Literal>(&tree->node);
  const bool is_number =
      literal != nullptr && (literal->value.index() == 2 || literal->value.index() == 3);
  return is_number ? literal : nullptr;
}

bool IsZero(const sql::Literal& literal) {
  const auto* integer = std::get_if<std::int64_t>(&literal.value);
  const auto* real = std::get_if<double>(&literal.value);
  return (integer != nullptr && *integer == 0) || (real != nullptr && *real == 0.0);
}

/// 1.0 * a / nullif(b, 0), less where it is clear that nothing of it is needed.
ExpressionPtr TrueDivision(const sql::Ratio& ratio) {
  const sql::Literal* by = NumberOf(ratio.denominator);
  const bool is_real = by != nullptr && std::holds_alternative<double>(by->value);
  ExpressionPtr above = ratio.numerator, below = ratio.denominator;
  if (!is_real) above = Make({sql::Binary{"*", Make({sql::Literal{1.0}}), std::move(above)}});
  if (by == nullptr || IsZero(*by))
    below = Make({sql::Call{
        "nullif", {std::move(below), Make({sql::Literal{std::int64_t{0}}})}, false, false}});
  return Make({sql::Ratio{std::move(above), std::move(below)}});
}

Result<ExpressionPtr> WithTrueDivisions(const ExpressionPtr& tree, int depth) {
  if (depth > sql::kReadDepthMax) return Error(ErrorKind::SqlSyntax, "it is nested too deeply");
  WARD_TRY(ExpressionPtr changed, sql::WithOperands(*tree, [&](const ExpressionPtr& operand) {
             return WithTrueDivisions(operand, depth + 1);
           }));
  const auto* ratio = std::get_if<sql::Ratio>(&changed->node);
  return ratio == nullptr ? changed : TrueDivision(*ratio);
}

/// A word that begins no word of `text`.
std::string FreeWord(std::string_view text) {
  std::string word = "ward_column_";
  while (text.find(word) != std::string_view::npos) word += "x_";
  return word;
}

/// Each word + number of `text` replaced by the text of that number.
std::string Filled(const std::string& text, const std::string& word,
                   const std::vector<std::string>& by) {
  std::string out;
  for (std::size_t at = 0;;) {
    const std::size_t found = text.find(word, at);
    out += text.substr(at, found == std::string::npos ? found : found - at);
    if (found == std::string::npos) return out;
    std::size_t number = 0;
    for (at = found + word.size();
         at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0; ++at)
      number = number * 10 + static_cast<std::size_t>(text[at] - '0');
    out += by[number];
  }
}

}  // namespace

Result<std::string> PlainSql(std::string_view text, const WriteColumn& write) {
  if (text.find_first_of("{}") != std::string_view::npos)
    return Error(ErrorKind::SqlSyntax, "it holds braces, which the other program reads as its own");
  WARD_TRY(const ExpressionPtr tree, sql::ReadExpression(text));
  WARD_TRY(const ExpressionPtr divided, WithTrueDivisions(tree, 0));
  const std::string word = FreeWord(text);
  std::vector<std::string> written;
  WARD_TRY(const ExpressionPtr marked,
           sql::RewriteColumns(divided, [&](const sql::ColumnRef& column) -> Result<ExpressionPtr> {
             WARD_TRY(std::string spelled, write(column));
             written.push_back(std::move(spelled));
             return sql::MakeColumn({}, fmt::format("{}{}", word, written.size() - 1));
           }));
  return Filled(sql::PrintExpression(marked), word, written);
}

Writable WithoutTemplates(const semantic::Definitions& all) {
  Writable writable{all, {}};
  auto& [definitions, losses] = writable;
  const auto drop = [&lost = losses](const std::string& kind, auto& list) {
    std::erase_if(list, [&](const auto& one) {
      // The brackets of JSON itself never stand so.
      const std::string text = json::WriteArguments(one);
      const bool is_template = text.find("{{") != std::string::npos ||
                               text.find("{%") != std::string::npos ||
                               text.find("{#") != std::string::npos;
      if (is_template) lost.Drop(kind + one.name, {}, "a text of it would be read as a template");
      return is_template;
    });
  };
  drop("entity ", definitions.entities);
  drop("join ", definitions.joins);
  drop("metric ", definitions.metrics);
  DropWhatHangs(definitions, losses);
  return writable;
}

ColumnKind KindOfType(std::string_view type) {
  const auto time = semantic::TimeKindOf(type);
  if (time) return *time == sql::TimeKind::Date ? ColumnKind::Date : ColumnKind::Time;
  if (LowerAscii(type).rfind("bool", 0) == 0) return ColumnKind::Boolean;
  return semantic::IsNumericType(type) ? ColumnKind::Number : ColumnKind::Text;
}

ExportColumns ColumnsOf(const semantic::Model& model) {
  ExportColumns columns;
  for (const semantic::ModelEntity& entity : model.entities()) {
    auto& own = columns[entity.definition.name];
    for (const catalog::Column& column : entity.table.columns)
      if (entity.Column(column.name) != nullptr)
        own.push_back({column.name, KindOfType(column.type)});
  }
  return columns;
}

ExportColumns WithTimes(const semantic::Definitions& definitions, ExportColumns columns) {
  const auto mark = [&](const std::string& entity, const std::string& column) {
    for (const semantic::Entity& one : definitions.entities)
      for (const semantic::Dimension& named : one.dimensions)
        if (one.name == entity && named.name == column) return;
    for (ExportColumn& one : columns[entity])
      if (one.name == column) {
        if (one.kind != ColumnKind::Date) one.kind = ColumnKind::Time;
        return;
      }
    columns[entity].push_back({column, ColumnKind::Time});
  };
  for (const semantic::Entity& entity : definitions.entities)
    if (!entity.default_time_dimension.empty()) mark(entity.name, entity.default_time_dimension);
  for (const semantic::Metric& metric : definitions.metrics) {
    const std::vector<std::string> parts = catalog::SplitName(metric.time_dimension);
    if (parts.size() == 1) mark(metric.entity, parts[0]);
    if (parts.size() == 2) mark(parts[0], parts[1]);
  }
  return columns;
}

semantic::Definitions Served(const semantic::Model& model) {
  semantic::Definitions definitions;
  for (const auto& one : model.entities()) definitions.entities.push_back(one.definition);
  for (const auto& one : model.joins()) definitions.joins.push_back(one.definition);
  for (const auto& one : model.metrics()) definitions.metrics.push_back(one.definition);
  return definitions;
}

}  // namespace schemaward::interchange
