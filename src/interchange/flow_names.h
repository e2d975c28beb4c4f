#pragma once

// What an export to MetricFlow calls its parts: the links that models are joined by, dimensions,
// and how filters name them.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "interchange/plain_sql.h"
#include "semantic/definitions.h"

namespace schemaward::interchange {

/// Names of MetricFlow: lower case, digits and single underscores, at least two characters, none of
/// the words for spans of time.
bool IsFlowName(std::string_view name);

/// A link of a model that is written: what MetricFlow calls an entity.
struct FlowKey {
  std::string name;
  std::string column;
  std::string type;  ///< primary | unique | foreign
};

/// A dimension that is written.
struct FlowColumn {
  std::string name;
  std::string column;                           ///< empty: it is `source`
  const semantic::Dimension* source = nullptr;  ///< null: it is a column
  ColumnKind kind = ColumnKind::Text;
  bool IsTime() const { return kind == ColumnKind::Date || kind == ColumnKind::Time; }
  /// What time is cut to.
  std::string_view grain() const { return kind == ColumnKind::Date ? "day" : "second"; }
};

struct FlowOut {
  const semantic::Entity* entity = nullptr;
  bool has_key = false;  ///< one column tells rows apart; else primary_entity stands alone
  std::vector<FlowKey> keys;
  std::vector<FlowColumn> columns;
  std::map<std::string, std::string, std::less<>> to;  ///< link -> entity, for foreign ones
  const FlowKey* Key(std::string_view name) const;
  /// The dimension that stands for a column or a named dimension of the entity.
  const FlowColumn* Column(std::string_view name) const;
  /// The dimension of time of the entity: its default one, else the only one.
  const FlowColumn* Time() const;
};

/// Thread: immutable once built, any. Lifetime: refers to the definitions.
class FlowNames {
 public:
  FlowNames(const semantic::Definitions& definitions, const ExportColumns& columns);

  const FlowOut* Find(std::string_view entity) const;
  /// Why the join is none of MetricFlow's; nothing where its links are written.
  std::optional<std::string> WhyNot(const semantic::Join& join) const;
  /// The filter with {{ Dimension('order__status') }} for its columns. Errors: SqlSyntax with the
  /// reason why it cannot be said.
  Result<std::string> Filter(const std::string& entity, std::string_view text) const;
  /// What a dimension is. Errors: as PlainSql.
  static Result<std::string> DimensionSql(const FlowColumn& dimension);
  /// An expression over columns of the entity alone. Errors: as PlainSql, and SqlSyntax for columns
  /// of others.
  Result<std::string> Own(const std::string& entity, std::string_view text) const;
  /// The entity's own column that the text names, "placed_at" or "order.placed_at".
  const FlowColumn* OwnColumn(const std::string& entity, std::string_view text) const;

 private:
  void AddModel(const semantic::Entity& entity, const std::vector<ExportColumn>& columns);
  std::optional<std::string> AddJoin(const semantic::Join& join);
  Result<std::string> Reference(const std::string& entity, const sql::ColumnRef& column) const;
  Result<std::string> PathTo(const std::string& entity, const std::string& qualifier,
                             const FlowOut*& target) const;

  std::map<std::string, FlowOut, std::less<>> models_;
  std::map<std::string, std::string, std::less<>> refused_;  ///< joins, with the reason
};

}  // namespace schemaward::interchange
