// Tables of what one engine has alone, as people found leaks in them.
#include <fmt/format.h>

#include "oracle/data.h"

namespace schemaward::oracle {
namespace {

constexpr Kind kNumber = Kind::Number, kText = Kind::Text;

using Script = std::vector<std::string>;

// A key that is blocked and that rows are found by (rowid, _rowid), a column made of a blocked one,
// and a table of full text: its own name and `rank` are columns that no catalog lists.
void AddSqlite(Copy copy, Script& script) {
  script.emplace_back("CREATE TABLE seat (national_id INTEGER PRIMARY KEY, account_id, level)");
  script.emplace_back(
      "CREATE TABLE ledger (email, account_id, memo, hint AS (upper(email)) VIRTUAL)");
  script.emplace_back("CREATE VIRTUAL TABLE docs USING fts5(email, body)");
  for (int i = 1; i <= kRows; ++i) {
    const std::string present = Secret(copy, i, true);
    script.push_back(
        fmt::format("INSERT INTO ledger VALUES ({}, {}, 'm{}')", present, 1 + i % 4, i));
    script.push_back(fmt::format("INSERT INTO docs VALUES ({}, 'b{}')", present, i % 3));
  }
}

void AddDuckDb(Copy copy, Script& script) {
  script.emplace_back(
      "CREATE TABLE profile (id INTEGER PRIMARY KEY, account_id INTEGER, email STRUCT(city "
      "VARCHAR, home STRUCT(street VARCHAR, city VARCHAR)), place STRUCT(email VARCHAR, country "
      "VARCHAR, home STRUCT(phone VARCHAR, city VARCHAR)), phone VARCHAR, hint VARCHAR GENERATED "
      "ALWAYS AS (upper(phone)))");
  for (int i = 1; i <= kRows; ++i) {
    const std::string present = Secret(copy, i, true);
    script.push_back(fmt::format(
        "INSERT INTO profile VALUES ({0}, {1}, {{'city': {2}, 'home': {{'street': {2}, 'city': "
        "{2}}}}}, {{'email': 'e{0}', 'country': '{3}', 'home': {{'phone': 'p{0}', 'city': 'b{1}'"
        "}}}}, {2})",
        i, 1 + i % 4, present, i % 3 == 0 ? "NO" : "DE"));
  }
}

// Several rows have the same numbers.
void AddEvent(Copy copy, int i, Script& script) {
  script.push_back(fmt::format("INSERT INTO event VALUES ({0}, {0}, {1}, 'b{2}')", 1 + i % 2,
                               Secret(copy, i, false), i));
}

void AddPostgres(Copy copy, Script& script) {
  script.emplace_back("CREATE TYPE spot AS (city text, email text)");
  script.emplace_back(
      "CREATE TABLE visit (id INTEGER PRIMARY KEY, account_id INTEGER, place spot, phone spot, "
      "email VARCHAR(40), hint VARCHAR(40) GENERATED ALWAYS AS (upper(email)) STORED)");
  script.emplace_back(
      "CREATE TABLE event (id INTEGER, account_id INTEGER, national_id VARCHAR(40), body "
      "VARCHAR(40)) PARTITION BY HASH (national_id)");
  for (int part = 0; part < 2; ++part)
    script.push_back(fmt::format(
        "CREATE TABLE event_{0} PARTITION OF event FOR VALUES WITH (MODULUS 2, REMAINDER {0})",
        part));
  for (int i = 1; i <= kRows; ++i) {
    const std::string present = Secret(copy, i, true);
    script.push_back(
        fmt::format("INSERT INTO visit VALUES ({0}, {1}, ROW('b{0}', 'e{1}'), ROW({2}, {2}), {2})",
                    i, 1 + i % 4, present));
    AddEvent(copy, i, script);
  }
}

void AddMySql(Copy copy, Script& script) {
  script.emplace_back(
      "CREATE TABLE ledger (id INTEGER PRIMARY KEY, account_id INTEGER, email VARCHAR(40), memo "
      "VARCHAR(60) DEFAULT (concat(email, 'x')), hint VARCHAR(40) GENERATED ALWAYS AS "
      "(upper(email)) VIRTUAL)");
  script.emplace_back(
      "CREATE TABLE event (id INTEGER, account_id INTEGER, national_id VARCHAR(40), body "
      "VARCHAR(40)) PARTITION BY KEY (national_id) PARTITIONS 2");
  script.emplace_back(
      "CREATE TABLE seat (national_id INTEGER PRIMARY KEY, account_id INTEGER, level VARCHAR(40))");
  for (int i = 1; i <= kRows; ++i) {
    const std::string present = Secret(copy, i, true);
    script.push_back(fmt::format("INSERT INTO ledger (id, account_id, email) VALUES ({}, {}, {})",
                                 i, 1 + i % 4, present));
    AddEvent(copy, i, script);
  }
}

}  // namespace

std::vector<Relation> OwnRelations(Engine engine) {
  const Relation seat = {
      "seat",
      {{"national_id", kNumber, true}, {"account_id", kNumber, false}, {"level", kText, false}}};
  const Relation event = {"event",
                          {{"id", kNumber, false},
                           {"account_id", kNumber, false},
                           {"national_id", kText, true},
                           {"body", kText, false}}};
  switch (engine) {
    case Engine::Sqlite:
      return {seat,
              {"ledger",
               {{"email", kText, true},
                {"account_id", kNumber, false},
                {"memo", kText, false},
                {"hint", kText, true}}},
              {"docs", {{"email", kText, true}, {"body", kText, false}}}};
    case Engine::DuckDb:
      return {{"profile",
               {{"id", kNumber, false},
                {"account_id", kNumber, false},
                {"email", Kind::Row, true},
                {"place", Kind::Row, true},
                {"phone", kText, true},
                {"hint", kText, true}}}};
    case Engine::Postgres:
      return {event,
              {"visit",
               {{"id", kNumber, false},
                {"account_id", kNumber, false},
                {"place", Kind::Row, true},
                {"phone", Kind::Row, true},
                {"email", kText, true},
                {"hint", kText, true}}}};
    case Engine::MySql:
      break;
  }
  return {event,
          seat,
          {"ledger",
           {{"id", kNumber, false},
            {"account_id", kNumber, false},
            {"email", kText, true},
            {"memo", kText, true},
            {"hint", kText, true}}}};
}

void AddOwnScript(Engine engine, Copy copy, std::vector<std::string>& script) {
  switch (engine) {
    case Engine::Sqlite:
      AddSqlite(copy, script);
      break;
    case Engine::DuckDb:
      AddDuckDb(copy, script);
      return;
    case Engine::Postgres:
      AddPostgres(copy, script);
      return;
    case Engine::MySql:
      AddMySql(copy, script);
      break;
  }
  for (int i = 1; i <= kRows; ++i)
    script.push_back(fmt::format("INSERT INTO seat VALUES ({}, {}, '{}')", SecretKey(copy, i),
                                 1 + i % 4, i % 2 == 0 ? "low" : "high"));
}

}  // namespace schemaward::oracle
