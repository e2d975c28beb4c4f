#include "connect/postgres/query_log.h"

#include <fmt/format.h>

namespace schemaward::connect::postgres {
namespace {

// reset_val: what the session started with; the setting itself is pinned by us.
constexpr std::string_view kPlace = R"(
SELECT quote_ident(n.nspname), s.reset_val, current_user, pg_has_role('pg_read_all_stats', 'USAGE')
  FROM pg_settings s
  LEFT JOIN pg_extension e ON e.extname = 'pg_stat_statements'
  LEFT JOIN pg_namespace n ON n.oid = e.extnamespace
 WHERE s.name = 'search_path')";

// One statement stands there once for each user. Plan expected: the view is read once and sorted.
constexpr std::string_view kStatements = R"(
SELECT query, calls
  FROM (SELECT s.query, sum(s.calls)::bigint AS calls,
               sum(octet_length(s.query)) OVER (ORDER BY sum(s.calls) DESC, s.query) AS bytes
          FROM {schema}.pg_stat_statements s
         WHERE s.dbid = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
           AND s.query <> '<insufficient privilege>'
           AND octet_length(s.query) <= 100000
           AND s.query NOT LIKE '%/* schemaward */%'
           AND s.query !~* '^\s*(begin|start|commit|end|rollback|abort|savepoint|release|set|reset|show|discard|prepare|execute|deallocate|declare|fetch|move|close|update|delete|merge|explain|vacuum|analyze|copy|lock|listen|unlisten|notify|alter|drop|truncate|grant|revoke|comment|call|do)\M'
           AND s.query !~ '\m(set_config|pg_(class|attribute|namespace|type|settings|stat_[a-z_]+))\M'
         GROUP BY s.query) AS most
 WHERE bytes <= {bytes}
 ORDER BY calls DESC, query
 LIMIT $1)";

}  // namespace

std::string_view PlaceQuery() { return kPlace; }

std::string StatementsQuery(std::string_view schema) {
  return fmt::format(kStatements, fmt::arg("schema", schema), fmt::arg("bytes", kLogBytesMax));
}

std::vector<std::string> SplitSearchPath(std::string_view setting, std::string_view user) {
  std::vector<std::string> schemas;
  std::string schema;
  bool quoted = false;
  const auto take = [&] {
    if (schema == "$user") schema = user;
    if (!schema.empty()) schemas.push_back(std::move(schema));
    schema.clear();
  };
  for (std::size_t i = 0; i < setting.size(); ++i) {
    const char c = setting[i];
    if (c == '"') {
      if (quoted && i + 1 < setting.size() && setting[i + 1] == '"') {
        schema += '"';
        ++i;
      } else {
        quoted = !quoted;
      }
    } else if (c == ',' && !quoted) {
      take();
    } else if (quoted || c != ' ') {
      schema += c;
    }
  }
  take();
  return schemas;
}

}  // namespace schemaward::connect::postgres
