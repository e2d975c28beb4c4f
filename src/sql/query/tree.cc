#include "sql/query/tree.h"

#include <utility>

namespace schemaward::sql::query {

ExpressionPtr MakeSyntax(std::string form, std::vector<Part> parts, bool is_operator) {
  auto made = std::make_unique<Expression>();
  made->kind = ExpressionKind::Syntax;
  made->form = std::move(form);
  made->parts = std::move(parts);
  made->is_operator = is_operator;
  return made;
}

Part TextPart(std::string text) { return {std::move(text), nullptr, nullptr}; }
Part ValuePart(std::string before, ExpressionPtr value) {
  return {std::move(before), std::move(value), nullptr};
}
Part QueryPart(std::string before, QueryPtr query) {
  return {std::move(before), nullptr, std::move(query)};
}

}  // namespace schemaward::sql::query
