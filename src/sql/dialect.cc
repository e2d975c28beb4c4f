#include "sql/dialect.h"

#include <array>

namespace schemaward::sql {
namespace {

constexpr std::array<Dialect, 4> kDialects = {{
    {.name = "postgres",
     .identifier_quote = '"',
     .backslash_escapes = false,
     .folds_unquoted_to_lower = true,
     .parameters = ParameterStyle::DollarNumber,
     .default_schema = "public",
     .random_order = "random()",
     .has_ilike = true,
     .has_nulls_first = true,
     .has_date_trunc = true,
     .has_filter_clause = true,
     .has_percentiles = true,
     .pipes_concatenate = true,
     .timestamp_is_instant = false,
     .boolean_type = "",
     .null_safe_equal = " IS NOT DISTINCT FROM "},
    {.name = "sqlite",
     .identifier_quote = '"',
     .backslash_escapes = false,
     .folds_unquoted_to_lower = false,
     .parameters = ParameterStyle::Question,
     .default_schema = "main",
     .random_order = "random()",
     .has_ilike = false,
     .has_nulls_first = true,
     .has_date_trunc = false,
     .has_filter_clause = true,
     .has_percentiles = true,
     .pipes_concatenate = true,
     .timestamp_is_instant = false,
     .boolean_type = "",
     .null_safe_equal = " IS "},
    {.name = "mysql",
     .identifier_quote = '`',
     .backslash_escapes = true,
     .folds_unquoted_to_lower = false,
     .parameters = ParameterStyle::Question,
     .default_schema = "",
     .random_order = "rand()",
     .has_ilike = false,
     .has_nulls_first = false,
     .has_date_trunc = false,
     .has_filter_clause = false,
     .has_percentiles = false,
     .pipes_concatenate = false,
     .timestamp_is_instant = true,
     .boolean_type = "tinyint(1)",
     .null_safe_equal = " <=> "},
    {.name = "duckdb",
     .identifier_quote = '"',
     .backslash_escapes = false,
     .folds_unquoted_to_lower = false,
     // It numbers question marks in an order of its own, not in that of the text.
     .parameters = ParameterStyle::DollarNumber,
     .default_schema = "main",
     .random_order = "random()",
     .has_ilike = true,
     .has_nulls_first = true,
     .has_date_trunc = true,
     .has_filter_clause = true,
     .has_percentiles = true,
     .pipes_concatenate = true,
     .timestamp_is_instant = false,
     .boolean_type = "",
     .null_safe_equal = " IS NOT DISTINCT FROM "},
}};

}  // namespace

const Dialect& Postgres() { return kDialects[0]; }
const Dialect& Sqlite() { return kDialects[1]; }
const Dialect& MySql() { return kDialects[2]; }
const Dialect& DuckDb() { return kDialects[3]; }

const Dialect* FindDialect(std::string_view name) {
  for (const Dialect& dialect : kDialects)
    if (dialect.name == name) return &dialect;
  return nullptr;
}

std::string QuoteIdentifier(const Dialect& dialect, std::string_view name) {
  std::string quoted(1, dialect.identifier_quote);
  for (char c : name) {
    if (c == dialect.identifier_quote) quoted += c;
    quoted += c;
  }
  return quoted + dialect.identifier_quote;
}

}  // namespace schemaward::sql
