// suggest_joins: how tables are linked by foreign keys, with the SQL.

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "sql/dialect.h"
#include "sql/render.h"
#include "tools/join_paths.h"
#include "tools/shapes.h"
#include "tools/tools.h"

namespace schemaward::tools {
namespace {

constexpr std::size_t kTablesMax = 8;  // 28 pairs
constexpr std::int64_t kHopsMax = 8;
constexpr std::size_t kAlternativesMax = 3;

struct In {
  std::vector<std::string> tables;
  std::int64_t max_hops = 6;
  std::optional<std::string> source;
  void Bind(json::Fields& f) {
    f("tables", tables, "two or more tables as schema.table",
      {.required = true, .items_max = kTablesMax});
    f("max_hops", max_hops, "most joins on a path", {.minimum = 1, .maximum = kHopsMax});
    f("source", source, "source name; needed only where two sources share a table's name",
      {.length_max = kNameMax});
  }
};

struct EdgeOut {
  std::string fk_name, left_qualified_name, right_qualified_name, via = "foreign_key", cardinality;
  std::vector<std::string> left_columns, right_columns;
  tool::Confidence confidence = tool::Confidence::High;
  void Bind(json::Fields& f) {
    f("fk_name", fk_name, "foreign key");
    f("left_qualified_name", left_qualified_name, "table the step starts from");
    f("left_columns", left_columns, "its columns");
    f("right_qualified_name", right_qualified_name, "table the step leads to");
    f("right_columns", right_columns, "its columns, paired by position");
    f("cardinality", cardinality,
      "many_to_one or one_to_many, left to right; a one_to_many step repeats rows");
    f("confidence", confidence, "HIGH: the key is declared");
    f("via", via, "foreign_key");
  }
};

struct PathOut {
  std::string start_qualified_name, end_qualified_name, sql;
  std::int64_t hops = 0;
  std::vector<EdgeOut> edges;
  std::int64_t alternatives = 0;
  tool::Confidence confidence = tool::Confidence::High;
  void Bind(json::Fields& f) {
    f("start_qualified_name", start_qualified_name, "first table");
    f("end_qualified_name", end_qualified_name, "last table");
    f("hops", hops, "number of joins");
    f("edges", edges, "the joins in order");
    f("alternatives", alternatives,
      "other paths as short as this one between the two tables in this answer");
    f("confidence", confidence, "of the weakest join");
    f("sql", sql, "a query that makes the joins");
  }
};

struct Out {
  std::vector<PathOut> paths;
  std::vector<std::vector<std::string>> unreachable_pairs;
  std::string indexed_at;
  bool truncated = false;
  void Bind(json::Fields& f) {
    f("paths", paths, "shortest first");
    f("unreachable_pairs", unreachable_pairs, "pairs that no path within max_hops links");
    f("indexed_at", indexed_at, "when the source was indexed, UTC");
    f("truncated", truncated,
      "paths were left out, since the answer would be too long or the search too wide");
  }
};

/// Everything one call needs to know of the tables on its paths.
class Names {
 public:
  explicit Names(const Services& s, const Scope& scope) : s_(s), scope_(scope) {}

  Result<store::TableEntry> Entry(std::int64_t id) {
    if (const auto found = entries_.find(id); found != entries_.end()) return found->second;
    WARD_TRY(auto entry, s_.store.GetEntry(id));
    if (!entry) return Error(ErrorKind::SchemaDrift, "a table on the path has gone from the index");
    return entries_.emplace(id, *std::move(entry)).first->second;
  }

  Result<std::string> Qualified(std::int64_t id) {
    WARD_TRY(const store::TableEntry entry, Entry(id));
    return NameOf(s_, scope_, entry);
  }

 private:
  const Services& s_;
  const Scope& scope_;
  std::map<std::int64_t, store::TableEntry> entries_;
};

const std::vector<std::string>& LeftColumns(const JoinStep& step) {
  return step.forward ? step.edge.key.columns : step.edge.key.target_columns;
}
const std::vector<std::string>& RightColumns(const JoinStep& step) {
  return step.forward ? step.edge.key.target_columns : step.edge.key.columns;
}

sql::ExpressionPtr OnClause(const JoinStep& step, const std::string& left,
                            const std::string& right) {
  sql::ExpressionPtr on;
  const std::size_t pairs = std::min(LeftColumns(step).size(), RightColumns(step).size());
  for (std::size_t i = 0; i < pairs; ++i) {
    auto equal = sql::MakeBinary("=", sql::MakeColumn(left, LeftColumns(step)[i]),
                                 sql::MakeColumn(right, RightColumns(step)[i]));
    on = on == nullptr ? std::move(equal) : sql::MakeBinary("and", std::move(on), std::move(equal));
  }
  return on;
}

// The keys of every table on the path, so that the query runs as it stands and shows what was
// joined.
Result<std::string> SqlOf(const JoinPath& path, Names& names, const sql::Dialect& dialect) {
  constexpr std::int64_t kRows = 100;
  sql::Select select;
  std::set<std::string> used;
  const auto alias = [&](const std::string& table) {
    std::string unique = table;
    for (int n = 2; !used.insert(unique).second; ++n) unique = fmt::format("{}_{}", table, n);
    return unique;
  };
  WARD_TRY(const store::TableEntry first, names.Entry(path.front().left_id()));
  std::string left = alias(first.name);
  select.from = sql::TableRef{first.schema, first.name, left};
  for (const JoinStep& step : path) {
    WARD_TRY(const store::TableEntry next, names.Entry(step.right_id()));
    const std::string right = alias(next.name);
    for (const std::string& column : LeftColumns(step))
      select.columns.push_back({sql::MakeColumn(left, column), fmt::format("{}_{}", left, column)});
    select.joins.push_back({sql::JoinKind::Inner, sql::TableRef{next.schema, next.name, right},
                            OnClause(step, left, right)});
    left = right;
  }
  for (const std::string& column : RightColumns(path.back()))
    select.columns.push_back({sql::MakeColumn(left, column), fmt::format("{}_{}", left, column)});
  std::set<std::string> aliases;
  std::erase_if(select.columns, [&](const sql::OutputColumn& column) {
    return !aliases.insert(column.alias).second;
  });
  select.limit = kRows;
  WARD_TRY(sql::Rendered rendered, sql::Render(select, dialect));
  return std::move(rendered.text);
}

Result<PathOut> ShowPath(const JoinPath& path, Names& names, const sql::Dialect& dialect) {
  PathOut out;
  WARD_TRY(out.start_qualified_name, names.Qualified(path.front().left_id()));
  WARD_TRY(out.end_qualified_name, names.Qualified(path.back().right_id()));
  out.hops = static_cast<std::int64_t>(path.size());
  for (const JoinStep& step : path) {
    EdgeOut edge;
    edge.fk_name = step.edge.key.name;
    WARD_TRY(edge.left_qualified_name, names.Qualified(step.left_id()));
    WARD_TRY(edge.right_qualified_name, names.Qualified(step.right_id()));
    edge.left_columns = LeftColumns(step);
    edge.right_columns = RightColumns(step);
    edge.cardinality = step.forward ? "many_to_one" : "one_to_many";
    out.edges.push_back(std::move(edge));
  }
  WARD_TRY(out.sql, SqlOf(path, names, dialect));
  return out;
}

// Each name that is wrong is replaced by its nearest, so that one call carries every correction.
// [R-REC-2]
Result<std::vector<FoundTable>> FindAll(const Services& s, const Scope& scope, const In& in) {
  std::vector<FoundTable> found;
  std::optional<Error> first;
  std::string wrong;
  In next = in;
  bool likely = true;
  for (std::size_t i = 0; i < in.tables.size(); ++i) {
    auto table = FindTable(s, scope, in.tables[i]);
    if (table) {
      found.push_back(*std::move(table));
      continue;
    }
    const auto& near = table.error().recovery().fuzzy_matches;
    likely =
        likely && !near.empty() &&
        (table.error().kind() == ErrorKind::AmbiguousName || IsLikely(in.tables[i], near.front()));
    if (!near.empty()) next.tables[i] = near.front();
    if (!first) {
      first = std::move(table).error();
      wrong = in.tables[i];
    }
  }
  if (!first) return found;
  std::set<std::string> distinct(next.tables.begin(), next.tables.end());
  const bool callable = likely && distinct.size() > 1;
  return WithNextCall(*std::move(first), wrong, "suggest_joins",
                      callable ? std::optional(json::WriteArguments(next)) : std::nullopt);
}

Error TooFew(const std::vector<FoundTable>& found) {
  Error error(ErrorKind::TooFewNames, "a join needs two different tables");
  if (found.empty()) {
    error.Suggest("find_relevant_tables", R"({"query":"*"})");
  } else {
    error.Suggest("describe_table", NameArguments(found.front().qualified_name, {}));
  }
  return error;
}

Result<bool> AddPair(const Services& s, const In& in, const FoundTable& a, const FoundTable& b,
                     Names& names, Out& out, CallContext& ctx) {
  if (a.source.id != b.source.id) return false;
  WARD_TRY(const JoinSearch search,
           FindJoinPaths(s, a.source, a.entry.id, b.entry.id, in.max_hops, kAlternativesMax, ctx));
  out.truncated |= search.cut;
  for (const JoinPath& path : search.paths) {
    WARD_TRY(PathOut shown, ShowPath(path, names, DialectOf(a.source)));
    shown.alternatives = static_cast<std::int64_t>(search.paths.size()) - 1;
    out.paths.push_back(std::move(shown));
  }
  return !search.paths.empty();
}

void SortAndCut(Out& out) {
  std::stable_sort(out.paths.begin(), out.paths.end(),
                   [](const PathOut& x, const PathOut& y) { return x.hops < y.hops; });
  std::sort(out.unreachable_pairs.begin(), out.unreachable_pairs.end());
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < out.paths.size(); ++i) {
    bytes += json::Write(out.paths[i]).size();
    if (bytes <= kDataMax) continue;
    out.paths.resize(i);
    out.truncated = true;
    return;
  }
}

Result<tool::Outcome<Out>> Run(const Services& s, const In& in, CallContext& ctx) {
  auto scope = ResolveScope(s, in.source);
  if (!scope) return MendSource(std::move(scope).error(), "suggest_joins", in);
  WARD_TRY(auto found, FindAll(s, *scope, in));
  std::set<std::int64_t> seen;
  std::erase_if(found,
                [&](const FoundTable& table) { return !seen.insert(table.entry.id).second; });
  if (found.size() < 2) return TooFew(found);
  Names names(s, *scope);
  Out out;
  out.indexed_at = scope->indexed_at();
  for (std::size_t i = 0; i < found.size(); ++i)
    for (std::size_t j = i + 1; j < found.size(); ++j) {
      WARD_TRY(const bool linked, AddPair(s, in, found[i], found[j], names, out, ctx));
      if (!linked)
        out.unreachable_pairs.push_back({found[i].qualified_name, found[j].qualified_name});
    }
  SortAndCut(out);
  tool::Outcome<Out> outcome(std::move(out));
  if (outcome.data.paths.empty())
    outcome.status = tool::Status::Empty;
  else if (!outcome.data.unreachable_pairs.empty() || outcome.data.truncated)
    outcome.status = tool::Status::Partial;
  outcome.provenance->inference_method = "fk_constraint";
  outcome.provenance->validation_state = "applied";
  outcome.follow_up_hints = {"describe_table", "get_example_queries"};
  for (const FoundTable& table : found) outcome.tables.push_back(table.qualified_name);
  return outcome;
}

}  // namespace

tool::ToolPtr suggest_joins(const Services& services) {
  return tool::MakeTool<In, Out>(
      {.name = "suggest_joins",
       .title = "Suggest joins",
       .description = "Use this when you must join two or more known tables. Returns the shortest "
                      "paths over foreign keys with column pairs, "
                      "cardinality and SQL, and the pairs that nothing links. Use describe_table "
                      "instead when one table's keys are enough. Common "
                      "compositions: find_relevant_tables then suggest_joins; suggest_joins then "
                      "describe_table on bridge tables.",
       .effect = tool::Effect::ReadsIndex,
       .tokens_estimate = 500,
       .repeats = true,
       .set = "catalog",
       .example_json = R"({"tables":["public.orders","public.customers"]})"},
      services, Run);
}

}  // namespace schemaward::tools
