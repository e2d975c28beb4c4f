#include "connect/duckdb/opened.h"

#include <algorithm>
#include <array>
#include <thread>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "connect/duckdb/cells.h"
#include "connect/duckdb/errors.h"
#include "connect/duckdb/rows.h"

namespace schemaward::connect::duckdb {
namespace {

constexpr char kMemoryMax[] = "1GB";
constexpr unsigned kThreadsMax = 4;
constexpr char kAttachedName[] = "ward_source";

struct Setting {
  const char* name;
  const char* value;
};
// Before the file is opened. Nothing is fetched, and nothing loaded that the library does not
// bring.
constexpr std::array<Setting, 5> kSettings = {{{"autoinstall_known_extensions", "false"},
                                               {"autoload_known_extensions", "false"},
                                               {"allow_community_extensions", "false"},
                                               {"allow_persistent_secrets", "false"},
                                               {"memory_limit", kMemoryMax}}};

// After it, in this order: nothing is spilled to disk, instants are told in UTC, other files and
// the network are out of reach, and none of it can be taken back.
constexpr std::array<const char*, 5> kLocks = {
    "SET GLOBAL temp_directory = ''", "SET GLOBAL TimeZone = 'UTC'",
    "SET GLOBAL Calendar = 'gregorian'", "SET GLOBAL enable_external_access = false",
    "SET GLOBAL lock_configuration = true"};

// Without that optimizer nobody has estimated the sides of an ASOF join, and the engine ends the
// process when it estimates whether one is small enough for a loop: it does not where none is.
constexpr char kJoinsAsWritten[] = "SET GLOBAL disabled_optimizers = 'join_order'";
constexpr char kNoLoopOfAsof[] = "SET GLOBAL asof_loop_join_threshold = 0";

// A schema that is named as the database makes "schema.table" ambiguous.
constexpr char kAmbiguous[] =
    "SELECT system.main.error('ambiguous') FROM system.main.duckdb_schemas() WHERE database_name = "
    "system.main.current_database() AND schema_name <> 'main' AND system.main.lower(schema_name) = "
    "system.main.lower(database_name) LIMIT 1";

// The engine's own schema and then the database's, main first. What is called is qualified, since
// macros of the database come first until the path is set; comparisons are no functions.
constexpr char kSearchPath[] = R"(
SELECT system.main.concat('system.main', system.main.string_agg(system.main.concat(
           ',"', system.main.replace(database_name, '"', '""'), '"."', system.main.replace(schema_name, '"', '""'), '"'),
           '' ORDER BY schema_name <> 'main', schema_name))
FROM system.main.duckdb_schemas()
WHERE database_name = system.main.current_database() AND (schema_name = 'main' OR NOT internal))";
constexpr char kNameDatabase[] = "SET VARIABLE ward_database = system.main.current_database()";

// What a statement gives. Errors: as MakeError says.
Result<Rows> Ask(const Api& api, Connection connection, const char* sql) {
  RawResult raw{};
  const State state = api.query(connection, sql, &raw);
  Rows rows(api, raw);
  if (state == State::Success) return rows;
  const char* text = api.result_error(&rows.raw());
  return MakeError(text == nullptr ? "" : text, During::Open);
}

Status Run(const Api& api, Connection connection, const char* sql) {
  WARD_TRY(const Rows rows, Ask(api, connection, sql));
  return Ok();
}

// The one text that a statement gives.
Result<std::string> TextOf(const Api& api, Connection connection, const char* sql) {
  WARD_TRY(Rows rows, Ask(api, connection, sql));
  const Owned<Chunk> chunk(api.fetch_chunk(rows.raw()), api.destroy_data_chunk);
  if (!chunk) return std::string();
  return std::get<std::string>(CellAt(api, {TypeId::Varchar, TypeId::Varchar, 0, "VARCHAR"},
                                      api.data_chunk_get_vector(chunk.get(), 0), 0));
}

Owned<Config> MakeConfig(const Api& api, bool read_only) {
  Config raw = nullptr;
  if (api.create_config(&raw) != State::Success) return {};
  Owned<Config> config(raw, api.destroy_config);
  for (const Setting& setting : kSettings) api.set_config(raw, setting.name, setting.value);
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  api.set_config(raw, "threads", std::to_string(std::min(cores, kThreadsMax)).c_str());
  if (read_only) api.set_config(raw, "access_mode", "READ_ONLY");
  return config;
}

std::string QuoteText(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

Result<Opened> Opened::Open(const Api& api, const std::string& path, Joins joins) {
  Opened opened(api);
  WARD_CHECK(opened.OpenFile(path));
  {
    WARD_TRY(const Owned<Connection> connection, opened.Connect());
    if (Run(api, connection.get(), kAmbiguous)) {
      WARD_CHECK(opened.Lock(connection.get(), joins));
      WARD_CHECK(opened.LearnPath(connection.get()));
      return opened;
    }
  }
  opened.database_ = {};
  WARD_CHECK(opened.OpenBeside(path, joins));
  WARD_TRY(const Owned<Connection> connection, opened.Connect());
  WARD_CHECK(opened.LearnPath(connection.get()));
  return opened;
}

Status Opened::OpenFile(const std::string& path) {
  const Owned<Config> config = MakeConfig(*api_, true);
  Database raw = nullptr;
  char* text = nullptr;
  if (api_->open_ext(path.c_str(), &raw, config.get(), &text) != State::Success) {
    Error error = MakeError(text == nullptr ? "" : text, During::Open);
    api_->free(text);
    return error;
  }
  database_ = Owned<Database>(raw, api_->close);
  return Ok();
}

// The file under a name of ours, read-only, beside an empty database in memory.
Status Opened::OpenBeside(const std::string& path, Joins joins) {
  const Owned<Config> config = MakeConfig(*api_, false);
  Database raw = nullptr;
  char* text = nullptr;
  if (api_->open_ext(":memory:", &raw, config.get(), &text) != State::Success) {
    Error error = MakeError(text == nullptr ? "" : text, During::Open);
    api_->free(text);
    return error;
  }
  database_ = Owned<Database>(raw, api_->close);
  WARD_TRY(const Owned<Connection> connection, Connect());
  const std::string attach =
      fmt::format("ATTACH {} AS {} (READ_ONLY)", QuoteText(path), kAttachedName);
  WARD_CHECK(Run(*api_, connection.get(), attach.c_str()));
  WARD_CHECK(Lock(connection.get(), joins));
  is_attached_ = true;
  return Ok();
}

Status Opened::Lock(Connection connection, Joins joins) const {
  if (joins == Joins::AsWritten) {
    WARD_CHECK(Run(*api_, connection, kJoinsAsWritten));
    // An older library has neither the setting nor the loop.
    static_cast<void>(Run(*api_, connection, kNoLoopOfAsof));
  }
  for (const char* sql : kLocks) {
    const Status done = Run(*api_, connection, sql);
    // A library without the ICU extension has no zones to set; it tells instants in UTC.
    const bool may_fail = std::string_view(sql).find("enable_") == std::string_view::npos &&
                          std::string_view(sql).find("lock_") == std::string_view::npos;
    if (!done && !may_fail) return done;
  }
  return Ok();
}

Status Opened::LearnPath(Connection connection) {
  WARD_TRY(const std::string path, TextOf(*api_, connection, kSearchPath));
  set_path_ = "SET search_path = " + QuoteText(path);
  return Ok();
}

Result<Owned<Connection>> Opened::Connect() const {
  Connection raw = nullptr;
  if (api_->connect(database_.get(), &raw) != State::Success)
    return Error(ErrorKind::SourceUnreachable, "the engine could not make a session");
  Owned<Connection> connection(raw, api_->disconnect);
  if (is_attached_) WARD_CHECK(Run(*api_, raw, fmt::format("USE {}", kAttachedName).c_str()));
  if (set_path_.empty()) return connection;  // it is being opened
  WARD_CHECK(Run(*api_, raw, kNameDatabase));
  WARD_CHECK(Run(*api_, raw, set_path_.c_str()));
  return connection;
}

}  // namespace schemaward::connect::duckdb
