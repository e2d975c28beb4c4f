#include "connect/sqlite/bytecode.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

#include "sql/dialect.h"

namespace schemaward::connect::sqlite_engine {
namespace {

// Columns of EXPLAIN's rows.
constexpr int kOpcode = 1, kP1 = 2, kP2 = 3, kP3 = 4, kP4 = 5;
constexpr std::int64_t kMainDatabase = 0;
constexpr std::int64_t kSchemaRoot = 1;

// Those that compare the first columns of an index with values; P4 says how many.
constexpr auto kSeeks =
    std::to_array<std::string_view>({"Found", "IdxGE", "IdxGT", "IdxLE", "IdxLT", "NoConflict",
                                     "NotFound", "SeekGE", "SeekGT", "SeekLE", "SeekLT"});

struct Opened {
  std::int64_t root = 0;
  bool is_keyed = false;  // an index, or a table without row ids
};

/// What a program opens and which places of it it reads, by cursor.
struct Program {
  std::map<std::int64_t, std::vector<Opened>> opened;
  std::map<std::int64_t, std::set<std::size_t>> taken, sought;
};

Result<Program> ReadProgram(Session& session, std::string_view sql) {
  Program program;
  WARD_TRY(sqlite::Statement row, session.Prepare(fmt::format("EXPLAIN {}", sql)));
  while (true) {
    WARD_TRY(const bool more, session.Step(row));
    if (!more) return program;
    const std::string_view opcode = row.Text(kOpcode);
    const std::int64_t cursor = row.Int(kP1);
    if (opcode == "OpenRead" || opcode == "ReopenIdx") {
      if (row.Int(kP3) == kMainDatabase && row.Int(kP2) != kSchemaRoot)
        program.opened[cursor].push_back({row.Int(kP2), row.Text(kP4).starts_with("k(")});
    } else if (opcode == "Column") {
      program.taken[cursor].insert(static_cast<std::size_t>(row.Int(kP2)));
    } else if (std::find(kSeeks.begin(), kSeeks.end(), opcode) != kSeeks.end()) {
      const std::string_view text = row.Text(kP4);
      std::size_t count = 0;
      std::from_chars(text.data(), text.data() + text.size(), count);
      for (std::size_t i = 0; i < count; ++i) program.sought[cursor].insert(i);
    }
  }
}

struct Root {
  std::string table;
  std::string index;  // empty: the table itself
};

Result<std::map<std::int64_t, Root>> FindRoots(Session& session, const Program& program) {
  std::string list;
  for (const auto& [cursor, all] : program.opened)
    for (const Opened& one : all) list += fmt::format("{}{}", list.empty() ? "" : ", ", one.root);
  std::map<std::int64_t, Root> roots;
  if (list.empty()) return roots;
  WARD_TRY(sqlite::Statement row,
           session.Prepare(fmt::format(
               "SELECT rootpage, type, name, tbl_name FROM sqlite_master WHERE rootpage IN ({})",
               list)));
  while (true) {
    WARD_TRY(const bool more, session.Step(row));
    if (!more) return roots;
    const bool is_index = row.Text(1) == "index";
    roots[row.Int(0)] = {std::string(row.Text(3)), is_index ? std::string(row.Text(2)) : ""};
  }
}

using Names = std::vector<std::optional<std::string>>;  // by place; nothing for what has no name

std::string Pragma(const char* name, const std::string& of) {
  return fmt::format("PRAGMA {}({})", name, sql::QuoteIdentifier(sql::Sqlite(), of));
}

// The columns of rows as they are stored; nothing where that is not told here.
Result<std::optional<Names>> StoredColumns(Session& session, const std::string& table) {
  constexpr int kName = 1, kHidden = 6;
  WARD_TRY(sqlite::Statement row, session.Prepare(Pragma("table_xinfo", table)));
  Names names;
  while (true) {
    WARD_TRY(const bool more, session.Step(row));
    if (!more) break;
    if (row.Int(kHidden) != 0) return std::optional<Names>();
    names.emplace_back(row.Text(kName));
  }
  if (names.size() > kColumnsMax) return std::optional<Names>();
  return std::optional(std::move(names));
}

Result<Names> IndexedColumns(Session& session, const std::string& index) {
  constexpr int kName = 2;
  WARD_TRY(sqlite::Statement row, session.Prepare(Pragma("index_xinfo", index)));
  Names names;
  while (true) {
    WARD_TRY(const bool more, session.Step(row));
    if (!more) return names;
    names.push_back(row.Type(kName) == SQLITE_NULL ? std::nullopt
                                                   : std::optional<std::string>(row.Text(kName)));
  }
}

// The index that a table without row ids is.
Result<std::string> PrimaryIndex(Session& session, const std::string& table) {
  constexpr int kName = 1, kOrigin = 3;
  WARD_TRY(sqlite::Statement row, session.Prepare(Pragma("index_list", table)));
  while (true) {
    WARD_TRY(const bool more, session.Step(row));
    if (!more) return std::string();
    if (row.Text(kOrigin) == "pk") return std::string(row.Text(kName));
  }
}

/// Names the places of what was opened. Thread: owner.
class Namer {
 public:
  explicit Namer(Session& session) : session_(session) {}

  Status Add(const Root& root, bool is_keyed, const std::set<std::size_t>& taken,
             const std::set<std::size_t>& sought) {
    WARD_TRY(const auto stored, StoredColumns(session_, root.table));
    if (!stored) return Ok();
    if (!is_keyed) {
      Take(root.table, *stored, taken);
      return Ok();
    }
    std::string index = root.index;
    if (index.empty()) {
      WARD_TRY(index, PrimaryIndex(session_, root.table));
    }
    WARD_TRY(const Names names, IndexedColumns(session_, index));
    Take(root.table, names, taken);
    Take(root.table, names, sought);
    return Ok();
  }

  std::vector<ColumnRead> TakeResult() { return {reads_.begin(), reads_.end()}; }

 private:
  void Take(const std::string& table, const Names& names, const std::set<std::size_t>& places) {
    for (const std::size_t place : places)
      if (place < names.size() && names[place]) reads_.insert({table, *names[place]});
  }

  Session& session_;
  std::set<ColumnRead> reads_;
};

}  // namespace

Result<std::vector<ColumnRead>> ColumnsOfProgram(Session& session, std::string_view sql) {
  WARD_TRY(Program program, ReadProgram(session, sql));
  WARD_TRY(const auto roots, FindRoots(session, program));
  Namer namer(session);
  for (const auto& [cursor, all] : program.opened)
    for (const Opened& one : all)
      if (const auto root = roots.find(one.root); root != roots.end())
        WARD_CHECK(
            namer.Add(root->second, one.is_keyed, program.taken[cursor], program.sought[cursor]));
  return namer.TakeResult();
}

}  // namespace schemaward::connect::sqlite_engine
