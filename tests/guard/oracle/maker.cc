#include "oracle/maker.h"

#include <algorithm>
#include <utility>

namespace schemaward::oracle {
namespace {

constexpr int kJoinsMax = 2;
constexpr unsigned kOneProbeIn = 6;

}  // namespace

std::string Maker::Statement() {
  scopes_.clear();
  commons_.clear();
  families_.clear();
  keys_ = nullptr;
  is_daring_ = OneIn(2);
  touched_ = is_recursive_ = false;
  if (OneIn(kOneProbeIn))
    if (std::string probe = Probe(); !probe.empty()) {
      if (!OneIn(6)) return probe;
      return "SELECT * FROM (" + probe + ") AS " + FreeAlias({});
    }
  std::string with;
  const int commons = OneIn(4) ? 1 + static_cast<int>(Below(2)) : 0;
  for (int i = 0; i < commons; ++i) with += (i == 0 ? "" : ", ") + Common(1);
  if (commons > 0) with = (is_recursive_ ? "WITH RECURSIVE " : "WITH ") + with + ' ';
  std::vector<Column> outputs;
  std::string text = with + Query(0, {}, outputs);
  if (Is(Engine::DuckDb) && OneIn(25)) return Marked("summarize", "SUMMARIZE " + text);
  return text;
}

// A name as it is written: mostly plain, sometimes quoted in one of the engine's ways.
std::string Maker::Named(const std::string& name) {
  if (!OneIn(10)) return OneIn(20) && Is(Engine::Sqlite) ? '[' + name + ']' : name;
  const char quote = Is(Engine::MySql) ? '`' : '"';
  return quote + name + quote;
}

std::string Maker::Query(int depth, const Ask& ask, std::vector<Column>& outputs) {
  std::string text = Core(depth, ask, outputs);
  if (!ask.is_part && !Is(Engine::Sqlite) && OneIn(15)) return InBrackets(std::move(text), ask);
  if (ask.is_part || !OneIn(depth == 0 ? 6 : 12)) return text;
  Ask again;
  for (const Column& column : outputs) again.kinds.push_back(column.kind);
  again.is_part = true;
  std::vector<Column> more;
  const std::size_t cut = text.find(" ORDER BY ");
  if (cut != std::string::npos || text.find(" LIMIT ") != std::string::npos) return text;
  text += Pick(" UNION ", " UNION ALL ", " EXCEPT ", " INTERSECT ") + Core(depth, again, more);
  for (std::size_t i = 0; i < std::min(more.size(), outputs.size()); ++i)
    outputs[i].is_blocked = outputs[i].is_blocked || more[i].is_blocked;
  return text + Tail(depth, ask, outputs, false);
}

// A select in brackets with an order behind them, whose names may be columns of the select's
// tables.
std::string Maker::InBrackets(std::string text, const Ask& ask) {
  if (text.find(" ORDER BY ") != std::string::npos || text.find(" LIMIT ") != std::string::npos)
    return text;
  const std::string name = Named(Pick("email", "plan", "id", "label", "s", "t"));
  return "(" + std::move(text) + ") ORDER BY " +
         (OneIn(2) ? name : "coalesce(" + name + ", NULL)") + (ask.is_one_row ? " LIMIT 1" : "");
}

std::string Maker::Core(int depth, const Ask& ask, std::vector<Column>& outputs) {
  const bool may_aggregate = may_aggregate_, may_window = may_window_;
  auto* const outer_keys = keys_;
  keys_ = nullptr;
  may_aggregate_ = may_window_ = false;
  scopes_.emplace_back();
  names_.emplace_back();
  windows_.emplace_back();
  Scope scope;
  std::string from = Item(depth, scope);
  scopes_.back() = scope;
  for (int joins = 0; joins < kJoinsMax && OneIn(3); ++joins)
    from = Join(depth, scopes_.back(), from);
  std::vector<std::pair<std::string, Kind>> keys;
  const bool is_grouped = OneIn(3);
  std::string group;
  if (is_grouped) {
    for (std::size_t i = Below(3); i > 0; --i) {
      const Kind kind = AnyKind();
      std::string key = OneIn(6) ? TextOf(depth + 2) : TryColumn(kind);
      if (key.empty()) continue;
      keys.emplace_back(std::move(key), kind);
      group += (group.empty() ? " GROUP BY " : ", ") + keys.back().first;
    }
    if (!group.empty() && OneIn(8) && (Is(Engine::Postgres) || Is(Engine::DuckDb)))
      group =
          " GROUP BY " + Pick("ROLLUP", "CUBE", "GROUPING SETS") + " (" + group.substr(10) + ")";
    else if (!group.empty() && OneIn(5) && Is(Engine::MySql))
      group += Marked("rollup", " WITH ROLLUP");
    keys_ = &keys;
    may_aggregate_ = true;
  }
  const std::string select = OutputsOf(depth, ask, is_grouped, outputs);
  names_.back() = outputs;
  keys_ = nullptr;
  may_aggregate_ = false;
  const std::string where = OneIn(2) ? " WHERE " + Value(Kind::Flag, depth + 1) : "";
  const bool is_rolled = group.ends_with(" ROLLUP");
  if (is_grouped && !is_rolled && OneIn(12))
    if (const std::string name = TryName(AnyKind()); !name.empty())
      group += (group.empty() ? " GROUP BY " : ", ") + name;
  if (is_grouped) keys_ = &keys;
  may_aggregate_ = is_grouped;
  if (is_grouped && OneIn(3)) group += " HAVING " + Value(Kind::Flag, depth + 1);
  if (!is_grouped && Is(Engine::MySql) && OneIn(12))
    if (const std::string name = TryName(AnyKind()); !name.empty())
      group = Marked("having_alone", " HAVING " + name + Pick(" IS NOT NULL", " > 'a'", " < 5"));
  std::string behind;
  if (Is(Engine::DuckDb) && OneIn(12)) {
    may_window_ = true;
    behind = Marked("qualify", " QUALIFY " + Window(Kind::Number, depth + 2) + " < 4");
  }
  may_window_ = true;
  if (!ask.is_part) behind += Tail(depth, ask, outputs, true);
  std::string text = select + " FROM " + from + where + group + windows_.back() + behind;
  windows_.pop_back();
  scopes_.pop_back();
  names_.pop_back();
  keys_ = outer_keys;
  may_aggregate_ = may_aggregate;
  may_window_ = may_window;
  return text;
}

std::string Maker::OutputsOf(int depth, const Ask& ask, bool is_grouped,
                             std::vector<Column>& outputs) {
  std::string text = OneIn(8) ? "SELECT DISTINCT " : "SELECT ";
  if (OneIn(20) && Is(Engine::Postgres)) text = "SELECT DISTINCT ON (" + ColumnOf(AnyKind()) + ") ";
  const std::size_t count = ask.kinds.empty() ? 1 + Below(3) : ask.kinds.size();
  may_window_ = !is_grouped;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) text += ", ";
    if (ask.kinds.empty() && !is_grouped && OneIn(14) && depth == 0) {
      text += OneIn(2) ? "*" : scopes_.back().front().alias + ".*";
      if (Is(Engine::DuckDb) && OneIn(2))
        text += " EXCLUDE (" + Pick("id", "email", "country") + ")";
      outputs.push_back({"?", Kind::Text, true});
      continue;
    }
    const Kind kind = ask.kinds.empty() ? AnyKind() : ask.kinds[i];
    const bool touched = touched_;
    touched_ = false;
    text += Value(kind, depth + 1);
    std::string name = "?";
    if (!ask.kinds.empty() || OneIn(2)) {
      name = OneIn(2) ? Pick("plan", "email", "id", "country", "amount", "body", "label", "tag")
                      : std::string(1, static_cast<char>('s' + i));
      if (OneIn(8))
        name = Marked("system_name", Is(Engine::Postgres) ? Pick("tableoid", "ctid")
                                     : Is(Engine::MySql)  ? std::string("_rowid")
                                                          : Pick("rowid", "oid"));
      const bool is_taken = std::any_of(outputs.begin(), outputs.end(),
                                        [&](const Column& other) { return other.name == name; });
      if (is_taken) name += std::to_string(i);
      text += " AS " + Named(name);
    }
    outputs.push_back({name, kind, touched_});
    touched_ = touched_ || touched;
    if (Is(Engine::DuckDb) && OneIn(2)) names_.back() = outputs;  // outputs behind it may use it
  }
  may_window_ = false;
  return text;
}

// An expression that often has the outputs' names in it.
std::string Maker::OfNames(int depth) {
  constexpr unsigned kOften = 2;
  const unsigned before = std::exchange(one_name_in_, kOften);
  std::string value = Value(AnyKind(), depth + 2);
  one_name_in_ = before;
  return value;
}

// ORDER BY and LIMIT. `is_free`: any expression may stand in ORDER BY, not only an output.
std::string Maker::Tail(int depth, const Ask& ask, const std::vector<Column>& outputs,
                        bool is_free) {
  std::string text;
  if (Is(Engine::DuckDb) && OneIn(20)) {
    text = Marked("order_all", " ORDER BY ALL");
  } else if (OneIn(3)) {
    const std::string& name = outputs[Below(outputs.size())].name;
    const bool by_name = name != "?" && OneIn(2);
    text = " ORDER BY " +
           (by_name               ? name
            : is_free && OneIn(2) ? OfNames(depth)
                                  : std::string("1")) +
           (OneIn(3) ? " DESC" : "");
    if (!Is(Engine::MySql) && OneIn(6)) text += " NULLS LAST";
  }
  if (ask.is_one_row) return text + " LIMIT 1";
  if (OneIn(5)) text += " LIMIT " + Pick("1", "3", "10") + (OneIn(3) ? " OFFSET 1" : "");
  return text;
}

}  // namespace schemaward::oracle
