// Two copies of the data that differ in blocked columns alone must answer every approved statement
// alike: the same rows in the same order, or the same failure. Statements are made at random from a
// grammar over the fixture's tables, judged by the guard, and run on both copies in SQLite.
//
// usage: guard_oracle [EXECUTIONS [SEED [blind]]]    prints each difference; exit 1 where there is
// one blind: the policy lets contact data through, which the oracle must see: it shows that it can
// fail.

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <sqlite3.h>

#include "guard/guard.h"

namespace schemaward {
namespace {

constexpr int kRows = 12;
constexpr int kRowsRead = 200;
constexpr int kSteps = 20'000;  // of SQLite's machine, in units of the progress handler
constexpr int kDepth = 3;

struct TableSpec {
  const char* name;
  std::vector<std::string> columns;
};

const std::vector<TableSpec>& Specs() {
  static const std::vector<TableSpec> specs = {
      {"account", {"id", "email", "phone", "national_id", "plan", "country"}},
      {"payment", {"id", "account_id", "amount", "card_number", "paid_at"}},
      {"note", {"id", "account_id", "body"}}};
  return specs;
}

/// Makes statements. Most read what is allowed, since a refusal shows nothing.
class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed) {}

  std::string Statement() {
    names_.clear();
    std::string text;
    if (OneIn(5)) {
      const std::string inner = Select(1, 1);
      text = "WITH c(v) AS (" + inner + ") ";
      has_common_ = true;
    }
    text += Select(0, 0);
    if (OneIn(6))
      text += Pick({" UNION ", " UNION ALL ", " EXCEPT ", " INTERSECT "}) + Select(1, 1, true);
    has_common_ = false;
    return text;
  }

 private:
  bool OneIn(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)) == 0; }
  std::size_t Below(std::size_t n) { return random_() % n; }
  std::string Pick(std::vector<std::string> from) { return from[Below(from.size())]; }

  std::string Column(const TableSpec& table, const std::string& alias) {
    std::string column = table.columns[Below(table.columns.size())];
    if (!OneIn(6))  // mostly one that may be read
      while (column == "email" || column == "phone" || column == "national_id" ||
             column == "card_number")
        column = table.columns[Below(table.columns.size())];
    if (OneIn(12)) column = '"' + column + '"';
    if (OneIn(12)) column = '[' + column + ']';
    return OneIn(3) ? column : alias + "." + column;
  }

  std::string AnyColumn() {
    if (names_.empty()) return "1";
    const auto& [table, alias] = names_[Below(names_.size())];
    if (table == nullptr) return OneIn(2) ? "v" : alias + ".v";
    return Column(*table, alias);
  }

  std::string Value(int depth) {
    if (depth >= kDepth || OneIn(3)) return OneIn(4) ? Literal() : AnyColumn();
    switch (Below(13)) {
      case 0:
        return Pick({"upper", "lower", "length", "abs", "trim", "hex", "typeof", "quote", "sum",
                     "count", "min", "max", "avg", "group_concat", "total"}) +
               "(" + Value(depth + 1) + ")";
      case 1:
        return "(" + Value(depth + 1) +
               Pick({" + ", " - ", " * ", " / ", " % ", " || ", " = ", " < ", " >= ", " <> ",
                     " IS ", " AND ", " OR ", " LIKE ", " GLOB "}) +
               Value(depth + 1) + ")";
      case 2:
        return "CASE WHEN " + Value(depth + 1) + " THEN " + Value(depth + 1) + " ELSE " +
               Value(depth + 1) + " END";
      case 3:
        return "(" + Select(depth + 2, 1) + ")";
      case 4:
        return Value(depth + 1) + " IN (" + Select(depth + 2, 1) + ")";
      case 5:
        return Pick({"EXISTS (", "NOT EXISTS ("}) + Select(depth + 2, 1) + ")";
      case 6:
        return "coalesce(" + Value(depth + 1) + ", " + Value(depth + 1) + ")";
      case 7:
        return "cast(" + Value(depth + 1) + " AS " + Pick({"TEXT", "INTEGER", "REAL"}) + ")";
      case 8:
        return Pick({"row_number", "rank", "count", "sum", "lag", "first_value"}) + "(" +
               (OneIn(2) ? "" : Value(depth + 1)) + ") OVER (PARTITION BY " + Value(depth + 1) +
               " ORDER BY " + Value(depth + 1) + ")";
      case 9:
        return Value(depth + 1) + Pick({" IS NULL", " IS NOT NULL", " NOTNULL"});
      case 10:
        return Value(depth + 1) + " BETWEEN " + Value(depth + 1) + " AND " + Value(depth + 1);
      case 11:
        return "count(DISTINCT " + Value(depth + 1) + ")" +
               (OneIn(2) ? " FILTER (WHERE " + Value(depth + 1) + ")" : "");
      default:
        return "iif(" + Value(depth + 1) + ", " + Value(depth + 1) + ", " + Value(depth + 1) + ")";
    }
  }

  std::string Literal() {
    return Pick({"1", "0", "2.5", "'a'", "'NO'", "NULL", "''", "3", "\"plan\"", "x'00'"});
  }

  std::string From(int depth) {
    const std::string alias = "t" + std::to_string(++aliases_);
    if (has_common_ && OneIn(4)) {
      names_.emplace_back(nullptr, alias);
      return "c AS " + alias;
    }
    if (depth < kDepth && OneIn(5)) {
      const auto outer = names_;
      names_.clear();
      const std::string inner = Select(depth + 1, 1, false, "v");
      names_ = outer;
      names_.emplace_back(nullptr, alias);
      return "(" + inner + ") AS " + alias;
    }
    const TableSpec& table = Specs()[Below(Specs().size())];
    names_.emplace_back(&table, alias);
    return std::string(OneIn(5) ? "main." : "") + table.name + " AS " + alias;
  }

  // `columns`: 0 for any number.
  std::string Select(int depth, int columns, bool is_part = false, const std::string& name = {}) {
    const auto outer = names_;
    std::string from = " FROM " + From(depth);
    for (int joins = 0; joins < 2 && OneIn(3); ++joins) {
      const std::string kind =
          Pick({" JOIN ", " LEFT JOIN ", " NATURAL JOIN ", ", ", " CROSS JOIN "});
      from += kind + From(depth);
      if (kind.find("NATURAL") != std::string::npos || kind == ", " || kind == " CROSS JOIN ")
        continue;
      from += OneIn(4) ? " USING (" + Pick({"id", "account_id", "email", "plan"}) + ")"
                       : " ON " + Value(depth + 1);
    }
    std::string text = OneIn(6) ? "SELECT DISTINCT " : "SELECT ";
    const int count = columns > 0 ? columns : 1 + static_cast<int>(Below(3));
    for (int i = 0; i < count; ++i) {
      if (i > 0) text += ", ";
      if (columns == 0 && OneIn(12))
        text += OneIn(2) ? "*" : names_.back().second + ".*";
      else
        text += Value(depth + 1) + (!name.empty() ? " AS " + name : OneIn(3) ? " AS v" : "");
    }
    text += from;
    if (OneIn(2)) text += " WHERE " + Value(depth + 1);
    if (OneIn(4))
      text += " GROUP BY " + (OneIn(3) ? std::string("1") : Value(depth + 1)) +
              (OneIn(3) ? " HAVING " + Value(depth + 1) : "");
    if (!is_part && OneIn(3))
      text += " ORDER BY " + (OneIn(3) ? std::string("1") : Value(depth + 1)) +
              (OneIn(2) ? " DESC" : "");
    if (!is_part && OneIn(4))
      text += " LIMIT " + Pick({"1", "3", "10"}) + (OneIn(3) ? " OFFSET 1" : "");
    names_ = outer;
    return text;
  }

  std::mt19937_64 random_;
  std::vector<std::pair<const TableSpec*, std::string>> names_;
  int aliases_ = 0;
  bool has_common_ = false;
};

sqlite3* Open(char mark) {
  sqlite3* db = nullptr;
  sqlite3_open(":memory:", &db);
  std::string script =
      "CREATE TABLE account (id INTEGER PRIMARY KEY, email, phone, national_id, plan, country);"
      "CREATE TABLE payment (id INTEGER PRIMARY KEY, account_id, amount, card_number, paid_at);"
      "CREATE TABLE note (id INTEGER PRIMARY KEY, account_id, body);";
  for (int i = 1; i <= kRows; ++i) {
    const std::string n = std::to_string(i);
    // In one copy blocked values rise, in the other they fall, repeat and are absent.
    const std::string secret = mark == 'a'
                                   ? "'" + std::string(1, static_cast<char>('a' + i)) + "@x'"
                               : i % 4 == 0 ? "NULL"
                               : i % 3 == 0 ? "'NO'"
                                            : "'z" + std::to_string(kRows - i) + "'";
    script += "INSERT INTO account VALUES (" + n + "," + secret + "," + secret + "," + secret +
              ",'" + (i % 2 == 0 ? "gold" : "free") + "','" + (i % 3 == 0 ? "NO" : "DE") + "');";
    script += "INSERT INTO payment VALUES (" + n + "," + std::to_string(1 + i % 7) + "," +
              std::to_string(i * 1.5) + "," + secret + ",'2024-01-0" + std::to_string(1 + i % 9) +
              "');";
    script += "INSERT INTO note VALUES (" + n + "," + std::to_string(1 + i % 5) + ",'b" + n + "');";
  }
  if (sqlite3_exec(db, script.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) std::abort();
  sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 100'000);
  return db;
}

// Rows as text, or the failure's code.
std::string RunOn(sqlite3* db, const std::string& text) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(db, text.c_str(), static_cast<int>(text.size()), &statement, nullptr) !=
      SQLITE_OK)
    return "not prepared";
  int left = kSteps / 100;
  sqlite3_progress_handler(
      db, 100, [](void* steps) { return --*static_cast<int*>(steps) <= 0 ? 1 : 0; }, &left);
  std::string out;
  int code = SQLITE_ROW;
  for (int row = 0; row < kRowsRead && (code = sqlite3_step(statement)) == SQLITE_ROW; ++row) {
    for (int i = 0; i < sqlite3_column_count(statement); ++i) {
      const auto* cell = reinterpret_cast<const char*>(sqlite3_column_text(statement, i));
      out += cell == nullptr ? "\1" : cell;
      out += '\2';
    }
    out += '\n';
  }
  sqlite3_finalize(statement);
  if (code == SQLITE_INTERRUPT) return "stopped";
  return out + std::to_string(code);
}

std::vector<catalog::Table> Tables() {
  std::vector<catalog::Table> tables;
  for (const TableSpec& spec : Specs()) {
    catalog::Table& table = tables.emplace_back();
    table.schema = "main";
    table.name = spec.name;
    for (const std::string& column : spec.columns) table.columns.emplace_back().name = column;
  }
  return tables;
}

int Main(std::uint64_t executions, std::uint64_t seed, bool is_blind) {
  const std::vector<catalog::Table> tables = Tables();
  guard::TableList lookup(tables);
  privacy::PolicyData data;
  if (is_blind)
    data.first.categories[static_cast<std::size_t>(privacy::Category::Contact)] = privacy::kAllow;
  const guard::Guard guard{privacy::Policy(data)};
  sqlite3* a = Open('a');
  sqlite3* b = Open('b');
  Maker maker(seed);
  std::uint64_t made = 0, approved = 0, ran = 0, differ = 0;
  while (approved < executions) {
    ++made;
    const std::string text = maker.Statement();
    const auto judged = guard.ApproveText({text, {}}, sql::Sqlite(), lookup, {}, nullptr);
    if (!judged) continue;
    ++approved;
    const std::string one = RunOn(a, judged->text());
    const std::string two = RunOn(b, judged->text());
    // How far a statement comes before it is stopped is no answer.
    if (one == "stopped" || two == "stopped") continue;
    ran += one == "not prepared" ? 0 : 1;
    if (one == two) continue;
    ++differ;
    std::printf("DIFFER\n  %s\n  %s\n", text.c_str(), judged->text().c_str());
  }
  sqlite3_close(a);
  sqlite3_close(b);
  std::printf("%llu made, %llu approved, %llu of them ran, %llu differ\n",
              static_cast<unsigned long long>(made), static_cast<unsigned long long>(approved),
              static_cast<unsigned long long>(ran), static_cast<unsigned long long>(differ));
  return differ == 0 && ran > approved / 3 ? 0 : 1;
}

}  // namespace
}  // namespace schemaward

int main(int argc, char** argv) {
  const std::uint64_t executions = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20'000;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  return schemaward::Main(executions, seed, argc > 3);
}
