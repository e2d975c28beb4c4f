// Numbers read, rounded and held against claims.
#include "explore/exact.h"

#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace schemaward::explore {
namespace {

TEST(Number, MeetsAClaimAtThePlacesThatItWasWrittenWith) {
  struct Case {
    const char* found;
    const char* claim;
    bool meets;
  };
  for (const Case& c : std::vector<Case>{
           {"42", "42", true},
           {"42", "43", false},
           {"41.7", "42", true},
           {"41.4", "42", false},
           {"0.4217", "0.42", true},
           {"0.425", "0.42", false},
           {"0.425", "0.43", true},
           {"-0.425", "-0.43", true},
           {"42", "-42", false},
           {"999.95", "1000.0", true},
           {"42.000", "42", true},
           {"42", "42.00", true},
           {"1.2e3", "1200", true},
           {"0", "0", true},
           {"-0", "0", true},
           {"0.4", "0", false},
           {"0.004", "0.00", false},
           {"0.0000004", "1", false},
           {"9007199254740993", "9007199254740993", true},
           {"9007199254740993", "9007199254740992", false},
           {"123456789012345678901234567890.1", "123456789012345678901234567890", true}})
    EXPECT_EQ(Meets(Number::Read(c.found)->value, *Number::Read(c.claim)), c.meets)
        << c.found << " " << c.claim;
}

TEST(Number, IsReadWholeOrNotAtAll) {
  for (const char* text : {"", "-", ".", "1.2.3", "12a", "a12", "1e", "1e999", "0x10", "NaN", "inf",
                           "1,000", " 1", "--1", "1e-999"})
    EXPECT_FALSE(Number::Read(text)) << text;
  EXPECT_FALSE(Number::Read(std::string(Number::kDigitsMax + 1, '9')));
  EXPECT_TRUE(Number::Read(std::string(Number::kDigitsMax, '9')));
  EXPECT_EQ(Number::Read("-007.50")->ToText(), "-7.50");
  EXPECT_EQ(Number::Read(".5")->ToText(), "0.5");
  EXPECT_EQ(Number::Read("5e-3")->ToText(), "0.005");
}

TEST(Number, AClaimMayHaveAUnitAndIsMetHalfAUnitOfItsLastDigitAround) {
  struct Case {
    const char* found;
    const char* claim;
    bool meets;
  };
  for (const Case& c : std::vector<Case>{{"0.4285", "42.9 %", true},
                                         {"0.42849", "42.9%", false},
                                         {"0.4295", "42.9%", false},
                                         {"3350000", "3.4M", true},
                                         {"3449999", "3.4M", true},
                                         {"3450000", "3.4M", false},
                                         {"-3350000", "-3.4M", true},
                                         {"3600.4", "3,600", true},
                                         {"1499", "1K", true},
                                         {"499", "1K", false},
                                         {"0", "0%", true},
                                         {"0.001", "0%", false},
                                         {"1240", "1.2e3", false}})
    EXPECT_EQ(Meets(Number::Read(c.found)->value, *Number::ReadClaim(c.claim)), c.meets)
        << c.found << " " << c.claim;
  for (const char* text : {"%", "K", "1,2", ",100", "1,0000", "1.5MM", "12 percent", ""})
    EXPECT_FALSE(Number::ReadClaim(text)) << text;
}

TEST(Number, OfACellIsItsOwnDigits) {
  EXPECT_EQ(Number::Of(0.1)->ToText(), "0.1");
  EXPECT_EQ(Number::Of(Decimal{"1.50"})->ToText(), "1.50");
  EXPECT_EQ(Number::Of(std::string("18446744073709551616"))->ToText(), "18446744073709551616");
  for (const Cell& cell : {Cell(std::monostate()), Cell(true), Cell(std::string("x")),
                           Cell(std::numeric_limits<double>::quiet_NaN()),
                           Cell(std::numeric_limits<double>::infinity())})
    EXPECT_FALSE(Number::Of(cell));
}

TEST(Exact, FractionsLoseNothing) {
  const Exact third = Exact(1) / Exact(3);
  EXPECT_EQ(third + third + third, Exact(1));
  EXPECT_EQ((-third).ToText(4), "-0.3333");
  EXPECT_EQ((Exact(2) * third).ToText(0), "1");
  EXPECT_EQ(Exact(-1250).RoundedTo(-2), Exact(-1300));
}

}  // namespace
}  // namespace schemaward::explore
