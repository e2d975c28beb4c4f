#pragma once

// Inside guard/: whether the values that a view gives follow the order in which the rows come that
// it reads. Sorting what it gives helps no more then.

#include <set>

#include "guard/analyze.h"
#include "sql/dialect.h"
#include "sql/query/tree.h"

namespace schemaward::guard {

/// What is known of the rows that the selects of a view read.
struct OrderInside {
  /// Tables of the text whose rows come in an order that may be told. All else (selects in FROM,
  /// common tables) counts as not.
  std::set<const sql::query::TableExpression*> told;
  /// Rows that a key leaves alike come in the order that may not be told; else a key settles it.
  bool ties_tell = false;
  /// Rows may come in the order of what they are joined by.
  bool joins_tell = false;
  /// All outputs are computed, also those that nobody reads.
  bool is_kept = false;
};

/// True where `text` gathers such rows into one value, numbers them, looks at the ones before or
/// behind, or takes the first of them. `inner` is the analysis of `text`. Thread: any.
bool ShowsOrder(const sql::query::Query& text, const Analysis& inner, const OrderInside& inside,
                const sql::Dialect& dialect);

/// True where PostgreSQL may sort the rows of `core` for a DISTINCT of one of its aggregates, and
/// another that is not DISTINCT shows in which order it gets them: it gathers them without a key,
/// or adds floating numbers (of columns other than `counted`). `analysis` is that of the whole.
/// Thread: any.
bool SortsForAnother(const sql::query::Core& core, const catalog::Column* counted,
                     const Analysis& analysis, const sql::Dialect& dialect);

}  // namespace schemaward::guard
