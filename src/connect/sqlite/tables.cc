#include "connect/sqlite/tables.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/ascii.h"

namespace schemaward::connect::sqlite_engine {
namespace {

using catalog::Column;
using catalog::ForeignKey;
using catalog::Index;
using catalog::Table;

// The names that SQLite itself gives to the indexes of constraints.
constexpr std::string_view kAutoIndex = "sqlite_autoindex_";

std::vector<std::string> FoldAll(const std::vector<std::string>& names) {
  std::vector<std::string> folded;
  std::transform(names.begin(), names.end(), std::back_inserter(folded), FoldName);
  return folded;
}

// Returns the name given to the constraint over these columns, or nothing. Each name is used once.
std::string TakeName(std::vector<ConstraintText>& texts, const std::vector<std::string>& columns) {
  for (ConstraintText& text : texts)
    if (!text.name.empty() && FoldAll(text.columns) == FoldAll(columns))
      return std::exchange(text.name, "");
  return "";
}

// The column as the table spells it, or as it was written.
std::string SpellingIn(const Table& table, const std::string& column) {
  for (const Column& candidate : table.columns)
    if (EqualsIgnoringAsciiCase(candidate.name, column)) return candidate.name;
  return column;
}

bool HasColumns(const Table& table, const std::vector<std::string>& columns) {
  return std::all_of(columns.begin(), columns.end(), [&](const std::string& name) {
    return catalog::FindColumn(table, name) != std::string_view::npos;
  });
}

}  // namespace

std::string FoldName(std::string_view name) { return LowerAscii(name); }

void TableBuilder::Add(Table table, bool without_rowid, bool is_virtual) {
  Draft draft;
  draft.position = tables_.size();
  draft.without_rowid = without_rowid;
  draft.is_virtual = is_virtual;
  folded_.emplace(FoldName(table.name), draft.position);
  drafts_.emplace(table.name, std::move(draft));
  tables_.push_back(std::move(table));
}

TableBuilder::Draft* TableBuilder::Find(std::string_view table) {
  const auto found = drafts_.find(table);
  return found == drafts_.end() || found->second.dropped ? nullptr : &found->second;
}

const Table* TableBuilder::FindFolded(std::string_view table) const {
  const auto found = folded_.find(FoldName(table));
  return found == folded_.end() ? nullptr : &tables_[found->second];
}

void TableBuilder::AddColumn(std::string_view table, ColumnRow row) {
  constexpr std::int64_t kHidden = 1;
  constexpr std::int64_t kGenerated = 2;  // and 3
  Draft* draft = Find(table);
  if (draft == nullptr || row.hidden == kHidden) return;
  if (row.key_position > 0) draft->key[row.key_position] = row.name;
  Column column;
  column.name = std::move(row.name);
  column.type = std::move(row.type);
  column.nullable = !row.not_null;
  column.default_value = std::move(row.default_value);
  if (row.hidden >= kGenerated) column.generated = "";  // the expression comes with the text
  tables_[draft->position].columns.push_back(std::move(column));
}

void TableBuilder::AddForeignKeyColumn(std::string_view table, ForeignKeyRow row) {
  Draft* draft = Find(table);
  if (draft == nullptr) return;
  std::vector<ForeignKey>& keys = tables_[draft->position].foreign_keys;
  if (draft->last_foreign_key != row.id || keys.empty()) {
    keys.emplace_back();
    keys.back().target_schema = "main";
    keys.back().target_table = std::move(row.target);
    keys.back().on_update = FoldName(row.on_update);
    keys.back().on_delete = FoldName(row.on_delete);
    draft->last_foreign_key = row.id;
  }
  keys.back().columns.push_back(std::move(row.column));
  if (row.target_column) keys.back().target_columns.push_back(std::move(*row.target_column));
}

void TableBuilder::AddIndexColumn(std::string_view table, const IndexRow& row) {
  Draft* draft = Find(table);
  if (draft == nullptr) return;
  std::vector<Index>& indexes = tables_[draft->position].indexes;
  if (indexes.empty() || indexes.back().name != row.index) {
    indexes.emplace_back();
    indexes.back().name = row.index;
    indexes.back().unique = row.unique;
    if (row.partial) indexes.back().predicate = "";  // the condition comes with the text
    draft->index_origins[row.index] = row.origin;
  }
  constexpr std::int64_t kRowid = -1;
  indexes.back().columns.push_back(row.column_id == kRowid ? "rowid" : row.column.value_or(""));
}

void TableBuilder::AddTableText(std::string_view table, std::string_view sql) {
  if (Draft* draft = Find(table); draft != nullptr && !draft->is_virtual)
    draft->text = ReadCreateTable(sql);
}

void TableBuilder::AddViewText(std::string_view view, std::string_view sql) {
  Draft* draft = Find(view);
  if (draft == nullptr) return;
  draft->text.comment = ReadViewComment(sql);
  draft->definition = ReadViewQuery(sql);
}

void TableBuilder::AddIndexText(std::string_view table, std::string_view index,
                                std::string_view sql) {
  // The catalog's tbl_name may differ in case from the table's own name.
  const Table* owner = FindFolded(table);
  Draft* draft = owner == nullptr ? nullptr : Find(owner->name);
  if (draft != nullptr && !sql.empty()) draft->index_texts.emplace(index, sql);
}

void TableBuilder::Drop(std::string_view table, std::string reason) {
  Draft* draft = Find(table);
  if (draft == nullptr) return;
  draft->dropped = true;
  missing_.push_back({catalog::QualifiedName("main", table), std::move(reason)});
}

void TableBuilder::FinishColumns(Draft& draft) {
  Table& table = tables_[draft.position];
  table.comment = draft.text.comment;
  table.definition = draft.definition;
  for (ColumnText& text : draft.text.columns) {
    const std::size_t at = catalog::FindColumn(table, text.name);
    if (at == std::string_view::npos) continue;
    table.columns[at].comment = std::move(text.comment);
    if (table.columns[at].generated) table.columns[at].generated = std::move(text.generated);
  }
  for (const catalog::Check& check : draft.text.checks) {
    auto labels = ReadLabels(check.expression);
    if (!labels) continue;
    const std::size_t at = catalog::FindColumn(table, SpellingIn(table, labels->column));
    if (at != std::string_view::npos && table.columns[at].labels.empty())
      table.columns[at].labels = std::move(labels->values);
  }
  table.checks = std::move(draft.text.checks);
}

void TableBuilder::FinishKeys(Draft& draft) {
  Table& table = tables_[draft.position];
  if (draft.key.empty() || table.kind == catalog::TableKind::View) return;
  table.primary_key.emplace();
  for (const auto& [position, column] : draft.key) table.primary_key->columns.push_back(column);
  table.primary_key->name = TakeName(draft.text.primary_keys, table.primary_key->columns);
  if (draft.key.size() > 1 || draft.without_rowid) return;
  Column& column = table.columns[catalog::FindColumn(table, draft.key.begin()->second)];
  if (FoldName(column.type) != "integer") return;
  // Such a column is the rowid: SQLite numbers it by itself and never lets it be null.
  const bool is_rowid = std::none_of(draft.index_origins.begin(), draft.index_origins.end(),
                                     [](const auto& origin) { return origin.second == "pk"; });
  if (!is_rowid) return;  // INTEGER PRIMARY KEY DESC
  column.nullable = false;
  column.identity = "by default";
}

void TableBuilder::FinishIndexes(Draft& draft) {
  Table& table = tables_[draft.position];
  std::vector<Index> kept;
  for (Index& index : table.indexes) {
    const auto text = draft.index_texts.find(index.name);
    if (text != draft.index_texts.end()) {
      IndexText read = ReadCreateIndex(text->second);
      if (index.predicate) index.predicate = std::move(read.predicate);
      for (std::size_t i = 0; i < index.columns.size() && i < read.items.size(); ++i)
        if (index.columns[i].empty()) index.columns[i] = read.items[i];
    }
    const std::string& origin = draft.index_origins[index.name];
    if (index.unique && origin != "pk" && !index.predicate && HasColumns(table, index.columns)) {
      std::string name = TakeName(draft.text.unique_keys, index.columns);
      if (name.empty()) name = index.name;
      table.unique_keys.push_back({std::move(name), index.columns});
    }
    if (std::string_view(index.name).substr(0, kAutoIndex.size()) != kAutoIndex)
      kept.push_back(std::move(index));
  }
  table.indexes = std::move(kept);
  std::sort(table.unique_keys.begin(), table.unique_keys.end(),
            [](const catalog::Key& a, const catalog::Key& b) {
              return std::tie(a.name, a.columns) < std::tie(b.name, b.columns);
            });
}

void TableBuilder::FinishForeignKeys(Draft& draft) {
  Table& table = tables_[draft.position];
  std::vector<ForeignKey> kept;
  for (ForeignKey& key : table.foreign_keys) {
    const Table* target = FindFolded(key.target_table);
    if (target != nullptr) {
      key.target_table = target->name;
      if (key.target_columns.empty() && target->primary_key)
        key.target_columns = target->primary_key->columns;
      for (std::string& column : key.target_columns) column = SpellingIn(*target, column);
    }
    for (std::string& column : key.columns) column = SpellingIn(table, column);
    key.name = TakeName(draft.text.foreign_keys, key.columns);
    const bool resolves = target != nullptr && key.target_columns.size() == key.columns.size() &&
                          HasColumns(*target, key.target_columns);
    if (resolves)
      kept.push_back(std::move(key));
    else
      missing_.push_back(
          {catalog::QualifiedName(table),
           fmt::format("a foreign key refers to {}, which has no such columns or is not there",
                       catalog::QuoteName(key.target_table))});
  }
  table.foreign_keys = std::move(kept);
}

std::vector<std::string> TableBuilder::WithRowid() const {
  std::vector<std::string> names;
  for (const auto& [name, draft] : drafts_)
    if (!draft.dropped && !draft.without_rowid && !draft.is_virtual) names.push_back(name);
  return names;
}

void TableBuilder::Complete() {
  // Keys first: a foreign key without target columns takes those of the target's primary key.
  for (auto& [name, draft] : drafts_) {
    if (draft.dropped) continue;
    FinishColumns(draft);
    FinishKeys(draft);
    FinishIndexes(draft);
  }
  for (auto& [name, draft] : drafts_)
    if (!draft.dropped) FinishForeignKeys(draft);
  std::vector<Table> kept;
  for (auto& [name, draft] : drafts_)  // sorted by name
    if (!draft.dropped) kept.push_back(std::move(tables_[draft.position]));
  tables_ = std::move(kept);
  std::sort(missing_.begin(), missing_.end(),
            [](const catalog::Missing& a, const catalog::Missing& b) {
              return std::tie(a.object, a.reason) < std::tie(b.object, b.reason);
            });
}

}  // namespace schemaward::connect::sqlite_engine
