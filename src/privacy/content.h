#pragma once

// What a column's values are by their form and check digits. Pure; keeps no value.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "privacy/category.h"

namespace schemaward::privacy {

/// So many different values at least are needed for a verdict, and such a share of them must fit:
/// check digits of one in ten numbers fit by chance.
inline constexpr std::size_t kContentValuesMin = 10;
inline constexpr double kContentShareMin = 0.9;
inline constexpr std::size_t kContentValueBytesMax = 128;  ///< longer values fit nothing

struct Verdict {
  Category category;
  std::string_view check;  ///< luhn, iban, email, dni, ... Lifetime: static
  bool operator==(const Verdict&) const = default;
};

/// "payment_card:luhn", as catalog::Column keeps it.
std::string ToText(const Verdict& verdict);

/// Returns what the values are, or nothing. Repeated values count once. Thread: any.
std::optional<Verdict> JudgeValues(const std::vector<std::string_view>& values);

/// Single checks. Blanks, dots and dashes between digits are passed over where people write them.
/// Source: ISO/IEC 7812-1 annex B (Luhn), ISO 13616 (IBAN), and the offices that give the numbers.
bool IsCardNumber(std::string_view text);    ///< 13 to 19 digits, a card network's first, Luhn
bool IsIban(std::string_view text);          ///< mod 97
bool IsEmail(std::string_view text);         ///< one @, a domain with a dot
bool IsSpanishId(std::string_view text);     ///< DNI or NIE: letter by mod 23
bool IsBrazilianCpf(std::string_view text);  ///< two check digits
bool IsTurkishId(std::string_view text);     ///< TCKN: two check digits
bool IsFrenchNir(std::string_view text);     ///< 13 places and a key by mod 97
bool IsGermanTaxId(std::string_view text);   ///< Steuer-ID: ISO 7064 mod 11,10, one digit repeated
bool IsItalianTaxCode(std::string_view text);  ///< codice fiscale: check letter
bool IsPolishPesel(std::string_view text);     ///< a date, then a weighted check digit
bool IsUsSsn(std::string_view text);           ///< written ddd-dd-dddd; there is no check digit

}  // namespace schemaward::privacy
