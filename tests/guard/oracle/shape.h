#pragma once

// The same tables in other shapes: where columns stand, what keys, indexes and views there are, of
// what types columns are, how many rows share a value and how the engine plans. A rule that holds
// of one schema alone shows.

#include <cstdint>
#include <string>
#include <vector>

#include "oracle/data.h"

namespace schemaward::oracle {

/// A view under names that say nothing of what its columns are made of.
struct ShapeView {
  Relation relation;
  std::string select;
};

/// How the tables of a run are made; the same number makes the same. Thread: owner.
class Shape {
 public:
  /// 0: columns as they are listed, and the fixed indexes alone.
  explicit Shape(std::uint64_t number) : number_(number) {}

  /// The statement that makes the table, whose columns it may put in another order and give another
  /// key.
  std::string Table(Engine engine, Relation table) const;
  /// Indexes of the tables over any of their columns.
  std::vector<std::string> Indexes(Engine engine, const std::vector<Relation>& tables) const;
  /// Views of one of the tables or two, of any of their columns. None chooses rows by a blocked
  /// one, which would be its owner's decision.
  std::vector<ShapeView> Views(const std::vector<Relation>& tables) const;
  /// What to set in a session, so that the engine plans as it does for tables of another size or
  /// on another machine. Of MariaDB: assignments.
  std::vector<std::string> Plans(Engine engine) const;
  /// Row `i`'s number out of `most`, for a column that rows share: fewer in other shapes.
  int Shared(int i, int most) const;

 private:
  std::uint64_t number_;
};

}  // namespace schemaward::oracle
