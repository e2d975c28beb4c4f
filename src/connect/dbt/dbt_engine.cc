#include "connect/dbt/dbt_engine.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>

#include <fmt/core.h>

#include "base/sha256.h"
#include "connect/dbt/read_target.h"
#include "connect/no_rows.h"

namespace schemaward::connect::dbt {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kManifest = "manifest.json", kCatalog = "catalog.json";

Error Unreachable(std::string_view file, const fs::path& path) {
  return std::move(Error(ErrorKind::SourceUnreachable, fmt::format("{} could not be opened", file))
                       .Hint("Point dbt: at the folder in which `dbt parse` or `dbt build` leaves "
                             "manifest.json, usually target.")
                       .Private(path.string()));
}

Result<std::string> ReadFile(const fs::path& folder, std::string_view name) {
  const fs::path path = folder / name;
  std::error_code failed;
  if (!fs::is_regular_file(path, failed)) return Unreachable(name, path);
  const std::uintmax_t size = fs::file_size(path, failed);
  if (failed) return Unreachable(name, path);
  if (size > kArtifactBytesMax)
    return Error(ErrorKind::ByteCap,
                 fmt::format("{} has {} bytes, the limit is {}", name, size, kArtifactBytesMax));
  std::ifstream file(path, std::ios::binary);
  std::string text(static_cast<std::size_t>(size), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.is_open() || file.bad()) return Unreachable(name, path);
  text.resize(static_cast<std::size_t>(file.gcount()));  // cut off while it was read
  return text;
}

/// The texts of both files; the second is empty where there is none.
struct Texts {
  std::string manifest;
  std::string catalog;
};

Result<Texts> ReadTexts(const fs::path& folder) {
  Texts texts;
  WARD_TRY(texts.manifest, ReadFile(folder, kManifest));
  std::error_code ignored;
  if (fs::exists(folder / kCatalog, ignored)) {
    WARD_TRY(texts.catalog, ReadFile(folder, kCatalog));
  }
  return texts;
}

std::string FingerprintOf(const Texts& texts) {
  return Sha256Hex(texts.manifest) + Sha256Hex(texts.catalog);
}

/// A target folder is called "target" in every project: its parent's name says more.
std::string FolderName(const fs::path& folder) {
  fs::path named = folder.has_filename() ? folder : folder.parent_path();
  if (named.filename() == "target") named = named.parent_path();
  return named.filename().string();
}

class DbtConnector final : public Connector {
 public:
  explicit DbtConnector(fs::path folder) : folder_(std::move(folder)) {}

  const Capabilities& capabilities() const override {
    static constexpr Capabilities kCapabilities{.runs_queries = false, .has_schemas = true};
    return kCapabilities;
  }
  const sql::Dialect& dialect() const override { return sql::Postgres(); }

  Result<catalog::Database> Introspect(const Scope& scope, CallContext& ctx) override {
    WARD_CHECK(ctx.Check());
    WARD_TRY(const Texts texts, ReadTexts(folder_));
    WARD_TRY(Artifacts artifacts, ParseArtifacts(texts.manifest, texts.catalog));
    WARD_TRY(catalog::Database database, ReadTarget(std::move(artifacts), scope.schemas, ctx));
    if (database.name.empty()) database.name = FolderName(folder_);
    database.fingerprint = FingerprintOf(texts);
    return database;
  }

  Result<std::string> Fingerprint(CallContext& ctx) override {
    WARD_CHECK(ctx.Check());
    WARD_TRY(const Texts texts, ReadTexts(folder_));
    return FingerprintOf(texts);
  }

  Result<QueryResult> Query(const guard::Approved&, const QueryLimits&, CallContext&) override {
    return NoQueries();
  }
  Result<PlanEstimate> Explain(const guard::Approved&, CallContext&) override {
    return NoQueries();
  }

  Status Ping(CallContext& ctx) override {
    WARD_CHECK(ctx.Check());
    if (!std::ifstream(folder_ / kManifest).is_open())
      return Unreachable(kManifest, folder_ / kManifest);
    return Ok();
  }
  bool IsBroken() const override { return false; }

 private:
  static Error NoQueries() {
    return HasNoRows("the metadata of a dbt project", "the database that dbt builds");
  }

  fs::path folder_;
};

class DbtEngine final : public Engine {
 public:
  std::string_view name() const override { return "dbt"; }
  Result<std::unique_ptr<Connector>> Open(const Target& target, CallContext& ctx) override {
    auto connector = std::make_unique<DbtConnector>(target.location);
    WARD_CHECK(connector->Ping(ctx));
    return std::unique_ptr<Connector>(std::move(connector));
  }
};

}  // namespace

EnginePtr MakeDbtEngine() { return std::make_shared<DbtEngine>(); }

}  // namespace schemaward::connect::dbt
