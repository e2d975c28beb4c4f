#include "guard/names.h"

#include <gtest/gtest.h>

#include "sql/dialect.h"

namespace schemaward::guard {
namespace {

bool IsMeant(const char* written, const char* real, const sql::Dialect& dialect) {
  return Means({written, false, false}, real, dialect);
}

// MariaDB 10.11 and DuckDB 1.5.6 were asked.
TEST(Names, FoldAsTheEngineFolds) {
  for (const sql::Dialect* dialect :
       {&sql::MySql(), &sql::Sqlite(), &sql::DuckDb(), &sql::Postgres()})
    EXPECT_TRUE(IsMeant("EMail", "email", *dialect)) << dialect->name;
  EXPECT_TRUE(IsMeant("GR\u00d6\u00dfE", "gr\u00f6\u00dfe", sql::MySql()));
  EXPECT_TRUE(IsMeant("TEL\u00c9FONO", "tel\u00e9fono", sql::MySql()));
  EXPECT_FALSE(IsMeant("telefono", "tel\u00e9fono", sql::MySql()));
  for (const sql::Dialect* dialect : {&sql::Sqlite(), &sql::DuckDb(), &sql::Postgres()})
    EXPECT_FALSE(IsMeant("TEL\u00c9FONO", "tel\u00e9fono", *dialect)) << dialect->name;
}

}  // namespace
}  // namespace schemaward::guard
