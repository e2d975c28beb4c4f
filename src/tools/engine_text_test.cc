#include "tools/engine_text.h"

#include <gtest/gtest.h>

namespace schemaward::tools {
namespace {

EngineSaid Said(std::string_view engine, std::string_view driver_text) {
  Error error(ErrorKind::SqlRuntime, "the engine failed while it ran the statement");
  error.Private(driver_text);
  return ReadEngineText(error, engine);
}

// COVERS: R-WS-1
TEST(EngineText, ShowsNamesWhereTheNumberSpeaksOfNamesAndElseNoQuotedWord) {
  struct Case {
    const char* engine;
    const char* driver_text;
    const char* text;
  };
  const Case cases[] = {
      {"mysql", "1146 (42S02) Table 'shop.authors' doesn't exist",
       "Table 'shop.authors' doesn't exist"},
      {"mysql", "1242 (21000) Subquery returns more than 1 row",
       "Subquery returns more than 1 row"},
      {"mysql", "1292 (22007) Incorrect datetime value: 'it's mine'",
       "Incorrect datetime value: '***'"},
      {"mysql", "1062 (23000) Duplicate entry '4111111111111111' for key 'card'",
       "Duplicate entry '***'"},
      {"mysql", "1264 (22003) Out of range 123456789 at row 1", "Out of range *** at row 1"},
      {"mysql", "1045 (28000) Access denied for user 'a'@'h' (using password: YES)",
       "Access denied for user '***' (using password: YES)"},
      {"postgres", "42703 ERROR:  column \"totl\" does not exist\nLINE 1: SELECT totl",
       "column \"totl\" does not exist"},
      {"postgres", "22P02 ERROR:  invalid input syntax for type integer: \"Alice\"",
       "invalid input syntax for type integer: \"***\""},
      {"postgres", "22012 ERROR:  division by zero", "division by zero"},
  };
  for (const Case& one : cases) EXPECT_EQ(Said(one.engine, one.driver_text).text, one.text);
}

TEST(EngineText, TellsTheNumbersApartFromTheWords) {
  const EngineSaid mysql = Said("mysql", "1146 (42S02) Table 'x' doesn't exist");
  EXPECT_EQ(mysql.number, 1146u);
  EXPECT_EQ(mysql.sqlstate, "42S02");
  const EngineSaid postgres = Said("postgres", "42P01 ERROR:  relation \"x\" does not exist");
  EXPECT_FALSE(postgres.number.has_value());
  EXPECT_EQ(postgres.sqlstate, "42P01");
}

TEST(EngineText, OfAnythingElseSaysOnlyWhatTheErrorSays) {
  for (const char* text : {"", "stopped by us", "could not connect to 10.0.0.1", "1146", "1146 (",
                           "1146 (42S02", "Alice ERROR: x"}) {
    for (const char* engine : {"mysql", "postgres", "sqlite"}) {
      const EngineSaid said = Said(engine, text);
      EXPECT_EQ(said.text, "the engine failed while it ran the statement") << engine << text;
      EXPECT_TRUE(said.sqlstate.empty()) << engine << text;
    }
  }
}

}  // namespace
}  // namespace schemaward::tools
