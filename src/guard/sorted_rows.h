#pragma once

// Inside guard/: rows in an order that tells nothing, where no hint keeps an engine from its own.

#include <vector>

#include "guard/analyze.h"

namespace schemaward::guard {

/// True where `table` keeps its rows by a blocked column, whatever serves the statement: in SQLite
/// and MySQL by a primary key (or the unique key that MySQL takes for one), in PostgreSQL and MySQL
/// by partitions; where the catalog does not tell what a table is parted by, that stands in each of
/// its keys. `hidden` says
/// of each column whether its order is kept back. Thread: any.
bool StandsByHidden(const catalog::Table& table, const std::vector<bool>& hidden,
                    const sql::Dialect& dialect);

/// True where nothing of `core` shows in which order the rows of `table`, its only one, came: all
/// that it gives are counts, and least and greatest whole numbers, of all rows. Thread: any.
bool GivesOneRowOfAnyOrder(const sql::query::Core& core, const catalog::Table& table);

/// Puts the columns that `analysis` names of the table in its place, sorted by those that are not
/// hidden and by whether the others are there, before a limit that nothing reaches, which keeps
/// the engine to it. `use.place` is then where the table itself stands. Where no column is named
/// all rows are alike: of a table nothing is done, and false is returned; a view is still kept
/// apart, since an engine that merges it could join the rest before all of its own tables. `order`:
/// what the rows are sorted by before that. Precondition: the place is a table.
bool SortRows(TableUse& use, const Analysis& analysis, const std::vector<bool>& hidden,
              const sql::Dialect& dialect, std::vector<sql::query::OrderItem> order = {});

}  // namespace schemaward::guard
