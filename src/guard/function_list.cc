#include "guard/function_list.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "base/ascii.h"

namespace schemaward::guard {
namespace {

constexpr auto kScalar = FunctionKind::Scalar;
constexpr auto kAggregate = FunctionKind::Aggregate;
constexpr auto kStatistic = FunctionKind::Statistic;
constexpr auto kWindow = FunctionKind::Window;
constexpr auto kTable = FunctionKind::Table;
constexpr auto kTableScalar = FunctionKind::TableScalar;

// Sorted by name in each dialect. Left out on purpose: what reads files, settings, other sessions,
// sequences or the catalog under another name, takes SQL as text, sleeps, locks, sends, writes, or
// makes large values out of nothing.
// clang-format off
constexpr auto kPostgres = std::to_array<Function>({
    {"abbrev"}, {"abs"}, {"acos"}, {"age"}, {"any_value", kAggregate}, {"area"}, {"array_agg", kAggregate}, {"array_append"},
    {"array_cat"}, {"array_dims"}, {"array_length"}, {"array_lower"}, {"array_ndims"}, {"array_position"}, {"array_positions"},
    {"array_prepend"}, {"array_remove"}, {"array_replace"}, {"array_to_json"}, {"array_to_string"}, {"array_upper"}, {"ascii"}, {"asin"},
    {"atan"}, {"atan2"}, {"avg", kStatistic}, {"bit_and", kAggregate}, {"bit_count"}, {"bit_length"}, {"bit_or", kAggregate},
    {"bit_xor", kAggregate}, {"bool"}, {"bool_and", kStatistic}, {"bool_or", kStatistic}, {"box"}, {"bpchar"}, {"broadcast"}, {"btrim"},
    {"cardinality"}, {"cbrt"}, {"ceil"}, {"ceiling"}, {"center"}, {"char_length"}, {"character_length"}, {"chr"}, {"circle"},
    {"clock_timestamp"}, {"coalesce"}, {"col_description"}, {"concat"}, {"concat_ws"}, {"corr", kAggregate}, {"cos"}, {"cosh"}, {"cot"},
    {"count", kStatistic}, {"covar_pop", kAggregate}, {"covar_samp", kAggregate}, {"cume_dist", kWindow}, {"current_database"},
    {"current_schema"}, {"date"}, {"date_bin"}, {"date_part"}, {"date_trunc"}, {"daterange"}, {"decode"}, {"degrees"},
    {"dense_rank", kWindow}, {"diameter"}, {"div"}, {"encode"}, {"every", kStatistic}, {"exp"}, {"extract"}, {"factorial"}, {"family"},
    {"first_value", kWindow}, {"float8"}, {"floor"}, {"format", kScalar, FunctionBound::Format}, {"format_type"}, {"gcd"},
    {"gen_random_uuid"}, {"generate_series", kTableScalar, FunctionBound::Series}, {"generate_subscripts", kTableScalar}, {"get_bit"},
    {"get_byte"}, {"greatest"}, {"grouping"}, {"height"}, {"host"}, {"hostmask"}, {"inet_merge"}, {"initcap"}, {"int4"}, {"int4range"},
    {"int8"}, {"int8range"}, {"interval"}, {"isempty"}, {"isfinite"}, {"json_agg", kAggregate}, {"json_array_elements", kTable},
    {"json_array_elements_text", kTable}, {"json_array_length"}, {"json_build_array"}, {"json_build_object"}, {"json_each", kTable},
    {"json_each_text", kTable}, {"json_extract_path"}, {"json_extract_path_text"}, {"json_object"}, {"json_object_agg", kAggregate},
    {"json_object_keys", kTable}, {"json_strip_nulls"}, {"json_to_record", kTable}, {"json_to_recordset", kTable}, {"json_typeof"},
    {"jsonb_agg", kAggregate}, {"jsonb_array_elements", kTable}, {"jsonb_array_elements_text", kTable}, {"jsonb_array_length"},
    {"jsonb_build_array"}, {"jsonb_build_object"}, {"jsonb_each", kTable}, {"jsonb_each_text", kTable}, {"jsonb_exists"},
    {"jsonb_extract_path"}, {"jsonb_extract_path_text"}, {"jsonb_insert"}, {"jsonb_object"}, {"jsonb_object_agg", kAggregate},
    {"jsonb_object_keys", kTable}, {"jsonb_path_exists"}, {"jsonb_path_match"}, {"jsonb_path_query", kTable}, {"jsonb_path_query_array"},
    {"jsonb_path_query_first"}, {"jsonb_pretty"}, {"jsonb_set"}, {"jsonb_strip_nulls"}, {"jsonb_to_record", kTable},
    {"jsonb_to_recordset", kTable}, {"jsonb_typeof"}, {"justify_days"}, {"justify_hours"}, {"justify_interval"}, {"lag", kWindow},
    {"last_value", kWindow}, {"lcm"}, {"lead", kWindow}, {"least"}, {"left"}, {"length"}, {"like_escape"}, {"ln"}, {"log"}, {"log10"}, {"lower"},
    {"lower_inc"}, {"lower_inf"}, {"lpad", kScalar, FunctionBound::Length}, {"ltrim"}, {"make_date"}, {"make_interval"}, {"make_time"},
    {"make_timestamp"}, {"make_timestamptz"}, {"masklen"}, {"max", kAggregate}, {"md5"}, {"min", kAggregate}, {"min_scale"}, {"mod"},
    {"mode", kAggregate}, {"netmask"}, {"network"}, {"normalize"}, {"now"}, {"nth_value", kWindow}, {"ntile", kWindow}, {"nullif"},
    {"num_nonnulls"}, {"num_nulls"}, {"numeric"}, {"numeric_inc"}, {"numnode"}, {"numrange"}, {"obj_description"}, {"octet_length"},
    {"overlaps"}, {"percent_rank", kWindow}, {"percentile_cont", kAggregate}, {"percentile_disc", kAggregate}, {"pg_size_pretty"},
    {"pg_typeof"}, {"phraseto_tsquery"}, {"pi"}, {"plainto_tsquery"}, {"point"}, {"power"}, {"querytree"}, {"quote_ident"},
    {"quote_literal"}, {"quote_nullable"}, {"radians"}, {"radius"}, {"random"}, {"range_agg", kAggregate},
    {"range_intersect_agg", kAggregate}, {"range_merge"}, {"rank", kWindow}, {"regexp_count"}, {"regexp_instr"}, {"regexp_like"},
    {"regexp_match"}, {"regexp_matches", kTableScalar}, {"regexp_replace"}, {"regexp_split_to_array"}, {"regexp_split_to_table", kTable},
    {"regexp_substr"}, {"regr_avgx", kAggregate}, {"regr_avgy", kAggregate}, {"regr_count", kAggregate}, {"regr_intercept", kAggregate},
    {"regr_r2", kAggregate}, {"regr_slope", kAggregate}, {"regr_sxx", kAggregate}, {"regr_sxy", kAggregate}, {"regr_syy", kAggregate},
    {"repeat", kScalar, FunctionBound::Length}, {"replace"}, {"reverse"}, {"right"}, {"round"}, {"row_number", kWindow}, {"row_to_json"},
    {"rpad", kScalar, FunctionBound::Length}, {"rtrim"}, {"scale"}, {"setweight"}, {"sha224"}, {"sha256"}, {"sha384"}, {"sha512"},
    {"shobj_description"}, {"sign"}, {"similar_to_escape"}, {"sin"}, {"sinh"}, {"split_part"}, {"sqrt"}, {"starts_with"}, {"statement_timestamp"},
    {"stddev", kStatistic}, {"stddev_pop", kStatistic}, {"stddev_samp", kStatistic}, {"string_agg", kAggregate}, {"string_to_array"},
    {"string_to_table", kTable}, {"strip"}, {"strpos"}, {"substr"}, {"substring"}, {"sum", kStatistic}, {"tan"}, {"tanh"}, {"text"},
    {"textcat"}, {"time"}, {"timeofday"}, {"timestamp"}, {"timestamptz"}, {"timezone"}, {"to_char"}, {"to_date"}, {"to_hex"}, {"to_json"},
    {"to_jsonb"}, {"to_number"}, {"to_timestamp"}, {"to_tsquery"}, {"to_tsvector"}, {"transaction_timestamp"}, {"translate"}, {"trim"},
    {"trim_array"}, {"trim_scale"}, {"trunc"}, {"ts_headline"}, {"ts_rank"}, {"ts_rank_cd"}, {"tsrange"}, {"tstzrange"},
    {"tsvector_to_array"}, {"unistr"}, {"unnest", kTableScalar}, {"upper"}, {"upper_inc"}, {"upper_inf"}, {"var_pop", kStatistic},
    {"var_samp", kStatistic}, {"varchar"}, {"variance", kStatistic}, {"version"}, {"websearch_to_tsquery"}, {"width"}, {"width_bucket"},
    {"xmlagg", kAggregate},
});
constexpr auto kSqlite = std::to_array<Function>({
    {"abs"}, {"acos"}, {"asin"}, {"atan"}, {"atan2"}, {"avg", kStatistic}, {"ceil"}, {"ceiling"}, {"changes"}, {"char"}, {"coalesce"},
    {"concat"}, {"concat_ws"}, {"cos"}, {"cosh"}, {"count", kStatistic}, {"cume_dist", kWindow}, {"date"}, {"datetime"}, {"degrees"},
    {"dense_rank", kWindow}, {"exp"}, {"first_value", kWindow}, {"floor"}, {"format", kScalar, FunctionBound::Format}, {"glob"},
    {"group_concat", kAggregate}, {"hex"}, {"ifnull"}, {"iif"}, {"instr"}, {"json"}, {"json_array"}, {"json_array_length"},
    {"json_each", kTable}, {"json_extract"}, {"json_group_array", kAggregate}, {"json_group_object", kAggregate}, {"json_insert"},
    {"json_object"}, {"json_patch"}, {"json_quote"}, {"json_remove"}, {"json_replace"}, {"json_set"}, {"json_tree", kTable},
    {"json_type"}, {"json_valid"}, {"julianday"}, {"lag", kWindow}, {"last_insert_rowid"}, {"last_value", kWindow}, {"lead", kWindow},
    {"length"}, {"like"}, {"likelihood"}, {"likely"}, {"ln"}, {"log"}, {"log10"}, {"log2"}, {"lower"}, {"ltrim"}, {"max", kAggregate},
    {"min", kAggregate}, {"mod"}, {"nth_value", kWindow}, {"ntile", kWindow}, {"nullif"}, {"octet_length"}, {"percent_rank", kWindow},
    {"pi"}, {"pow"}, {"power"}, {"printf", kScalar, FunctionBound::Format}, {"quote"}, {"radians"}, {"random"}, {"rank", kWindow},
    {"replace"}, {"round"}, {"row_number", kWindow}, {"rtrim"}, {"sign"}, {"sin"}, {"sinh"}, {"soundex"}, {"sqlite_version"}, {"sqrt"},
    {"strftime"}, {"string_agg", kAggregate}, {"substr"}, {"substring"}, {"sum", kStatistic}, {"tan"}, {"tanh"}, {"time"}, {"timediff"},
    {"total", kStatistic}, {"total_changes"}, {"trim"}, {"trunc"}, {"typeof"}, {"unhex"}, {"unicode"}, {"unixepoch"}, {"unlikely"},
    {"upper"},
});
constexpr auto kMySql = std::to_array<Function>({
    {"abs"}, {"acos"}, {"adddate"}, {"addtime"}, {"any_value", kAggregate}, {"ascii"}, {"asin"}, {"atan"}, {"atan2"}, {"avg", kStatistic},
    {"bin"}, {"bit_and", kAggregate}, {"bit_count"}, {"bit_length"}, {"bit_or", kAggregate}, {"bit_xor", kAggregate}, {"ceil"},
    {"ceiling"}, {"char"}, {"char_length"}, {"character_length"}, {"chr"}, {"coalesce"}, {"concat"}, {"concat_ws"}, {"conv"},
    {"convert_tz"}, {"cos"}, {"cot"}, {"count", kStatistic}, {"crc32"}, {"cume_dist", kWindow}, {"curdate"}, {"current_date"},
    {"current_time"}, {"current_timestamp"}, {"curtime"}, {"database"}, {"date"}, {"date_add"}, {"date_format"},
    {"date_sub"}, {"datediff"}, {"day"}, {"dayname"}, {"dayofmonth"}, {"dayofweek"}, {"dayofyear"}, {"degrees"}, {"dense_rank", kWindow},
    {"elt"}, {"exp"}, {"extract"}, {"field"}, {"find_in_set"}, {"first_value", kWindow}, {"floor"}, {"format"}, {"from_base64"},
    {"from_days"}, {"from_unixtime"}, {"greatest"}, {"group_concat", kAggregate}, {"grouping"}, {"hex"}, {"hour"}, {"if"}, {"ifnull"},
    {"inet6_aton"}, {"inet6_ntoa"}, {"inet_aton"}, {"inet_ntoa"}, {"instr"}, {"interval"}, {"is_ipv4"}, {"is_ipv6"}, {"isnull"},
    {"json_array"}, {"json_arrayagg", kAggregate}, {"json_compact"}, {"json_contains"}, {"json_contains_path"}, {"json_depth"},
    {"json_detailed"}, {"json_exists"}, {"json_extract"}, {"json_keys"}, {"json_length"}, {"json_merge_patch"}, {"json_object"},
    {"json_objectagg", kAggregate}, {"json_overlaps"}, {"json_query"}, {"json_quote"}, {"json_search"}, {"json_set"}, {"json_type"},
    {"json_unquote"}, {"json_valid"}, {"json_value"}, {"lag", kWindow}, {"last_day"}, {"last_value", kWindow}, {"lcase"},
    {"lead", kWindow}, {"least"}, {"left"}, {"length"}, {"lengthb"}, {"ln"}, {"localtime"}, {"localtimestamp"}, {"locate"}, {"log"},
    {"log10"}, {"log2"}, {"lower"}, {"lpad", kScalar, FunctionBound::Length}, {"ltrim"}, {"make_set"}, {"makedate"}, {"maketime"},
    {"max", kAggregate}, {"md5"}, {"median", kWindow}, {"microsecond"}, {"mid"}, {"min", kAggregate}, {"minute"}, {"mod"}, {"month"},
    {"monthname"}, {"natural_sort_key"}, {"now"}, {"nth_value", kWindow}, {"ntile", kWindow}, {"nullif"}, {"nvl"}, {"nvl2"}, {"oct"},
    {"octet_length"}, {"ord"}, {"percent_rank", kWindow}, {"percentile_cont", kWindow}, {"percentile_disc", kWindow}, {"period_add"},
    {"period_diff"}, {"pi"}, {"position"}, {"pow"}, {"power"}, {"quarter"}, {"quote"}, {"radians"}, {"rand"}, {"rank", kWindow},
    {"regexp_instr"}, {"regexp_like"}, {"regexp_replace"}, {"regexp_substr"}, {"repeat", kScalar, FunctionBound::Length}, {"replace"},
    {"reverse"}, {"right"}, {"round"}, {"row_number", kWindow}, {"rpad", kScalar, FunctionBound::Length}, {"rtrim"}, {"schema"},
    {"sec_to_time"}, {"second"}, {"sha"}, {"sha1"}, {"sha2"}, {"sign"}, {"sin"}, {"soundex"}, {"space", kScalar, FunctionBound::Length},
    {"sqrt"}, {"std", kStatistic}, {"stddev", kStatistic}, {"stddev_pop", kStatistic}, {"stddev_samp", kStatistic}, {"str_to_date"},
    {"strcmp"}, {"subdate"}, {"substr"}, {"substring"}, {"substring_index"}, {"subtime"}, {"sum", kStatistic}, {"sysdate"}, {"tan"},
    {"time"}, {"time_format"}, {"time_to_sec"}, {"timediff"}, {"timestamp"}, {"to_base64"}, {"to_char"}, {"to_days"}, {"to_seconds"},
    {"trim"}, {"truncate"}, {"ucase"}, {"unhex"}, {"unix_timestamp"}, {"upper"}, {"utc_date"}, {"utc_time"}, {"utc_timestamp"}, {"uuid"},
    {"var_pop", kStatistic}, {"var_samp", kStatistic}, {"variance", kStatistic}, {"version"}, {"week"}, {"weekday"}, {"weekofyear"},
    {"year"}, {"yearweek"},
});
constexpr auto kDuckDb = std::to_array<Function>({
    {"abs"}, {"acos"}, {"age"}, {"any_value", kAggregate}, {"apply"}, {"approx_count_distinct", kStatistic},
    {"approx_quantile", kAggregate}, {"arbitrary", kAggregate}, {"arg_max", kAggregate}, {"arg_min", kAggregate}, {"argmax", kAggregate},
    {"argmin", kAggregate}, {"array_agg", kAggregate}, {"array_append"}, {"array_concat"}, {"array_contains"}, {"array_distinct"},
    {"array_extract"}, {"array_filter"}, {"array_has"}, {"array_has_all"}, {"array_has_any"}, {"array_indexof"}, {"array_length"},
    {"array_position"}, {"array_prepend"}, {"array_reverse_sort"}, {"array_slice"}, {"array_sort"}, {"array_to_string"},
    {"array_transform"}, {"array_unique"}, {"array_value"}, {"ascii"}, {"asin"}, {"atan"}, {"atan2"}, {"avg", kStatistic},
    {"bar", kScalar, FunctionBound::Width}, {"base64"}, {"bin"}, {"bit_and", kAggregate}, {"bit_count"}, {"bit_length"},
    {"bit_or", kAggregate}, {"bit_xor", kAggregate}, {"bitstring_agg", kAggregate}, {"bool_and", kStatistic}, {"bool_or", kStatistic},
    {"cardinality"}, {"cbrt"}, {"ceil"}, {"ceiling"}, {"century"}, {"chr"}, {"coalesce"}, {"concat"}, {"concat_ws"}, {"contains"},
    {"corr", kAggregate}, {"cos"}, {"cot"}, {"count", kStatistic}, {"count_if", kStatistic}, {"count_star", kStatistic},
    {"countif", kStatistic}, {"covar_pop", kAggregate}, {"covar_samp", kAggregate}, {"cume_dist", kWindow},
    {"current_date"}, {"current_timestamp"}, {"damerau_levenshtein"}, {"date_add"}, {"date_diff"}, {"date_part"},
    {"date_sub"}, {"date_trunc"}, {"datediff"}, {"datepart"}, {"datesub"}, {"datetrunc"}, {"day"}, {"dayname"}, {"dayofmonth"},
    {"dayofweek"}, {"dayofyear"}, {"decade"}, {"decode"}, {"degrees"}, {"dense_rank", kWindow}, {"duckdb_columns", kTable},
    {"duckdb_constraints", kTable}, {"duckdb_indexes", kTable}, {"duckdb_schemas", kTable}, {"duckdb_tables", kTable},
    {"duckdb_views", kTable}, {"editdist3"}, {"element_at"}, {"encode"}, {"ends_with"}, {"entropy", kStatistic}, {"epoch"}, {"epoch_ms"},
    {"epoch_ns"}, {"epoch_us"}, {"era"}, {"even"}, {"exp"}, {"extract"}, {"factorial"}, {"favg", kStatistic}, {"fill", kWindow},
    {"filter"}, {"first", kAggregate}, {"first_value", kWindow}, {"flatten"}, {"floor"}, {"format", kScalar, FunctionBound::Format},
    {"format_bytes"}, {"from_base64"}, {"from_json"}, {"fsum", kStatistic}, {"gamma"}, {"gcd"},
    {"generate_series", kTableScalar, FunctionBound::Series}, {"generate_subscripts"}, {"geomean", kAggregate},
    {"get_current_timestamp"}, {"greatest"}, {"greatest_common_divisor"}, {"group_concat", kAggregate}, {"grouping"}, {"grouping_id"},
    {"hamming"}, {"hash"}, {"hex"}, {"histogram", kAggregate}, {"hour"}, {"if"}, {"ifnull"}, {"instr"}, {"isfinite"}, {"isinf"}, {"isnan"},
    {"isodow"}, {"isoyear"}, {"jaccard"}, {"jaro_similarity"}, {"jaro_winkler_similarity"}, {"json"}, {"json_array"},
    {"json_array_length"}, {"json_contains"}, {"json_each", kTable}, {"json_exists"}, {"json_extract"}, {"json_extract_path"},
    {"json_extract_path_text"}, {"json_extract_string"}, {"json_group_array", kAggregate}, {"json_group_object", kAggregate},
    {"json_keys"}, {"json_merge_patch"}, {"json_object"}, {"json_pretty"}, {"json_quote"}, {"json_structure"}, {"json_transform"},
    {"json_tree", kTable}, {"json_type"}, {"json_valid"}, {"json_value"}, {"julian"}, {"kurtosis", kStatistic}, {"lag", kWindow},
    {"last", kAggregate}, {"last_day"}, {"last_value", kWindow}, {"lcase"}, {"lcm"}, {"lead", kWindow}, {"least"}, {"left"},
    {"left_grapheme"}, {"len"}, {"length"}, {"length_grapheme"}, {"levenshtein"}, {"lgamma"}, {"list", kAggregate}, {"list_aggr"},
    {"list_aggregate"}, {"list_any_value"}, {"list_append"}, {"list_apply"}, {"list_avg"}, {"list_cat"}, {"list_concat"},
    {"list_contains"}, {"list_cosine_similarity"}, {"list_count"}, {"list_distinct"}, {"list_element"}, {"list_extract"}, {"list_filter"},
    {"list_first"}, {"list_grade_up"}, {"list_has"}, {"list_has_all"}, {"list_has_any"}, {"list_histogram"}, {"list_indexof"},
    {"list_intersect"}, {"list_last"}, {"list_max"}, {"list_median"}, {"list_min"}, {"list_mode"}, {"list_position"}, {"list_prepend"},
    {"list_product"}, {"list_reduce"}, {"list_reverse"}, {"list_reverse_sort"}, {"list_select"}, {"list_slice"}, {"list_sort"},
    {"list_stddev_samp"}, {"list_string_agg"}, {"list_sum"}, {"list_transform"}, {"list_unique"}, {"list_value"}, {"list_where"},
    {"list_zip"}, {"listagg", kAggregate}, {"ln"}, {"log"}, {"log10"}, {"log2"}, {"lower"}, {"lpad", kScalar, FunctionBound::Length},
    {"ltrim"}, {"mad", kAggregate}, {"make_date"}, {"make_time"}, {"make_timestamp"}, {"map"}, {"map_entries"}, {"map_extract"},
    {"map_from_entries"}, {"map_keys"}, {"map_values"}, {"max", kAggregate}, {"max_by", kAggregate}, {"md5"}, {"mean", kStatistic},
    {"median", kAggregate}, {"microsecond"}, {"millennium"}, {"millisecond"}, {"min", kAggregate}, {"min_by", kAggregate}, {"minute"},
    {"mismatches"}, {"mod"}, {"mode", kAggregate}, {"month"}, {"monthname"}, {"multiply"}, {"nanosecond"}, {"nextafter"},
    {"nfc_normalize"}, {"not_ilike_escape"}, {"now"}, {"nth_value", kWindow}, {"ntile", kWindow}, {"nullif"}, {"octet_length"}, {"ord"},
    {"percent_rank", kWindow}, {"percentile_cont", kAggregate}, {"percentile_disc", kAggregate}, {"pi"}, {"position"}, {"pow"}, {"power"},
    {"prefix"}, {"printf", kScalar, FunctionBound::Format}, {"product", kStatistic}, {"quantile", kAggregate},
    {"quantile_cont", kAggregate}, {"quantile_disc", kAggregate}, {"quarter"}, {"radians"}, {"random"},
    {"range", kTableScalar, FunctionBound::Series}, {"rank", kWindow}, {"rank_dense", kWindow}, {"reduce"}, {"regexp_extract"},
    {"regexp_extract_all"}, {"regexp_full_match"}, {"regexp_matches"}, {"regexp_replace"}, {"regexp_split_to_array"},
    {"regr_avgx", kAggregate}, {"regr_avgy", kAggregate}, {"regr_count", kAggregate}, {"regr_intercept", kAggregate},
    {"regr_r2", kAggregate}, {"regr_slope", kAggregate}, {"regr_sxx", kAggregate}, {"regr_sxy", kAggregate}, {"regr_syy", kAggregate},
    {"repeat", kScalar, FunctionBound::Length}, {"replace"}, {"reverse"}, {"right"}, {"round"}, {"row"}, {"row_number", kWindow},
    {"row_to_json"}, {"rpad", kScalar, FunctionBound::Length}, {"rtrim"}, {"second"}, {"sem", kStatistic}, {"sha256"}, {"sign"},
    {"signbit"}, {"sin"}, {"skewness", kStatistic}, {"split"}, {"split_part"}, {"sqrt"}, {"starts_with"}, {"stddev", kStatistic},
    {"stddev_pop", kStatistic}, {"stddev_samp", kStatistic}, {"str_split"}, {"str_split_regex"}, {"strftime"}, {"string_agg", kAggregate},
    {"string_split"}, {"string_split_regex"}, {"strip_accents"}, {"strlen"}, {"strpos"}, {"strptime"}, {"struct_extract"},
    {"struct_insert"}, {"struct_pack"}, {"substr"}, {"substring"}, {"substring_grapheme"}, {"subtract"}, {"suffix"}, {"sum", kStatistic},
    {"sumkahan", kStatistic}, {"tan"}, {"time_bucket"}, {"timezone"}, {"timezone_hour"}, {"timezone_minute"}, {"to_base"}, {"to_base64"},
    {"to_days"}, {"to_hex"}, {"to_hours"}, {"to_json"}, {"to_microseconds"}, {"to_milliseconds"}, {"to_minutes"}, {"to_months"},
    {"to_seconds"}, {"to_timestamp"}, {"to_weeks"}, {"to_years"}, {"today"}, {"translate"}, {"trim"}, {"trunc"}, {"try_strptime"},
    {"typeof"}, {"ucase"}, {"unicode"}, {"union_extract"}, {"union_tag"}, {"union_value"}, {"unnest", kTableScalar}, {"upper"},
    {"url_decode"}, {"url_encode"}, {"uuid"}, {"var_pop", kStatistic}, {"var_samp", kStatistic}, {"variance", kStatistic}, {"version"},
    {"week"}, {"weekday"}, {"weekofyear"}, {"weighted_avg", kAggregate}, {"xor"}, {"year"}, {"yearweek"},
});
// clang-format on

constexpr bool IsBefore(const Function& a, const Function& b) { return a.name < b.name; }
static_assert(std::is_sorted(kPostgres.begin(), kPostgres.end(), IsBefore));
static_assert(std::is_sorted(kSqlite.begin(), kSqlite.end(), IsBefore));
static_assert(std::is_sorted(kMySql.begin(), kMySql.end(), IsBefore));
static_assert(std::is_sorted(kDuckDb.begin(), kDuckDb.end(), IsBefore));

std::span<const Function> ListOf(const sql::Dialect& dialect) {
  if (dialect.name == sql::Postgres().name) return kPostgres;
  if (dialect.name == sql::Sqlite().name) return kSqlite;
  if (dialect.name == sql::MySql().name) return kMySql;
  return kDuckDb;
}

}  // namespace

const Function* FindFunction(const sql::Dialect& dialect, std::string_view name) {
  std::string lowered = LowerAscii(name);
  const auto list = ListOf(dialect);
  const auto found = std::lower_bound(
      list.begin(), list.end(), lowered,
      [](const Function& f, const std::string& wanted) { return f.name < wanted; });
  return found != list.end() && found->name == lowered ? &*found : nullptr;
}

}  // namespace schemaward::guard
