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

bool IsSameColumn(const Expression* a, const Expression& b, const Names& names) {
  if (!IsColumn(a)) return false;
  const UsedColumn left = UsedBy(a, names), right = UsedBy(&b, names);
  if (left.use == nullptr || right.use == nullptr) return SameValue(a, &b);
  return left.use == right.use && left.name == right.name;
}

// True where a row in which the column is NULL does not meet the condition.
bool IsUnmetByNull(const Expression& condition, const Expression& column, const Names& names) {
  const auto is_unmet = [&](const Expression* one) {
    const Expression* first = Operand(*one, 0);
    if (IsComparison(*one))
      return IsSameColumn(first, column, names) || IsSameColumn(Operand(*one, 1), column, names);
    const bool is_test = IsForm(*one, "like") || IsForm(*one, "between") ||
                         (IsForm(*one, "in_list") && !Says(*one, "NOT IN")) ||
                         Says(*one, "IS NOT NULL");
    return is_test && first != nullptr && IsSameColumn(first, column, names);
  };
  const auto all = Conjuncts(condition);
  return std::any_of(all.begin(), all.end(), is_unmet);
}

bool SaysWord(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

// As above, for the conditions of joins. A row that an outer join fills with NULL met none of them.
bool IsUnmetByNull(const query::TableExpression& table, const Expression& column,
                   const Names& names) {
  if (table.kind != query::TableKind::Join || SaysWord(table.join, "FULL")) return false;
  const bool keeps_left = SaysWord(table.join, "LEFT");
  const bool keeps_right = SaysWord(table.join, "RIGHT");
  if (!keeps_left && !keeps_right) {
    if (table.on && IsUnmetByNull(*table.on, column, names)) return true;
    const std::string name = LastName(column.names);
    const TableUse* use = UsedBy(&column, names).use;
    const bool is_inside =
        use != nullptr && use->at->begin >= table.begin && use->at->end <= table.end;
    if (is_inside &&
        std::any_of(table.using_columns.begin(), table.using_columns.end(),
                    [&](const query::Name& one) { return LowerAscii(one.text) == name; }))
      return true;
  }
  return (!keeps_right && table.left && IsUnmetByNull(*table.left, column, names)) ||
         (!keeps_left && table.right && IsUnmetByNull(*table.right, column, names));
}

bool IsOfPrimaryKey(const Expression& column, const Names& names) {
  const UsedColumn used = UsedBy(&column, names);
  if (used.use == nullptr || used.use->may_be_absent || !used.use->table->primary_key) return false;
  const auto& key = used.use->table->primary_key->columns;
  return std::find(key.begin(), key.end(), used.name) != key.end();
}

}  // namespace

bool LeavesNullsOut(const query::Query& query, const Names& names) {
  return std::all_of(query.terms.begin(), query.terms.end(), [&](const query::SetTerm& term) {
    const query::Core& core = term.core;
    const bool groups_simply = core.group_suffix.empty() &&
                               std::all_of(core.group_by.begin(), core.group_by.end(),
                                           [](const auto& key) { return IsColumn(key.get()); });
    if (core.outputs.size() != 1 || !groups_simply) return false;
    const Expression* column = core.outputs.front().expression.get();
    if (!IsColumn(column)) return false;
    if (IsOfPrimaryKey(*column, names)) return true;
    if (core.where && IsUnmetByNull(*core.where, *column, names)) return true;
    if (core.having && IsUnmetByNull(*core.having, *column, names)) return true;
    return std::any_of(core.from.begin(), core.from.end(),
                       [&](const auto& table) { return IsUnmetByNull(*table, *column, names); });
  });
}

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
