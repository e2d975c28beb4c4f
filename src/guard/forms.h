#pragma once

// Inside guard/: shapes of expressions that several rules ask for.

#include <cstddef>
#include <string_view>

#include "sql/query/tree.h"

namespace schemaward::guard {

/// True for a Syntax node of that production.
inline bool IsForm(const sql::query::Expression& value, std::string_view form) {
  return value.kind == sql::query::ExpressionKind::Syntax && value.form == form;
}

/// True for two conditions that must both hold.
inline bool IsAnd(const sql::query::Expression& value) {
  return IsForm(value, "operator") && value.parts.size() == 2 && value.parts[1].text == " AND ";
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
