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
inline constexpr std::uint8_t kText = 1;
inline constexpr std::uint8_t kNumber = 2;
inline constexpr std::uint8_t kTime = 4;
inline constexpr std::uint8_t kBool = 8;
inline constexpr std::uint8_t kOther = 16;  // binary, json, arrays, points
inline constexpr std::uint8_t kUuid = 32;

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
extern const std::span<const NameRules> name_rules;

/// A last word of this kind says that the column speaks about the value.
extern const std::span<const std::string_view> about_tails;

/// A first word of this kind asks or counts.
extern const std::span<const std::string_view> asking_heads;

/// Words after a phrase that keep it the value.
extern const std::span<const std::string_view> keeping_tails;

/// Words after what somebody is or has that name it all the same: sex_code, pregnancy_flag.
extern const std::span<const std::string_view> trait_tails;

/// Words that make an address one of a machine or an account, wherever they stand in the name.
extern const std::span<const std::string_view> not_postal;

/// A table about people has one of these words (or its plural) in its name, and none of
/// thing_words.
extern const std::span<const std::string_view> person_words;

/// Words for people that are also words for things: account_name is no person's name.
extern const std::span<const std::string_view> not_of_person;

/// Words that make a table with people in its name one about things: customer_types, user_roles.
extern const std::span<const std::string_view> thing_words;

/// Those of them that stand before what they are of: tipo_cliente.
extern const std::span<const std::string_view> head_first_words;

/// Words for people that name accounts and the like: ad_accounts, gl_accounts.
extern const std::span<const std::string_view> account_words;

/// A table about places or firms: their addresses and positions are nobody's.
extern const std::span<const std::string_view> place_words;

}  // namespace schemaward::privacy
