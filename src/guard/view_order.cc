#include "guard/view_order.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "guard/decision.h"
#include "guard/forms.h"
#include "guard/names.h"
#include "sql/query/print.h"
#include "sql/query/reader.h"

namespace schemaward::guard {
namespace {

namespace query = sql::query;

// What is printed of an expression; empty where it is not.
std::string TextOf(query::ExpressionPtr expression, const sql::Dialect& dialect) {
  query::Statement statement;
  statement.kind = query::StatementKind::Select;
  statement.query = std::make_unique<query::Query>();
  statement.query->terms.emplace_back().core.outputs.push_back({std::move(expression), {}});
  const auto printed = query::Print(statement, dialect);
  return printed ? LowerAscii(printed->text) : std::string();
}

/// Finds a key among the outputs of a view. Thread: owner.
class Outputs {
 public:
  Outputs(const catalog::Table& view, query::Core& core, const sql::Dialect& dialect)
      : view_(view), dialect_(dialect) {
    for (query::Output& output : core.outputs) {
      const bool is_column = output.expression->kind == query::ExpressionKind::Column;
      if (output.expression->kind == query::ExpressionKind::Star) has_star_ = true;
      names_.push_back(!output.alias.text.empty() ? output.alias.text
                       : is_column                ? output.expression->names.back().text
                                                  : std::string());
      texts_.push_back(TextOf(std::move(output.expression), dialect));
    }
  }

  // Consumes the key.
  std::optional<std::size_t> PlaceOf(query::ExpressionPtr key) const {
    if (has_star_ || names_.size() != view_.columns.size()) return OfStar(*key);
    if (key->kind == query::ExpressionKind::Literal) {
      const std::size_t number = NumberOf(key);
      if (number == 0 || number > names_.size()) return std::nullopt;
      return number - 1;
    }
    if (key->kind == query::ExpressionKind::Column && key->names.size() == 1) {
      const std::string& name = key->names.back().text;
      const auto found = std::find_if(names_.begin(), names_.end(),
                                      [&](const auto& one) { return FoldsTo(one, name); });
      if (found != names_.end()) return static_cast<std::size_t>(found - names_.begin());
    }
    const std::string text = TextOf(std::move(key), dialect_);
    const auto found = std::find(texts_.begin(), texts_.end(), text);
    if (text.empty() || found == texts_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - texts_.begin());
  }

 private:
  // The outputs are those of a star, which the view's columns are called as.
  std::optional<std::size_t> OfStar(const query::Expression& key) const {
    if (key.kind != query::ExpressionKind::Column || key.names.size() != 1) return std::nullopt;
    const std::size_t at = catalog::FindColumn(view_, key.names.back().text);
    return at < view_.columns.size() ? std::optional(at) : std::nullopt;
  }

  const catalog::Table& view_;
  const sql::Dialect& dialect_;
  bool has_star_ = false;
  std::vector<std::string> names_, texts_;
};

}  // namespace

std::vector<query::OrderItem> OrderOfView(const catalog::Table& view,
                                          const std::vector<bool>& hidden,
                                          const sql::Dialect& dialect) {
  std::vector<query::OrderItem> order;
  auto statement = query::ReadView(view.definition, dialect);
  if (!statement || statement->query == nullptr || statement->query->order_by.empty()) return order;
  query::Query* at = statement->query.get();
  while (at->terms.front().nested != nullptr) at = at->terms.front().nested.get();
  const Outputs outputs(view, at->terms.front().core, dialect);
  for (query::OrderItem& item : statement->query->order_by) {
    const auto place = outputs.PlaceOf(std::move(item.expression));
    if (!place || hidden[*place]) break;
    order.push_back(
        {ColumnOf({view.name, true, false}, view.columns[*place].name), std::move(item.suffix)});
  }
  return order;
}

}  // namespace schemaward::guard
