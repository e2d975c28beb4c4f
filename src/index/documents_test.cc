#include "index/documents.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schemaward::index {
namespace {

using ::testing::IsSubsetOf;

catalog::Table Table(const std::string& name, const std::vector<std::string>& columns) {
  catalog::Table table;
  table.schema = "public";
  table.name = name;
  for (const auto& column : columns) {
    table.columns.emplace_back();
    table.columns.back().name = column;
    table.columns.back().type = "integer";
  }
  return table;
}

const store::SearchTerm* Find(const store::SearchDocument& document, std::string_view word) {
  const auto at = std::find_if(document.terms.begin(), document.terms.end(),
                               [&](const auto& term) { return term.text == word; });
  return at == document.terms.end() ? nullptr : &*at;
}

int Impact(const store::SearchDocument& document, std::string_view word) {
  const auto* term = Find(document, word);
  return term == nullptr ? 0 : term->impact;
}

class Documents : public ::testing::Test {
 protected:
  store::SearchDocument Make(const catalog::Table& table, std::int64_t source = 1) {
    return DocumentMaker(lexicon_).Make(source, table);
  }
  text::Lexicon lexicon_;
};

TEST_F(Documents, ANameIsWorthMoreThanAColumnAndAWholeNameMoreThanAPart) {
  const auto orders = Make(Table("orders", {"id", "customer_id"}));
  const auto lines = Make(Table("order_line_audit", {"order"}));
  EXPECT_GT(Impact(orders, "order"), Impact(lines, "order"));
  EXPECT_GT(Impact(lines, "order"), Impact(lines, "audit"));
  EXPECT_GT(Impact(orders, "order"), Impact(orders, "customer"));
  EXPECT_EQ(Find(orders, "order")->fields, store::kInName);
  EXPECT_EQ(Find(orders, "customer")->column, 2);
}

TEST_F(Documents, TakesCompoundsApartAndKeepsThem) {
  const auto document = Make(Table("countrylanguage", {"IsOfficial"}));
  EXPECT_GT(Impact(document, "countrylanguage"), Impact(document, "language"));
  EXPECT_GT(Impact(document, "language"), 0);
  EXPECT_GT(Impact(document, "official"), 0);
}

TEST_F(Documents, FindsCommentsLabelsTypesAndSchemas) {
  auto table = Table("x", {"kind", "payload"});
  table.schema = "billing";
  table.comment = "Every refund that was granted to a customer";
  table.columns[0].labels = {"chargeback", "goodwill gesture"};
  table.columns[0].comment = "why the money went back";
  table.columns[1].type = "jsonb";
  const auto document = Make(table);
  EXPECT_EQ(Find(document, "refund")->fields, store::kInComment);
  EXPECT_EQ(Find(document, "refund")->column, 0);
  EXPECT_EQ(Find(document, "chargeback")->fields, store::kInLabel);
  EXPECT_EQ(Find(document, "chargeback")->column, 1);
  EXPECT_EQ(Find(document, "money")->column, 1);
  EXPECT_EQ(Find(document, "jsonb"), nullptr) << "a type is no word";
  EXPECT_EQ(Find(document, store::TypeTerm("jsonb"))->column, 2);
  EXPECT_EQ(Find(document, "billing")->fields, store::kInSchema);
  EXPECT_EQ(Find(document, "the"), nullptr);
  EXPECT_EQ(Find(Make(Table("x", {})), "public"), nullptr) << "plain schemas say nothing";
}

TEST_F(Documents, LinksDeclaredKeysAcrossSchemas) {
  auto child = Table("orders", {"id", "buyer"});
  child.foreign_keys.push_back({"fk", {"buyer"}, "crm", "customers", {"id"}, "", ""});
  auto parent = Table("customers", {"id"});
  parent.schema = "crm";
  EXPECT_THAT(Make(child).wants, IsSubsetOf(Make(parent).offers));
  EXPECT_EQ(Make(child).wants.size(), 1U);
  EXPECT_NE(Make(child, 2).wants, Make(child, 1).wants) << "sources are apart";
}

TEST_F(Documents, LinksKeysThatNamesImply) {
  auto parent = Table("students", {"stu_code", "name"});
  parent.primary_key = catalog::Key{"pk", {"stu_code"}};
  const auto offers = Make(parent).offers;
  const auto meets = [&](const char* column) {
    const auto wants = Make(Table("other", {column})).wants;
    return std::any_of(wants.begin(), wants.end(), [&](std::uint64_t key) {
      return std::find(offers.begin(), offers.end(), key) != offers.end();
    });
  };
  EXPECT_TRUE(meets("student_id"));
  EXPECT_TRUE(meets("StudentId"));
  EXPECT_TRUE(meets("stu_code"));
  EXPECT_TRUE(meets("student"));
  EXPECT_FALSE(meets("student_name"));
  EXPECT_FALSE(meets("id"));
  EXPECT_FALSE(meets("name"));
}

TEST_F(Documents, ATableWantsNothingThatItOffers) {
  auto table = Table("student", {"student_id"});
  table.primary_key = catalog::Key{"pk", {"student_id"}};
  EXPECT_TRUE(Make(table).wants.empty());
}

TEST_F(Documents, AreBoundedSortedAndTheSameTwice) {
  auto table = Table("wide", {});
  for (int i = 0; i < 3000; ++i) {
    table.columns.emplace_back();
    std::string name = "c";
    for (int n = i; n > 0; n /= 26) name += static_cast<char>('a' + n % 26);
    table.columns.back().name = name + "q_id";
  }
  const auto document = Make(table);
  EXPECT_EQ(document.terms.size(), DocumentMaker::kTermsMax);
  EXPECT_LE(document.wants.size(), DocumentMaker::kWantsMax);
  EXPECT_GT(Impact(document, "wide"), 0) << "what is worth most stays";
  EXPECT_TRUE(std::is_sorted(document.terms.begin(), document.terms.end(),
                             [](const auto& a, const auto& b) { return a.text < b.text; }));
  EXPECT_EQ(document, Make(table));
}

}  // namespace
}  // namespace schemaward::index
