#include "oracle/data.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "oracle/shape.h"

namespace schemaward::oracle {
namespace {

constexpr int kPrime = 11;  // over kRows: multiples of a row's number are keys in another order

struct View {
  const char* name;
  const char* select;
};
// `tier`, `pass` and `spend` have no blocked column; the others have one under a name that does not
// say so, or rows in its order.
constexpr View kViews[] = {
    {"tier", "SELECT id, plan AS level, country FROM account"},
    {"pass", "SELECT account_id, level FROM badge"},
    {"spend",
     "SELECT a.country AS land, count(*) AS payments, sum(p.amount) AS total FROM account a JOIN "
     "payment p ON p.account_id = a.id GROUP BY a.country"},
    {"reach", "SELECT id AS account_id, email AS label, country FROM account"},
    {"deep",
     "SELECT r.account_id AS id, r.label AS tag, n.body FROM reach r JOIN note n ON "
     "n.account_id = r.account_id"},
    {"flags",
     "SELECT p.id AS id, EXISTS (SELECT 1 FROM account q WHERE q.id = p.account_id AND q.phone > "
     "'c') AS noted, (SELECT max(q.email) FROM account q WHERE q.country = 'DE') AS top FROM "
     "payment p"},
    {"ranked", "SELECT id, plan, country FROM account ORDER BY national_id DESC, id"}};

bool IsView(std::string_view name) {
  return std::any_of(std::begin(kViews), std::end(kViews),
                     [&](const View& view) { return view.name == name; });
}

// Each holds a blocked column: one that is read in the order of its index must not show.
struct IndexOf {
  const char* table;
  const char* columns[3];
};
constexpr IndexOf kIndexes[] = {{"account", {"email"}},
                                {"account", {"country", "phone"}},
                                {"account", {"plan", "country", "national_id"}},
                                {"payment", {"card_number", "amount"}},
                                {"payment", {"account_id", "card_number"}}};

std::vector<std::string> ColumnsOf(const IndexOf& index) {
  std::vector<std::string> columns;
  for (const char* column : index.columns)
    if (column != nullptr) columns.emplace_back(column);
  return columns;
}

}  // namespace

std::string Secret(Copy copy, int i, bool is_present) {
  if (is_present && i % 4 == 0) return "NULL";
  if (copy == Copy::A) return fmt::format("'{}@x'", static_cast<char>('a' + i));
  if (!is_present && i % 4 == 0) return "NULL";
  return i % 3 == 0 ? "'NO'" : fmt::format("'z{}'", kRows - i);
}

int SecretKey(Copy copy, int i) { return copy == Copy::A ? i : i * 7 % kPrime; }

std::vector<std::string> BlockedViews() { return {"deep", "reach", "flags", "ranked"}; }

std::vector<Relation> Relations(Engine engine, bool all_views) {
  constexpr Kind kNumber = Kind::Number, kText = Kind::Text;
  std::vector<Relation> relations = {
      {"account",
       {{"id", kNumber, false},
        {"email", kText, true},
        {"phone", kText, true},
        {"national_id", kText, true},
        {"plan", kText, false},
        {"country", kText, false}}},
      {"payment",
       {{"id", kNumber, false},
        {"account_id", kNumber, false},
        {"amount", kNumber, false},
        {"card_number", kText, true},
        {"paid_at", Kind::Time, false}}},
      {"note", {{"id", kNumber, false}, {"account_id", kNumber, false}, {"body", kText, false}}},
      {"badge",
       {{"card_number", kText, true}, {"account_id", kNumber, false}, {"level", kText, false}}},
      {"tier", {{"id", kNumber, false}, {"level", kText, false}, {"country", kText, false}}},
      {"pass", {{"account_id", kNumber, false}, {"level", kText, false}}},
      {"spend", {{"land", kText, false}, {"payments", kNumber, false}, {"total", kNumber, false}}}};
  for (Relation& own : OwnRelations(engine)) relations.push_back(std::move(own));
  if (!all_views) return relations;
  relations.push_back(
      {"reach",
       {{"account_id", kNumber, false}, {"label", kText, true}, {"country", kText, false}}});
  relations.push_back(
      {"deep", {{"id", kNumber, false}, {"tag", kText, true}, {"body", kText, false}}});
  // Made of blocked columns, which the maker is not told: it reads them as any.
  relations.push_back(
      {"flags", {{"id", kNumber, false}, {"noted", Kind::Flag, false}, {"top", kText, true}}});
  relations.push_back(
      {"ranked", {{"id", kNumber, false}, {"plan", kText, false}, {"country", kText, false}}});
  return relations;
}

std::vector<Relation> StoredTables(Engine engine) {
  std::vector<Relation> tables = Relations(engine, false);
  std::erase_if(tables, [](const Relation& table) { return IsView(table.name); });
  return tables;
}

std::vector<std::string> Script(Engine engine, Copy copy, const Shape& shape) {
  std::vector<std::string> script;
  const std::vector<Relation> own = OwnRelations(engine);
  for (const Relation& table : StoredTables(engine)) {
    const bool is_own = std::any_of(own.begin(), own.end(),
                                    [&](const Relation& one) { return one.name == table.name; });
    if (!is_own) script.push_back(shape.Table(engine, table));
  }
  for (int i = 1; i <= kRows; ++i) {
    const std::string secret = Secret(copy, i, false), present = Secret(copy, i, true);
    script.push_back(
        fmt::format("INSERT INTO account (id, email, phone, national_id, plan, country) VALUES "
                    "({0}, {4}, {4}, {1}, '{2}', '{3}')",
                    i, secret, shape.Shared(i, 2) == 0 ? "gold" : "free",
                    shape.Shared(i, 3) == 0 ? "NO" : "DE", present));
    script.push_back(
        fmt::format("INSERT INTO payment (id, account_id, amount, card_number, paid_at) VALUES "
                    "({}, {}, {}, {}, '2024-01-0{} 10:00:00')",
                    i, 1 + shape.Shared(i, 7), shape.Shared(i, kRows + 1) * 1.5, secret,
                    1 + shape.Shared(i, 9)));
    script.push_back(fmt::format("INSERT INTO note (id, account_id, body) VALUES ({0}, {1}, {2})",
                                 i, 1 + shape.Shared(i, 5),
                                 i % 4 == 0 ? "NULL" : fmt::format("'b{}'", i)));
    script.push_back(
        fmt::format("INSERT INTO badge (card_number, account_id, level) VALUES ('{}', {}, '{}')",
                    SecretKey(copy, i), 1 + shape.Shared(i, 4), i % 2 == 0 ? "low" : "high"));
  }
  AddOwnScript(engine, copy, script);
  for (std::size_t i = 0; i < std::size(kIndexes); ++i)
    script.push_back(fmt::format("CREATE INDEX personal_{} ON {} ({})", i, kIndexes[i].table,
                                 fmt::join(ColumnsOf(kIndexes[i]), ", ")));
  std::vector<Relation> indexed = StoredTables(engine);
  std::erase_if(indexed, [](const Relation& table) { return table.name == "docs"; });
  for (std::string& index : shape.Indexes(engine, indexed)) script.push_back(std::move(index));
  const auto add_view = [&](const std::string& name, const std::string& select) {
    script.push_back(
        fmt::format("CREATE VIEW {}{} AS {}", name,
                    engine == Engine::Postgres ? " WITH (security_invoker = true)" : "", select));
  };
  for (const View& view : kViews) add_view(view.name, view.select);
  for (const ShapeView& view : shape.Views(StoredTables(engine)))
    add_view(view.relation.name, view.select);
  return script;
}

}  // namespace schemaward::oracle
