#include "guard/keys_apart.h"

#include <utility>
#include <vector>

#include "guard/decision.h"
#include "guard/forms.h"
#include "guard/walk.h"

namespace schemaward::guard {
namespace {

namespace query = sql::query;

query::ExpressionPtr AsCase(query::ExpressionPtr value) {
  std::vector<query::Part> parts;
  parts.push_back(query::ValuePart("CASE WHEN ", Word("word", "TRUE")));
  parts.push_back(query::ValuePart(" THEN ", std::move(value)));
  parts.push_back(query::TextPart(" END"));
  return query::MakeSyntax("case", std::move(parts), true);
}

bool IsSelect(const query::Expression& value) {
  return IsForm(value, "subquery") || IsForm(value, "exists");
}

void MakeApart(const query::ExpressionPtr& key) {
  if (key == nullptr) return;
  for (query::Part& part : key->parts) {
    MakeApart(part.expression);
    if (key->kind == query::ExpressionKind::Call && part.expression != nullptr &&
        IsSelect(*part.expression))
      part.expression = AsCase(std::move(part.expression));
  }
}

}  // namespace

void MakeKeysApart(query::Query& query) {
  bool is_recursive = false;
  ForEachQuery(
      query, [&](const query::Query& inner) { is_recursive = is_recursive || inner.is_recursive; });
  if (!is_recursive) return;
  ForEachQuery(query, [](query::Query& inner) {
    for (const query::OrderItem& item : inner.order_by) MakeApart(item.expression);
    for (const query::SetTerm& term : inner.terms)
      for (const query::ExpressionPtr& key : term.core.group_by) MakeApart(key);
  });
  ForEachValue(query, [](query::Expression& value) {
    if (!IsForm(value, "window")) return;
    for (const query::Part& part : value.parts) MakeApart(part.expression);
  });
}

}  // namespace schemaward::guard
