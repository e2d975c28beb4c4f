#include "guard/denied_columns.h"

#include <utility>
#include <vector>

#include "guard/decision.h"
#include "guard/forms.h"
#include "guard/walk.h"

namespace schemaward::guard {
namespace {

namespace query = sql::query;

// A condition and the members that it is made of.
void Compare(query::ExpressionPtr& condition) {
  if (condition == nullptr) return;
  if (condition->kind == query::ExpressionKind::Column) {
    std::vector<query::Part> parts;
    parts.push_back(query::ValuePart("", std::move(condition)));
    parts.push_back(query::ValuePart(" <> ", Word("integer", "0")));
    condition = query::MakeSyntax("operator", std::move(parts), true);
    return;
  }
  const bool is_logic =
      IsForm(*condition, "parens") || IsForm(*condition, "prefix") ||
      (IsForm(*condition, "operator") && condition->parts.size() == 2 &&
       (condition->parts[1].text == " AND " || condition->parts[1].text == " OR " ||
        condition->parts[1].text == " XOR "));
  const bool is_denial = !IsForm(*condition, "prefix") || condition->parts.front().text == "NOT ";
  if (!is_logic || !is_denial) return;
  for (query::Part& part : condition->parts) Compare(part.expression);
}

}  // namespace

void CompareDeniedColumns(query::Query& query) {
  ForEachValue(query, [](query::Expression& outer) {
    for (query::Part& part : outer.parts) {
      if (part.query == nullptr) continue;
      ForEachValue(*part.query, [](query::Expression& value) {
        if (!IsForm(value, "prefix") || value.parts.front().text != "NOT ") return;
        for (query::Part& operand : value.parts) Compare(operand.expression);
      });
    }
  });
}

}  // namespace schemaward::guard
