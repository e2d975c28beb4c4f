#include "privacy/classify.h"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "privacy/spellings.h"
#include "privacy/tags.h"
#include "privacy/type_family.h"

namespace schemaward::privacy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string Names(const Classification& classification) {
  std::string names;
  for (const Finding& finding : classification.findings)
    names += (names.empty() ? "" : ",") + std::string(NameOf(finding.category));
  return names;
}

struct Row {
  const char* table;
  const char* column;
  const char* type;
  const char* categories;
};

TEST(ClassifyName, TellsCategoriesByNameTableAndType) {
  constexpr Row kRows[] = {
      {"users", "email", "text", "contact"},
      {"users", "EmailAddress", "varchar(120)", "contact"},
      {"users", "ssn", "char(11)", "government_id"},
      {"patients", "diagnosis_code", "text", "health"},
      {"people", "name", "text", "contact"},
      {"employees", "salary", "numeric(12,2)", "financial"},
      {"sessions", "ip_address", "inet", "online_identifier"},
      {"profiles", "dna_sequence", "text", "genetic"},
      {"staff", "fingerprint_template", "bytea", "biometric"},
      {"visits", "latitude", "double precision", "location"},
      {"users", "search_history", "jsonb", "behavioral"},
      {"users", "dateOfBirth", "date", "demographic_protected"},
      {"clientes", "correo_electronico", "text", "contact"},
      {"kunden", "geburtsdatum", "date", "demographic_protected"},
      {"clients", "adresse_postale", "text", "contact"},
      {"clientes", "telefone_celular", "text", "contact"},
      {"musteriler", "kan_grubu", "text", "health"},
  };
  for (const Row& row : kRows)
    EXPECT_EQ(Names(ClassifyName(row.table, row.column, row.type)), row.categories)
        << row.table << "." << row.column;
}

TEST(ClassifyName, WritesShortFormsOut) {
  constexpr Row kRows[] = {
      {"kunde", "geb_dat", "date", "demographic_protected"},
      {"clientes", "fec_nac", "date", "demographic_protected"},
      {"customer", "d_o_b", "date", "demographic_protected"},
      {"customer", "acct_nbr", "text", "financial"},
      {"contact", "mob_no", "text", "contact"},
      {"patients", "dx", "text", "health"},
      {"users", "tok", "text", "credential"},
      {"pagos", "nro_tarjeta", "text", "payment_card"},
      {"persons", "soc_sec_no", "text", "government_id"},
      // A short word alone, elsewhere.
      {"geometry", "dx", "numeric", ""},
      {"soil_samples", "ph", "numeric", ""},
      {"ach_batches", "sec_code", "text", ""},
      {"hotels", "adr", "numeric", ""},
      // What stands before a name and is no part of it.
      {"customer", "c_name", "text", "contact"},
      {"employees", "emp_pin", "text", "credential"},
      {"users", "strPin", "text", "credential"},
      {"part", "p_name", "text", ""},
      // A code of what somebody is; a figure that speaks about it.
      {"customers", "race_cd", "text", "demographic_protected"},
      {"patients", "pregnancy_flag", "boolean", "health"},
      {"racing", "race_cd", "text", ""},
      {"patients", "allergy_count", "integer", ""},
  };
  for (const Row& row : kRows)
    EXPECT_EQ(Names(ClassifyName(row.table, row.column, row.type)), row.categories)
        << row.table << "." << row.column;
}

// Each short form has several meanings: of a long name of them all ways together are too many.
TEST(ClassifyName, FollowsShortFormsOnlyWhereAPhraseGoesOn) {
  const std::vector<std::string_view> phrases = {"cardnumber", "numberno"};
  const std::vector<std::string> words(84, "no");
  int visits = 0;
  for (std::size_t begin = 0; begin < words.size(); ++begin)
    Joiner(words, [&](std::string_view joined, std::size_t, bool) {
      ++visits;
      return BeginsOne(phrases, joined);
    }).From(begin);
  // no, number, numero and nummer at each word, and from "number" and "numberno" the same again.
  EXPECT_LE(visits, 84 * 12);
  EXPECT_GE(visits, 84 * 4);
}

TEST(ClassifyName, TakesATableForWhatItsLastWordNames) {
  constexpr Row kRows[] = {
      {"app_users", "name", "text", "contact"},
      {"team_members", "age", "integer", "demographic_protected"},
      {"event_attendees", "name", "text", "contact"},
      {"user_apps", "name", "text", ""},
      {"customer_orders", "name", "text", ""},
      {"tipo_cliente", "nombre", "text", ""},
      {"ad_accounts", "name", "text", ""},
      {"pedidos_clientes", "nombre", "text", ""},
  };
  for (const Row& row : kRows)
    EXPECT_EQ(Names(ClassifyName(row.table, row.column, row.type)), row.categories)
        << row.table << "." << row.column;
}

TEST(ClassifyName, LeavesWhatIsNotPersonal) {
  constexpr Row kRows[] = {
      {"users", "country", "text", ""},
      {"users", "city", "text", ""},
      {"accounts", "balance", "numeric", ""},
      {"orders", "amount", "numeric", ""},
      {"orders", "status", "text", ""},
      {"products", "name", "text", ""},
      {"users", "email_verified", "bool", ""},
      {"users", "email", "boolean", ""},
      {"users", "email_sent_at", "timestamp", ""},
      {"users", "address_id", "integer", ""},
      {"logs", "memory_address", "text", ""},
      {"stores", "latitude", "double", ""},
      {"customer_types", "name", "text", ""},
      {"certificates", "fingerprint", "text", ""},
      {"movies", "genre", "text", ""},
      {"films", "rating", "text", ""},
      {"jobs", "salary_range", "text", ""},
      {"llm_calls", "token_count", "integer", ""},
  };
  for (const Row& row : kRows)
    EXPECT_EQ(Names(ClassifyName(row.table, row.column, row.type)), row.categories)
        << row.table << "." << row.column;
}

TEST(ClassifyName, TakesNamesOfAnyLengthAndBytes) {
  EXPECT_FALSE(ClassifyName("t", std::string(100'000, 'a'), "text").IsPersonal());
  EXPECT_FALSE(ClassifyName("\xFF\xFE", "\xC3", "\xFF").IsPersonal());
  EXPECT_FALSE(ClassifyName("", "", "").IsPersonal());
}

catalog::Column Column(std::string name, std::string type = "text") {
  catalog::Column column;
  column.name = std::move(name);
  column.type = std::move(type);
  return column;
}

TEST(Classify, SaysWhatTellsIt) {
  catalog::Table table;
  table.name = "users";
  catalog::Column column = Column("email");
  const Classification by_name = Classify(table, column);
  ASSERT_EQ(by_name.findings.size(), 1U);
  EXPECT_EQ(by_name.findings[0], (Finding{Category::Contact, Method::Name, "email"}));
  EXPECT_EQ(by_name.sensitivity, Sensitivity::Pii);
}

TEST(Classify, TakesTagsOfCommentAndSource) {
  catalog::Table table;
  table.name = "t";
  catalog::Column column = Column("c1");
  column.comment = "the e-mail; pii:email";
  EXPECT_EQ(Classify(table, column).findings[0],
            (Finding{Category::Contact, Method::Comment, "pii:email"}));
  column.comment.clear();
  column.tags = {"pii:health"};
  EXPECT_EQ(Classify(table, column).findings[0],
            (Finding{Category::Health, Method::DbtMeta, "pii:health"}));
  column.tags = {"pii"};
  EXPECT_EQ(Names(Classify(table, column)), "contact");
  column.tags.clear();
  column.verdicts = {"payment_card:luhn"};
  EXPECT_EQ(Classify(table, column).findings[0],
            (Finding{Category::PaymentCard, Method::Content, "payment_card:luhn"}));
}

TEST(Classify, LetsABareTagKeepTheCategoryOfTheName) {
  catalog::Table table;
  table.name = "patients";
  catalog::Column column = Column("diagnosis");
  column.tags = {"pii"};
  EXPECT_EQ(Names(Classify(table, column)), "health");
}

TEST(Classify, TakesAForeignKeyForWhatItRefersTo) {
  catalog::Table table;
  table.name = "visits";
  table.columns = {Column("person"), Column("email")};
  table.foreign_keys.push_back({"", {"person"}, "main", "people", {"ssn"}, "", ""});
  table.foreign_keys.push_back({"", {"email"}, "main", "emails", {"id"}, "", ""});
  EXPECT_EQ(Names(Classify(table, table.columns[0])), "government_id");
  EXPECT_EQ(Names(Classify(table, table.columns[1])), "");
  table.foreign_keys[1].target_columns = {"address"};  // a text that is no id is what it is called
  table.columns[1].type = "varchar(80)";
  EXPECT_EQ(Names(Classify(table, table.columns[1])), "contact");
  table.columns[1].type = "integer";
  table.foreign_keys[1].target_columns = {"number"};
  EXPECT_EQ(Names(Classify(table, table.columns[1])), "");
}

TEST(Classify, SeesTheNamesAtAForeignServer) {
  catalog::Table table;
  table.name = "t1";
  catalog::Column column;
  column.name = "x";
  column.type = "text";
  EXPECT_EQ(Names(Classify(table, column)), "");
  column.remotes = {{"people", "ssn"}};
  EXPECT_EQ(Names(Classify(table, column)), "government_id");
  column.remotes = {{"people", "email"}, {"people", "ssn"}};
  EXPECT_EQ(Names(Classify(table, column)), "contact,government_id");
  column.name = "password_hash";  // the name here tells still
  column.remotes = {{"t", "ssn"}};
  EXPECT_EQ(Names(Classify(table, column)), "credential,government_id");
  column.name = "name";
  column.remotes = {{"people", "name"}};  // the table's name there tells
  EXPECT_EQ(Names(Classify(table, column)), "contact");
}

TEST(Classify, LooksAtTheTablesThatInheritToo) {
  catalog::Table table;
  table.name = "thing";
  catalog::Column& column = table.columns.emplace_back();
  column.name = "name";
  column.type = "text";
  EXPECT_EQ(Names(Classify(table, column)), "");
  table.children = {"hr.things", "hr.people"};
  EXPECT_EQ(Names(Classify(table, column)), "contact");
  table.children.clear();
  table.parents = {"people"};
  EXPECT_EQ(Names(Classify(table, column)), "contact");
  table.parents.clear();
  column.kin_comments = {"no pii here", "pii:ssn"};
  EXPECT_EQ(Names(Classify(table, column)), "government_id");
  column.comment = "pii:email";
  EXPECT_EQ(Names(Classify(table, column)), "contact,government_id");
  column.kin_comments = {"[PII]"};
  EXPECT_EQ(Names(Classify(table, column)), "contact");
}

TEST(Classify, LooksAtNamesOfKinUpToTheBound) {
  catalog::Table table;
  table.name = "thing";
  catalog::Column& column = table.columns.emplace_back();
  column.name = "name";
  column.type = "text";
  table.children.assign(kKinNamesMax - 1, "hr.things");
  table.children.push_back("hr.people");
  EXPECT_EQ(Names(Classify(table, column)), "contact");
  table.children.insert(table.children.begin(), "hr.things");
  EXPECT_EQ(Names(Classify(table, column)), "");
}

TEST(Tags, ReadsMarkedWordsOnly) {
  const auto categories = [](std::string_view comment) {
    std::vector<Category> all;
    for (const Declared& tag : TagsOfComment(comment))
      all.insert(all.end(), tag.categories.begin(), tag.categories.end());
    return all;
  };
  EXPECT_THAT(categories("[PII]"), ElementsAre(Category::Contact));
  EXPECT_THAT(categories("pii"), ElementsAre(Category::Contact));
  EXPECT_THAT(categories("@pii(health, genetic) of the test"),
              ElementsAre(Category::Health, Category::Genetic));
  EXPECT_THAT(categories("PII = ssn"), ElementsAre(Category::GovernmentId));
  EXPECT_THAT(categories("#pii"), ElementsAre(Category::Contact));
  EXPECT_THAT(categories("pii: unheard-of"), ElementsAre(Category::Contact));
  for (const char* marked :
       {"PII - of the customer", "PII. Do not share", "where to write to (PII)", "**PII**",
        "Contains PII of customers", "PII, see the policy"})
    EXPECT_THAT(categories(marked), ElementsAre(Category::Contact)) << marked;
  for (const char* plain : {"no PII here", "PII was removed", "contains no PII", "PII-free text",
                            "does not contain PII"})
    EXPECT_THAT(categories(plain), IsEmpty()) << plain;
  EXPECT_THAT(categories("pii:none"), IsEmpty());
  EXPECT_THAT(categories("hippie"), IsEmpty());
  EXPECT_THAT(categories(""), IsEmpty());
}

TEST(Tags, LeavesTagsThatAreNoPersonalData) {
  EXPECT_FALSE(TagOfSource("nightly"));
  EXPECT_FALSE(TagOfSource("financial"));
  EXPECT_FALSE(TagOfSource("pii:none"));
  EXPECT_TRUE(TagOfSource("pii:whatever"));
  EXPECT_TRUE(TagOfSource("PII"));
}

TEST(FamilyOf, KnowsTypesOfTheDialects) {
  EXPECT_EQ(FamilyOf("timestamp with time zone"), FamilyOf("DATE"));
  EXPECT_EQ(FamilyOf("BIGINT UNSIGNED"), FamilyOf("numeric(10,2)"));
  EXPECT_EQ(FamilyOf("tinyint(1)"), FamilyOf("boolean"));
  EXPECT_NE(FamilyOf("point"), FamilyOf("int"));
  EXPECT_EQ(FamilyOf("character varying(10)"), FamilyOf("LONGTEXT"));
  EXPECT_EQ(FamilyOf(""), FamilyOf("my_domain"));
}

}  // namespace
}  // namespace schemaward::privacy
