#pragma once

// Inside guard/: shapes of expressions that several rules ask for.

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

}  // namespace schemaward::guard
