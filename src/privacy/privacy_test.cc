#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "privacy/floor.h"
#include "privacy/policy.h"
#include "privacy/words.h"

namespace schemaward::privacy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(WordsOf, SplitsIdentifiersAsPeopleWriteThem) {
  EXPECT_THAT(WordsOf("user_password"), ElementsAre("user", "password"));
  EXPECT_THAT(WordsOf("userPassword2"), ElementsAre("user", "password", "2"));
  EXPECT_THAT(WordsOf("HTTPApiKey"), ElementsAre("http", "api", "key"));
  EXPECT_THAT(WordsOf("Credit Card-Number"), ElementsAre("credit", "card", "number"));
  EXPECT_THAT(WordsOf("contrase\xC3\xB1"
                      "a"),
              ElementsAre("contrasena"));
  EXPECT_THAT(WordsOf("\xC5\x9E\x69\x66re"), ElementsAre("sifre"));
  EXPECT_THAT(WordsOf("num\xC3\xA9ro_s\xC3\xA9"
                      "curit\xC3\xA9"),
              ElementsAre("numero", "securite"));
  EXPECT_THAT(WordsOf("contrasen\u0303a"), ElementsAre("contrasena"));  // a letter and its mark
  EXPECT_THAT(WordsOf("\u00DCbergr\u00F6\u00DFe"), ElementsAre("ubergrosse"));
  EXPECT_THAT(WordsOf("num\u0117ris\u0160"), ElementsAre("numeris", "s"));
  EXPECT_THAT(WordsOf("\uFF45\uFF4D\uFF41\uFF49\uFF4C"), ElementsAre("email"));  // full width
  EXPECT_THAT(WordsOf("\u0435m\u0430il"), ElementsAre("email"));                 // Cyrillic e and a
  EXPECT_THAT(WordsOf("s\u200Bs\u00ADn\u202E"), ElementsAre("ssn"));
  EXPECT_THAT(WordsOf("first\u00A0name\u2011old"), ElementsAre("first", "name", "old"));
  EXPECT_THAT(WordsOf("a\xC3"), ElementsAre("a\xC3"));  // no UTF-8
  EXPECT_THAT(WordsOf("__"), IsEmpty());
  EXPECT_THAT(WordsOf(""), IsEmpty());
}

struct Name {
  const char* table;
  const char* column;
  const char* category;  // "" where the values may be read
};

std::string CategoryOf(const Name& name) {
  const auto match = FloorCategoryOf(name.table, name.column);
  return match ? std::string(NameOf(match->category)) : "";
}

constexpr Name kCredentials[] = {
    {"users", "password", "credential"},
    {"users", "Password", "credential"},
    {"users", "password_hash", "credential"},
    {"users", "PasswordSalt", "credential"},
    {"users", "userpassword", "credential"},
    {"users", "user_pwd", "credential"},
    {"users", "passwd", "credential"},
    {"users", "encrypted_password", "credential"},
    {"users", "password2", "credential"},
    {"users", "old_password", "credential"},
    {"users", "last_password", "credential"},
    {"users", "password_hint", "credential"},
    {"users", "reset_password_token", "credential"},
    {"wp_users", "user_pass", "credential"},
    {"users", "pass", "credential"},
    {"users", "salt", "credential"},
    {"sessions", "token", "credential"},
    {"x", "access_token", "credential"},
    {"x", "refreshToken", "credential"},
    {"x", "token_hash", "credential"},
    {"x", "id_token", "credential"},
    {"x", "remember_token", "credential"},
    {"x", "api_key", "credential"},
    {"x", "apikey", "credential"},
    {"x", "ApiKey", "credential"},
    {"x", "api_key_hash", "credential"},
    {"x", "private_key", "credential"},
    {"x", "private_key_pem", "credential"},
    {"x", "client_secret", "credential"},
    {"x", "secret", "credential"},
    {"x", "totp_secret", "credential"},
    {"x", "secret_key", "credential"},
    {"x", "stripe_secret_key", "credential"},
    {"x", "aws_secret_access_key", "credential"},
    {"x", "jwt_secret", "credential"},
    {"x", "smtp_password", "credential"},
    {"x", "pass_word", "credential"},
    {"x", "security_answer", "credential"},
    {"x", "pin", "credential"},
    {"x", "user_pin", "credential"},
    {"x", "otp_code", "credential"},
    {"x", "backup_codes", "credential"},
    {"x", "connection_string", "credential"},
    {"x", "session_key", "credential"},
    {"api_keys", "key", "credential"},
    {"api_keys", "value", "credential"},
    {"secrets", "value", "credential"},
    {"usuarios",
     "contrase\xC3\xB1"
     "a",
     "credential"},
    {"usuarios", "clave", "credential"},
    {"x", "clave_de_acceso", "credential"},
    {"x", "senha", "credential"},
    {"x", "senha_hash", "credential"},
    {"x", "mot_de_passe", "credential"},
    {"x", "motdepasse", "credential"},
    {"x", "mdp", "credential"},
    {"x", "passwort", "credential"},
    {"x", "Kennwort", "credential"},
    {"x", "\xC5\x9Fifre", "credential"},
    {"x", "parola", "credential"},
    {"x", "cle_api", "credential"},
    {"x", "chave_secreta", "credential"},
};

constexpr Name kCards[] = {
    {"x", "card_number", "payment_card"},
    {"x", "CardNumber", "payment_card"},
    {"x", "cardnumber", "payment_card"},
    {"x", "cc_number", "payment_card"},
    {"x", "ccnum", "payment_card"},
    {"x", "credit_card", "payment_card"},
    {"x", "credit_card_number", "payment_card"},
    {"x", "creditCardNo", "payment_card"},
    {"x", "debit_card_no", "payment_card"},
    {"x", "encrypted_card_number", "payment_card"},
    {"x", "cvv", "payment_card"},
    {"x", "cvv2", "payment_card"},
    {"x", "card_cvc", "payment_card"},
    {"x", "cvv_code", "payment_card"},
    {"x", "pan", "payment_card"},
    {"x", "card_pin", "payment_card"},
    {"x", "card_expiry", "payment_card"},
    {"x", "credit_card_expiration_date", "payment_card"},
    {"x", "track2_data", "payment_card"},
    {"payments", "security_code", "payment_card"},
    {"credit_cards", "number", "payment_card"},
    {"x", "numero_de_tarjeta", "payment_card"},
    {"x", "tarjeta_credito", "payment_card"},
    {"x", "kreditkartennummer", "payment_card"},
    {"x", "Kartennummer", "payment_card"},
    {"x", "num\xC3\xA9ro_carte", "payment_card"},
    {"x", "carte_bancaire", "payment_card"},
    {"x", "numero_cartao", "payment_card"},
    {"x",
     "cart\xC3\xA3o_cr\xC3\xA9"
     "dito",
     "payment_card"},
    {"x", "kart_no", "payment_card"},
    {"x", "kredi_kart\xC4\xB1", "payment_card"},
    {"x", "num_tarjeta", "payment_card"},
};

constexpr Name kGovernmentIds[] = {
    {"people", "ssn", "government_id"},
    {"people", "SSN", "government_id"},
    {"people", "emp_ssn", "government_id"},
    {"people", "ssn_last4", "government_id"},
    {"dependent", "Essn", "government_id"},
    {"x", "social_security_number", "government_id"},
    {"x", "socialSecurityNumber", "government_id"},
    {"x", "national_id", "government_id"},
    {"x", "NationalIDNumber", "government_id"},
    {"x", "national_insurance_number", "government_id"},
    {"x", "passport", "government_id"},
    {"x", "passport_no", "government_id"},
    {"x", "passport_number", "government_id"},
    {"passports", "number", "government_id"},
    {"x", "passport_id", "government_id"},
    {"x", "drivers_license", "government_id"},
    {"x", "driver_license_number", "government_id"},
    {"x", "driving_licence", "government_id"},
    {"x", "tax_id", "government_id"},
    {"x", "id_card_number", "government_id"},
    {"x", "aadhaar_number", "government_id"},
    {"x", "dni", "government_id"},
    {"x", "numero_dni", "government_id"},
    {"x",
     "c\xC3\xA9"
     "dula",
     "government_id"},
    {"x", "pasaporte", "government_id"},
    {"x", "numero_seguridad_social", "government_id"},
    {"x", "curp", "government_id"},
    {"x", "steuer_id", "government_id"},
    {"x", "Sozialversicherungsnummer", "government_id"},
    {"x", "personalausweis", "government_id"},
    {"x", "Ausweisnummer", "government_id"},
    {"x", "reisepass", "government_id"},
    {"x",
     "num\xC3\xA9ro_de_s\xC3\xA9"
     "curit\xC3\xA9_sociale",
     "government_id"},
    {"x", "carte_d_identit\xC3\xA9", "government_id"},
    {"x", "passeport", "government_id"},
    {"x", "cpf", "government_id"},
    {"x", "cpf_cliente", "government_id"},
    {"x", "bilhete_de_identidade", "government_id"},
    {"x", "tc_kimlik_no", "government_id"},
    {"x", "tckn", "government_id"},
    {"x", "pasaport_no", "government_id"},
    {"x", "no_passport", "government_id"},
    {"customers", "id_number", "government_id"},
    {"employees", "tax_number", "government_id"},
    {"x", "nric", "government_id"},
    {"drivers", "licence_number", "government_id"},
};

constexpr Name kPlain[] = {
    {"users", "id", ""},
    {"users", "name", ""},
    {"users", "email", ""},
    {"users", "city", ""},
    {"users", "password_changed_at", ""},
    {"users", "passwordChangedAt", ""},
    {"users", "password_reset_required", ""},
    {"users", "password_expires", ""},
    {"users", "has_password", ""},
    {"users", "is_password_set", ""},
    {"users", "must_change_password", ""},
    {"users", "failed_password_attempts", ""},
    {"users", "password_policy_id", ""},
    {"users", "password_algorithm", ""},
    {"users", "reset_password_sent_at", ""},
    {"users", "password_question", ""},
    {"x", "token_count", ""},
    {"x", "prompt_tokens", ""},
    {"x", "max_tokens", ""},
    {"x", "tokens", ""},
    {"x", "token_type", ""},
    {"x", "num_tokens", ""},
    {"x", "next_page_token", ""},
    {"x", "access_token_expires_at", ""},
    {"x", "tokenizer", ""},
    {"x", "api_key_id", ""},
    {"x", "aws_access_key_id", ""},
    {"x", "api_key_name", ""},
    {"x", "primary_key", ""},
    {"x", "public_key", ""},
    {"x", "foreign_key", ""},
    {"x", "key", ""},
    {"x", "keyword", ""},
    {"x", "keyphrase_id", ""},
    {"x", "sort_key", ""},
    {"settings", "key", ""},
    {"settings", "value", ""},
    {"x", "is_secret_santa", ""},
    {"x", "secret_santa_id", ""},
    {"x", "is_secret", ""},
    {"x", "secretary", ""},
    {"x", "secretary_name", ""},
    {"x", "secret_name", ""},
    {"x", "pin_count", ""},
    {"x", "is_pinned", ""},
    {"x", "pinned_at", ""},
    {"x", "pin_code", ""},
    {"x", "shipping", ""},
    {"x", "spin", ""},
    {"football_stats", "pass", ""},
    {"football_stats", "passes", ""},
    {"nutrition", "salt", ""},
    {"x", "passenger_id", ""},
    {"x", "passed", ""},
    {"x", "compass", ""},
    {"x", "bypass", ""},
    {"productos", "clave", ""},
    {"productos", "clave_producto", ""},
    {"x", "enclave", ""},
    {"x", "hash", ""},
    {"x", "card_type", ""},
    {"x", "card_id", ""},
    {"x", "card_brand", ""},
    {"x", "card_last4", ""},
    {"x", "card_number_last4", ""},
    {"x", "last4_card_number", ""},
    {"x", "masked_card_number", ""},
    {"x", "CreditCardID", ""},
    {"x", "CreditCardApprovalCode", ""},
    {"x", "credit_card_type", ""},
    {"x", "has_credit_card", ""},
    {"x", "cvc_check", ""},
    {"x", "library_card_number", ""},
    {"x", "membership_card_no", ""},
    {"x", "yellow_cards", ""},
    {"x", "cardinality", ""},
    {"x", "discard", ""},
    {"x", "scorecard", ""},
    {"cards", "number", ""},
    {"customers_cards", "card_type_code", ""},
    {"x", "company", ""},
    {"x", "panel", ""},
    {"x", "span", ""},
    {"x", "postcard_number", ""},
    {"orders", "number", ""},
    {"phones", "number", ""},
    {"securities", "security_code", ""},
    {"x", "sin", ""},
    {"x", "tin_weight", ""},
    {"x", "session_name", ""},
    {"x", "essn_count", ""},
    {"x", "nation_id", ""},
    {"x", "national_team_id", ""},
    {"x", "nationality", ""},
    {"x", "passport_country", ""},
    {"x", "passport_expiry_date", ""},
    {"x", "has_passport", ""},
    {"x", "license_type", ""},
    {"x", "software_license", ""},
    {"x", "tax_amount", ""},
    {"x", "tax_rate", ""},
    {"x", "council_tax_id", ""},
    {"vehicles", "identification_number", ""},
    {"parts", "id_number", ""},
    {"software", "license_number", ""},
    {"x", "taxi_id", ""},
    {"x", "driver_id", ""},
    {"x", "driver_name", ""},
    {"x", "is_ssn_verified", ""},
    {"x", "identity_provider", ""},
    {"x", "identity_id", ""},
    {"x", "ni\xC3\xB1o", ""},
    {"x", "sifreli_mi", ""},
    {"x", "resource_group", ""},
    {"x", "password_last_changed", ""},
    {"x", "fecha_cambio_contrasena_fecha", ""},
    {"x", "sifre_degisim_tarihi", ""},
};

template <class Rows>
void ExpectCategories(const Rows& rows) {
  for (const Name& row : rows)
    EXPECT_EQ(CategoryOf(row), row.category) << row.table << "." << row.column;
}

TEST(Floor, FindsCredentials) { ExpectCategories(kCredentials); }
TEST(Floor, FindsPaymentCards) { ExpectCategories(kCards); }
TEST(Floor, FindsGovernmentIds) { ExpectCategories(kGovernmentIds); }
TEST(Floor, LeavesNamesThatHoldNoSuchValue) { ExpectCategories(kPlain); }

TEST(Floor, TakesNamesOfAnyLengthAndBytes) {
  EXPECT_FALSE(FloorCategoryOf("t", std::string(100'000, 'a')));
  EXPECT_FALSE(FloorCategoryOf("t", "\xFF\xFE\xC3"));
  EXPECT_FALSE(FloorCategoryOf("", ""));
}

catalog::Table People() {
  catalog::Table table;
  table.schema = "main";
  table.name = "people";
  for (const char* name : {"id", "ssn", "passport_id", "manager_ssn"}) {
    catalog::Column column;
    column.name = name;
    table.columns.push_back(column);
  }
  table.foreign_keys.push_back({"", {"passport_id"}, "main", "passports", {"id"}, "", ""});
  table.foreign_keys.push_back({"", {"manager_ssn"}, "main", "people", {"ssn"}, "", ""});
  return table;
}

TEST(Policy, KeepsTheFloorAndLetsTheRestBeRead) {
  const catalog::Table people = People();
  const Policy policy;
  EXPECT_TRUE(policy.MayReadValues(people, people.columns[0]));
  EXPECT_FALSE(policy.MayReadValues(people, people.columns[1]));
}

TEST(Policy, TakesAForeignKeyForWhatItRefersTo) {
  const catalog::Table people = People();
  const Policy policy;
  EXPECT_TRUE(policy.MayReadValues(people, people.columns[2]));
  EXPECT_FALSE(policy.MayReadValues(people, people.columns[3]));
}

TEST(Policy, KeepsViewsSinceTheyCanRenameAColumn) {
  catalog::Table view = People();
  view.kind = catalog::TableKind::View;
  EXPECT_FALSE(Policy().MayReadValues(view, view.columns[0]));
  view.kind = catalog::TableKind::MaterializedView;
  EXPECT_FALSE(Policy().MayReadValues(view, view.columns[0]));
  view.kind = catalog::TableKind::PartitionedTable;
  EXPECT_TRUE(Policy().MayReadValues(view, view.columns[0]));
}

TEST(Category, NamesTheTwelve) {
  EXPECT_EQ(NameOf(Category::Contact), "contact");
  EXPECT_EQ(NameOf(Category::DemographicProtected), "demographic_protected");
  EXPECT_TRUE(IsFloor(Category::Credential));
  EXPECT_TRUE(IsFloor(Category::PaymentCard));
  EXPECT_TRUE(IsFloor(Category::GovernmentId));
  EXPECT_FALSE(IsFloor(Category::Contact));
}

}  // namespace
}  // namespace schemaward::privacy
