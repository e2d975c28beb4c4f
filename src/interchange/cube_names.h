#pragma once

// What cubes of an export are called inside: columns, dimensions and measures by the names that
// references use, and which cubes can be reached from which.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "interchange/plain_sql.h"
#include "semantic/definitions.h"

namespace schemaward::interchange {

/// A dimension of a cube: a column, or a named dimension of the entity.
struct CubeDimension {
  std::string name;
  std::string column;                           ///< empty: it is `source`
  const semantic::Dimension* source = nullptr;  ///< null: it is a column
  ColumnKind kind = ColumnKind::Text;
  bool is_key = false;
};

/// The dimensions of an entity as a cube has them: its keys, the columns that are known, its named
/// dimensions; a column hides a dimension of its name, as in definitions.
std::vector<CubeDimension> CubeDimensionsOf(const semantic::Entity& entity,
                                            const std::vector<ExportColumn>& columns);

/// Why a join has no form in Cube; nothing where it has one. `pairs`: how many joins there are
/// between the same two entities, whatever the direction.
std::optional<std::string> WhyNoCubeJoin(const semantic::Join& join, int pairs);

/// Cubes and what is reached from each over joins that do not multiply its rows.
class CubeNames {
 public:
  /// Lifetime: keeps references into the definitions.
  CubeNames(const semantic::Definitions& definitions, const ExportColumns& columns);

  const semantic::Entity* Find(std::string_view entity) const;
  const std::vector<CubeDimension>& DimensionsOf(const std::string& entity) const;
  /// How SQL of `cube` writes a column: {CUBE}.total, {customer}.country, {CUBE.is_open}. Errors:
  /// SqlSyntax where Cube cannot reach it.
  Result<std::string> Reference(const std::string& cube, const sql::ColumnRef& column) const;
  /// What a dimension is. Errors: as PlainSql.
  static Result<std::string> DimensionSql(const CubeDimension& dimension);
  /// SQL of `cube`. Errors: as Reference and PlainSql.
  Result<std::string> Sql(const std::string& cube, std::string_view text) const;

 private:
  bool Reaches(const std::string& from, const std::string& to) const;

  const semantic::Definitions& definitions_;
  std::map<std::string, std::vector<CubeDimension>, std::less<>> dimensions_;
  std::map<std::string, std::set<std::string>, std::less<>> to_one_;
};

/// Joins between each two entities, by both names in order.
std::map<std::pair<std::string, std::string>, int> CountPairs(
    const std::vector<semantic::Join>& joins);
std::pair<std::string, std::string> PairOf(const semantic::Join& join);

}  // namespace schemaward::interchange
