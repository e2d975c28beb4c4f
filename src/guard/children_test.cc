// Tables that others inherit from: the rows of these come with theirs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result_matchers.h"
#include "guard/test_tables.h"

namespace schemaward::guard {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<catalog::Table> Family() {
  catalog::Table top = MakeTable("top", {"id", "region"}, "sales");
  top.children = {"hr.low", "sales.late"};
  return {std::move(top), MakeTable("other", {"id"}, "sales")};
}

Result<Approved> Read(std::string_view table, const privacy::PolicyData& data) {
  return ApproveOver("SELECT id FROM " + std::string(table), sql::Postgres(), Family(),
                     privacy::Policy(data));
}

TEST(Children, WhatIsDeniedOfThemIsDeniedOfTheParent) {
  privacy::PolicyData data;
  data.everyone.deny.tables = {"hr.*"};
  EXPECT_THAT(Read("sales.top", data), IsError(ErrorKind::PolicyBlocked));
  EXPECT_THAT(Read("sales.other", data), IsOk());
}

TEST(Children, AreReadWithAParentThatIsAllowed) {
  privacy::PolicyData data;
  data.everyone.allow.emplace_back().tables = {"sales.top"};
  EXPECT_THAT(Read("sales.top", data), IsOk());
  EXPECT_THAT(Read("sales.other", data), IsError(ErrorKind::AllowlistViolation));
}

TEST(Children, AreFilteredAlikeOrNotRead) {
  privacy::PolicyData data;
  data.everyone.row_filters = {{"sales.late", "region = 'north'"}};
  EXPECT_THAT(Read("sales.top", data), IsError(ErrorKind::PolicyBlocked));
  EXPECT_THAT(Read("sales.other", data), IsOk());
  data.everyone.row_filters.push_back({"sales.top", "region = 'north'"});
  const auto approved = Read("sales.top", data);
  ASSERT_THAT(approved, IsOk());
  EXPECT_THAT(approved->text(), HasSubstr("'north'"));
}

TEST(Children, AreLeftOutByOnly) {
  privacy::PolicyData data;
  data.everyone.row_filters = {{"sales.top", "region = 'north'"},
                               {"sales.late", "region = 'north'"}};
  const auto filtered = Read("ONLY sales.top", data);
  ASSERT_THAT(filtered, IsOk());
  EXPECT_THAT(filtered->text(), HasSubstr(R"(FROM ONLY "sales"."top")"));
  EXPECT_THAT(filtered->text(), Not(HasSubstr("FROM ONLY (")));
}

}  // namespace
}  // namespace schemaward::guard
