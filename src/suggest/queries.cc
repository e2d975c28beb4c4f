#include "suggest/queries.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/sha256.h"
#include "json/read.h"
#include "json/value.h"
#include "json/write.h"
#include "querylog/read.h"
#include "store/mined.h"

namespace schemaward::suggest {
namespace {

using querylog::ObservedJoin;

/// Calls are told apart by steps of a tenth.
constexpr double kCallStep = 1.1;

/// What the store keeps of a log.
struct Body {
  std::vector<ObservedJoin> joins;
  querylog::Counts counts;
  void Bind(json::Fields& f) {
    f("joins", joins, "joins that the log shows");
    f("counts", counts, "how it was read");
  }
};

Result<Body> ReadBody(const store::MinedLog& kept) {
  WARD_TRY(const auto document, json::Parse(kept.body_json, {.bytes_max = 256U << 20U}));
  Body body;
  if (!json::Read(document.value(), body).ok())
    return Error(ErrorKind::Internal, "what the store keeps of a query log cannot be read");
  return body;
}

std::string StampOf(const QueryLog& log, std::int64_t generation) {
  Sha256 hash;
  std::int64_t calls = 0;
  for (const querylog::Entry& entry : log.entries) {
    hash.Update(entry.sql).Update(std::string_view("\0", 1));
    calls += entry.calls;
  }
  for (const std::string& schema : log.search_path)
    hash.Update(schema).Update(std::string_view("\0", 1));
  const auto step =
      static_cast<std::int64_t>(std::log(static_cast<double>(calls + 1)) / std::log(kCallStep));
  hash.Update(fmt::format("{} {}", generation, step));
  std::string stamp;
  for (const std::uint8_t byte : hash.Finish()) stamp += fmt::format("{:02x}", byte);
  return stamp;
}

Result<std::optional<store::MinedLog>> FindKept(store::Store& store, std::int64_t source_id,
                                                const std::string& origin) {
  WARD_TRY(auto kept, store::ListMinedLogs(store, source_id));
  for (store::MinedLog& one : kept)
    if (one.origin == origin) return std::optional(std::move(one));
  return std::optional<store::MinedLog>();
}

/// Ids of the index's tables by position in `tables`; 0 where one is not in the store any more.
Result<std::vector<std::int64_t>> IdsOf(store::Store& store, std::int64_t source_id,
                                        const std::vector<catalog::Table>& tables) {
  std::map<std::pair<std::string, std::string>, std::int64_t> by_name;
  const std::array<std::int64_t, 1> sources = {source_id};
  WARD_CHECK(store.VisitTables(sources, [&](const store::TableEntry& entry) {
    by_name.emplace(std::pair(std::string(entry.schema), std::string(entry.name)), entry.id);
    return true;
  }));
  std::vector<std::int64_t> ids;
  ids.reserve(tables.size());
  for (const catalog::Table& table : tables) {
    const auto found = by_name.find({table.schema, table.name});
    ids.push_back(found == by_name.end() ? 0 : found->second);
  }
  return ids;
}

/// An example without one of its tables is none.
std::vector<store::MinedQuery> ToMined(std::vector<querylog::Query> queries,
                                       const std::vector<std::int64_t>& ids) {
  std::vector<store::MinedQuery> mined;
  for (querylog::Query& query : queries) {
    store::MinedQuery made{std::move(query.sql), query.calls, {}, {}};
    for (querylog::TouchedTable& table : query.tables)
      made.tables.push_back({ids[table.table], std::move(table.columns)});
    const bool is_whole = std::all_of(made.tables.begin(), made.tables.end(),
                                      [](const auto& table) { return table.table_id != 0; });
    if (is_whole) mined.push_back(std::move(made));
  }
  return mined;
}

MinedLog SummaryOf(const QueryLog& log, const Body& body, bool is_unchanged) {
  return {log.origin, body.counts, static_cast<std::int64_t>(body.joins.size()), is_unchanged,
          log.note};
}

}  // namespace

void MinedLog::Bind(json::Fields& f) {
  f("origin", origin, "file, or the engine's name of the log");
  f("counts", counts, "how its statements were read");
  f("joins", joins, "different joins that it shows");
  f("is_unchanged", is_unchanged, "nothing new since it was last read");
  f("note", note, "why there is no log, or not all of it");
}

std::string ToText(const MinedLog& log) {
  const querylog::Counts& counts = log.counts;
  std::string text = fmt::format("queries ({}): ", log.origin);
  if (counts.statements == 0 && !log.note.empty()) return text + log.note;
  text += fmt::format(
      "{} statements, {} of them queries of this source ({} different, {} joins), {} elsewhere, {} "
      "no queries, {} not read; {} kept as examples",
      counts.statements, counts.read, counts.different, log.joins, counts.elsewhere, counts.other,
      counts.unread, counts.queries);
  if (counts.queries_cut > 0) text += fmt::format(", {} cut", counts.queries_cut);
  if (!log.note.empty()) text += "; " + log.note;
  for (const querylog::Unread& unread : counts.unread_first)
    text += fmt::format("\n  {}: {}", unread.place, unread.reason);
  return text;
}

Result<querylog::Evidence> ReadQueryLog(const store::Source& source,
                                        const std::vector<catalog::Table>& tables,
                                        const QueryLog& log, CallContext& ctx) {
  querylog::ReadOptions options;
  if (!log.search_path.empty())
    options.search_path = log.search_path;
  else if (!source.database.empty())
    options.search_path.push_back(source.database);  // MySQL's schema
  return querylog::Read(log.entries, tables, options, ctx);
}

Result<MinedLog> KeepQueryLog(store::Store& store, const store::Source& source,
                              const std::vector<catalog::Table>& tables, const QueryLog& log,
                              CallContext& ctx) {
  if (!log.is_there) return MinedLog{log.origin, {}, 0, false, log.note};
  WARD_TRY(const auto now, store.FindSource(source.name));  // its generation may be new
  const std::string stamp = StampOf(log, now ? now->generation : source.generation);
  WARD_TRY(const auto kept, FindKept(store, source.id, log.origin));
  if (kept && kept->stamp == stamp) {
    WARD_TRY(const Body body, ReadBody(*kept));
    return SummaryOf(log, body, true);
  }
  WARD_TRY(auto evidence, ReadQueryLog(source, tables, log, ctx));
  Body body{std::move(evidence.joins), std::move(evidence.counts)};
  WARD_TRY(const auto ids, IdsOf(store, source.id, tables));
  WARD_CHECK(store::PutMinedLog(store, source.id, {log.origin, stamp, json::Write(body)},
                                ToMined(std::move(evidence.queries), ids)));
  return SummaryOf(log, body, false);
}

Result<std::optional<MinedLog>> KeepViews(store::Store& store, const store::Source& source,
                                          const std::vector<catalog::Table>& tables,
                                          CallContext& ctx) {
  QueryLog log{kViewsOrigin, {}, {}, {}, true};
  for (const catalog::Table& table : tables)
    if (!table.definition.empty())
      log.entries.push_back(
          {"CREATE VIEW v AS " + table.definition, 1, "view " + catalog::QualifiedName(table)});
  if (log.entries.empty()) {
    WARD_TRY(const auto kept, FindKept(store, source.id, kViewsOrigin));
    if (kept) WARD_CHECK(store::RemoveMinedLog(store, source.id, kViewsOrigin));
    return std::optional<MinedLog>();
  }
  WARD_TRY(auto kept, KeepQueryLog(store, source, tables, log, ctx));
  return std::optional(std::move(kept));
}

Result<bool> IsNew(store::Store& store, const store::Source& source, const QueryLog& log) {
  if (!log.is_there) return false;
  WARD_TRY(const auto now, store.FindSource(source.name));
  WARD_TRY(const auto kept, FindKept(store, source.id, log.origin));
  return !kept || kept->stamp != StampOf(log, now ? now->generation : source.generation);
}

Result<std::vector<ObservedJoin>> ObservedJoins(store::Store& store, std::int64_t source_id) {
  WARD_TRY(const auto logs, store::ListMinedLogs(store, source_id));
  const auto key_of = [](const ObservedJoin& join) {
    return std::tie(join.table, join.columns, join.target, join.target_columns);
  };
  std::vector<ObservedJoin> all;
  for (const store::MinedLog& log : logs) {
    WARD_TRY(Body body, ReadBody(log));
    std::move(body.joins.begin(), body.joins.end(), std::back_inserter(all));
  }
  std::stable_sort(all.begin(), all.end(), [&](const ObservedJoin& a, const ObservedJoin& b) {
    return key_of(a) < key_of(b);
  });
  std::vector<ObservedJoin> merged;
  for (ObservedJoin& join : all) {
    if (merged.empty() || key_of(merged.back()) != key_of(join)) {
      merged.push_back(std::move(join));
      continue;
    }
    merged.back().observations = std::max(merged.back().observations, join.observations);
    merged.back().calls += join.calls;
  }
  return merged;
}

}  // namespace schemaward::suggest
