#pragma once

// Expressions of definitions as SQL that other programs paste into their own.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "interchange/report.h"
#include "semantic/model.h"
#include "sql/statement.h"

namespace schemaward::interchange {

/// Returns the expression with each column as `write` spells it, a text of the other program's own:
/// {CUBE}.status. A division is a true one there too, and null where it would be by zero. Errors:
/// those of `write`; SqlSyntax where a text in it holds what templates of other programs would take
/// for theirs. Thread: any.
using WriteColumn = std::function<Result<std::string>(const sql::ColumnRef&)>;
Result<std::string> PlainSql(std::string_view text, const WriteColumn& write);

/// Definitions that may be written, and what was left out of them.
struct Writable {
  semantic::Definitions definitions;
  Losses losses;
};

/// Leaves out definitions of which a text would be read as a template by other programs ({{, {%,
/// {#), and what hangs on them. Each is a loss.
Writable WithoutTemplates(const semantic::Definitions& all);

enum class ColumnKind : std::uint8_t { Text, Number, Boolean, Date, Time };

/// A column that an entity lets be used.
struct ExportColumn {
  std::string name;
  ColumnKind kind = ColumnKind::Text;
};
/// By entity, in the order of their tables; what is not there is taken for text.
using ExportColumns = std::map<std::string, std::vector<ExportColumn>, std::less<>>;

/// The columns of each entity of the model. Thread: any.
ExportColumns ColumnsOf(const semantic::Model& model);

/// The same, with every column that a definition takes for its time known to be one: SQLite keeps
/// times in texts. What is not in `columns` is added.
ExportColumns WithTimes(const semantic::Definitions& definitions, ExportColumns columns);

/// The definitions that the model serves: drafts that gave way are not among them.
semantic::Definitions Served(const semantic::Model& model);

/// What a type, as an engine or a dimension says it, holds.
ColumnKind KindOfType(std::string_view type);

}  // namespace schemaward::interchange
