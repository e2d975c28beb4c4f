#include "connect/postgres/build_catalog.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "catalog/type_tags.h"
#include "connect/postgres/catalog_queries.h"
#include "connect/postgres/check_labels.h"
#include "connect/postgres/rows.h"
#include "connect/postgres/type_table.h"

namespace schemaward::connect::postgres {
namespace {

using catalog::Column;
using catalog::Table;
using catalog::TableKind;

constexpr int kPartitionDepthMax = 64;
constexpr std::size_t kHiddenColumnsNamedMax = 20;

TableKind KindOf(std::string_view relkind) {
  switch (relkind.empty() ? 'r' : relkind[0]) {
    case 'v':
      return TableKind::View;
    case 'm':
      return TableKind::MaterializedView;
    case 'p':
      return TableKind::PartitionedTable;
    case 'f':
      return TableKind::ForeignTable;
    default:
      return TableKind::Table;
  }
}

std::string ActionOf(std::string_view code) {
  switch (code.empty() ? 'a' : code[0]) {
    case 'r':
      return "restrict";
    case 'c':
      return "cascade";
    case 'n':
      return "set null";
    case 'd':
      return "set default";
    default:
      return "no action";
  }
}

// Qualified names out of an array of them, in order.
std::vector<std::string> NamesIn(std::string_view array) {
  std::vector<std::string> names;
  for (const std::string& quoted : ParseArray(array))
    if (const auto parts = catalog::SplitName(quoted); parts.size() == 2)
      names.push_back(catalog::QualifiedName(parts[0], parts[1]));
  std::sort(names.begin(), names.end());
  return names;
}

void AddTag(Column& column, std::string_view tag) {
  if (!catalog::HasTag(column, tag)) column.tags.emplace_back(tag);
}

class Builder {
 public:
  explicit Builder(const CatalogReplies& replies)
      : replies_(replies), types_(replies.types, replies.constraints) {}

  catalog::Database Build() {
    ReadRelations();
    ReadColumns();
    ReadConstraints();
    ReadIndexes();
    ReadStatistics();
    return Finish();
  }

 private:
  struct Entry {
    Table table;
    bool may_read_all = false;
    std::unordered_map<int, std::size_t>
        column_at;                    // attnum -> position; columns that may not be read are absent
    std::vector<std::string> hidden;  // columns that may not be read
    bool remotes_cut = false;
    bool kin_comments_cut = false;
  };
  struct Partition {
    ObjectId parent = 0;
    std::optional<std::int64_t> rows;
    bool is_leaf = true;
    std::string key;  // of one that is parted itself
  };

  void ReadRelations();
  void AddTable(const Rows<RelationField>& rows, std::size_t row);
  void FoldPartitions();
  void ReadColumns();
  void ReadColumn(Entry& entry, const Rows<ColumnField>& rows, std::size_t row);
  void AddRemotes(const Rows<ColumnField>& rows, std::size_t row);
  void AddKinComment(const Rows<ColumnField>& rows, std::size_t row);
  Column MakeColumn(const Rows<ColumnField>& rows, std::size_t row) const;
  void ReadConstraints();
  void AddConstraint(Entry& entry, const Rows<ConstraintField>& rows, std::size_t row) const;
  void ReadIndexes();
  static void TagMembers(Entry& entry, const Rows<IndexField>& rows, std::size_t row);
  void ReadStatistics();
  catalog::Database Finish();
  Entry* Find(ObjectId oid) {
    const auto found = tables_.find(oid);
    return found == tables_.end() ? nullptr : &found->second;
  }
  // The names of the columns that a smallint array numbers; none where one of them may not be read.
  static std::optional<std::vector<std::string>> NamesOf(const Entry& entry,
                                                         std::string_view numbers);

  const CatalogReplies& replies_;
  std::unordered_map<ObjectId, Entry> tables_;
  std::unordered_map<ObjectId, Partition> partitions_;
  const TypeTable types_;
  std::set<std::string> closed_schemas_;
  std::vector<catalog::Missing> missing_;
};

void Builder::ReadRelations() {
  const Rows<RelationField> rows(replies_.relations);
  for (std::size_t i = 0; i < rows.Count(); ++i) {
    if (!rows.IsNull(i, RelationField::Parent)) {
      Partition partition{rows.Id(i, RelationField::Parent), std::nullopt,
                          rows.Text(i, RelationField::Kind) != "p",
                          rows.String(i, RelationField::PartitionKey)};
      if (!rows.IsNull(i, RelationField::Rows))
        partition.rows = ToNumber<std::int64_t>(rows.Text(i, RelationField::Rows));
      partitions_.emplace(rows.Id(i, RelationField::Oid), std::move(partition));
    } else if (!rows.Bool(i, RelationField::MayUseSchema)) {
      closed_schemas_.insert(rows.String(i, RelationField::Schema));
    } else if (!rows.Bool(i, RelationField::MayReadSome)) {
      missing_.push_back({catalog::QualifiedName(rows.Text(i, RelationField::Schema),
                                                 rows.Text(i, RelationField::Name)),
                          "no privilege to read it"});
    } else {
      AddTable(rows, i);
    }
  }
  FoldPartitions();
}

void Builder::AddTable(const Rows<RelationField>& rows, std::size_t row) {
  Entry& entry = tables_[rows.Id(row, RelationField::Oid)];
  entry.may_read_all = rows.Bool(row, RelationField::MayReadTable);
  entry.table.schema = rows.Text(row, RelationField::Schema);
  entry.table.name = rows.Text(row, RelationField::Name);
  entry.table.kind = KindOf(rows.Text(row, RelationField::Kind));
  entry.table.comment = rows.Text(row, RelationField::Comment);
  entry.table.parents = NamesIn(rows.Text(row, RelationField::Parents));
  entry.table.children = NamesIn(rows.Text(row, RelationField::Children));
  entry.table.partition_key = rows.Text(row, RelationField::PartitionKey);
  if (!rows.IsNull(row, RelationField::Definition))
    entry.table.definition = rows.Text(row, RelationField::Definition);
  const bool stores_rows =
      entry.table.kind != TableKind::View && entry.table.kind != TableKind::PartitionedTable;
  if (stores_rows && !rows.IsNull(row, RelationField::Rows))
    entry.table.row_estimate = ToNumber<std::int64_t>(rows.Text(row, RelationField::Rows));
}

void Builder::FoldPartitions() {
  std::map<ObjectId, std::set<std::string>> keys_below;
  for (const auto& [oid, partition] : partitions_) {
    ObjectId top = partition.parent;
    for (int depth = 0; depth < kPartitionDepthMax; ++depth) {
      const auto above = partitions_.find(top);
      if (above == partitions_.end()) break;
      top = above->second.parent;
    }
    Entry* entry = Find(top);
    if (entry == nullptr) continue;
    ++entry->table.partition_count;
    if (!partition.key.empty()) keys_below[top].insert(partition.key);
    if (partition.is_leaf && partition.rows)
      entry->table.row_estimate = entry->table.row_estimate.value_or(0) + *partition.rows;
  }
  for (const auto& [top, keys] : keys_below)
    for (const std::string& key : keys) Find(top)->table.partition_key += "; " + key;
}

Column Builder::MakeColumn(const Rows<ColumnField>& rows, std::size_t row) const {
  Column column;
  column.name = rows.Text(row, ColumnField::Name);
  column.type = rows.Text(row, ColumnField::Type);
  column.nullable = !rows.Bool(row, ColumnField::NotNull);
  column.comment = rows.Text(row, ColumnField::Comment);
  const std::string_view identity = rows.Text(row, ColumnField::Identity);
  if (identity == "a") column.identity = "always";
  if (identity == "d") column.identity = "by default";
  const bool generated = !rows.Text(row, ColumnField::Generated).empty();
  (generated ? column.generated : column.default_value) =
      rows.Optional(row, ColumnField::Expression);
  types_.Apply(column, rows.Id(row, ColumnField::TypeOid));
  return column;
}

void Builder::ReadColumns() {
  const Rows<ColumnField> rows(replies_.columns);
  for (std::size_t i = 0; i < rows.Count(); ++i)
    if (Entry* entry = Find(rows.Id(i, ColumnField::Relation))) ReadColumn(*entry, rows, i);
  // After all columns: a table that is above may come later.
  for (std::size_t i = 0; i < rows.Count(); ++i)
    if (!rows.IsNull(i, ColumnField::RemoteTable) || !rows.IsNull(i, ColumnField::RemoteColumn))
      AddRemotes(rows, i);
  for (std::size_t i = 0; i < rows.Count(); ++i)
    if (!rows.IsNull(i, ColumnField::Kin)) AddKinComment(rows, i);
}

void Builder::ReadColumn(Entry& entry, const Rows<ColumnField>& rows, std::size_t row) {
  if (!entry.may_read_all && !rows.Bool(row, ColumnField::MayRead)) {
    entry.hidden.push_back(rows.String(row, ColumnField::Name));
    return;
  }
  entry.column_at[ToNumber<int>(rows.Text(row, ColumnField::Number))] = entry.table.columns.size();
  entry.table.columns.push_back(MakeColumn(rows, row));
}

// A column's place at its server, for its own table and for each that is read with it.
void Builder::AddRemotes(const Rows<ColumnField>& rows, std::size_t row) {
  const std::string name = rows.String(row, ColumnField::Name);
  const catalog::Remote remote{
      rows.Optional(row, ColumnField::RemoteTable).value_or(rows.String(row, ColumnField::Table)),
      rows.Optional(row, ColumnField::RemoteColumn).value_or(name)};
  const auto add = [&](ObjectId oid) {
    Entry* entry = Find(oid);
    if (entry == nullptr) return;
    const std::size_t at = catalog::FindColumn(entry->table, name);
    if (at == std::string_view::npos) return;
    if (!catalog::AddRemote(entry->table.columns[at], remote)) entry->remotes_cut = true;
  };
  add(rows.Id(row, ColumnField::Relation));
  for (const std::string& above : ParseArray(rows.Text(row, ColumnField::Above)))
    add(ToNumber<ObjectId>(above));
}

// A column's tagged comment, for the tables that hold its values too or whose values it holds.
void Builder::AddKinComment(const Rows<ColumnField>& rows, std::size_t row) {
  for (const std::string& kin : ParseArray(rows.Text(row, ColumnField::Kin))) {
    Entry* entry = Find(ToNumber<ObjectId>(kin));
    if (entry == nullptr) continue;
    const std::size_t at = catalog::FindColumn(entry->table, rows.Text(row, ColumnField::Name));
    if (at == std::string_view::npos) continue;
    if (!catalog::AddKinComment(entry->table.columns[at], rows.Text(row, ColumnField::Comment)))
      entry->kin_comments_cut = true;
  }
}

std::optional<std::vector<std::string>> Builder::NamesOf(const Entry& entry,
                                                         std::string_view numbers) {
  std::vector<std::string> names;
  for (const std::string& number : ParseArray(numbers)) {
    const auto at = entry.column_at.find(ToNumber<int>(number));
    if (at == entry.column_at.end()) return std::nullopt;
    names.push_back(entry.table.columns[at->second].name);
  }
  return names;
}

void Builder::ReadConstraints() {
  const Rows<ConstraintField> rows(replies_.constraints);
  for (std::size_t i = 0; i < rows.Count(); ++i)
    if (Entry* entry = Find(rows.Id(i, ConstraintField::Relation))) AddConstraint(*entry, rows, i);
}

void Builder::AddConstraint(Entry& entry, const Rows<ConstraintField>& rows,
                            std::size_t row) const {
  auto columns = NamesOf(entry, rows.Text(row, ConstraintField::Columns));
  if (!columns) return;
  Table& table = entry.table;
  std::string name = rows.String(row, ConstraintField::Name);
  const std::string_view kind = rows.Text(row, ConstraintField::Kind);
  if (kind == "p") {
    table.primary_key = catalog::Key{std::move(name), *std::move(columns)};
  } else if (kind == "u") {
    table.unique_keys.push_back({std::move(name), *std::move(columns)});
  } else if (kind == "f") {
    table.foreign_keys.push_back({std::move(name), *std::move(columns),
                                  rows.String(row, ConstraintField::TargetSchema),
                                  rows.String(row, ConstraintField::TargetTable),
                                  ParseArray(rows.Text(row, ConstraintField::TargetColumns)),
                                  ActionOf(rows.Text(row, ConstraintField::OnUpdate)),
                                  ActionOf(rows.Text(row, ConstraintField::OnDelete))});
  } else {
    table.checks.push_back({std::move(name), rows.String(row, ConstraintField::Expression)});
    if (columns->size() != 1) return;
    Column& column = table.columns[catalog::FindColumn(table, columns->front())];
    if (column.labels.empty()) column.labels = LabelsOfCheck(table.checks.back().expression);
  }
}

// Tells of an index on its columns what no list of the table's indexes tells.
void Builder::TagMembers(Entry& entry, const Rows<IndexField>& rows, std::size_t row) {
  std::vector<Column*> known;
  bool holds_hidden = false;
  for (const std::string& name : ParseArray(rows.Text(row, IndexField::Members))) {
    const std::size_t at = catalog::FindColumn(entry.table, name);
    if (at < entry.table.columns.size())
      known.push_back(&entry.table.columns[at]);
    else
      holds_hidden = true;
  }
  const bool is_clustered = rows.Bool(row, IndexField::IsClustered);
  for (Column* column : known) {
    if (holds_hidden) {
      AddTag(*column, catalog::kBesideHiddenTag);
    } else if (rows.Bool(row, IndexField::IsMore)) {
      AddTag(*column, std::string(catalog::kIndexTag) + rows.String(row, IndexField::Name));
    }
    if (is_clustered && !holds_hidden) AddTag(*column, catalog::kClusteredTag);
  }
  if (is_clustered && holds_hidden && !entry.table.columns.empty())
    AddTag(entry.table.columns.front(), catalog::kClusteredByHiddenTag);
}

void Builder::ReadIndexes() {
  const Rows<IndexField> rows(replies_.indexes);
  for (std::size_t i = 0; i < rows.Count(); ++i) {
    Entry* entry = Find(rows.Id(i, IndexField::Relation));
    if (entry == nullptr) continue;
    TagMembers(*entry, rows, i);
    if (!rows.Bool(i, IndexField::IsListed)) continue;
    auto columns = rows.IsNull(i, IndexField::Expressions)
                       ? NamesOf(*entry, rows.Text(i, IndexField::Columns))
                       : ParseArray(rows.Text(i, IndexField::Expressions));
    const bool hides = !entry->hidden.empty() && !rows.IsNull(i, IndexField::Expressions);
    if (!columns || hides) continue;
    if (rows.Bool(i, IndexField::IsKey))
      entry->table.unique_keys.push_back({rows.String(i, IndexField::Name), *columns});
    entry->table.indexes.push_back(
        {rows.String(i, IndexField::Name), *std::move(columns), rows.Bool(i, IndexField::Unique),
         rows.String(i, IndexField::Method), rows.Optional(i, IndexField::Predicate)});
  }
}

void Builder::ReadStatistics() {
  const Rows<StatisticField> rows(replies_.statistics);
  if (rows.Count() == 0) return;
  std::map<std::pair<std::string_view, std::string_view>, Table*> by_name;
  for (auto& [oid, entry] : tables_) by_name[{entry.table.schema, entry.table.name}] = &entry.table;
  for (std::size_t i = 0; i < rows.Count(); ++i) {
    const auto found =
        by_name.find({rows.Text(i, StatisticField::Schema), rows.Text(i, StatisticField::Table)});
    if (found == by_name.end()) continue;
    Table& table = *found->second;
    // A partitioned table has rows only in its partitions; an inherited one is described by its own
    // rows.
    if (rows.Bool(i, StatisticField::Inherited) != (table.kind == TableKind::PartitionedTable))
      continue;
    const std::size_t at = catalog::FindColumn(table, rows.Text(i, StatisticField::Column));
    if (at == std::string_view::npos) continue;
    catalog::Statistic statistic;
    statistic.null_fraction = ToNumber<double>(rows.Text(i, StatisticField::NullFraction));
    const auto distinct = ToNumber<double>(rows.Text(i, StatisticField::Distinct));
    // Negative: a share of the rows. 0: not known.
    if (distinct > 0) statistic.distinct_estimate = std::llround(distinct);
    if (distinct < 0 && table.row_estimate)
      statistic.distinct_estimate =
          std::llround(-distinct * static_cast<double>(*table.row_estimate));
    table.columns[at].statistic = statistic;
  }
}

std::string HiddenReason(const std::vector<std::string>& hidden) {
  std::string reason = "no privilege to read the columns ";
  for (std::size_t i = 0; i < hidden.size() && i < kHiddenColumnsNamedMax; ++i)
    reason += (i == 0 ? "" : ", ") + catalog::QuoteName(hidden[i]);
  if (hidden.size() > kHiddenColumnsNamedMax)
    reason += " and " + std::to_string(hidden.size() - kHiddenColumnsNamedMax) + " more";
  return reason;
}

catalog::Database Builder::Finish() {
  const auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
  catalog::Database database;
  database.tables.reserve(tables_.size());
  for (auto& [oid, entry] : tables_) {
    Table& table = entry.table;
    std::sort(table.unique_keys.begin(), table.unique_keys.end(), by_name);
    std::sort(table.foreign_keys.begin(), table.foreign_keys.end(), by_name);
    std::sort(table.indexes.begin(), table.indexes.end(), by_name);
    std::sort(table.checks.begin(), table.checks.end(), by_name);
    if (entry.remotes_cut) missing_.push_back(catalog::RemotesCut(table.schema, table.name));
    if (entry.kin_comments_cut)
      missing_.push_back(catalog::KinCommentsCut(table.schema, table.name));
    if (!entry.hidden.empty())
      missing_.push_back({catalog::QualifiedName(table), HiddenReason(entry.hidden)});
    database.tables.push_back(std::move(table));
  }
  for (const std::string& schema : closed_schemas_)
    missing_.push_back({catalog::QuoteName(schema), "no privilege to use the schema"});
  std::sort(database.tables.begin(), database.tables.end(), [](const Table& a, const Table& b) {
    return std::tie(a.schema, a.name) < std::tie(b.schema, b.name);
  });
  std::sort(missing_.begin(), missing_.end(),
            [](const auto& a, const auto& b) { return a.object < b.object; });
  database.missing = std::move(missing_);
  return database;
}

}  // namespace

catalog::Database BuildCatalog(const CatalogReplies& replies) { return Builder(replies).Build(); }

}  // namespace schemaward::connect::postgres
