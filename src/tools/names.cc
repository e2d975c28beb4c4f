#include "tools/names.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/ascii.h"
#include "text/nearest.h"
#include "tools/personal.h"
#include "tools/visible.h"

namespace schemaward::tools {
namespace {

constexpr std::size_t kNear = 3;
constexpr std::uint32_t kLikelyDistance =
    25;  // NameDistance gives 10 for one typo: two typos, or a plural and a lost schema
constexpr std::int64_t kRetryMs = 1000;
constexpr std::size_t kEchoMax = 200;  // bytes of a wrong name that are said back

std::string Echo(std::string_view name) { return std::string(name.substr(0, kEchoMax)); }

Error NotReady(const Services& services, const std::vector<store::Source>& sources) {
  for (const store::Source& source : sources) {
    const BuildState state = services.watch.State(source);
    if (state.building) {
      Error error(ErrorKind::IndexBuilding,
                  fmt::format("the index of source \"{}\" is being built", source.name));
      error.Detail(state.total > 0
                       ? fmt::format("{} of {} tables are done.", state.done, state.total)
                       : "It has just begun.");
      error.Hint(
          "Make the suggested call until the source has an indexed_at, then repeat this one.");
      error.RetryAfter(kRetryMs);
      error.Suggest("list_indexed_schemas", "{}");
      return error;
    }
    if (state.last_error) {
      services.watch.Used(source);  // what kept it from being built may be over
      Error error = *state.last_error;
      error.Suggest("list_indexed_schemas", "{}");
      return error;
    }
  }
  Error error(ErrorKind::IndexNotReady,
              sources.empty()
                  ? "the store holds no source"
                  : fmt::format("source \"{}\" has not been indexed", sources.front().name));
  error.Hint("Ask the operator to run `schemaward index SOURCE`.");
  error.Suggest("list_indexed_schemas", "{}");
  return error;
}

struct ParsedName {
  std::optional<std::string> source;
  std::vector<std::string> parts;
};

// A prefix that ends in a colon names a source where one of that name is in scope; elsewhere a
// colon is part of a name.
ParsedName Parse(const Scope& scope, std::string_view name) {
  for (const store::Source& source : scope.sources) {
    if (name.size() <= source.name.size() + 1 ||
        name.substr(0, source.name.size()) != source.name || name[source.name.size()] != ':')
      continue;
    return {source.name, catalog::SplitName(name.substr(source.name.size() + 1))};
  }
  return {std::nullopt, catalog::SplitName(name)};
}

std::vector<std::int64_t> IdsOf(const Scope& scope, const std::optional<std::string>& source) {
  std::vector<std::int64_t> ids;
  for (const store::Source& candidate : scope.sources)
    if (!source || candidate.name == *source) ids.push_back(candidate.id);
  return ids;
}

// Among names that differ only by case, the one written exactly so is meant.
void PreferExactCase(std::vector<store::TableEntry>& found,
                     const std::optional<std::string>& schema, std::string_view table) {
  const auto is_exact = [&](const store::TableEntry& e) {
    return e.name == table && (!schema || e.schema == *schema);
  };
  if (found.size() > 1 && std::count_if(found.begin(), found.end(), is_exact) == 1)
    std::erase_if(found, [&](const store::TableEntry& e) { return !is_exact(e); });
}

Result<std::vector<std::string>> NearestTables(const Services& services, const Scope& scope,
                                               std::string_view wrong) {
  text::NearestNames nearest(wrong, kNear);
  WARD_CHECK(services.store.VisitTables(scope.ids(), [&](const store::TableEntry& entry) {
    if (services.MaySee(entry.schema, entry.name))
      nearest.Offer(catalog::QualifiedName(entry.schema, entry.name));
    return true;
  }));
  return nearest.Take();
}

Error Ambiguous(std::string_view name, std::vector<std::string> candidates) {
  Error error(ErrorKind::AmbiguousName,
              fmt::format("the name \"{}\" fits {} tables", Echo(name), candidates.size()));
  error.Hint("Name the table with its schema.");
  error.Near(std::move(candidates));
  return error;
}

Result<FoundTable> Found(const Services& services, const Scope& scope, store::TableEntry entry) {
  WARD_TRY(std::string qualified, NameOf(services, scope, entry));
  const store::Source* source = scope.Find(entry.source_id);
  if (source == nullptr) return Error(ErrorKind::Internal, "a table belongs to no source in scope");
  return FoundTable{*source, std::move(entry), std::move(qualified)};
}

Result<std::vector<store::TableEntry>> Lookup(const Services& services, const Scope& scope,
                                              const ParsedName& name) {
  const std::optional<std::string> schema =
      name.parts.size() > 1 ? std::optional(name.parts[name.parts.size() - 2]) : std::nullopt;
  WARD_TRY(auto found,
           services.store.FindTables(IdsOf(scope, name.source), schema, name.parts.back()));
  PreferExactCase(found, schema, name.parts.back());
  return found;
}

}  // namespace

std::vector<std::int64_t> Scope::ids() const {
  std::vector<std::int64_t> ids;
  for (const store::Source& source : sources) ids.push_back(source.id);
  return ids;
}

const store::Source* Scope::Find(std::int64_t source_id) const {
  for (const store::Source& source : sources)
    if (source.id == source_id) return &source;
  return nullptr;
}

std::int64_t Scope::generation() const {
  std::int64_t sum = 0;
  for (const store::Source& source : sources) sum += source.generation;
  return sum;
}

std::string Scope::indexed_at() const {
  std::int64_t oldest = sources.front().indexed_at_us;
  for (const store::Source& source : sources) oldest = std::min(oldest, source.indexed_at_us);
  return ToIsoUtc(oldest);
}

Result<Scope> ResolveScope(const Services& services, const std::optional<std::string>& source) {
  WARD_TRY(auto sources, services.store.ListSources());
  std::erase_if(sources, [&](const store::Source& s) { return !services.IsServed(s); });
  if (source && !source->empty()) {
    std::vector<std::string> names;
    for (const store::Source& s : sources) names.push_back(s.name);
    std::erase_if(sources, [&](const store::Source& s) { return s.name != *source; });
    if (sources.empty() && !names.empty()) {
      Error error(ErrorKind::UnknownSource,
                  fmt::format("no source is named \"{}\"", Echo(*source)));
      error.Near(text::FindNearestNames(*source, names, kNear));
      return error;
    }
  }
  Scope scope;
  for (const store::Source& s : sources)
    if (s.generation > 0) scope.sources.push_back(s);
  if (scope.sources.empty()) return NotReady(services, sources);
  for (const store::Source& s : scope.sources) services.watch.Used(s);
  return scope;
}

Result<std::string> NameOf(const Services& services, const Scope& scope,
                           const store::TableEntry& entry) {
  std::string name = catalog::QualifiedName(entry.schema, entry.name);
  if (scope.sources.size() < 2) return name;
  WARD_TRY(const auto same, services.store.FindTables(scope.ids(), entry.schema, entry.name));
  const bool shared = std::any_of(same.begin(), same.end(), [&](const store::TableEntry& e) {
    return e.source_id != entry.source_id;
  });
  const store::Source* source = scope.Find(entry.source_id);
  return shared && source != nullptr ? source->name + ':' + name : name;
}

namespace {

// All that the name fits is kept back: what no allow-list holds comes before what is denied.
Error Hidden(const Services& services, const std::vector<store::TableEntry>& entries,
             std::string_view name) {
  privacy::Access access = privacy::Access::Denied;
  for (const store::TableEntry& entry : entries)
    access = std::min(access, services.caller.OfTable(entry.schema, entry.name));
  return Refusal(access, "table", name);
}

}  // namespace

Result<FoundTable> FindTable(const Services& services, const Scope& scope, std::string_view name) {
  const ParsedName parsed = Parse(scope, name);
  constexpr std::size_t kPartsMax = 3;  // database.schema.table, as some engines print it
  if (parsed.parts.empty() || parsed.parts.size() > kPartsMax) {
    WARD_TRY(auto near, NearestTables(services, scope, name));
    Error error(ErrorKind::MalformedName,
                fmt::format("the name \"{}\" does not have the form schema.table", Echo(name)));
    error.Near(std::move(near));
    return error;
  }
  for (int look = 0; look < 2; ++look) {
    WARD_TRY(auto found, Lookup(services, scope, parsed));
    const auto all = found;
    KeepVisible(services, found);
    if (found.empty() && !all.empty()) return Hidden(services, all, Echo(name));
    if (found.size() == 1) return Found(services, scope, std::move(found.front()));
    if (found.size() > 1) {
      std::vector<std::string> names;
      for (const store::TableEntry& entry : found) {
        WARD_TRY(std::string one, NameOf(services, scope, entry));
        names.push_back(std::move(one));
      }
      return Ambiguous(name, std::move(names));
    }
    bool changed = false;
    for (const store::Source& source : scope.sources)
      if (!parsed.source || source.name == *parsed.source)
        changed |= services.watch.LookNow(source, name);
    if (!changed) break;
  }
  WARD_TRY(auto near, NearestTables(services, scope, name));
  Error error(ErrorKind::UnknownTable, fmt::format("table \"{}\" is not in the index", Echo(name)));
  if (near.empty()) error.Detail("The index holds no table.");
  error.Near(std::move(near));
  return error;
}

Result<std::optional<FoundTable>> LookUpTable(const Services& services, const Scope& scope,
                                              std::string_view name) {
  const ParsedName parsed = Parse(scope, name);
  if (parsed.parts.empty()) return std::nullopt;
  WARD_TRY(auto found, Lookup(services, scope, parsed));
  KeepVisible(services, found);
  if (found.size() != 1) return std::nullopt;
  WARD_TRY(FoundTable table, Found(services, scope, std::move(found.front())));
  return table;
}

Result<catalog::Table> Describe(const Services& services, const FoundTable& table) {
  WARD_TRY(auto description, services.store.GetTable(table.entry.id));
  if (description) {
    if (services.caller.IsLimited())
      std::erase_if(description->foreign_keys, [&](const catalog::ForeignKey& key) {
        return !services.MaySee(key.target_schema, key.target_table);
      });
    return WithHiddenNames(services.PolicyFor(table.source), *std::move(description));
  }
  Error error(ErrorKind::SchemaDrift,
              fmt::format("table \"{}\" has gone from the source", table.qualified_name));
  error.Suggest("find_relevant_tables",
                fmt::format(R"({{"query":"{}"}})", AsQuery(table.entry.name)));
  return error;
}

namespace {

std::string ColumnName(const FoundTable& table, std::string_view column) {
  return table.qualified_name + '.' + catalog::QuoteName(column);
}

// The name without its last part, or nothing where there is but one.
std::string TablePart(std::string_view name) {
  const std::vector<std::string> parts = catalog::SplitName(name);
  if (parts.size() < 2) return {};
  std::string table;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i)
    table += (i > 0 ? "." : "") + catalog::QuoteName(parts[i]);
  return table;
}

std::optional<std::size_t> ColumnIn(const catalog::Table& table, std::string_view name) {
  if (const std::size_t exact = catalog::FindColumn(table, name); exact != std::string_view::npos)
    return exact;
  std::optional<std::size_t> folded;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (text::NameDistance(catalog::QuoteName(name), catalog::QuoteName(table.columns[i].name)) !=
        0)
      continue;
    if (!EqualsIgnoringAsciiCase(table.columns[i].name, name)) continue;
    if (folded) return std::nullopt;
    folded = i;
  }
  return folded;
}

std::vector<std::string> NearestColumns(const catalog::Table& table, std::string_view wrong) {
  std::vector<std::string> names;
  for (const catalog::Column& column : table.columns) names.push_back(column.name);
  return text::FindNearestNames(wrong, names, kNear);
}

// The table is wrong: what its nearest tables hold under the wanted column's name.
Result<std::vector<std::string>> ColumnsOfNearTables(const Services& services, const Scope& scope,
                                                     const std::vector<std::string>& near_tables,
                                                     std::string_view column) {
  std::vector<std::string> names;
  for (const std::string& near : near_tables) {
    auto table = FindTable(services, scope, near);
    if (!table) continue;
    WARD_TRY(const auto description, Describe(services, *table));
    const auto columns = NearestColumns(description, column);
    if (!columns.empty()) names.push_back(ColumnName(*table, columns.front()));
  }
  return names;
}

}  // namespace

Result<FoundColumn> FindColumn(const Services& services, const Scope& scope,
                               std::string_view name) {
  const std::vector<std::string> parts = catalog::SplitName(name);
  const std::string table_name = TablePart(name);
  if (table_name.empty()) {
    Error error(
        ErrorKind::MalformedName,
        fmt::format("the name \"{}\" does not have the form schema.table.column", Echo(name)));
    return error;
  }
  auto table = FindTable(services, scope, table_name);
  if (!table) {
    Error error = std::move(table).error();
    WARD_TRY(auto near,
             ColumnsOfNearTables(services, scope, error.recovery().fuzzy_matches, parts.back()));
    error.Near(std::move(near));
    return error;
  }
  WARD_TRY(auto description, Describe(services, *table));
  if (const auto column = ColumnIn(description, parts.back())) {
    std::string qualified = ColumnName(*table, description.columns[*column].name);
    return FoundColumn{*std::move(table), std::move(description), *column, std::move(qualified)};
  }
  Error error(ErrorKind::UnknownColumn, fmt::format("table \"{}\" has no column \"{}\"",
                                                    table->qualified_name, Echo(parts.back())));
  std::vector<std::string> near;
  for (const std::string& column : NearestColumns(description, parts.back()))
    near.push_back(ColumnName(*table, column));
  error.Near(std::move(near));
  return error;
}

Result<std::optional<FoundColumn>> LookUpColumn(const Services& services, const Scope& scope,
                                                std::string_view name) {
  const std::vector<std::string> parts = catalog::SplitName(name);
  const std::string table_name = TablePart(name);
  if (table_name.empty()) return std::nullopt;
  WARD_TRY(auto table, LookUpTable(services, scope, table_name));
  if (!table) return std::nullopt;
  WARD_TRY(auto description, Describe(services, *table));
  const auto column = ColumnIn(description, parts.back());
  if (!column) return std::nullopt;
  std::string qualified = ColumnName(*table, description.columns[*column].name);
  return FoundColumn{*std::move(table), std::move(description), *column, std::move(qualified)};
}

bool IsLikely(std::string_view wrong, std::string_view near) {
  return text::NameDistance(wrong, near, kLikelyDistance) <= kLikelyDistance;
}

const sql::Dialect& DialectOf(const store::Source& source) {
  const sql::Dialect* dialect = sql::FindDialect(source.engine);
  return dialect != nullptr ? *dialect : sql::Postgres();
}

std::string AsQuery(std::string_view name) {
  const std::vector<std::string> parts = catalog::SplitName(name);
  std::string query;
  for (char c : parts.empty() ? std::string(name) : parts.back()) {
    const bool letter =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || static_cast<unsigned char>(c) >= 0x80;
    if (letter)
      query += c;
    else if (!query.empty() && query.back() != ' ')
      query += ' ';
  }
  while (!query.empty() && query.back() == ' ') query.pop_back();
  return query.empty() ? "*" : query.substr(0, kEchoMax);
}

}  // namespace schemaward::tools
