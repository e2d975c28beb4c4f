#pragma once

// The name rules of the nine categories that are not the floor's, as one table (floor_rules.h has
// the floor's); the words themselves stand in name_rules_data.cc. A phrase is written without
// blanks and connecting words, and matches consecutive words of a name that join to it:
// "homeaddress" matches home_address, homeAddress and homeaddress. Languages: English, Spanish,
// German (with and without e for umlauts), French, Portuguese, Turkish.

#include <cstdint>
#include <span>
#include <string_view>

#include "privacy/category.h"

namespace schemaward::privacy {

/// Where a phrase must stand, and in which table.
enum class Stand : std::uint8_t {
  Anywhere,  ///< the phrase alone means the value; a last word that speaks about it lifts it
  End,       ///< last, but for words that keep a value one (primary, hash, 2)
  Whole,     ///< the whole name, but for such words
  Person,    ///< as Whole, and only in a table about people: elsewhere the word is an everyday one
  OfPerson,  ///< right after or before a word for a person: claimant_name, nombre_paciente
  Postal,    ///< as Anywhere, but no address of a machine, and not in a table about places or firms
  Geo,       ///< as End, but not in a table about places or firms
};

/// Families of types that a value may have: bits. A column of unknown type passes.
enum TypeBit : std::uint8_t {
  kText = 1,
  kNumber = 2,
  kTime = 4,
  kBool = 8,
  kOther = 16,  // binary, json, arrays, points
  kUuid = 32,
};

inline constexpr std::uint8_t kWords = kText | kOther;
inline constexpr std::uint8_t kDigits = kText | kNumber | kOther;
inline constexpr std::uint8_t kIds = kText | kNumber | kOther | kUuid;
inline constexpr std::uint8_t kNoId = kText | kOther | kUuid;
inline constexpr std::uint8_t kAny = 0xFF;
inline constexpr std::uint8_t kNotTime = kAny & ~kTime;
inline constexpr std::uint8_t kBirth = kText | kNumber | kTime | kOther;

/// Phrases that share category, place and types; `phrases` are separated by blanks.
struct NameRules {
  Category category;
  Stand stand;
  std::uint8_t types;
  std::string_view phrases;
};

/// Every rule. A phrase may stand in several.
extern const std::span<const NameRules> kNameRules;

/// A last word of this kind says that the column speaks about the value.
extern const std::span<const std::string_view> kAboutTails;

/// A first word of this kind asks or counts.
extern const std::span<const std::string_view> kAskingHeads;

/// Words after a phrase that keep it the value.
extern const std::span<const std::string_view> kKeepingTails;

/// Words that make an address one of a machine or an account, wherever they stand in the name.
extern const std::span<const std::string_view> kNotPostal;

/// A table about people has one of these words (or its plural) in its name, and none of
/// kThingWords.
extern const std::span<const std::string_view> kPersonWords;

/// Words for people that are also words for things: account_name is no person's name.
extern const std::span<const std::string_view> kNotOfPerson;

/// Words that make a table with people in its name one about things: customer_types, user_roles.
extern const std::span<const std::string_view> kThingWords;

/// A table about places or firms: their addresses and positions are nobody's.
extern const std::span<const std::string_view> kPlaceWords;

}  // namespace schemaward::privacy
