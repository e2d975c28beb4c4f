#include "guard/windows_apart.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "guard/decision.h"
#include "guard/walk.h"
#include "privacy/mention.h"

namespace schemaward::guard {
namespace {

namespace query = sql::query;

using Cores = std::set<const query::Core*>;

bool HasWindow(const query::Expression& value) {
  return value.has_window ||
         std::any_of(value.parts.begin(), value.parts.end(), [](const query::Part& part) {
           return part.expression != nullptr && HasWindow(*part.expression);
         });
}

bool HasWindow(const query::Core& core, const query::Query& around) {
  const auto in_output = [](const query::Output& output) { return HasWindow(*output.expression); };
  const auto in_key = [](const query::OrderItem& item) { return HasWindow(*item.expression); };
  return std::any_of(core.outputs.begin(), core.outputs.end(), in_output) ||
         std::any_of(around.order_by.begin(), around.order_by.end(), in_key);
}

// The items of FROM that are no join.
void Flatten(const query::TableExpressionPtr& from, std::vector<query::TableExpression*>& items) {
  if (from->kind != query::TableKind::Join) {
    items.push_back(from.get());
    return;
  }
  Flatten(from->left, items);
  Flatten(from->right, items);
}

std::vector<query::TableExpression*> ItemsOf(const query::Core& core) {
  std::vector<query::TableExpression*> items;
  for (const auto& from : core.from) Flatten(from, items);
  return items;
}

bool IsCalled(const query::TableExpression& table, std::string_view name) {
  const bool by_itself =
      !table.names.empty() && EqualsIgnoringAsciiCase(table.names.back().text, name);
  return by_itself || EqualsIgnoringAsciiCase(table.alias.text, name);
}

bool HoldsName(const query::Query& text, std::string_view name) {
  bool holds = false;
  ForEachQuery(text, [&](const query::Query& inner) {
    for (const query::SetTerm& term : inner.terms)
      for (const query::TableExpression* item : ItemsOf(term.core))
        holds = holds || IsCalled(*item, name);
  });
  return holds;
}

// A set operation, groups and a limit of its own are never merged.
void Fence(query::Query& text) {
  if (text.terms.size() != 1 || text.limit != nullptr || text.offset != nullptr) return;
  if (text.terms.front().nested != nullptr) return Fence(*text.terms.front().nested);
  const query::Core& core = text.terms.front().core;
  if (!core.group_by.empty() || core.is_distinct || !core.values.empty()) return;
  text.limit = Word("integer", std::string(kNoLimit));
}

}  // namespace

Cores SelectsWithWindows(const query::Query& query) {
  Cores found;
  ForEachQuery(query, [&](const query::Query& inner) {
    for (const query::SetTerm& term : inner.terms)
      if (HasWindow(term.core, inner)) found.insert(&term.core);
  });
  return found;
}

bool MayHoldName(const Analysis& analysis, const query::Name& alias) {
  const auto holds = [&](const catalog::Table& table) {
    return privacy::Mentions(table.definition, alias.text);
  };
  return std::any_of(analysis.tables.begin(), analysis.tables.end(),
                     [&](const TableUse& use) { return holds(*use.table); }) ||
         std::any_of(analysis.view_reads.begin(), analysis.view_reads.end(),
                     [&](const ViewRead& read) { return holds(*read.view) || holds(*read.table); });
}

void KeepApart(query::Query& query, const Cores& windows, const Analysis& analysis) {
  std::vector<query::CommonTable*> commons;
  ForEachQuery(query, [&](query::Query& inner) {
    for (query::CommonTable& common : inner.with) commons.push_back(&common);
  });
  const auto fence = [&](query::Query& text, const query::Name& alias) {
    if (HoldsName(text, alias.text) || MayHoldName(analysis, alias)) Fence(text);
  };
  for (const query::Core* core : windows) {
    for (query::TableExpression* item : ItemsOf(*core)) {
      if (item->kind == query::TableKind::Derived && item->query != nullptr)
        fence(*item->query, item->alias);
      if (item->kind != query::TableKind::Table || item->names.size() != 1) continue;
      const query::Name& called = item->alias.text.empty() ? item->names.back() : item->alias;
      for (query::CommonTable* common : commons)
        if (common->query != nullptr &&
            EqualsIgnoringAsciiCase(common->name.text, item->names.back().text))
          fence(*common->query, called);
    }
  }
}

}  // namespace schemaward::guard
