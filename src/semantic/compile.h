#pragma once

// From a plan to one statement.

#include "base/result.h"
#include "semantic/model.h"
#include "semantic/plan.h"
#include "sql/statement.h"

namespace schemaward::semantic {

/// A statement and what its columns are.
struct Compiled {
  sql::Select select;
  bool has_time = false;  ///< the first column is the period
  std::size_t groups = 0;
  std::size_t values = 0;
  /// The last column is the number of rows that a row of the answer rests on; 0 in all: nothing
  /// matched. It is not part of the answer.
};

/// Returns the statement of `plan`. Each node becomes two common tables: its rows, one for each row
/// of the fact (for each group it is in), and their aggregates. Several nodes meet by UNION ALL and
/// a GROUP BY, which takes nulls for equal and loses no group of any. One row more than the limit
/// is asked for, so that a cut shows. Errors: Internal where the plan has no node.
Result<Compiled> Compile(const Model& model, const Plan& plan);

/// Returns the FROM, joins and conditions of `rows` in `select`.
void AddRows(const Model& model, const Rows& rows, sql::Select& select);

}  // namespace schemaward::semantic
