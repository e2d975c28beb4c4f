#pragma once

// SQL of other programs as expressions of definitions.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "sql/statement.h"

namespace schemaward::interchange {

/// Returns the column that `text` is, alone and without qualifier; nothing where it is anything
/// else.
std::optional<std::string> PlainColumn(std::string_view text);

/// Returns the expression as definitions write it. Errors: SqlSyntax where the language has no such
/// form. Thread: any.
Result<std::string> Normalized(std::string_view text);

/// The same with each column replaced by what `rename` returns for it, a text to be read as an
/// expression; an empty text is a column that is not known. Errors: also SqlSyntax then.
using Rename = std::function<std::string(const sql::ColumnRef&)>;
Result<std::string> Renamed(std::string_view text, const Rename& rename);

/// A name as expressions write it: quoted where it is not plain.
std::string Spelled(std::string_view name);
std::string Spelled(std::string_view qualifier, std::string_view name);

/// The reason of a failure as a loss shows it: one line.
std::string ReasonOf(const Error& error);

}  // namespace schemaward::interchange
