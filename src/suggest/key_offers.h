#pragma once

// Inside of InferForeignKeys: tables read once, and the names under which their keys may be
// referred to.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "catalog/catalog.h"
#include "suggest/foreign_keys.h"
#include "suggest/names.h"
#include "suggest/type_family.h"

namespace schemaward::suggest {

/// A column that rows of other tables may refer to.
struct KeyColumn {
  std::size_t column = 0;
  bool unique = false;
};

/// What the rules need to know of a table.
struct Reading {
  std::size_t index = 0;
  const catalog::Table* table = nullptr;
  std::vector<std::string> words;
  std::vector<const ColumnWords*> columns;
  std::vector<Family> families;
  std::vector<KeyColumn> keys;
  std::vector<bool> is_own_key;   ///< per column: it identifies this table's rows
  std::vector<bool> is_declared;  ///< per column: it has a declared foreign key
};

/// A key under one of the names that refer to it.
struct Offer {
  const Reading* reading = nullptr;
  KeyColumn key;
  Rule rule = Rule::SameName;
  Fit fit = Fit::None;
};

/// The position of a column, or nothing.
std::optional<std::size_t> PositionOf(const catalog::Table& table, std::string_view column);

/// The stem of a key column; the whole name where no word says identifier.
const std::vector<std::string>& StemOf(const ColumnWords& column);

/// Reads a table's names, types and keys.  Lifetime: keeps the table and what `names` gives.
Reading ReadTable(std::size_t index, const catalog::Table& table, ColumnNames& names);

/// The names under which the keys of a schema's tables may be referred to.
class Offers {
 public:
  void Add(const Reading& reading);
  std::span<const Offer> Named(const std::string& name) const;
  std::span<const Offer> Bare(const std::string& name) const;

 private:
  using Map = std::unordered_map<std::string, std::vector<Offer>>;

  static std::span<const Offer> Find(const Map& map, const std::string& name);
  static void Put(std::vector<Offer>& offers, const Offer& offer);
  /// A unique key that is not the first (an e-mail address, a row's guid) is more often a property
  /// of its own in every table than something others refer to, unless it is named for the table.
  void AddOwnName(const Reading& reading, const KeyColumn& key, bool is_first);
  /// customer_id for customer.id; where the key has a word of its own for identifier, with that
  /// too. The last word alone (attraction_id for tourist_attraction.id) only where the key has no
  /// name that others could repeat.
  void AddTableNames(const Reading& reading, const KeyColumn& key, const std::string& table,
                     bool is_first);

  Map by_name_, bare_;
};

}  // namespace schemaward::suggest
