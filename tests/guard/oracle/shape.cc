#include "oracle/shape.h"

#include <algorithm>
#include <functional>
#include <random>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace schemaward::oracle {
namespace {

// Its rows lie in the order of a blocked key, where an engine keeps rows so.
constexpr std::string_view kClustered = "badge";
constexpr std::size_t kIndexesMax = 6, kMembersMax = 3;

/// Thread: owner.
class Draw {
 public:
  Draw(std::uint64_t shape, std::string_view of)
      : random_(shape * 1'000'003 + std::hash<std::string_view>()(of)) {}
  std::size_t Below(std::size_t n) { return random_() % n; }
  bool OneIn(std::size_t n) { return Below(n) == 0; }
  template <class T>
  void Shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[Below(i)]);
  }

 private:
  std::mt19937_64 random_;
};

std::string TypeOf(const Column& column, Engine engine, Draw* draw) {
  if (engine == Engine::Sqlite) {
    if (draw == nullptr) return "";
    constexpr const char* kNumbers[] = {"", " INTEGER", " NUMERIC", " REAL"};
    constexpr const char* kTexts[] = {"", " TEXT", " VARCHAR(40) COLLATE NOCASE", " BLOB"};
    return column.kind == Kind::Number ? kNumbers[draw->Below(std::size(kNumbers))]
                                       : kTexts[draw->Below(std::size(kTexts))];
  }
  if (column.name == "id" || column.name == "account_id") return " INTEGER";
  switch (column.kind) {
    case Kind::Number:
      return " DECIMAL(12,2)";
    case Kind::Time:
      return engine == Engine::MySql ? " DATETIME" : " TIMESTAMP";
    case Kind::Text:
    case Kind::Flag:
    case Kind::Row:
      break;
  }
  return " VARCHAR(40)";
}

// The key of a table of which each row has another `id`.
std::string KeyOf(const Relation& table, Engine engine, Draw& draw) {
  const auto blocked = std::find_if(table.columns.begin(), table.columns.end(),
                                    [](const Column& column) { return column.is_blocked; });
  switch (draw.Below(5)) {
    case 0:
      return "";
    case 1:
      if (blocked != table.columns.end())
        return draw.OneIn(2) ? fmt::format(", UNIQUE (id, {})", blocked->name)
                             : fmt::format(", UNIQUE ({}, id)", blocked->name);
      return ", UNIQUE (id)";
    case 2:
      // What is absent may stand in a key of SQLite alone.
      if (engine == Engine::Sqlite && blocked != table.columns.end())
        return fmt::format(", PRIMARY KEY ({}, id)", blocked->name);
      [[fallthrough]];
    default:
      return ", PRIMARY KEY (id)";
  }
}

// A column of FROM, by its alias.
struct Seen {
  char alias = 'a';
  std::string table;
  Column column;
  std::string Name() const { return fmt::format("{}.{}", alias, column.name); }
};

// An output of a view, of one column or made of it.
std::string OutputOf(const Seen& seen, Draw& draw, Kind& kind) {
  const std::string name = seen.Name();
  kind = seen.column.kind;
  const bool is_text = kind == Kind::Text, is_number = kind == Kind::Number;
  switch (draw.Below(10)) {
    case 0:
      if (is_text) return fmt::format("coalesce({}, '-')", name);
      if (is_number) return fmt::format("coalesce({}, 0)", name);
      break;
    case 1:
      kind = Kind::Text;
      return fmt::format("CASE WHEN {} IS NULL THEN 'none' ELSE 'some' END", name);
    case 2:
      kind = Kind::Number;
      return fmt::format("count(*) OVER (PARTITION BY {})", name);
    case 3:
      kind = Kind::Number;
      return fmt::format("row_number() OVER (ORDER BY {})", name);
    case 4:
      return fmt::format("(SELECT max(x.{0}) FROM {1} x)", seen.column.name, seen.table);
    case 5:
      if (is_text) return fmt::format("upper({})", name);
      break;
    default:
      break;
  }
  return name;
}

}  // namespace

std::string Shape::Table(Engine engine, Relation table) const {
  const bool is_clustered = table.name == kClustered;
  Draw draw(number_, table.name);
  if (number_ != 0) draw.Shuffle(table.columns);
  std::string key = is_clustered ? ", PRIMARY KEY (card_number)" : ", PRIMARY KEY (id)";
  bool has_rowid = !is_clustered;
  if (number_ != 0 && is_clustered) {
    constexpr const char* kKeys[] = {"card_number", "account_id, card_number", "level, card_number",
                                     "card_number, level"};
    key = fmt::format(", PRIMARY KEY ({})", kKeys[draw.Below(std::size(kKeys))]);
    has_rowid = draw.OneIn(2);
  } else if (number_ != 0) {
    key = KeyOf(table, engine, draw);
  }
  std::string columns;
  for (const Column& column : table.columns) {
    if (!columns.empty()) columns += ", ";
    const bool is_rowid = engine == Engine::Sqlite && column.name == "id";
    columns += column.name +
               (is_rowid ? " INTEGER" : TypeOf(column, engine, number_ == 0 ? nullptr : &draw));
  }
  return fmt::format("CREATE TABLE {} ({}{}){}", table.name, columns, key,
                     engine == Engine::Sqlite && !has_rowid ? " WITHOUT ROWID" : "");
}

std::vector<std::string> Shape::Indexes(Engine engine, const std::vector<Relation>& tables) const {
  std::vector<std::string> made;
  if (number_ == 0) return made;
  Draw draw(number_, "indexes");
  const bool takes_more = engine == Engine::Sqlite || engine == Engine::Postgres;
  for (std::size_t i = draw.Below(kIndexesMax + 1); i > 0; --i) {
    const Relation& table = tables[draw.Below(tables.size())];
    std::vector<Column> columns = table.columns;
    std::erase_if(columns, [](const Column& column) { return column.kind == Kind::Row; });
    draw.Shuffle(columns);
    columns.resize(std::min(columns.size(), 1 + draw.Below(kMembersMax)));
    std::vector<std::string> members;
    for (const Column& column : columns) {
      std::string member = column.name;
      if (column.kind == Kind::Text && engine == Engine::MySql && draw.OneIn(4)) member += "(2)";
      if (column.kind == Kind::Text && takes_more && draw.OneIn(5))
        member = fmt::format("lower({})", member);
      if (engine != Engine::DuckDb && draw.OneIn(4)) member += " DESC";
      members.push_back(std::move(member));
    }
    std::string where;
    if (takes_more && draw.OneIn(5))
      where = fmt::format(" WHERE {} IS NOT NULL", columns.front().name);
    made.push_back(fmt::format("CREATE INDEX shape_{} ON {} ({}){}", i, table.name,
                               fmt::join(members, ", "), where));
  }
  return made;
}

std::vector<ShapeView> Shape::Views(const std::vector<Relation>& tables) const {
  std::vector<ShapeView> made;
  if (number_ == 0) return made;
  Draw draw(number_, "views");
  constexpr std::size_t kViewsMax = 3, kOutputsMax = 4;
  for (std::size_t i = draw.Below(kViewsMax + 1); i > 0; --i) {
    const Relation& base = tables[draw.Below(tables.size())];
    const Relation& other = tables[draw.Below(tables.size())];
    std::vector<Seen> seen, plain;
    const auto bind = [&](char alias, const Relation& table) {
      for (const Column& column : table.columns) {
        if (column.kind == Kind::Row) continue;
        seen.push_back({alias, table.name, column});
        if (!column.is_blocked && column.kind == Kind::Number) plain.push_back(seen.back());
      }
    };
    bind('a', base);
    std::string from = draw.OneIn(4) ? fmt::format("(SELECT * FROM {}) a", base.name)
                                     : fmt::format("{} a", base.name);
    std::string where;
    if (!plain.empty() && draw.OneIn(4)) where = fmt::format(" WHERE {} >= 2", plain[0].Name());
    if (!plain.empty() && draw.OneIn(3)) {
      const std::string left = plain[draw.Below(plain.size())].Name();
      plain.clear();
      bind('b', other);
      if (!plain.empty())
        from += fmt::format(" {} {} b ON {} = {}", draw.OneIn(2) ? "JOIN" : "LEFT JOIN", other.name,
                            left, plain[draw.Below(plain.size())].Name());
      else
        std::erase_if(seen, [](const Seen& one) { return one.alias == 'b'; });
    }
    std::vector<std::string> names = {"label", "level", "land", "tag", "total", "noted", "body"};
    draw.Shuffle(names);
    ShapeView view;
    view.relation.name = fmt::format("seen_{}", i);
    std::vector<std::string> outputs;
    for (std::size_t k = 1 + draw.Below(kOutputsMax); k > 0; --k) {
      const Seen& one = seen[draw.Below(seen.size())];
      Kind kind = Kind::Number;
      outputs.push_back(OutputOf(one, draw, kind) + " AS " + names[k]);
      view.relation.columns.push_back({names[k], kind, one.column.is_blocked});
    }
    view.select = fmt::format("SELECT {} FROM {}{}", fmt::join(outputs, ", "), from, where);
    if (draw.OneIn(6)) view.select += " ORDER BY " + seen[draw.Below(seen.size())].Name();
    made.push_back(std::move(view));
  }
  return made;
}

std::vector<std::string> Shape::Plans(Engine engine) const {
  std::vector<std::string> made;
  if (number_ == 0) return made;
  Draw draw(number_, "plans");
  switch (engine) {
    case Engine::Sqlite:
      if (draw.OneIn(3)) made.emplace_back("PRAGMA reverse_unordered_selects = 1");
      if (draw.OneIn(4)) made.emplace_back("ANALYZE");
      break;
    case Engine::Postgres:  // but what the guard sets
      for (const char* plan : {"seqscan", "bitmapscan", "hashjoin", "mergejoin", "nestloop",
                               "hashagg", "sort", "material", "memoize", "incremental_sort"})
        if (draw.OneIn(4)) made.push_back(fmt::format("SET enable_{} = off", plan));
      break;
    case Engine::MySql: {
      std::string off;
      for (const char* plan :
           {"derived_merge", "derived_with_keys", "firstmatch", "in_to_exists", "index_merge",
            "join_cache_hashed", "loosescan", "outer_join_with_cache", "rowid_filter", "semijoin",
            "split_materialized", "subquery_cache", "table_elimination"})
        if (draw.OneIn(4)) off += fmt::format("{}{}=off", off.empty() ? "" : ",", plan);
      if (draw.OneIn(3)) off += off.empty() ? "mrr=on" : ",mrr=on";
      if (!off.empty()) made.push_back(fmt::format("optimizer_switch = '{}'", off));
      constexpr std::size_t kLevels = 9;
      made.push_back(fmt::format("join_cache_level = {}", draw.Below(kLevels)));
      break;
    }
    case Engine::DuckDb:
      break;
  }
  return made;
}

int Shape::Shared(int i, int most) const {
  const auto fewer =
      number_ == 0 ? most : 1 + static_cast<int>(number_ % static_cast<std::uint64_t>(most));
  return i % fewer;
}

}  // namespace schemaward::oracle
