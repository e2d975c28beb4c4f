#include "connect/mysql/build_catalog.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "connect/mysql/catalog_queries.h"
#include "connect/mysql/labels.h"

namespace schemaward::connect::mysql {
namespace {

using catalog::Column;
using catalog::Table;
using catalog::TableKind;

constexpr std::size_t kHiddenColumnsNamedMax = 20;
constexpr std::string_view kPrimary = "PRIMARY";

template <class At>
std::string_view TextOf(const Row& row, At at) {
  const auto i = static_cast<std::size_t>(at);
  return i < row.size() && row[i] ? std::string_view(*row[i]) : std::string_view();
}
template <class At>
std::string StringOf(const Row& row, At at) {
  return std::string(TextOf(row, at));
}
template <class At>
bool IsNull(const Row& row, At at) {
  const auto i = static_cast<std::size_t>(at);
  return i >= row.size() || !row[i];
}

std::optional<std::int64_t> NumberOf(std::string_view text) {
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc()) return std::nullopt;
  return number;
}

bool Holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string Lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

// Types whose defaults MySQL prints as they are typed.
bool IsNumber(std::string_view type) {
  for (const std::string_view word : {"tinyint", "smallint", "mediumint", "int", "bigint",
                                      "decimal", "float", "double", "bit", "year"})
    if (type.starts_with(word)) return true;
  return false;
}

class Builder {
 public:
  Builder(const ServerInfo& server, const CatalogReplies& replies)
      : server_(server), replies_(replies) {}

  catalog::Database Build() {
    ReadTables();
    ReadColumns();
    ReadIndexes();
    ReadKeys();
    ReadActions();
    ReadChecks();
    ReadViews();
    ReadPartitions();
    return Finish();
  }

 private:
  struct Entry {
    Table table;
    std::vector<std::string> hidden;  // columns that may not be read
    bool is_broken = false;           // a view that refers to what is gone
  };
  using Name = std::pair<std::string, std::string>;

  void ReadTables();
  void ReadColumns();
  Column MakeColumn(const Row& row) const;
  std::optional<std::string> DefaultOf(const Row& row, std::string_view extra) const;
  void ReadIndexes();
  void ReadKeys();
  void ReadActions();
  void ReadChecks();
  void ReadViews();
  void ReadPartitions();
  static bool HasColumns(const Table& table, const std::vector<std::string>& columns);
  struct IndexParts {
    catalog::Index index;
    std::vector<std::string> columns;  // that it names, without the lengths of prefixes
    bool is_plain = true;              // whole columns only
    bool has_expression = false;
  };
  static void AddIndex(Entry& entry, IndexParts parts);
  static void AddIndexColumn(const Row& row, IndexParts& parts);
  void Settle(Entry& entry);
  catalog::Database Finish();

  template <class At>
  Entry* Find(const Row& row, At schema, At table) {
    const auto found = tables_.find(Name(TextOf(row, schema), TextOf(row, table)));
    return found == tables_.end() ? nullptr : &found->second;
  }
  // The name under which a table is listed: servers that fold names may print another case.
  std::string ListedName(std::string_view schema, std::string_view table) const;

  const ServerInfo& server_;
  const CatalogReplies& replies_;
  std::map<Name, Entry> tables_;
  std::map<Name, std::string> folded_;
  std::vector<catalog::Missing> missing_;
};

void Builder::ReadTables() {
  // MySQL and MariaDB print this in place of a view's comment.
  constexpr std::string_view kBrokenView = "references invalid";
  for (const Row& row : replies_.tables.rows) {
    const Name name(TextOf(row, TableField::Schema), TextOf(row, TableField::Name));
    Entry& entry = tables_[name];
    entry.table.schema = name.first;
    entry.table.name = name.second;
    const std::string_view comment = TextOf(row, TableField::Comment);
    if (TextOf(row, TableField::Kind) == "VIEW") {
      entry.table.kind = TableKind::View;
      entry.is_broken = Holds(comment, kBrokenView);
    } else {
      entry.table.comment = comment;
      entry.table.row_estimate = NumberOf(TextOf(row, TableField::Rows));
    }
    if (server_.folds_names) folded_[{name.first, Lower(name.second)}] = name.second;
  }
}

std::string Builder::ListedName(std::string_view schema, std::string_view table) const {
  const auto found = folded_.find(Name(schema, Lower(table)));
  return found == folded_.end() ? std::string(table) : found->second;
}

// MariaDB prints expressions, texts in quotes, and NULL where a column has no default but may be
// null. MySQL prints a literal's bare text, and says of an expression that it is one.
std::optional<std::string> Builder::DefaultOf(const Row& row, std::string_view extra) const {
  if (IsNull(row, ColumnField::Default)) return std::nullopt;
  std::string text = StringOf(row, ColumnField::Default);
  if (server_.flavour == Flavour::MariaDb)
    return text == "NULL" ? std::nullopt : std::optional(std::move(text));
  const std::string type = Lower(TextOf(row, ColumnField::Type));
  const bool is_moment =
      (type.starts_with("timestamp") || type.starts_with("datetime")) && Holds(text, "CURRENT");
  if (Holds(extra, "default_generated") || IsNumber(type) || is_moment) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted + "'";
}

Column Builder::MakeColumn(const Row& row) const {
  Column column;
  column.name = TextOf(row, ColumnField::Name);
  column.type = TextOf(row, ColumnField::Type);
  column.nullable = TextOf(row, ColumnField::Nullable) == "YES";
  column.comment = TextOf(row, ColumnField::Comment);
  column.labels = LabelsOfType(column.type);
  const std::string extra = Lower(TextOf(row, ColumnField::Extra));
  if (Holds(extra, "auto_increment")) column.identity = "by default";
  if (Holds(extra, "virtual generated") || Holds(extra, "stored generated") ||
      Holds(extra, "persistent"))
    column.generated = StringOf(row, ColumnField::Generated);
  else
    column.default_value = DefaultOf(row, extra);
  return column;
}

void Builder::ReadColumns() {
  for (const Row& row : replies_.columns.rows) {
    Entry* entry = Find(row, ColumnField::Schema, ColumnField::Table);
    if (entry == nullptr) continue;
    // SingleStore leaves the privileges empty.
    const std::string_view privileges = TextOf(row, ColumnField::Privileges);
    const bool may_read = privileges.empty() ? server_.flavour == Flavour::SingleStore
                                             : Holds(Lower(privileges), "select");
    if (may_read)
      entry->table.columns.push_back(MakeColumn(row));
    else
      entry->hidden.push_back(StringOf(row, ColumnField::Name));
  }
}

bool Builder::HasColumns(const Table& table, const std::vector<std::string>& columns) {
  return std::all_of(columns.begin(), columns.end(), [&](const std::string& name) {
    return catalog::FindColumn(table, name) != std::string_view::npos;
  });
}

void Builder::AddIndex(Entry& entry, IndexParts parts) {
  Table& table = entry.table;
  catalog::Index& index = parts.index;
  // What names a column that may not be read, or may name it in an expression, is left out.
  if (!HasColumns(table, parts.columns)) return;
  if (parts.has_expression && !entry.hidden.empty()) return;
  if (index.name == kPrimary && parts.is_plain)
    table.primary_key = catalog::Key{std::move(index.name), std::move(index.columns)};
  else if (index.unique && parts.is_plain)
    table.unique_keys.push_back({std::move(index.name), std::move(index.columns)});
  else
    table.indexes.push_back(std::move(index));
}

void Builder::ReadIndexes() {
  const auto& rows = replies_.indexes.rows;
  for (std::size_t i = 0; i < rows.size();) {
    const Row& first = rows[i];
    IndexParts parts;
    parts.index.name = TextOf(first, IndexField::Name);
    parts.index.unique = TextOf(first, IndexField::NonUnique) == "0";
    parts.index.method = Lower(TextOf(first, IndexField::Method));
    const auto same = [&](const Row& row) {
      return TextOf(row, IndexField::Schema) == TextOf(first, IndexField::Schema) &&
             TextOf(row, IndexField::Table) == TextOf(first, IndexField::Table) &&
             TextOf(row, IndexField::Name) == TextOf(first, IndexField::Name);
    };
    for (; i < rows.size() && same(rows[i]); ++i) AddIndexColumn(rows[i], parts);
    if (Entry* entry = Find(first, IndexField::Schema, IndexField::Table))
      AddIndex(*entry, std::move(parts));
  }
}

void Builder::AddIndexColumn(const Row& row, IndexParts& parts) {
  if (IsNull(row, IndexField::Column)) {
    parts.has_expression = true;
    parts.is_plain = false;
    parts.index.columns.push_back(StringOf(row, IndexField::Expression));
    return;
  }
  parts.columns.push_back(StringOf(row, IndexField::Column));
  const std::string_view prefix = TextOf(row, IndexField::PrefixLength);
  if (!prefix.empty()) parts.is_plain = false;
  parts.index.columns.push_back(
      prefix.empty() ? parts.columns.back() : fmt::format("{}({})", parts.columns.back(), prefix));
}

void Builder::ReadKeys() {
  for (const Row& row : replies_.keys.rows) {
    Entry* entry = Find(row, KeyField::Schema, KeyField::Table);
    if (entry == nullptr) continue;
    auto& keys = entry->table.foreign_keys;
    const std::string_view name = TextOf(row, KeyField::Name);
    if (keys.empty() || keys.back().name != name) {
      keys.emplace_back();
      keys.back().name = name;
      keys.back().target_schema = TextOf(row, KeyField::TargetSchema);
      keys.back().target_table =
          ListedName(keys.back().target_schema, TextOf(row, KeyField::TargetTable));
    }
    keys.back().columns.push_back(StringOf(row, KeyField::Column));
    keys.back().target_columns.push_back(StringOf(row, KeyField::TargetColumn));
  }
}

void Builder::ReadActions() {
  for (const Row& row : replies_.actions.rows) {
    Entry* entry = Find(row, ActionField::Schema, ActionField::Table);
    if (entry == nullptr) continue;
    for (catalog::ForeignKey& key : entry->table.foreign_keys) {
      if (key.name != TextOf(row, ActionField::Name)) continue;
      key.on_update = Lower(TextOf(row, ActionField::OnUpdate));
      key.on_delete = Lower(TextOf(row, ActionField::OnDelete));
    }
  }
}

void Builder::ReadChecks() {
  for (const Row& row : replies_.checks.rows) {
    Entry* entry = Find(row, CheckField::Schema, CheckField::Table);
    if (entry == nullptr || !entry->hidden.empty()) continue;
    Table& table = entry->table;
    table.checks.push_back({StringOf(row, CheckField::Name), StringOf(row, CheckField::Clause)});
    ListCheck list = LabelsOfCheck(table.checks.back().expression);
    const std::size_t at = catalog::FindColumn(table, list.column);
    if (at != std::string_view::npos && table.columns[at].labels.empty())
      table.columns[at].labels = std::move(list.labels);
  }
}

void Builder::ReadViews() {
  for (const Row& row : replies_.views.rows)
    if (Entry* entry = Find(row, ViewField::Schema, ViewField::Table))
      entry->table.definition = TextOf(row, ViewField::Definition);
}

void Builder::ReadPartitions() {
  for (const Row& row : replies_.partitions.rows) {
    Entry* entry = Find(row, PartitionField::Schema, PartitionField::Table);
    if (entry == nullptr) continue;
    entry->table.kind = TableKind::PartitionedTable;
    entry->table.partition_count = NumberOf(TextOf(row, PartitionField::Count)).value_or(0);
    entry->table.partition_key = TextOf(row, PartitionField::Key);
  }
}

std::string HiddenReason(const std::vector<std::string>& hidden) {
  std::string reason = "no privilege to read the columns ";
  for (std::size_t i = 0; i < hidden.size() && i < kHiddenColumnsNamedMax; ++i)
    reason += (i == 0 ? "" : ", ") + catalog::QuoteName(hidden[i]);
  if (hidden.size() > kHiddenColumnsNamedMax)
    reason += fmt::format(" and {} more", hidden.size() - kHiddenColumnsNamedMax);
  return reason;
}

void Builder::Settle(Entry& entry) {
  const auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
  Table& table = entry.table;
  std::erase_if(table.foreign_keys,
                [&](const catalog::ForeignKey& key) { return !HasColumns(table, key.columns); });
  std::sort(table.unique_keys.begin(), table.unique_keys.end(), by_name);
  std::sort(table.foreign_keys.begin(), table.foreign_keys.end(), by_name);
  std::sort(table.indexes.begin(), table.indexes.end(), by_name);
  std::sort(table.checks.begin(), table.checks.end(), by_name);
  if (entry.is_broken)
    missing_.push_back({catalog::QualifiedName(table),
                        "the view refers to what is gone, or to what its owner may not read"});
  else if (table.columns.empty())
    missing_.push_back({catalog::QualifiedName(table), "no privilege to read it"});
  else if (!entry.hidden.empty())
    missing_.push_back({catalog::QualifiedName(table), HiddenReason(entry.hidden)});
}

catalog::Database Builder::Finish() {
  catalog::Database database;
  for (auto& [name, entry] : tables_) {
    Settle(entry);
    if (!entry.table.columns.empty() && !entry.is_broken)
      database.tables.push_back(std::move(entry.table));
  }
  std::sort(database.tables.begin(), database.tables.end(), [](const Table& a, const Table& b) {
    return std::tie(a.schema, a.name) < std::tie(b.schema, b.name);
  });
  std::sort(missing_.begin(), missing_.end(),
            [](const auto& a, const auto& b) { return a.object < b.object; });
  database.missing = std::move(missing_);
  return database;
}

}  // namespace

catalog::Database BuildCatalog(const ServerInfo& server, const CatalogReplies& replies) {
  return Builder(server, replies).Build();
}

}  // namespace schemaward::connect::mysql
