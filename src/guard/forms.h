#pragma once

// Inside guard/: shapes of expressions that several rules ask for.

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sql/query/tree.h"

namespace schemaward::guard {

/// True for a Syntax node of that production.
inline bool IsForm(const sql::query::Expression& value, std::string_view form) {
  return value.kind == sql::query::ExpressionKind::Syntax && value.form == form;
}

/// True where a select stands in it, at any depth.
inline bool HoldsSelect(const sql::query::Expression& value) {
  for (const sql::query::Part& part : value.parts)
    if (part.query != nullptr || (part.expression != nullptr && HoldsSelect(*part.expression)))
      return true;
  return false;
}

/// True for two conditions that must both hold.
inline bool IsAnd(const sql::query::Expression& value) {
  return IsForm(value, "operator") && value.parts.size() == 2 && value.parts[1].text == " AND ";
}

/// The place of an output that a key of ORDER BY or GROUP BY is written as, from 1; 0 where it is
/// none.
inline std::size_t NumberOf(const sql::query::ExpressionPtr& key) {
  if (key == nullptr || key->kind != sql::query::ExpressionKind::Literal || key->form != "integer")
    return 0;
  std::size_t number = 0;
  const std::string& text = key->text;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Makes `value` and what stands behind it, such as " IS NOT NULL".
inline sql::query::ExpressionPtr Suffixed(sql::query::ExpressionPtr value, std::string suffix) {
  std::vector<sql::query::Part> parts;
  parts.push_back(sql::query::ValuePart("", std::move(value)));
  parts.push_back(sql::query::TextPart(std::move(suffix)));
  return sql::query::MakeSyntax("postfix", std::move(parts), true);
}

/// Makes CASE WHEN condition THEN then END.
inline sql::query::ExpressionPtr CaseWhen(sql::query::ExpressionPtr condition,
                                          sql::query::ExpressionPtr then) {
  std::vector<sql::query::Part> parts;
  parts.push_back(sql::query::ValuePart("CASE WHEN ", std::move(condition)));
  parts.push_back(sql::query::ValuePart(" THEN ", std::move(then)));
  parts.push_back(sql::query::TextPart(" END"));
  return sql::query::MakeSyntax("case", std::move(parts), true);
}

/// The argument of a call at `index`, from 0; null where it has fewer.
inline const sql::query::Expression* ArgumentAt(const sql::query::Expression& call,
                                                std::size_t index) {
  for (const sql::query::Part& part : call.parts) {
    if (part.text == ")") return nullptr;
    if (part.expression == nullptr) continue;
    if (index-- == 0) return part.expression.get();
  }
  return nullptr;
}

}  // namespace schemaward::guard
