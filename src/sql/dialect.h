#pragma once

// What differs between the SQL dialects, as data. Code asks a Dialect, never an engine's name.

#include <cstdint>
#include <string>
#include <string_view>

namespace schemaward::sql {

enum class ParameterStyle : std::uint8_t { Question, DollarNumber };

struct Dialect {
  std::string_view name;   ///< postgres | sqlite | mysql | duckdb
  char identifier_quote;   ///< doubled inside a quoted name
  bool backslash_escapes;  ///< a backslash escapes inside an ordinary string literal
  bool folds_unquoted_to_lower;
  ParameterStyle parameters;
  std::string_view
      default_schema;  ///< of an unqualified name: public, main; empty where it is the database
  std::string_view random_order;  ///< expression that orders rows at random
  bool has_ilike;
  bool has_nulls_first;
  bool has_date_trunc;
  bool has_filter_clause;
  bool has_percentiles;           ///< as aggregates; else they are lowered to windows
  bool pipes_concatenate;         ///< || joins texts; where it does not, it means "or"
  bool timestamp_is_instant;      ///< a type printed as timestamp, without more, is a moment
  std::string_view boolean_type;  ///< what the engine prints where boolean was said; may be empty
  std::string_view null_safe_equal;  ///< operator, with its blanks, that compares nulls as values
};

/// The four dialects, in this order: postgres, sqlite, mysql, duckdb. Lifetime: static.
const Dialect& Postgres();
const Dialect& Sqlite();
const Dialect& MySql();
const Dialect& DuckDb();

/// Returns the dialect of that name, or null.
const Dialect* FindDialect(std::string_view name);

/// Returns `name` quoted for `dialect`, always quoted.
std::string QuoteIdentifier(const Dialect& dialect, std::string_view name);

}  // namespace schemaward::sql
