#pragma once

// A statement without what may be data in it: constants become $1, $2, ..., comments go.

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/result.h"

namespace schemaward::pgparse {

/// Returns `sql` with its constants replaced, numbered on from the placeholders that it has
/// already. Utility statements (CREATE VIEW, SET, ...) keep theirs. `tokens`, `depth`: as
/// Parser::Parse. Errors: SqlSyntax with the parser's words in private; ByteCap when the bounds are
/// passed. Thread: one made by RunOnDeepStack.
Result<std::string> ReplaceConstants(const std::string& sql, std::size_t tokens, int depth);

/// A statement's text made of its words alone.
struct PlainText {
  std::string text;  ///< without comments, one blank between words, reserved words in capitals
  bool has_constants =
      false;  ///< a text, a fraction or a number of kPlainNumberMax or more is left
};

/// Below it a number is a position (ORDER BY 1) or a length (varchar(20)), and no datum.
inline constexpr std::int64_t kPlainNumberMax = 1'000;

/// Errors: SqlSyntax. Thread: any.
Result<PlainText> MakePlain(const std::string& sql);

}  // namespace schemaward::pgparse
