#include "index/run.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "catalog/is_view.h"
#include "index/content.h"
#include "index/documents.h"
#include "index/sampler.h"
#include "store/descriptions.h"
#include "store/index_writer.h"
#include "text/lexicon.h"

namespace schemaward::index {
namespace {

using store::IndexedTable;
using store::IndexWriter;
using store::TableHash;

constexpr std::int64_t kProgressEvery = 64;  // tables

class Stopwatch {
 public:
  explicit Stopwatch(const Clock& clock) : clock_(clock), since_(clock.Now()) {}
  /// Milliseconds since made or last asked.
  std::int64_t Lap() {
    const auto now = clock_.Now();
    const auto lap = std::chrono::duration_cast<std::chrono::milliseconds>(now - since_);
    since_ = now;
    return lap.count();
  }

 private:
  const Clock& clock_;
  std::chrono::steady_clock::time_point since_;
};

auto PlaceOf(const catalog::Table& table) { return std::tie(table.schema, table.name); }
auto PlaceOf(const IndexedTable& table) { return std::tie(table.schema, table.name); }

void Keep(std::vector<std::string>& names, std::string_view schema, std::string_view name) {
  if (names.size() < kNamesMax) names.push_back(catalog::QualifiedName(schema, name));
}

/// Makes the list what the comparison needs: sorted, each place once.
void Tidy(catalog::Database& database) {
  auto& tables = database.tables;
  const auto before = [](const auto& a, const auto& b) { return PlaceOf(a) < PlaceOf(b); };
  if (!std::is_sorted(tables.begin(), tables.end(), before))
    std::sort(tables.begin(), tables.end(), before);
  const auto same = [&](const auto& a, const auto& b) {
    if (PlaceOf(a) != PlaceOf(b)) return false;
    database.missing.push_back({catalog::QualifiedName(b), "is there twice; one was taken"});
    return true;
  };
  tables.erase(std::unique(tables.begin(), tables.end(), same), tables.end());
}

/// A wrong schema would otherwise remove all that is indexed, and what was made of it.
Error NothingInScope(const connect::Scope& scope) {
  return Error(ErrorKind::InvalidArgument, fmt::format("the source has no table in schema \"{}\"",
                                                       fmt::join(scope.schemas, "\" or \"")))
      .Detail("The index was left as it was.")
      .Hint("Leave --schema out to read all schemas.");
}

/// What is to be read of the source. The store is asked, not `source`: another process may have
/// indexed it with another scope since that was read.
Result<connect::Scope> ScopeOf(const RunOptions& options, store::Store& store,
                               const store::Source& source) {
  if (options.scope) return *options.scope;
  WARD_TRY(const auto now, store.FindSource(source.name));
  return connect::Scope{now && now->id == source.id ? now->schemas : source.schemas};
}

/// Keeps the list short enough to be shown and to be read with the source at each call.
void BoundMissing(std::vector<catalog::Missing>& missing) {
  if (missing.size() <= kMissingMax) return;
  const std::size_t more = missing.size() - (kMissingMax - 1);
  missing.resize(kMissingMax - 1);
  missing.push_back({"others", fmt::format("{} more could not be read", more)});
}

void Count(const catalog::Database& database, Summary& summary) {
  for (const catalog::Table& table : database.tables) {
    ++(catalog::IsView(table.kind) ? summary.views : summary.tables);
    summary.columns += static_cast<std::int64_t>(table.columns.size());
  }
}

void CountVerdicts(const catalog::Database& database, Summary& summary) {
  for (const catalog::Table& table : database.tables)
    for (const catalog::Column& column : table.columns)
      if (!column.verdicts.empty()) ++summary.classified_columns;
}

/// Walks the old and the new list side by side and writes the difference.
class Comparison {
 public:
  Comparison(IndexWriter& writer, const store::Source& source, const catalog::Database& database,
             const Samples& samples, const std::set<std::size_t>& reclassified, bool is_carried,
             store::Store& store, const RunOptions& options, Summary& summary)
      : writer_(writer),
        store_(store),
        reclassified_(reclassified),
        is_carried_(is_carried),
        source_(source),
        database_(database),
        samples_(samples),
        options_(options),
        summary_(summary),
        documents_(lexicon_) {}

  Status Write(CallContext& ctx) {
    WARD_TRY(const auto old, writer_.Existing());
    WARD_TRY(const std::int64_t version, writer_.DocumentVersion());
    documents_are_stale_ = version != kDocumentVersion;
    ids_.reserve(database_.tables.size());
    auto at = old.begin();
    for (const catalog::Table& table : database_.tables) {
      for (; at != old.end() && PlaceOf(*at) < PlaceOf(table); ++at) WARD_CHECK(Remove(*at));
      const bool known = at != old.end() && PlaceOf(*at) == PlaceOf(table);
      WARD_CHECK(known ? Update(*at++, table) : Add(table));
      WARD_CHECK(Report(ctx));
    }
    for (; at != old.end(); ++at) WARD_CHECK(Remove(*at));
    WARD_CHECK(ForgetForbiddenSamples());
    return WriteSamples();
  }

  /// Of each table, once all are written.
  std::vector<std::int64_t> TakeShapes() { return std::move(shapes_); }

 private:
  Status Add(const catalog::Table& table) {
    const TableHash hash = store::HashOf(table);
    WARD_TRY(const std::int64_t id, writer_.Add(table, hash));
    ids_.push_back(id);
    shapes_.push_back(hash.shape);
    ++summary_.added;
    Keep(summary_.added_names, table.schema, table.name);
    return writer_.PutSearch(id, documents_.Make(source_.id, table));
  }

  Status Update(const IndexedTable& old, const catalog::Table& table) {
    ids_.push_back(old.id);
    const TableHash hash = store::HashOf(table);
    shapes_.push_back(hash.shape);
    const bool changed = hash.shape != old.hash.shape;
    if (changed) {
      ++summary_.changed;
      Keep(summary_.changed_names, table.schema, table.name);
    } else {
      ++summary_.unchanged;
      if (hash != old.hash) ++summary_.estimates_updated;
    }
    const bool is_reclassified = reclassified_.contains(ids_.size() - 1);
    if (hash != old.hash || is_reclassified) WARD_CHECK(Replace(old.id, table, hash));
    if (!changed && !documents_are_stale_) return Ok();
    WARD_TRY(const auto descriptions, store::ReadDescriptions(store_, old.id));
    return writer_.PutSearch(
        old.id, documents_.Make(source_.id, store::WithDescriptions(table, descriptions)));
  }

  /// What an earlier check of values found is kept where this run did not look.
  Status Replace(std::int64_t id, const catalog::Table& table, const TableHash& hash) {
    if (is_carried_) return writer_.Replace(id, table, hash);
    WARD_TRY(const auto old, store_.GetTable(id));
    catalog::Table carried = table;
    if (old) CarryVerdicts(*old, carried);
    return writer_.Replace(id, carried, hash);
  }

  Status Remove(const IndexedTable& old) {
    ++summary_.removed;
    Keep(summary_.removed_names, old.schema, old.name);
    return writer_.Remove(old.id);
  }

  Status Report(CallContext& ctx) const {
    const auto done = static_cast<std::int64_t>(ids_.size());
    const auto total = static_cast<std::int64_t>(database_.tables.size());
    if (done % kProgressEvery != 0 && done != total) return Ok();
    if (ctx.progress) ctx.progress({done, total, "writing the index"});
    return ctx.Check();
  }

  /// Values that were kept under another policy, or of a column that is gone.
  Status ForgetForbiddenSamples() {
    WARD_TRY(const auto kept, writer_.SampledColumns());
    if (kept.empty()) return Ok();
    std::vector<std::pair<std::int64_t, std::size_t>> by_id;
    for (std::size_t t = 0; t < ids_.size(); ++t) by_id.emplace_back(ids_[t], t);
    std::sort(by_id.begin(), by_id.end());
    for (const store::SampledColumn& sampled : kept) {
      const auto found =
          std::lower_bound(by_id.begin(), by_id.end(), std::pair(sampled.table_id, std::size_t{0}));
      const bool allowed = found != by_id.end() && found->first == sampled.table_id &&
                           MayKeep(database_.tables[found->second], sampled.column);
      if (!allowed) WARD_CHECK(writer_.RemoveSample(sampled));
    }
    return Ok();
  }

  bool MayKeep(const catalog::Table& table, std::string_view name) const {
    const std::size_t column = catalog::FindColumn(table, name);
    return column != std::string_view::npos &&
           options_.policy.MayReadValues(table, table.columns[column]);
  }

  Status WriteSamples() {
    for (const auto& [position, samples] : samples_) {
      WARD_CHECK(writer_.PutSamples(ids_[position], samples));
      ++summary_.sampled_tables;
    }
    return Ok();
  }

  IndexWriter& writer_;
  store::Store& store_;
  const std::set<std::size_t>& reclassified_;  // positions whose verdicts changed
  const bool is_carried_;                      // database_ has what earlier checks found
  const store::Source& source_;
  const catalog::Database& database_;
  const Samples& samples_;
  const RunOptions& options_;
  Summary& summary_;
  text::Lexicon lexicon_;
  DocumentMaker documents_;
  bool documents_are_stale_ = false;
  std::vector<std::int64_t> ids_;  // by position in database_.tables
  std::vector<std::int64_t> shapes_;
};

}  // namespace

void Summary::Bind(json::Fields& f) {
  f("added", added, "tables that are new");
  f("changed", changed, "tables whose columns, keys, comments or other declarations changed");
  f("removed", removed, "tables that are gone");
  f("unchanged", unchanged, "tables declared as before");
  f("estimates_updated", estimates_updated, "unchanged tables with new row counts or statistics");
  f("added_names", added_names, "names of new tables, the first 50");
  f("changed_names", changed_names, "names of changed tables, the first 50");
  f("removed_names", removed_names, "names of removed tables, the first 50");
  f("missing", missing, "what could not be read");
  f("tables", tables, "tables of all kinds but views");
  f("views", views, "views and materialized views");
  f("columns", columns, "columns");
  f("sampled_tables", sampled_tables, "tables of which values were read");
  f("generation", generation, "number of this index");
  f("introspect_ms", introspect_ms, "time to read the catalog");
  f("sample_ms", sample_ms, "time to read values");
  f("write_ms", write_ms, "time to compare and write");
  f("classified_columns", classified_columns, "columns that a check of values found personal");
}

Result<Summary> Run(connect::Connector& connector, store::Store& store, const store::Source& source,
                    const RunOptions& options, CallContext& ctx) {
  Summary summary;
  Stopwatch watch(ctx.clock);
  if (ctx.progress) ctx.progress({0, 0, "reading the catalog"});
  WARD_TRY(connect::Scope scope, ScopeOf(options, store, source));
  WARD_TRY(auto database, connector.Introspect(scope, ctx));
  // Of a scope that was kept the tables were there, and are gone: the index follows.
  if (options.scope && !scope.schemas.empty() && database.tables.empty())
    return NothingInScope(scope);
  Tidy(database);
  Count(database, summary);
  summary.introspect_ms = watch.Lap();
  const bool runs_queries = connector.capabilities().runs_queries;
  const bool is_carried = runs_queries && (options.sample_rows > 0 || options.classify_content);
  if (is_carried) WARD_CHECK(CarryVerdicts(store, source, database));
  std::set<std::size_t> reclassified;
  if (runs_queries && options.classify_content) {
    WARD_TRY(reclassified, CheckContent(connector, database, options, ctx));
    CountVerdicts(database, summary);
  }
  Samples samples;
  if (options.sample_rows > 0 && runs_queries) {
    WARD_TRY(samples, ReadSamples(connector, database, options, ctx));
    summary.sample_ms = watch.Lap();
  }
  BoundMissing(database.missing);
  WARD_CHECK(ctx.Check());
  WARD_TRY(const auto writer, IndexWriter::Begin(store, source.id));
  Comparison comparison(*writer, source, database, samples, reclassified, is_carried, store,
                        options, summary);
  WARD_CHECK(comparison.Write(ctx));
  WARD_TRY(summary.generation, writer->Commit({.database = database.name,
                                               .engine_version = database.engine_version,
                                               .fingerprint = database.fingerprint,
                                               .missing = database.missing,
                                               .indexed_at_us = ctx.clock.UnixMicros(),
                                               .document_version = kDocumentVersion,
                                               .schemas = std::move(scope.schemas)}));
  summary.write_ms = watch.Lap();
  if (options.after) options.after(source, connector, {database, comparison.TakeShapes()}, ctx);
  summary.missing = std::move(database.missing);
  return summary;
}

}  // namespace schemaward::index
