#pragma once

// Which personal data a column holds, and how that is known. Pure: the same column always gives the
// same answer. What a policy makes of it is Policy's.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "privacy/category.h"

namespace schemaward::privacy {

enum class Sensitivity : std::uint8_t { Public, Internal, Confidential, Pii };

/// How a category is known, weakest first: a later one says more.
enum class Method : std::uint8_t {
  Name,      ///< names of table and column, and the column's type
  Content,   ///< values were checked in the engine (index --classify-content)
  Comment,   ///< a tag in the column's comment
  DbtMeta,   ///< a tag or meta.pii of the source, as dbt writes it
  Declared,  ///< an override in a policy file
};

/// Returns public | internal | confidential | pii.  Lifetime: static.
std::string_view NameOf(Sensitivity sensitivity);
/// Returns name | content | comment | dbt_meta | declared.  Lifetime: static.
std::string_view NameOf(Method method);

/// One category that a column belongs to.
struct Finding {
  Category category;
  Method method;
  std::string evidence;  ///< the phrase or tag that tells; never a value
  bool operator==(const Finding&) const = default;
};

class NameMemo;

inline constexpr std::size_t kKinNamesMax = 64;  ///< parents and children whose names are looked at

struct Classification {
  std::vector<Finding> findings;  ///< each category once, in the order of Category
  Sensitivity sensitivity = Sensitivity::Public;

  bool IsPersonal() const { return !findings.empty(); }
  bool Has(Category category) const;
  /// True when it belongs to credential, payment_card or government_id.
  bool HasFloor() const;
  /// Adds a category; a category that is there keeps the method that says more.
  void Add(Category category, Method method, std::string_view evidence);
  bool operator==(const Classification&) const = default;
};

/// Returns what `column` of `table` holds by its name, type, comment, tags and by what content
/// checks found. A column of a foreign key holds what it refers to: users.email_id referring to
/// emails.id holds no address, visits.person referring to people.ssn holds a government id.
/// A foreign table's column holds what its names here and at its server tell. A column of a table
/// that inherits, or is inherited from, holds what the names of those tables (the first
/// kKinNamesMax) and the tags there tell. Country, city, amount, balance, status and names of
/// things are not personal. Thread: any.
Classification Classify(const catalog::Table& table, const catalog::Column& column);
/// The same, with what `names` remembers of the rules for names.
Classification Classify(const catalog::Table& table, const catalog::Column& column,
                        NameMemo& names);

/// The same by names and type alone; `type` as the engine prints it, or empty where it is not
/// known.
Classification ClassifyName(std::string_view table, std::string_view column, std::string_view type);

/// Returns what a word of a tag means: a category's name, or an everyday word for one (email,
/// phone, ssn). "pii" without more is contact: it is personal, and no finer word is given.
std::vector<Category> CategoriesOfTag(std::string_view word);

}  // namespace schemaward::privacy
