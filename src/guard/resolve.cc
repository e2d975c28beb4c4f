#include "guard/resolve.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "guard/functions.h"
#include "sql/render.h"

namespace schemaward::guard {
namespace {

constexpr std::size_t kTablesMax = 64;
constexpr std::size_t kReadsMax = 512;  // relations of a whole statement

// What a relation of FROM offers: a table's columns, or the outputs of a select.
struct Shape {
  const catalog::Table* table = nullptr;
  std::vector<std::string> outputs;  // where there is no table
  bool Has(std::string_view column) const {
    if (table != nullptr) return catalog::FindColumn(*table, column) != std::string_view::npos;
    return std::find(outputs.begin(), outputs.end(), column) != outputs.end();
  }
};

// A relation under the name that columns call it by.
struct Binding {
  std::string name;
  Shape shape;
};

// A common table and what it offers.
struct Common {
  std::string name;
  Shape shape;
};

// The names that a select sees: its own relations, then those around it (in EXISTS), and the common
// tables of all selects around it.
struct Scope {
  const Scope* outer = nullptr;   // of a correlated select; null where nothing around is seen
  const Scope* around = nullptr;  // for common tables
  std::vector<Binding> bindings;
  std::vector<Common> commons;
};

Error UnknownTableIn(const sql::TableRef& ref) {
  return {ErrorKind::SqlUnknownName,
          fmt::format("the statement reads table \"{}\", which is not there",
                      catalog::QualifiedName(ref.schema, ref.table))};
}

Error UnknownColumnIn(const sql::ColumnRef& ref) {
  const std::string name = ref.qualifier.empty() ? ref.column : ref.qualifier + "." + ref.column;
  return {ErrorKind::SqlUnknownName,
          fmt::format("the statement reads column \"{}\", which is not there", name)};
}

Error Malformed(std::string_view what) {
  return {ErrorKind::Internal, fmt::format("a statement {}", what)};
}

class Resolver {
 public:
  explicit Resolver(const std::vector<catalog::Table>& tables) : tables_(tables) {}

  Status Run(const sql::Select& select) {
    WARD_TRY(const auto outputs, Query(select, nullptr, nullptr, 0));
    (void)outputs;
    return Ok();
  }

  Reads Take() { return std::move(reads_); }

 private:
  // Resolves a select with its common tables and unions. Returns the names of its outputs.
  Result<std::vector<std::string>> Query(const sql::Select& select, const Scope* outer,
                                         const Scope* around, int depth) {
    if (depth >= sql::kSelectDepthMax) return Malformed("nests its selects too deeply");
    Scope with{outer, around, {}, {}};
    for (const sql::CommonTable& common : select.with) {
      if (common.select == nullptr) return Malformed("lacks a common table");
      for (const Common& other : with.commons)
        if (other.name == common.name) return Malformed("uses one name for two common tables");
      WARD_TRY(auto outputs, Query(*common.select, nullptr, &with, depth + 1));
      with.commons.push_back({common.name, {nullptr, std::move(outputs)}});
    }
    WARD_TRY(auto outputs, Body(select, with, depth));
    for (const sql::SelectPtr& more : select.union_all) {
      if (more == nullptr) return Malformed("lacks a part of a union");
      WARD_TRY(const auto other, Body(*more, with, depth));
      if (other.size() != outputs.size()) return Malformed("has parts of a union that differ");
    }
    return outputs;
  }

  Result<std::vector<std::string>> Body(const sql::Select& select, const Scope& with, int depth) {
    if (select.joins.size() >= kTablesMax) return Malformed("joins too many tables");
    Scope scope{with.outer, &with, {}, {}};
    WARD_CHECK(Bind(select.from, scope, depth));
    for (const sql::Join& join : select.joins) WARD_CHECK(Bind(join.table, scope, depth));
    for (const sql::OutputColumn& column : select.columns)
      WARD_CHECK(Walk(column.expression, scope, depth));
    for (const sql::Join& join : select.joins)
      if (join.kind != sql::JoinKind::Cross) WARD_CHECK(Walk(join.on, scope, depth));
    if (select.where != nullptr) WARD_CHECK(Walk(select.where, scope, depth));
    for (const sql::ExpressionPtr& key : select.group_by) WARD_CHECK(Walk(key, scope, depth));
    if (select.having != nullptr) WARD_CHECK(Walk(select.having, scope, depth));
    for (const sql::OrderItem& item : select.order_by)
      if (!IsAlias(select, item.expression)) WARD_CHECK(Walk(item.expression, scope, depth));
    return OutputsOf(select);
  }

  static std::vector<std::string> OutputsOf(const sql::Select& select) {
    std::vector<std::string> names;
    for (const sql::OutputColumn& column : select.columns) {
      const auto* ref = column.expression == nullptr
                            ? nullptr
                            : std::get_if<sql::ColumnRef>(&column.expression->node);
      names.push_back(!column.alias.empty() ? column.alias
                      : ref != nullptr      ? ref->column
                                            : std::string());
    }
    return names;
  }

  Status Bind(const sql::Relation& relation, Scope& scope, int depth) {
    if (++relations_ > kReadsMax) return Malformed("reads too many tables");
    return std::visit([&](const auto& one) { return BindOne(one, scope, depth); }, relation);
  }

  static Status Add(std::string_view name, Shape shape, Scope& scope) {
    for (const Binding& binding : scope.bindings)
      if (binding.name == name) return Malformed("uses one alias for two tables");
    scope.bindings.push_back({std::string(name), std::move(shape)});
    return Ok();
  }

  Status BindOne(const sql::TableRef& ref, Scope& scope, int /*depth*/) {
    const auto found =
        std::find_if(tables_.begin(), tables_.end(), [&](const catalog::Table& table) {
          return table.name == ref.table && table.schema == ref.schema;
        });
    if (found == tables_.end()) return UnknownTableIn(ref);
    if (std::find(reads_.tables.begin(), reads_.tables.end(), &*found) == reads_.tables.end())
      reads_.tables.push_back(&*found);
    return Add(ref.alias.empty() ? ref.table : ref.alias, {&*found, {}}, scope);
  }

  Status BindOne(const sql::CteRef& ref, Scope& scope, int /*depth*/) {
    for (const Scope* at = &scope; at != nullptr; at = at->around)
      for (const Common& common : at->commons)
        if (common.name == ref.name)
          return Add(ref.alias.empty() ? ref.name : ref.alias, common.shape, scope);
    return Error(ErrorKind::SqlUnknownName,
                 fmt::format("the statement reads \"{}\", which is no common table", ref.name));
  }

  Status BindOne(const sql::DerivedTable& ref, Scope& scope, int depth) {
    if (ref.select == nullptr) return Malformed("lacks a derived table");
    WARD_TRY(auto outputs, Query(*ref.select, nullptr, scope.around, depth + 1));
    return Add(ref.alias, {nullptr, std::move(outputs)}, scope);
  }

  Status BindOne(const sql::ValuesTable& ref, Scope& scope, int depth) {
    const Scope nothing;
    for (const auto& row : ref.rows)
      for (const sql::ExpressionPtr& value : row) WARD_CHECK(Walk(value, nothing, depth));
    return Add(ref.alias, {nullptr, ref.columns}, scope);
  }

  // An ORDER BY item that is an output's alias and no column of a table orders by what is read
  // already.
  static bool IsAlias(const sql::Select& select, const sql::ExpressionPtr& expression) {
    const auto* ref =
        expression == nullptr ? nullptr : std::get_if<sql::ColumnRef>(&expression->node);
    if (ref == nullptr || !ref->qualifier.empty()) return false;
    return std::any_of(
        select.columns.begin(), select.columns.end(),
        [&](const sql::OutputColumn& column) { return column.alias == ref->column; });
  }

  Status Walk(const sql::ExpressionPtr& expression, const Scope& scope, int depth) {
    if (expression == nullptr) return Malformed("lacks an operand");
    if (depth >= sql::kExpressionDepthMax) return Malformed("is nested too deeply");
    if (++nodes_ > sql::kExpressionNodesMax) return Malformed("is too large");
    return std::visit([&](const auto& node) { return Visit(node, scope, depth + 1); },
                      expression->node);
  }

  Status WalkAll(const std::vector<sql::ExpressionPtr>& list, const Scope& scope, int depth) {
    for (const sql::ExpressionPtr& one : list) WARD_CHECK(Walk(one, scope, depth));
    return Ok();
  }

  Status Visit(const sql::Literal& /*literal*/, const Scope& /*scope*/, int /*depth*/) {
    return Ok();
  }
  Status Visit(const sql::Moment& /*moment*/, const Scope& /*scope*/, int /*depth*/) {
    return Ok();
  }
  Status Visit(const sql::Unary& node, const Scope& scope, int depth) {
    return Walk(node.operand, scope, depth);
  }
  Status Visit(const sql::Cast& node, const Scope& scope, int depth) {
    return Walk(node.operand, scope, depth);
  }
  Status Visit(const sql::Percentile& node, const Scope& scope, int depth) {
    return Walk(node.operand, scope, depth);
  }
  Status Visit(const sql::TextMatch& node, const Scope& scope, int depth) {
    return Walk(node.operand, scope, depth);
  }
  Status Visit(const sql::TimeBucket& node, const Scope& scope, int depth) {
    return Walk(node.operand, scope, depth);
  }
  Status Visit(const sql::Comparable& node, const Scope& scope, int depth) {
    return Walk(node.operand, scope, depth);
  }
  Status Visit(const sql::Shifted& node, const Scope& scope, int depth) {
    return Walk(node.operand, scope, depth);
  }

  Status Visit(const sql::Binary& node, const Scope& scope, int depth) {
    WARD_CHECK(Walk(node.left, scope, depth));
    return Walk(node.right, scope, depth);
  }

  Status Visit(const sql::Ratio& node, const Scope& scope, int depth) {
    WARD_CHECK(Walk(node.numerator, scope, depth));
    return Walk(node.denominator, scope, depth);
  }

  Status Visit(const sql::Case& node, const Scope& scope, int depth) {
    for (const sql::Case::Branch& branch : node.branches) {
      WARD_CHECK(Walk(branch.when, scope, depth));
      WARD_CHECK(Walk(branch.then, scope, depth));
    }
    return node.otherwise == nullptr ? Ok() : Walk(node.otherwise, scope, depth);
  }

  Status Visit(const sql::InList& node, const Scope& scope, int depth) {
    WARD_CHECK(Walk(node.operand, scope, depth));
    return WalkAll(node.items, scope, depth);
  }

  Status Visit(const sql::Exists& node, const Scope& scope, int depth) {
    if (node.select == nullptr) return Malformed("lacks the select of an EXISTS");
    WARD_TRY(const auto outputs, Query(*node.select, &scope, &scope, depth + 1));
    (void)outputs;
    return Ok();
  }

  Status Visit(const sql::Call& node, const Scope& scope, int depth) {
    if (!IsListedFunction(node.function))
      return Error(
          ErrorKind::NotARead,
          fmt::format("function \"{}\" is not on the list of reading functions", node.function));
    return WalkAll(node.arguments, scope, depth);
  }

  Status Visit(const sql::Window& node, const Scope& scope, int depth) {
    if (!IsListedWindow(node.call.function) && !IsListedFunction(node.call.function))
      return Error(ErrorKind::NotARead,
                   fmt::format("function \"{}\" is not on the list of reading functions",
                               node.call.function));
    WARD_CHECK(WalkAll(node.call.arguments, scope, depth));
    WARD_CHECK(WalkAll(node.partition_by, scope, depth));
    for (const sql::OrderItem& item : node.order_by)
      WARD_CHECK(Walk(item.expression, scope, depth));
    return Ok();
  }

  Status Visit(const sql::ColumnRef& ref, const Scope& scope, int /*depth*/) {
    for (const Scope* at = &scope; at != nullptr; at = at->outer) {
      std::vector<const Binding*> found;
      for (const Binding& binding : at->bindings)
        if ((ref.qualifier.empty() || binding.name == ref.qualifier) &&
            binding.shape.Has(ref.column))
          found.push_back(&binding);
      if (found.size() > 1) return UnknownColumnIn(ref);
      if (found.size() == 1) return Note(found.front()->shape, ref.column);
      // A name that hides one around it is not looked for there.
      if (!ref.qualifier.empty() &&
          std::any_of(at->bindings.begin(), at->bindings.end(),
                      [&](const Binding& binding) { return binding.name == ref.qualifier; }))
        return UnknownColumnIn(ref);
    }
    return UnknownColumnIn(ref);
  }

  // What a derived column is made of was noted where it is made.
  Status Note(const Shape& shape, std::string_view column) {
    if (shape.table == nullptr) return Ok();
    const catalog::Column& read = shape.table->columns[catalog::FindColumn(*shape.table, column)];
    const bool seen = std::any_of(reads_.columns.begin(), reads_.columns.end(),
                                  [&](const ColumnRead& other) { return other.column == &read; });
    if (!seen) reads_.columns.push_back({shape.table, &read});
    return Ok();
  }

  const std::vector<catalog::Table>& tables_;
  Reads reads_;
  std::size_t relations_ = 0;
  std::size_t nodes_ = 0;
};

}  // namespace

Result<Reads> Resolve(const sql::Select& select, const std::vector<catalog::Table>& tables) {
  Resolver resolver(tables);
  WARD_CHECK(resolver.Run(select));
  return resolver.Take();
}

}  // namespace schemaward::guard
