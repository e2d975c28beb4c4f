#include "privacy/content.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

namespace schemaward::privacy {
namespace {

// Numbers that networks, banks and offices publish as examples.
TEST(Content, KnowsNumbersByTheirCheckDigits) {
  EXPECT_TRUE(IsCardNumber("4111 1111 1111 1111"));
  EXPECT_TRUE(IsCardNumber("5500-0000-0000-0004"));
  EXPECT_TRUE(IsCardNumber("378282246310005"));
  EXPECT_FALSE(IsCardNumber("4111111111111112"));
  EXPECT_FALSE(IsCardNumber("0000000000000000"));
  EXPECT_FALSE(IsCardNumber("411111111111"));
  EXPECT_TRUE(IsIban("GB82 WEST 1234 5698 7654 32"));
  EXPECT_TRUE(IsIban("de89370400440532013000"));
  EXPECT_FALSE(IsIban("GB82WEST12345698765433"));
  EXPECT_FALSE(IsIban("DE89"));
  EXPECT_TRUE(IsSpanishId("12345678Z"));
  EXPECT_TRUE(IsSpanishId("X-1234567-L"));
  EXPECT_FALSE(IsSpanishId("12345678A"));
  EXPECT_TRUE(IsBrazilianCpf("529.982.247-25"));
  EXPECT_FALSE(IsBrazilianCpf("529.982.247-24"));
  EXPECT_FALSE(IsBrazilianCpf("111.111.111-11"));
  EXPECT_TRUE(IsTurkishId("10000000146"));
  EXPECT_FALSE(IsTurkishId("10000000147"));
  EXPECT_TRUE(IsFrenchNir("2 55 08 14 168 025 38"));
  EXPECT_FALSE(IsFrenchNir("255081416802539"));
  EXPECT_TRUE(IsGermanTaxId("86095742719"));
  EXPECT_FALSE(IsGermanTaxId("86095742718"));
  EXPECT_TRUE(IsItalianTaxCode("RSSMRA85T10A562S"));
  EXPECT_FALSE(IsItalianTaxCode("RSSMRA85T10A562T"));
  EXPECT_TRUE(IsPolishPesel("44051401359"));
  EXPECT_FALSE(IsPolishPesel("44051401358"));
  EXPECT_TRUE(IsUsSsn("078-05-1120"));
  EXPECT_FALSE(IsUsSsn("666-05-1120"));
  EXPECT_FALSE(IsUsSsn("078051120"));
}

TEST(Content, KnowsAddressesOfMail) {
  EXPECT_TRUE(IsEmail("ada@example.com"));
  EXPECT_TRUE(IsEmail("a.b+c@mail.example.org"));
  EXPECT_FALSE(IsEmail("ada@localhost"));
  EXPECT_FALSE(IsEmail("ada at example.com"));
  EXPECT_FALSE(IsEmail("@handle"));
  EXPECT_FALSE(IsEmail("a@b@c.de"));
  EXPECT_FALSE(IsEmail("x@.de"));
}

std::optional<Verdict> Judge(const std::vector<std::string>& values) {
  return JudgeValues({values.begin(), values.end()});
}

std::string WithLuhn(std::string digits) {
  for (char check = '0'; check <= '9'; ++check)
    if (IsCardNumber(digits + check)) return digits + check;
  return digits;
}

TEST(JudgeValues, NeedsManyDifferentValuesThatFit) {
  std::vector<std::string> cards;
  for (std::size_t i = 0; i < kContentValuesMin; ++i)
    cards.push_back(WithLuhn("4111111111" + std::to_string(10'000 + i * 7)));
  EXPECT_EQ(Judge(cards), (Verdict{Category::PaymentCard, "luhn"}));
  EXPECT_EQ(ToText(*Judge(cards)), "payment_card:luhn");
  cards.pop_back();
  EXPECT_FALSE(Judge(cards));
  cards.push_back(cards.front());
  EXPECT_FALSE(Judge(cards)) << "a repeated value counts once";
  cards.back() = "no number";
  EXPECT_TRUE(Judge(cards)) << "nine of ten fit";
  cards.front() = "nor this";
  EXPECT_FALSE(Judge(cards));
}

TEST(JudgeValues, TakesNoRandomNumbersForSomething) {
  std::mt19937_64 random(7);
  for (int column = 0; column < 300; ++column) {
    std::vector<std::string> values;
    for (int i = 0; i < 50; ++i)
      values.push_back(std::to_string(random() % 90'000'000'000ULL + 10'000'000'000ULL));
    EXPECT_FALSE(Judge(values));
    for (std::string& value : values) value = "4" + value + "1234";
    EXPECT_FALSE(Judge(values));
  }
}

TEST(JudgeValues, TakesValuesOfAnyBytes) {
  std::vector<std::string> values;
  for (int i = 0; i < 20; ++i) values.push_back(std::string(1'000, static_cast<char>(i + 200)));
  EXPECT_FALSE(Judge(values));
  EXPECT_FALSE(Judge({}));
}

}  // namespace
}  // namespace schemaward::privacy
