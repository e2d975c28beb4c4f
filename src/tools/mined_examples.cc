#include "tools/mined_examples.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "privacy/classify.h"
#include "store/mined.h"

namespace schemaward::tools {
namespace {

using privacy::Category;

constexpr std::int64_t kSeenOftenMin = 2;  // a fact that was seen once is LOW

/// What the columns of a query hold.
struct Holding {
  std::set<Category> categories;
  privacy::Sensitivity sensitivity = privacy::Sensitivity::Public;
  bool is_blocked = false;
};

// Makes examples of mined queries; a table is read from the store once.
class Maker {
 public:
  Maker(const Services& s, const store::Source& source) : s_(s), policy_(s.PolicyFor(source)) {}

  /// Nothing where the query no longer fits the index.
  Result<std::optional<ExampleQuery>> Make(const store::MinedQuery& mined) {
    ExampleQuery out;
    Holding holding;
    for (const store::MinedTable& read : mined.tables) {
      WARD_TRY(const catalog::Table* table, TableOf(read.table_id));
      if (table == nullptr || !s_.MaySee(table->schema, table->name) ||
          !Add(*table, read.columns, holding))
        return std::optional<ExampleQuery>();
      out.tables.push_back(catalog::QualifiedName(*table));
    }
    std::sort(out.tables.begin(), out.tables.end());
    out.sql_text = mined.sql;
    out.purpose = fmt::format("seen in use; reads {}", fmt::join(out.tables, ", "));
    out.source = "query_log";
    out.observation_count = mined.calls;
    out.sensitivity = privacy::NameOf(holding.sensitivity);
    for (const Category category : holding.categories)
      out.pii_categories.emplace_back(privacy::NameOf(category));
    out.confidence = mined.calls < kSeenOftenMin ? tool::Confidence::Low : tool::Confidence::Medium;
    out.provenance.observed_in = "query_log";
    out.provenance.inference_method = "observed_in_query_log";
    out.is_blocked = holding.is_blocked;
    return std::optional(std::move(out));
  }

 private:
  Result<const catalog::Table*> TableOf(std::int64_t id) {
    const auto known = tables_.find(id);
    if (known != tables_.end()) return known->second ? &*known->second : nullptr;
    WARD_TRY(auto table, s_.store.GetTable(id));
    const auto& kept = tables_.emplace(id, std::move(table)).first->second;
    return kept ? &*kept : nullptr;
  }

  /// False where a column is no longer there.
  bool Add(const catalog::Table& table, const std::vector<std::string>& columns,
           Holding& holding) const {
    for (const std::string& name : columns) {
      const std::size_t at = catalog::FindColumn(table, name);
      if (at >= table.columns.size()) return false;
      const privacy::ColumnRule rule = policy_.RuleOf(table, table.columns[at]);
      for (const privacy::Finding& finding : rule.classification.findings)
        holding.categories.insert(finding.category);
      holding.sensitivity = std::max(holding.sensitivity, rule.classification.sensitivity);
      holding.is_blocked = holding.is_blocked || rule.IsBlocked();
    }
    return true;
  }

  const Services& s_;
  const privacy::Policy policy_;
  std::map<std::int64_t, std::optional<catalog::Table>> tables_;
};

bool Reads(const store::MinedQuery& mined, std::int64_t table_id, const std::string& column) {
  return std::any_of(mined.tables.begin(), mined.tables.end(), [&](const store::MinedTable& read) {
    return read.table_id == table_id &&
           std::find(read.columns.begin(), read.columns.end(), column) != read.columns.end();
  });
}

/// A query that several logs hold is one, with the calls of all.
void Merge(std::vector<store::MinedQuery>& queries) {
  std::map<std::string, std::size_t> first;
  std::vector<store::MinedQuery> merged;
  for (store::MinedQuery& query : queries) {
    const auto [at, is_new] = first.emplace(query.sql, merged.size());
    if (is_new)
      merged.push_back(std::move(query));
    else
      merged[at->second].calls += query.calls;
  }
  std::stable_sort(merged.begin(), merged.end(),
                   [](const auto& a, const auto& b) { return a.calls > b.calls; });
  queries = std::move(merged);
}

}  // namespace

void ExampleQuery::Bind(json::Fields& f) {
  f("sql_text", sql_text, "the query; $1, $2, ... stand for values");
  f("purpose", purpose, "what it shows");
  f("source", source, "query_log: seen in use; generated: made from the schema");
  f("observation_count", observation_count, "how often it was seen in use");
  f("tables", tables, "tables that it reads");
  f("sensitivity", sensitivity, "public, internal, confidential or pii");
  f("pii_categories", pii_categories, "personal data it reads");
  f("confidence", confidence, "MEDIUM where seen several times, else LOW");
  f("provenance", provenance, "where it comes from");
}

Result<std::vector<ExampleQuery>> MinedExamples(const Services& s, const FoundTable& found,
                                                const catalog::Column* column) {
  WARD_TRY(auto mined, store::MinedQueriesOf(s.store, found.entry.id, kMinedLookedAtMax));
  if (column != nullptr)
    std::erase_if(mined, [&](const store::MinedQuery& query) {
      return !Reads(query, found.entry.id, column->name);
    });
  Merge(mined);
  Maker maker(s, found.source);
  std::vector<ExampleQuery> examples;
  for (const store::MinedQuery& query : mined) {
    WARD_TRY(auto example, maker.Make(query));
    if (example && !example->is_blocked) examples.push_back(*std::move(example));
  }
  return examples;
}

}  // namespace schemaward::tools
