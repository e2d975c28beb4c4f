#include "connect/source_spec.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <utility>

#include "base/text_distance.h"
#include "connect/connection_text.h"

namespace schemaward::connect {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSqliteHeader{"SQLite format 3\0", 16};
constexpr std::string_view kDuckdbMark = "DUCK";  // at byte 8
constexpr std::size_t kDuckdbMarkAt = 8, kHeaderBytes = 16;

struct Ending {
  std::string_view ending;
  std::string_view engine;
};
constexpr std::array<Ending, 6> kEndings = {{{".sql", "ddl"},
                                             {".db", "sqlite"},
                                             {".sqlite", "sqlite"},
                                             {".sqlite3", "sqlite"},
                                             {".db3", "sqlite"},
                                             {".duckdb", "duckdb"}}};
constexpr std::array<std::string_view, 4> kFileEngines = {"sqlite", "duckdb", "ddl", "dbt"};

constexpr std::array<std::string_view, 7> kSchemes = {
    "postgres", "postgresql", "mysql", "mariadb", "singlestore", "sqlite", "duckdb"};

/// `why`: a full sentence, without anything secret; or empty.
Error NotASource(std::string_view why = {}) {
  return std::move(
      Error(ErrorKind::InputUnreadable, "SOURCE is not one that any engine reads")
          .Detail(why)
          .Hint("Give postgres://..., mysql://..., sqlite:FILE, duckdb:FILE, ddl:FILE.sql, "
                "dbt:TARGET_DIR, env:NAME, or a path to an SQLite or DuckDB file, an SQL script or "
                "a dbt target folder. "
                "A path that exists is told by its first bytes, any other by its ending."));
}

std::string FirstBytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes(kHeaderBytes, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return bytes;
}

Error NotAScheme(std::string_view scheme) {
  constexpr std::size_t kTypoMax = 3;
  const std::string_view nearest = *std::min_element(
      kSchemes.begin(), kSchemes.end(), [&](std::string_view a, std::string_view b) {
        return EditDistance(scheme, a) < EditDistance(scheme, b);
      });
  const std::string begins = "It begins with \"" + std::string(scheme.substr(0, 40)) + "://\"";
  if (EditDistance(scheme, nearest) > kTypoMax) return NotASource(begins + ".");
  return NotASource(begins + "; the nearest is \"" + std::string(nearest) + "://\".");
}

Error NotAPath(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    return NotASource("It is a folder, and holds no manifest.json of dbt.");
  if (!fs::exists(path, ignored))
    return NotASource("There is no such file, and its ending names no engine.");
  return NotASource("Neither its first bytes nor its ending name an engine.");
}

// The engine of a path without a prefix, or none.
std::optional<std::string_view> EngineOfFile(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    if (fs::exists(path / "manifest.json", ignored)) return "dbt";
    return std::nullopt;
  }
  const std::string head = fs::is_regular_file(path, ignored) ? FirstBytes(path) : std::string();
  if (head == kSqliteHeader) return "sqlite";
  if (head.size() == kHeaderBytes &&
      head.compare(kDuckdbMarkAt, kDuckdbMark.size(), kDuckdbMark) == 0)
    return "duckdb";
  for (const Ending& row : kEndings)
    if (path.extension() == row.ending) return row.engine;
  return std::nullopt;
}

// A dbt target folder is called "target" in every project, so its parent's name says more.
std::string NameOfFile(const fs::path& path, std::string_view engine) {
  fs::path named = path.has_filename() ? path : path.parent_path();
  if (engine == "dbt" && named.filename() == "target") named = named.parent_path();
  return engine == "dbt" ? named.filename().string() : named.stem().string();
}

SourceSpec OfFile(std::string_view engine, std::string_view file, const SourceContext& context) {
  const fs::path path = (context.folder / file).lexically_normal();
  SourceSpec spec;
  spec.engine = engine;
  spec.location = path.string();
  spec.default_name = NameOfFile(path, engine);
  return spec;
}

// libpq's own order: what the text says, PGDATABASE, the service's name, the user.
std::string NameOfDatabase(const ConnectionText& parts, const SourceContext& context) {
  if (!parts.database.empty()) return parts.database;
  if (!parts.service.empty()) return parts.service;
  const auto database = context.environment("PGDATABASE");
  if (database && !database->empty()) return *database;
  return parts.user.empty() ? "database" : parts.user;
}

SecretRef RefOf(const ConnectionText& parts, const SourceSpec& spec) {
  if (!parts.secret.empty()) return {SecretKind::Env, SecretVariable(spec.default_name)};
  if (!parts.service.empty()) return {SecretKind::Service, ""};
  if (!parts.passfile.empty()) return {SecretKind::Passfile, parts.passfile};
  return {};
}

SourceSpec OfServer(std::string_view engine, ConnectionText parts, const SourceContext& context) {
  SourceSpec spec;
  spec.engine = engine;
  spec.default_name = NameOfDatabase(parts, context);
  spec.secret_ref = RefOf(parts, spec);
  spec.location = std::move(parts.location);
  spec.secret = std::move(parts.secret);
  spec.secret_in_text = !spec.secret.empty();
  return spec;
}

Result<SourceSpec> OfUri(std::string_view text, const SourceContext& context) {
  const std::string_view scheme = text.substr(0, text.find("://"));
  for (const std::string_view engine : {std::string_view("sqlite"), std::string_view("duckdb")})
    if (scheme == engine) return OfFile(engine, text.substr(scheme.size() + 3), context);
  const bool is_postgres = scheme == "postgres" || scheme == "postgresql";
  if (!is_postgres && scheme != "mysql" && scheme != "mariadb" && scheme != "singlestore")
    return NotAScheme(scheme);
  WARD_TRY(ConnectionText parts, TakeApartUri(text));
  return OfServer(is_postgres ? "postgres" : "mysql", std::move(parts), context);
}

Result<SourceSpec> OfText(std::string_view text, const SourceContext& context) {
  if (LooksLikeUri(text)) return OfUri(text, context);
  for (const std::string_view engine : kFileEngines)
    if (text.size() > engine.size() + 1 && text.starts_with(engine) && text[engine.size()] == ':')
      return OfFile(engine, text.substr(engine.size() + 1), context);
  if (LooksLikeKeywords(text)) {
    WARD_TRY(ConnectionText parts, TakeApartKeywords(text));
    return OfServer("postgres", std::move(parts), context);
  }
  if (text.empty()) return NotASource();
  const auto engine = EngineOfFile(context.folder / text);
  if (!engine) return NotAPath(context.folder / text);
  return OfFile(*engine, text, context);
}

Result<SourceSpec> OfVariable(const std::string& name, const SourceContext& context) {
  if (name.empty()) return NotASource("After env: the name of a variable is missing.");
  const auto text = context.environment(name);
  if (!text || text->empty())
    return std::move(Error(ErrorKind::MissingCredential,
                           "the environment variable \"" + name + "\" that holds SOURCE is not set")
                         .Hint("Set it, and start the program again."));
  WARD_TRY(SourceSpec spec, OfText(*text, context));
  if (spec.secret_in_text) spec.secret_ref = {SecretKind::Env, name};
  spec.secret_in_text = false;
  return spec;
}

}  // namespace

Result<SourceSpec> ParseSource(std::string_view text, const SourceContext& context) {
  if (text.starts_with("env:")) return OfVariable(std::string(text.substr(4)), context);
  return OfText(text, context);
}

}  // namespace schemaward::connect
