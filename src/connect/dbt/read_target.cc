#include "connect/dbt/read_target.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "connect/dbt/dbt_engine.h"
#include "connect/dbt/project.h"
#include "json/access.h"

namespace schemaward::connect::dbt {
namespace {

using json::Member;
using json::TextOf;
using json::Value;

constexpr json::ParseLimits kLimits{.bytes_max = kArtifactBytesMax, .depth_max = 200};

/// The 12 of https://schemas.getdbt.com/dbt/manifest/v12.json.
std::optional<std::int64_t> VersionOf(const Value& manifest) {
  const std::string schema = TextOf(Member(manifest, {"metadata", "dbt_schema_version"}));
  constexpr std::string_view kMark = "/manifest/v";
  const std::size_t at = schema.find(kMark);
  if (at == std::string::npos) return std::nullopt;
  std::int64_t version = 0;
  const char* begin = schema.data() + at + kMark.size();
  const auto [end, failed] = std::from_chars(begin, schema.data() + schema.size(), version);
  return failed == std::errc() && end != begin ? std::optional(version) : std::nullopt;
}

Status CheckVersion(std::optional<std::int64_t> version, std::vector<catalog::Missing>& missing) {
  if (!version)
    return Error(ErrorKind::InputUnreadable, "manifest.json is no manifest of dbt")
        .Hint(
            "Point dbt: at the folder in which `dbt parse` or `dbt build` leaves manifest.json, "
            "usually target.");
  if (*version < kManifestOldest)
    return Error(ErrorKind::InputUnreadable,
                 fmt::format("manifest.json has schema v{}; v{} and later are read", *version,
                             kManifestOldest))
        .Hint("Run `dbt parse` with dbt 1.6 or later, which writes one that can be read.");
  if (*version > kManifestNewest)
    missing.push_back(
        {"manifest.json",
         fmt::format("its schema is v{}, newer than v{}: what is new in it is not read", *version,
                     kManifestNewest)});
  return Ok();
}

/// The database of most models; of equals the first by name.
std::string MainDatabase(const Project& project) {
  std::map<std::string, std::size_t> counts;
  for (const Relation& relation : project.relations) ++counts[relation.database];
  const auto most =
      std::max_element(counts.begin(), counts.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? std::string() : most->first;
}

std::string VersionText(const Value& manifest) {
  const std::string version = TextOf(Member(manifest, {"metadata", "dbt_version"}));
  const std::string adapter = TextOf(Member(manifest, {"metadata", "adapter_type"}));
  return adapter.empty() ? version : fmt::format("{} ({})", version, adapter);
}

}  // namespace

Result<Artifacts> ParseArtifacts(std::string_view manifest_text, std::string_view catalog_text) {
  Artifacts artifacts;
  auto manifest = json::Parse(manifest_text, kLimits);
  if (!manifest && manifest.error().kind() == ErrorKind::ByteCap)
    return std::move(std::move(manifest).error().In("reading manifest.json"));
  if (!manifest)
    return Error(ErrorKind::InputUnreadable, "manifest.json cannot be read")
        .Detail(manifest.error().message() + ".")
        .Hint("Run `dbt parse` to write it anew.");
  WARD_CHECK(CheckVersion(VersionOf(manifest->value()), artifacts.missing));
  artifacts.manifest = std::move(*manifest);
  if (catalog_text.empty()) return artifacts;
  auto catalog = json::Parse(catalog_text, kLimits);
  if (catalog)
    artifacts.catalog = std::move(*catalog);
  else
    artifacts.missing.push_back(
        {"catalog.json", "it cannot be read: types are those that models declare"});
  return artifacts;
}

Result<catalog::Database> ReadTarget(Artifacts artifacts, const std::vector<std::string>& schemas,
                                     CallContext& ctx) {
  const Value& manifest = artifacts.manifest.value();
  Project project;
  project.missing = std::move(artifacts.missing);
  WARD_CHECK(ctx.Check());
  ReadRelations(manifest, artifacts.catalog.value(), project);
  WARD_CHECK(ctx.Check());
  ReadConstraints(project);
  ReadTests(manifest, project);
  SettleKeys(project);
  ReadForeignKeys(manifest, project);
  WARD_CHECK(ctx.Check());
  catalog::Database database;
  database.engine = "dbt";
  database.engine_version = VersionText(manifest);
  database.name = MainDatabase(project);
  for (Relation& relation : project.relations)
    if (schemas.empty() ||
        std::find(schemas.begin(), schemas.end(), relation.table.schema) != schemas.end())
      database.tables.push_back(std::move(relation.table));
  std::sort(database.tables.begin(), database.tables.end(),
            [](const catalog::Table& a, const catalog::Table& b) {
              return std::tie(a.schema, a.name) < std::tie(b.schema, b.name);
            });
  database.missing = std::move(project.missing);
  return database;
}

}  // namespace schemaward::connect::dbt
