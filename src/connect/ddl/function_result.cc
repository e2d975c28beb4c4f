#include "connect/ddl/function_result.h"

#include <algorithm>
#include <iterator>

namespace schemaward::connect::ddl {
namespace {

/// A function that always returns the same type; sorted by name.
struct Fixed {
  std::string_view name;
  std::string_view type;
};

constexpr Fixed kFixed[] = {
    {"age", "interval"},
    {"array_length", "integer"},
    {"array_to_string", "text"},
    {"bool_and", "boolean"},
    {"bool_or", "boolean"},
    {"cardinality", "integer"},
    {"char_length", "integer"},
    {"character_length", "integer"},
    {"chr", "text"},
    {"clock_timestamp", "timestamp with time zone"},
    {"concat", "text"},
    {"concat_ws", "text"},
    {"corr", "double precision"},
    {"count", "bigint"},
    {"cume_dist", "double precision"},
    {"current_database", "name"},
    {"date_part", "double precision"},
    {"dense_rank", "bigint"},
    {"every", "boolean"},
    {"format", "text"},
    {"gen_random_uuid", "uuid"},
    {"initcap", "text"},
    {"json_agg", "json"},
    {"json_build_object", "json"},
    {"json_object_agg", "json"},
    {"jsonb_agg", "jsonb"},
    {"jsonb_build_object", "jsonb"},
    {"jsonb_object_agg", "jsonb"},
    {"justify_days", "interval"},
    {"left", "text"},
    {"make_date", "date"},
    {"md5", "text"},
    {"now", "timestamp with time zone"},
    {"ntile", "integer"},
    {"num_nonnulls", "integer"},
    {"percent_rank", "double precision"},
    {"quote_ident", "text"},
    {"random", "double precision"},
    {"rank", "bigint"},
    {"regexp_replace", "text"},
    {"repeat", "text"},
    {"replace", "text"},
    {"right", "text"},
    {"row_number", "bigint"},
    {"row_to_json", "json"},
    {"split_part", "text"},
    {"statement_timestamp", "timestamp with time zone"},
    {"strpos", "integer"},
    {"timeofday", "text"},
    {"to_char", "text"},
    {"to_date", "date"},
    {"to_json", "json"},
    {"to_jsonb", "jsonb"},
    {"to_number", "numeric"},
    {"to_tsquery", "tsquery"},
    {"to_tsvector", "tsvector"},
    {"transaction_timestamp", "timestamp with time zone"},
    {"translate", "text"},
};

/// A function whose type follows from that of its first argument.
struct ByArgument {
  std::string_view name;
  std::string_view argument;
  std::string_view result;
};

constexpr ByArgument kByArgument[] = {
    {"abs", "bigint", "bigint"},
    {"abs", "double precision", "double precision"},
    {"abs", "integer", "integer"},
    {"abs", "numeric", "numeric"},
    {"abs", "smallint", "smallint"},
    {"avg", "bigint", "numeric"},
    {"avg", "double precision", "double precision"},
    {"avg", "integer", "numeric"},
    {"avg", "interval", "interval"},
    {"avg", "numeric", "numeric"},
    {"avg", "real", "double precision"},
    {"avg", "smallint", "numeric"},
    {"btrim", "character varying", "text"},
    {"btrim", "text", "text"},
    {"ceil", "double precision", "double precision"},
    {"ceil", "numeric", "numeric"},
    {"floor", "double precision", "double precision"},
    {"floor", "numeric", "numeric"},
    {"length", "character", "integer"},
    {"length", "character varying", "integer"},
    {"length", "text", "integer"},
    {"lower", "character varying", "text"},
    {"lower", "text", "text"},
    {"ltrim", "character varying", "text"},
    {"ltrim", "text", "text"},
    {"max", "character varying", "text"},
    {"min", "character varying", "text"},
    {"round", "double precision", "double precision"},
    {"round", "numeric", "numeric"},
    {"rtrim", "character varying", "text"},
    {"rtrim", "text", "text"},
    {"string_agg", "character varying", "text"},
    {"string_agg", "text", "text"},
    {"substring", "character varying", "text"},
    {"substring", "text", "text"},
    {"sum", "bigint", "numeric"},
    {"sum", "double precision", "double precision"},
    {"sum", "integer", "bigint"},
    {"sum", "interval", "interval"},
    {"sum", "money", "money"},
    {"sum", "numeric", "numeric"},
    {"sum", "real", "real"},
    {"sum", "smallint", "bigint"},
    {"trunc", "double precision", "double precision"},
    {"trunc", "numeric", "numeric"},
    {"upper", "character varying", "text"},
    {"upper", "text", "text"},
};

}  // namespace

std::string_view FixedResult(std::string_view function) {
  const auto* found =
      std::lower_bound(std::begin(kFixed), std::end(kFixed), function,
                       [](const Fixed& f, std::string_view n) { return f.name < n; });
  return found != std::end(kFixed) && found->name == function ? found->type : std::string_view();
}

std::string_view ResultFor(std::string_view function, std::string_view argument) {
  for (const ByArgument& rule : kByArgument) {
    if (rule.name == function && rule.argument == argument) return rule.result;
  }
  return {};
}

bool KeepsType(std::string_view function) {
  constexpr std::string_view kKeeping[] = {"first_value", "lag", "last_value", "lead",
                                           "max",         "min", "nth_value"};
  return std::find(std::begin(kKeeping), std::end(kKeeping), function) != std::end(kKeeping);
}

}  // namespace schemaward::connect::ddl
