#include "guard/ending_forms.h"

#include <string_view>
#include <utility>
#include <vector>

#include "base/contains.h"
#include "guard/decision.h"
#include "guard/forms.h"
#include "guard/walk.h"

namespace schemaward::guard {
namespace {

namespace query = sql::query;

query::ExpressionPtr AsCase(query::ExpressionPtr value) {
  return CaseWhen(Word("word", "TRUE"), std::move(value));
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

bool IsDenial(const query::Expression& value) {
  return IsForm(value, "prefix") && value.parts.front().text == "NOT ";
}

bool IsLogic(const query::Expression& value) {
  constexpr std::string_view kWords[] = {" AND ", " OR ", " XOR "};
  return IsForm(value, "operator") && value.parts.size() == 2 &&
         Contains(kWords, value.parts[1].text);
}

// A condition, and those that it is made of.
void Compare(query::ExpressionPtr& condition) {
  if (condition == nullptr) return;
  if (condition->kind == query::ExpressionKind::Column) {
    std::vector<query::Part> parts;
    parts.push_back(query::ValuePart("", std::move(condition)));
    parts.push_back(query::ValuePart(" <> ", Word("integer", "0")));
    condition = query::MakeSyntax("operator", std::move(parts), true);
  } else if (IsDenial(*condition) || IsLogic(*condition) || IsForm(*condition, "parens")) {
    for (query::Part& part : condition->parts) Compare(part.expression);
  }
}

void CompareWhatIsDenied(query::Query& inside) {
  ForEachValue(inside, [](query::Expression& value) {
    if (!IsDenial(value)) return;
    for (query::Part& part : value.parts) Compare(part.expression);
  });
}

// The columns that windows in a key are over.
void MakeWindowsApart(const query::ExpressionPtr& key) {
  if (key == nullptr) return;
  const bool is_window = key->kind == query::ExpressionKind::Call && key->has_window;
  for (query::Part& part : key->parts) {
    MakeWindowsApart(part.expression);
    if (is_window && part.expression != nullptr &&
        part.expression->kind == query::ExpressionKind::Column)
      part.expression = AsCase(std::move(part.expression));
  }
}

}  // namespace

void AvoidEndingForms(query::Query& query) {
  MakeKeysApart(query);
  ForEachValue(query, [](query::Expression& value) {
    for (query::Part& part : value.parts) {
      if (part.query == nullptr) continue;
      CompareWhatIsDenied(*part.query);
      ForEachQuery(*part.query, [](query::Query& inner) {
        for (const query::OrderItem& item : inner.order_by) MakeWindowsApart(item.expression);
      });
    }
  });
}

}  // namespace schemaward::guard
