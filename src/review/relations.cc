#include "review/relations.h"

#include <algorithm>

#include "base/ascii.h"

namespace schemaward::review {
namespace {

constexpr std::int64_t kSmallRows = 1'000;

bool Begins(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.starts_with(word); });
}

// The columns of both sides of a join by that name.
void AddUsing(const query::TableExpression& join, const std::vector<const TableUse*>& uses,
              Conditions& out) {
  const auto column_in = [&](const query::TableExpression& side, std::string_view name) {
    UsedColumn found;
    for (const TableUse* use : uses) {
      if (use->at->begin < side.begin || use->at->end > side.end) continue;
      for (const catalog::Column& column : use->table->columns)
        if (EqualsIgnoringAsciiCase(column.name, name)) found = {use, column.name};
    }
    return found;
  };
  for (const query::Name& name : join.using_columns) {
    const UsedColumn left = column_in(*join.left, name.text);
    const UsedColumn right = column_in(*join.right, name.text);
    if (left.use != nullptr && right.use != nullptr) out.equalities.push_back({left, right});
  }
}

UsedColumn UsedBy(const Expression* expression, const Names& names) {
  if (!IsColumn(expression)) return {};
  const BoundColumn* bound = names.Of(expression);
  if (bound == nullptr || bound->use == nullptr) return {};
  return {bound->use, bound->column->name};
}

void AddConditions(const Expression& condition, const Names& names, Conditions& out) {
  for (const Expression* one : Conjuncts(condition)) {
    if (OperatorOf(*one) != "=") continue;
    const UsedColumn a = UsedBy(Operand(*one, 0), names);
    const UsedColumn b = UsedBy(Operand(*one, 1), names);
    if (a.use != nullptr && b.use != nullptr)
      out.equalities.push_back({a, b, one});
    else if (a.use != nullptr && IsConstant(Operand(*one, 1)))
      out.fixed.push_back(a);
    else if (b.use != nullptr && IsConstant(Operand(*one, 0)))
      out.fixed.push_back(b);
  }
}

void AddJoins(const query::TableExpression& table, const Names& names,
              const std::vector<const TableUse*>& uses, Conditions& out) {
  if (table.kind != query::TableKind::Join) return;
  if (table.left) AddJoins(*table.left, names, uses, out);
  if (table.right) AddJoins(*table.right, names, uses, out);
  if (table.on) AddConditions(*table.on, names, out);
  if (table.left && table.right) AddUsing(table, uses, out);
}

}  // namespace

Family FamilyOf(const catalog::Column& column) {
  if (column.is_array) return Family::NotKnown;
  const std::string type = LowerAscii(column.type);
  if (Begins(type, {"int", "bigint", "smallint", "mediumint", "tinyint", "integer", "serial",
                    "bigserial", "smallserial", "numeric", "decimal", "real", "double", "float",
                    "hugeint", "ubigint", "uinteger", "money"}))
    return type.starts_with("interval") ? Family::NotKnown : Family::Number;
  if (Begins(type, {"char", "varchar", "text", "nvarchar", "nchar", "bpchar", "string", "clob",
                    "citext", "tinytext", "mediumtext", "longtext"}))
    return Family::Text;
  if (Begins(type, {"timestamp", "datetime", "date", "time"})) return Family::Moment;
  if (Begins(type, {"bool"})) return Family::Boolean;
  if (type == "uuid") return Family::Uuid;
  return Family::NotKnown;
}

std::string_view WordOf(Family family) {
  switch (family) {
    case Family::Number:
      return "a number";
    case Family::Text:
      return "a text";
    case Family::Moment:
      return "a moment";
    case Family::Boolean:
      return "a truth value";
    case Family::Uuid:
      return "a uuid";
    default:
      return "a value";
  }
}

Conditions ReadConditions(const query::Core& core, const Names& names) {
  Conditions out;
  const auto& uses = names.UsesOf(core);
  for (const auto& table : core.from) AddJoins(*table, names, uses, out);
  if (core.where) AddConditions(*core.where, names, out);
  for (const auto& key : core.group_by)
    if (const UsedColumn column = UsedBy(key.get(), names); column.use != nullptr)
      out.fixed.push_back(column);
  return out;
}

bool IsToOne(const TableUse& use, const std::set<const TableUse*>& known,
             const Conditions& conditions) {
  std::set<std::string_view> met;
  for (const UsedColumn& fixed : conditions.fixed)
    if (fixed.use == &use) met.insert(fixed.name);
  for (const Equality& equality : conditions.equalities) {
    if (equality.a.use == &use && known.contains(equality.b.use)) met.insert(equality.a.name);
    if (equality.b.use == &use && known.contains(equality.a.use)) met.insert(equality.b.name);
  }
  const auto is_met = [&](const std::vector<std::string>& columns) {
    return !columns.empty() &&
           std::all_of(columns.begin(), columns.end(),
                       [&](const std::string& one) { return met.contains(one); });
  };
  const catalog::Table& table = *use.table;
  if (table.primary_key && is_met(table.primary_key->columns)) return true;
  if (std::any_of(table.unique_keys.begin(), table.unique_keys.end(),
                  [&](const catalog::Key& key) { return is_met(key.columns); }))
    return true;
  return std::any_of(table.indexes.begin(), table.indexes.end(), [&](const catalog::Index& index) {
    return index.unique && !index.predicate && is_met(index.columns);
  });
}

bool HasIndexFacts(const catalog::Table& table) {
  return (table.kind == catalog::TableKind::Table ||
          table.kind == catalog::TableKind::PartitionedTable) &&
         (table.primary_key || !table.unique_keys.empty() || !table.indexes.empty());
}

bool LeadsAnIndex(const catalog::Table& table, std::string_view column) {
  const auto leads = [&](const std::vector<std::string>& columns) {
    return !columns.empty() && columns.front() == column;
  };
  if (table.primary_key && leads(table.primary_key->columns)) return true;
  if (std::any_of(table.unique_keys.begin(), table.unique_keys.end(),
                  [&](const catalog::Key& key) { return leads(key.columns); }))
    return true;
  return std::any_of(table.indexes.begin(), table.indexes.end(),
                     [&](const catalog::Index& index) { return leads(index.columns); });
}

bool IsSmall(const catalog::Table& table) {
  return table.row_estimate && *table.row_estimate >= 0 && *table.row_estimate < kSmallRows;
}

std::optional<Comparison> ComparisonOf(const Expression& node) {
  if (!IsComparison(node)) return std::nullopt;
  const Expression* left = Operand(node, 0);
  const Expression* right = Operand(node, 1);
  if (IsColumn(left)) return Comparison{left, right};
  if (IsColumn(right)) return Comparison{right, left};
  return std::nullopt;
}

}  // namespace schemaward::review
