// Whole statements of a few shapes that leaked when people wrote them, and that the grammar comes
// to once in tens of thousands: where a name has two meanings and the engine takes the other one,
// and joins whose rows come in an order that nobody asked for.
#include <algorithm>

#include "oracle/maker.h"

namespace schemaward::oracle {
namespace {

Column PlainOf(const Relation& relation, std::size_t from) {
  for (std::size_t i = 0; i < relation.columns.size(); ++i) {
    const Column& column = relation.columns[(from + i) % relation.columns.size()];
    if (!column.is_blocked && column.kind != Kind::Row) return column;
  }
  return relation.columns.front();
}

}  // namespace

// Empty where the engine has none, or none came about.
std::string Maker::Probe() {
  if (OneIn(3)) return JoinOfItself();
  switch (engine_) {
    case Engine::Sqlite:
      return OneIn(2) ? TwoMeanings("seat", Pick("rowid", "oid", "_rowid_"))
                      : TwoMeanings("docs", Pick("docs", "docs", "rank"));
    case Engine::Postgres:
      if (OneIn(4)) return RowOrOutput();
      return TwoMeanings("event", Pick("tableoid", "ctid"));
    case Engine::MySql:
      return TwoMeanings("seat", "_rowid");
    case Engine::DuckDb:
      break;
  }
  switch (Below(5)) {
    case 0:
      return RowOrOutput();
    case 1:
      return AggregateInLambda();
    case 2:
      return OutOfSight();
    default:
      return FieldOrColumn();
  }
}

const Relation* Maker::RelationOf(std::string_view name) const {
  const auto found = std::find_if(relations_.begin(), relations_.end(),
                                  [&](const Relation& one) { return one.name == name; });
  return found == relations_.end() ? nullptr : &*found;
}

// A condition on a name of which it is not known what it means.
std::string Maker::TestOf(const std::string& name) {
  const bool is_loose = Is(Engine::Sqlite) || Is(Engine::MySql);
  if (is_loose && OneIn(2))
    return "(" + name + Pick(" > 5", " < 4", " = 'x'", " = 'NO'", " <> 'b1'", " BETWEEN 2 AND 6") +
           ")";
  const std::string text = is_loose ? name : "(" + name + ")::VARCHAR";
  return "(" +
         Pick(text + " > '(2'", text + " LIKE '%2%'", text + " LIKE '%x%'", text + " < 'g'",
              text + " = 'x'", name + " IS NOT NULL", "length(" + text + ") > 20") +
         ")";
}

std::string Maker::UseOf(const std::string& name) {
  if (Is(Engine::Sqlite) || Is(Engine::MySql))
    return Pick(name, "(" + name + " + 0)", "length(" + name + ")", "coalesce(" + name + ", 'x')");
  return Pick("(" + name + ")::VARCHAR", "length((" + name + ")::VARCHAR)",
              "coalesce((" + name + ")::VARCHAR, 'x')");
}

// Selects from one table in which `name` is an output or a column around, or else what the engine
// gives to the table by itself.
std::string Maker::TwoMeanings(std::string_view table, const std::string& name) {
  const Relation* const relation = RelationOf(table);
  if (relation == nullptr) return {};
  const Column plain = PlainOf(*relation, Below(relation->columns.size()));
  const std::string alias = OneIn(2) ? relation->name : FreeAlias({});
  std::string from = relation->name + (alias == relation->name ? "" : " AS " + alias);
  if (OneIn(6)) from += Pick(", ", " CROSS JOIN ") + std::string("tier AS t");
  const std::string written = OneIn(3) ? Named(name) : name;
  const std::string value = OneIn(2) ? Literal(AnyKind()) : alias + "." + plain.name;
  const std::string outside = Literal(OneIn(2) ? Kind::Number : Kind::Text);
  const std::string least = Pick("count(*)", "min(", "max(");
  const std::string aggregate =
      least == "count(*)" ? least : least + alias + "." + plain.name + ")";
  const std::string around = OneIn(3) ? alias : "q";
  const std::string inside = around == alias ? alias + "." + name : written;
  switch (Below(9)) {
    case 0:
      return Marked("two_meanings", "SELECT " + value + " AS " + name + ", " + aggregate +
                                        " FROM " + from + " GROUP BY " + written);
    case 1:
      return Marked("two_meanings", "SELECT " + outside + " AS " + name + ", " + aggregate +
                                        " FROM " + from + " GROUP BY " + written + " HAVING " +
                                        TestOf(written));
    case 2:
      return Marked("two_meanings", "SELECT " + value + " AS " + name + " FROM " + from +
                                        " WHERE " + TestOf(written));
    case 3:
      return Marked("two_meanings", "SELECT " + value + " AS " + name + ", " + alias + "." +
                                        plain.name + " AS s FROM " + from + " ORDER BY " +
                                        (OneIn(2) ? written : UseOf(written)) +
                                        Pick("", " LIMIT 3", " DESC"));
    case 4:
      return Marked("two_meanings", "SELECT (SELECT " + UseOf(inside) + " FROM " + from +
                                        " LIMIT 1) AS s FROM (SELECT " + outside + " AS " + name +
                                        ") AS " + around);
    case 5:
      return Marked("two_meanings", "SELECT (SELECT " + aggregate + " FROM " + from + " WHERE " +
                                        TestOf(inside) + ") AS s FROM (SELECT " + outside + " AS " +
                                        name + ") AS " + around);
    case 6:
      return Marked("two_meanings", "SELECT " + aggregate + " FROM " + from + " JOIN (SELECT " +
                                        outside + " AS " + name + ") AS q USING (" + name + ")");
    case 7:
      return Marked("two_meanings", "SELECT " + aggregate + " FROM " + from + ", (SELECT " +
                                        outside + " AS " + name + ") AS q WHERE " +
                                        TestOf(written));
    default:
      return Marked("two_meanings", "SELECT " + value + " AS " + name + ", " + UseOf(written) +
                                        " AS s FROM " + from);
  }
}

// The name of a table, which is its row, and that of an output.
std::string Maker::RowOrOutput() {
  const std::string alias = Pick("p", "email", "account", "x");
  const std::string from = Pick("account", "payment", "badge", "note") + " AS " + alias;
  const std::string value = Literal(OneIn(2) ? Kind::Number : Kind::Text);
  switch (Below(5)) {
    case 0:
      return Marked("row_or_output", "SELECT " + value + " AS " + alias + ", " + UseOf(alias) +
                                         " AS s FROM " + from);
    case 1:
      return Marked("row_or_output", "SELECT " + value + " AS " + alias + ", count(*) AS s FROM " +
                                         from + " GROUP BY " + alias);
    case 2:
      return Marked("row_or_output", "SELECT " + value + " AS " + alias + " FROM " + from +
                                         " WHERE " + TestOf(alias));
    case 3:
      return Marked("row_or_output", "SELECT " + value + " AS " + alias +
                                         ", account_id AS s FROM " + Pick("payment", "badge") +
                                         " AS " + alias + " ORDER BY " + UseOf(alias));
    default:
      return Marked("row_or_output", "SELECT (SELECT " + UseOf(alias) + " FROM " + from +
                                         " LIMIT 1) FROM (SELECT " + value + " AS " + alias +
                                         ") AS q");
  }
}

// What a lambda calls so is out of sight of an aggregate or a window inside of it.
std::string Maker::AggregateInLambda() {
  const std::string name = Pick("email", "phone", "national_id", "plan", "country");
  const std::string call =
      OneIn(2) ? Pick("max(", "min(", "first(", "string_agg(") + name + ")"
               : Pick("rank()", "row_number()", "count(*)") + " OVER (ORDER BY " + name + ")";
  const std::string body = OneIn(2) ? call : "coalesce((" + call + ")::VARCHAR, 'x')";
  const std::string list = Pick("['x']", "['a', 'gold']", "[1, 2]");
  const std::string lambda = OneIn(2) ? name + " -> " + body : "lambda " + name + ": " + body;
  const std::string value = OneIn(4) ? "[" + body + " FOR " + name + " IN " + list + "]"
                                     : "list_transform(" + list + ", " + lambda + ")";
  const std::string from = " FROM account" + Pick("", " AS a", " AS email");
  const std::string output = "SELECT (" + value + "[1])::VARCHAR AS s";
  if (OneIn(4)) return Marked("aggregate_in_lambda", output + ", plan" + from + " GROUP BY plan");
  return Marked("aggregate_in_lambda", output + from);
}

// The right side of a SEMI or ANTI join is out of sight behind it: its names mean what is around.
std::string Maker::OutOfSight() {
  const std::string name = Pick("email", "phone", "national_id", "plan", "country");
  const std::string alias = OneIn(2) ? "e" : "a";
  const std::string on = OneIn(2) ? " ON o.id = e.id" : " USING (id)";
  const std::string right = "(SELECT " + Pick("1", "3", "99") + " AS id, " + Literal(Kind::Text) +
                            " AS " + name + ") AS e";
  const std::string from =
      Pick("note", "payment", "tier") + " AS o" + Pick(" SEMI JOIN ", " ANTI JOIN ") + right + on;
  const std::string inside = OneIn(2) ? name : alias + "." + name;
  const std::string select = OneIn(2) ? "SELECT " + UseOf(inside) + " FROM " + from + " LIMIT 1"
                                      : "SELECT count(*) FROM " + from + " WHERE " + TestOf(inside);
  return Marked("out_of_sight",
                "SELECT " + alias + ".id, (" + select + ") AS s FROM account AS " + alias);
}

// a.b, a column of what is called a or a field of a column a.
std::string Maker::FieldOrColumn() {
  const bool is_email = OneIn(2);
  const std::string name = is_email ? "email" : "place";
  const std::string field =
      is_email ? Pick("city", "city", "home") : Pick("email", "country", "home");
  const std::string column = OneIn(2) ? field : Pick("id", "other");
  const std::string other = "(SELECT " + Literal(Kind::Text) + " AS " + column + ") AS " + name;
  const std::string value = UseOf(name + "." + field);
  switch (Below(7)) {
    case 0:
      return Marked("field_or_column",
                    "SELECT (SELECT " + value + " FROM profile LIMIT 1) FROM " + other);
    case 1:
      return Marked("field_or_column", "SELECT (SELECT count(*) FROM profile WHERE " +
                                           TestOf(name + "." + field) + ") FROM " + other);
    case 2:
      return Marked("field_or_column", "SELECT " + value + " AS s FROM " +
                                           (OneIn(2) ? "profile, range(2) AS " + name
                                                     : "range(2) AS " + name + ", profile"));
    case 3:
      return Marked("field_or_column", "SELECT q.s FROM profile, (SELECT " + value +
                                           " AS s FROM range(1) AS " + name + ") AS q");
    case 4:
      return Marked("field_or_column", "SELECT (list_transform([{'" + field + "': 'x'}], " + name +
                                           " -> " + name + "." + field +
                                           ")[1])::VARCHAR AS s FROM profile");
    case 5:
      return Marked("field_or_column", "SELECT {'" + field + "': id} AS " + name +
                                           ", id AS s FROM profile ORDER BY " + value);
    default:
      return Marked("field_or_column", "SELECT " + value + " AS s FROM " +
                                           Pick("profile, ", "profile CROSS JOIN ") + other);
  }
}

// A table beside itself, by a column that no index begins with, and columns that a mask shows among
// the outputs: an engine that makes an index of its own reads rows in its order.
std::string Maker::JoinOfItself() {
  const Relation& relation = relations_[Below(relations_.size())];
  std::vector<std::string> keys, all;
  for (const Column& column : relation.columns) {
    if (column.kind == Kind::Row) continue;
    all.push_back(column.name);
    if (!column.is_blocked) keys.push_back(column.name);
  }
  if (keys.empty()) return {};
  const auto any = [&](const std::string& alias, const std::vector<std::string>& names) {
    return alias + "." + names[Below(names.size())];
  };
  const auto other = [&] { return OneIn(2) ? any("d", all) : any("e", all); };
  std::string with, left = relation.name, right = relation.name;
  if (OneIn(3)) {
    std::string columns;
    for (const std::string& name : all) columns += (columns.empty() ? "" : ", ") + name;
    with = "WITH c AS (SELECT " + (OneIn(2) ? "*" : columns) + " FROM " + relation.name + ") ";
    left = "c";
    if (OneIn(2)) right = "c";
  } else if (OneIn(4)) {
    right = "(SELECT * FROM " + relation.name + ")";
  }
  std::string outputs;
  switch (Below(5)) {
    case 0:
      outputs = "*";
      break;
    case 1:
      outputs = "*, " + any("d", keys);
      break;
    case 2:
      outputs = Pick("d", "e") + ".*, " + other();
      break;
    default:
      for (std::size_t i = 1 + Below(3); i > 0; --i) outputs += other() + (i > 1 ? ", " : "");
  }
  const std::string key = keys[Below(keys.size())];
  std::string join = Pick(" JOIN ", " JOIN ", " LEFT JOIN ", " CROSS JOIN ") + right + " AS e";
  if (join.starts_with(" CROSS"))
    join += " WHERE d." + key + " = e." + key;
  else if (OneIn(4))
    join += " USING (" + key + ")";
  else
    join += " ON d." + key + Pick(" = ", " = ", " = ", " < ") +
            (OneIn(6) ? any("e", keys) : "e." + key);
  const std::string text = with + "SELECT " + outputs + " FROM " + left + " AS d" + join;
  return Marked("join_of_itself", text + (OneIn(3) ? Pick(" LIMIT 1", " LIMIT 5") : ""));
}

}  // namespace schemaward::oracle
