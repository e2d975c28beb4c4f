#include "tools/signature.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace schemaward::tools {
namespace {

constexpr std::size_t kCountRoom = 8;  // bytes kept for ", +1234"

bool IsKey(const catalog::Table& table, const std::string& column) {
  if (!table.primary_key) return false;
  const auto& columns = table.primary_key->columns;
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

const catalog::ForeignKey* KeyFrom(const catalog::Table& table, const std::string& column) {
  for (const catalog::ForeignKey& key : table.foreign_keys)
    if (std::find(key.columns.begin(), key.columns.end(), column) != key.columns.end()) return &key;
  return nullptr;
}

}  // namespace

std::string SignatureOf(const catalog::Table& table) {
  std::vector<std::string> keys, references, rest;
  for (const catalog::Column& column : table.columns) {
    const catalog::ForeignKey* key = KeyFrom(table, column.name);
    std::string text = column.name;
    if (IsKey(table, column.name)) text += " pk";
    if (key != nullptr) text += " -> " + key->target_table;
    (IsKey(table, column.name) ? keys
     : key != nullptr          ? references
                               : rest)
        .push_back(std::move(text));
  }
  keys.insert(keys.end(), references.begin(), references.end());
  keys.insert(keys.end(), rest.begin(), rest.end());
  std::string out;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string next = (out.empty() ? "" : ", ") + keys[i];
    if (out.size() + next.size() + kCountRoom > kSignatureMax)
      return out + fmt::format("{}+{}", out.empty() ? "" : ", ", keys.size() - i);
    out += next;
  }
  return out;
}

}  // namespace schemaward::tools
