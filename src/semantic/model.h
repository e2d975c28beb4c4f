#pragma once

// Model: the definitions of one source, checked against its index. Immutable; shared between calls.

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalog/catalog.h"
#include "semantic/definitions.h"

namespace schemaward::semantic {

/// What keeps a definition from being used: it names something that the index or the model does not
/// have. [R-ENV-3]
struct Problem {
  ErrorKind kind = ErrorKind::SchemaDrift;  ///< SchemaDrift (gone from the index), UnknownColumn,
                                            ///< UnknownTable, UnknownEntity, UnknownMetric,
                                            ///< UnknownMeasure, SqlSyntax, InvalidArgument
  std::string object;                       ///< what is missing or wrong, as written
  std::string message;                      ///< one line
  std::vector<std::string> near;            ///< nearest names, nearest first
  std::string member;  ///< which member of the definition says it: "identity[0]", "on[1].from"; for
                       ///< file and line
  bool operator==(const Problem&) const = default;
};

struct ModelEntity {
  Entity definition;
  std::string source_table;  ///< qualified name as the index writes it; empty where it is not there
  catalog::Table table;      ///< empty where the index has none
  std::vector<Problem> problems;
  /// The column, when the table has it and the entity lets it be used; else null.
  const catalog::Column* Column(std::string_view name) const;
  const Dimension* FindDimension(std::string_view name) const;
  /// Names of usable columns in table order, then dimensions.
  std::vector<std::string> ColumnNames() const;
};

/// One way along a join: from an entity to another. A bridge table is a node of its own, so that a
/// join through one is two legs.
struct Leg {
  std::size_t join = 0;          ///< into Model::joins()
  std::size_t from = 0, to = 0;  ///< into Model::nodes()
  std::vector<ColumnPair> on;    ///< from.column = to.column, as the leg goes
  bool to_one = false;           ///< at most one row of `to` for each of `from`
  bool from_unique = false;      ///< at most one row of `from` for each of `to`
  std::string role;  ///< what `to` is called when it is reached by this leg; may be empty
};

struct ModelJoin {
  Join definition;
  std::vector<Problem> problems;
};

struct ModelMetric {
  Metric definition;
  std::vector<Problem> problems;
};

/// A place that paths pass: an entity, or a bridge table that is none.
struct Node {
  std::string name;                   ///< the entity's; of a bridge, the join's
  std::optional<std::size_t> entity;  ///< into Model::entities(); none for a bridge
  catalog::Table table;
};

class TableFinder;

/// Thread: immutable, any.
class Model {
 public:
  /// Builds the model of `definitions` over `tables`: every table that they name and the index has.
  /// A definition that does not fit stays, with its problems, and takes no part in paths. Drafts
  /// give way to what was applied (supersede.h). Never fails: duplicates keep the first and are a
  /// problem of the second.
  static std::shared_ptr<const Model> Build(Definitions definitions,
                                            const std::vector<catalog::Table>& tables);

  const std::vector<ModelEntity>& entities() const { return entities_; }  ///< sorted by name
  const std::vector<ModelJoin>& joins() const { return joins_; }
  const std::vector<ModelMetric>& metrics() const { return metrics_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  /// Every table that a path may read, each once: what the guard looks names up in.
  const std::vector<catalog::Table>& tables() const { return tables_; }
  /// Legs that leave a node, sorted by join name, then target.
  const std::vector<Leg>& LegsFrom(std::size_t node) const { return legs_[node]; }

  const ModelEntity* FindEntity(std::string_view name)
      const;  ///< exact, else by case folding, else by synonym where one fits
  const ModelJoin* FindJoin(std::string_view name) const;
  const ModelMetric* FindMetric(std::string_view name) const;
  std::size_t NodeOf(const ModelEntity& entity) const;

  /// The three nearest names, nearest first.
  std::vector<std::string> NearEntities(std::string_view name) const;
  std::vector<std::string> NearJoins(std::string_view name) const;
  std::vector<std::string> NearMetrics(std::string_view name) const;

  /// Problems of all definitions, for `check`: {kind of definition, name, problem}.
  struct Finding {
    std::string definition;  ///< "entity orders"
    Problem problem;
  };
  std::vector<Finding> Findings() const;

 private:
  void AddEntities(std::vector<Entity> definitions, const TableFinder& tables);
  void AddJoins(std::vector<Join> definitions, const TableFinder& tables);
  void AddLegs(std::size_t at, const TableFinder& tables);

  std::vector<ModelEntity> entities_;
  std::vector<ModelJoin> joins_;
  std::vector<ModelMetric> metrics_;
  std::vector<Node> nodes_;
  std::vector<catalog::Table> tables_;
  std::vector<std::vector<Leg>> legs_;
};

}  // namespace schemaward::semantic
