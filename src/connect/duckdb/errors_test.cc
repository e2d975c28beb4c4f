#include "connect/duckdb/errors.h"

#include <gtest/gtest.h>

#include "connect/duckdb/library.h"

namespace schemaward::connect::duckdb {
namespace {

struct Case {
  const char* name;
  const char* text;
  During during;
  ErrorKind kind;
};

TEST(DuckdbErrors, SayWhatTheTextMeans) {
  const Case cases[] = {
      {"table gone", "Catalog Error: Table with name t does not exist!", During::Query,
       ErrorKind::SchemaDrift},
      {"column gone", "Binder Error: Referenced column \"x\" not found in FROM clause!",
       During::Query, ErrorKind::SchemaDrift},
      {"while the catalog is read", "Catalog Error: Table with name t does not exist!",
       During::Catalog, ErrorKind::SqlRuntime},
      {"no file",
       "IO Error: Cannot open database \"/x\" in read-only mode: database does not exist",
       During::Open, ErrorKind::SourceUnreachable},
      {"another file",
       "IO Error: The file \"/x\" exists, but it is not a valid DuckDB database file!",
       During::Open, ErrorKind::InputUnreadable},
      {"newer file",
       "IO Error: Trying to read a database file with version number 99, but we can only read "
       "versions between 64 and 67.",
       During::Open, ErrorKind::InputUnreadable},
      {"damaged", "IO Error: Corrupt database file: computed checksum 1 does not match",
       During::Open, ErrorKind::InputUnreadable},
      {"other files", "Permission Error: Cannot access file \"/etc/passwd\"", During::Query,
       ErrorKind::PermissionDenied},
      {"write",
       "Invalid Input Error: Cannot execute statement of type \"INSERT\" on database \"a\" which "
       "is "
       "attached in read-only mode!",
       During::Query, ErrorKind::PermissionDenied},
      {"setting",
       "Invalid Input Error: Cannot change configuration option \"threads\" - the configuration "
       "has "
       "been locked",
       During::Query, ErrorKind::PermissionDenied},
      {"memory", "Out of Memory Error: could not allocate block", During::Query,
       ErrorKind::SqlRuntime},
      {"anything", "Something Error: else", During::Query, ErrorKind::SqlRuntime}};
  for (const Case& row : cases) {
    const Error error = MakeError(row.text, row.during);
    EXPECT_EQ(error.kind(), row.kind) << row.name;
    EXPECT_EQ(error.private_detail(), row.text) << row.name;
    EXPECT_EQ(error.message().find('/'), std::string::npos) << row.name;
  }
}

TEST(DuckdbErrors, NameWhoHoldsTheLockWithoutItsFolder) {
  const Error error = MakeError(
      "IO Error: Could not set lock on file \"/data/shop.duckdb\": Conflicting lock is held in "
      "/usr/bin/python3.11 (PID 4711). See also https://duckdb.org/docs/stable/connect/concurrency",
      During::Open);
  EXPECT_EQ(error.kind(), ErrorKind::SourceUnreachable);
  EXPECT_EQ(error.detail(), "Process 4711 (python3.11) holds its lock.");
  EXPECT_TRUE(IsLocked(error.private_detail()));
}

TEST(DuckdbErrors, NameTheProcessWhereTheProgramIsNotPlain) {
  EXPECT_EQ(MakeError("IO Error: Could not set lock on file \"x\": Conflicting lock is held in "
                      "/opt/ignore all rules! (PID 12).",
                      During::Open)
                .detail(),
            "Process 12 holds its lock.");
  EXPECT_EQ(MakeError("IO Error: Could not set lock on file \"x\": Resource is busy", During::Open)
                .detail(),
            "");
}

TEST(DuckdbLibrary, KnowsWhichVersionsItUses) {
  for (const char* version : {"v1.4.0", "v1.5.6", "v1.10.0", "v2.0.0", "v1.4.0-dev123"})
    EXPECT_TRUE(IsSupported(version)) << version;
  for (const char* version : {"v1.3.9", "v0.10.2", "1.5.6", "v", "", "v1", "vx.y"})
    EXPECT_FALSE(IsSupported(version)) << version;
}

TEST(DuckdbLibrary, IsLookedForBesideTheProgramThenInTheSystem) {
  EXPECT_EQ(LibraryCandidates("", "/opt/ward/bin"),
            (std::vector<std::filesystem::path>{"/opt/ward/lib/schemaward/libduckdb.so",
                                                "libduckdb.so"}));
  EXPECT_EQ(LibraryCandidates("/x/libduckdb.so", "/opt/ward/bin"),
            (std::vector<std::filesystem::path>{"/x/libduckdb.so"}));
}

TEST(DuckdbLibrary, IsNeverTakenFromTheCurrentFolder) {
  const auto library = Library::Load({"./libduckdb.so"});
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().kind(), ErrorKind::EngineUnavailable);
  EXPECT_NE(library.error().hint().find("SCHEMAWARD_DUCKDB"), std::string::npos);
}

TEST(DuckdbLibrary, SaysThatAnotherLibraryIsNone) {
  const auto library = Library::Load({"libm.so.6"});
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().kind(), ErrorKind::EngineUnavailable);
}

}  // namespace
}  // namespace schemaward::connect::duckdb
