#pragma once

// What the names in one SELECT may mean: the tables and subqueries of its FROM, and those of the
// queries around it.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "querylog/names.h"

namespace schemaward::querylog {

/// A column of a table of the index. `instance` tells two uses of one table apart.
struct Origin {
  int instance = 0;
  std::size_t table = 0;
  std::size_t column = 0;
};

/// A result column of a query; without an origin where it is not simply a table's column.
struct Output {
  std::string name;
  std::optional<Origin> origin;
};

/// The columns of a result. Not complete: a * over something that is not known stood there.
struct Outputs {
  std::vector<Output> columns;
  bool complete = true;
};

/// One thing that FROM offers: a table of the index, or a result.
struct Item {
  std::string alias;
  std::optional<std::size_t> table;  ///< then `result` is empty
  int instance = 0;                  ///< of the table
  Outputs result;
};

/// Columns that a SELECT sets equal.
using Pair = std::pair<Origin, Origin>;

/// The names one SELECT, or one JOIN within it, may use. Lifetime: the outer scopes outlive it.
struct Scope {
  std::vector<Item> items;
  std::vector<Output> merged;          ///< columns that USING and NATURAL made one
  const Scope* outer = nullptr;        ///< looked at where nothing here has the name
  const Scope* query_outer = nullptr;  ///< what a subquery in FROM sees that is not LATERAL
  std::vector<Pair>* pairs = nullptr;  ///< of the SELECT
};

/// What a name turned out to be.
struct Meaning {
  bool is_known = false;         ///< it is one of what is offered
  std::optional<Origin> origin;  ///< the table's column, where it is one
  const Item* whole = nullptr;   ///< a row of this item, not a column
};

/// A part of a scope: items [first, last) and merged columns [first_merged, last_merged).
struct Side {
  std::size_t first = 0, last = 0, first_merged = 0, last_merged = 0;
};

/// Looks `name` up in a part of the scope alone.
Meaning FindAmong(const Names& names, const Scope& scope, const Side& side, std::string_view name);

/// Looks up a reference of one to three parts: column, item.column, schema.item.column; then a
/// whole row.
Meaning Find(const Names& names, const Scope& scope, const std::vector<std::string>& parts);

/// Returns the item that is called so, here or further out, or null.
const Item* FindItem(const Names& names, const Scope& scope, std::string_view schema,
                     std::string_view alias);

/// Gives the first columns other names, as an alias does; where none are known, they are those.
void Rename(const std::vector<std::string>& names, Outputs& outputs);

/// Returns the columns that * means for an item.
Outputs ColumnsOf(const Names& names, const Item& item);

}  // namespace schemaward::querylog
