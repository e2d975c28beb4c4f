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

std::string Named(const Column& column) { return column.name; }

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
      std::string member = Named(column);
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

int Shape::Shared(int i, int most) const {
  const auto fewer =
      number_ == 0 ? most : 1 + static_cast<int>(number_ % static_cast<std::uint64_t>(most));
  return i % fewer;
}

}  // namespace schemaward::oracle
