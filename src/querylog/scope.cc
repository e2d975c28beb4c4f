#include "querylog/scope.h"

#include <algorithm>

namespace schemaward::querylog {
namespace {

/// A column of one item.
Meaning InItem(const Names& names, const Item& item, std::string_view name) {
  if (item.table) {
    const auto column = names.FindColumn(*item.table, name);
    if (!column) return {};
    return {true, Origin{item.instance, *item.table, *column}, nullptr};
  }
  for (const Output& output : item.result.columns)
    if (output.name == name) return {true, output.origin, nullptr};
  return {};
}

bool IsOpen(const Item& item) { return !item.table && !item.result.complete; }

bool IsCalled(const Names& names, const Item& item, std::string_view schema,
              std::string_view alias) {
  if (item.alias != alias) return false;
  return schema.empty() || (item.table && names.tables()[*item.table].schema == schema);
}

}  // namespace

Meaning FindAmong(const Names& names, const Scope& scope, const Side& side, std::string_view name) {
  for (std::size_t i = side.last_merged; i > side.first_merged; --i)
    if (scope.merged[i - 1].name == name) return {true, scope.merged[i - 1].origin, nullptr};
  Meaning found;
  bool several = false;
  for (std::size_t i = side.first; i < side.last; ++i) {
    const Meaning one = InItem(names, scope.items[i], name);
    if (!one.is_known) continue;
    several = found.is_known;
    found = one;
  }
  return several ? Meaning() : found;
}

void Rename(const std::vector<std::string>& names, Outputs& outputs) {
  if (outputs.columns.empty() && !outputs.complete)
    for (const std::string& name : names) outputs.columns.push_back({name, {}});
  for (std::size_t i = 0; i < names.size() && i < outputs.columns.size(); ++i)
    outputs.columns[i].name = names[i];
}

const Item* FindItem(const Names& names, const Scope& scope, std::string_view schema,
                     std::string_view alias) {
  for (const Scope* at = &scope; at != nullptr; at = at->outer)
    for (const Item& item : at->items)
      if (IsCalled(names, item, schema, alias)) return &item;
  return nullptr;
}

Meaning Find(const Names& names, const Scope& scope, const std::vector<std::string>& parts) {
  constexpr std::size_t kPartsMax = 3;
  if (parts.empty() || parts.size() > kPartsMax) return {};
  if (parts.size() > 1) {
    const std::string_view schema = parts.size() == kPartsMax ? parts.front() : std::string_view();
    const Item* item = FindItem(names, scope, schema, parts[parts.size() - 2]);
    return item == nullptr ? Meaning() : InItem(names, *item, parts.back());
  }
  for (const Scope* at = &scope; at != nullptr; at = at->outer) {
    const Meaning found =
        FindAmong(names, *at, {0, at->items.size(), 0, at->merged.size()}, parts.front());
    if (found.is_known) return found;
    // The name may be one of those that are not known here; further out it would be another.
    if (std::any_of(at->items.begin(), at->items.end(), IsOpen)) return {};
  }
  if (const Item* item = FindItem(names, scope, {}, parts.front())) return {true, {}, item};
  return {};
}

Outputs ColumnsOf(const Names& names, const Item& item) {
  if (!item.table) return item.result;
  Outputs outputs;
  const auto& columns = names.tables()[*item.table].columns;
  outputs.columns.reserve(columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c)
    outputs.columns.push_back({columns[c].name, Origin{item.instance, *item.table, c}});
  return outputs;
}

}  // namespace schemaward::querylog
