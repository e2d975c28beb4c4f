#include "guard/resolve.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "guard/functions.h"
#include "sql/render.h"

namespace schemaward::guard {
namespace {

constexpr std::size_t kTablesMax = 64;

// A table of FROM under the name that columns call it by.
struct Binding {
  std::string_view name;
  const catalog::Table* table;
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

class Resolver {
 public:
  explicit Resolver(const std::vector<catalog::Table>& tables) : tables_(tables) {}

  Status Run(const sql::Select& select) {
    if (select.joins.size() >= kTablesMax)
      return Error(ErrorKind::Internal, "a statement joins too many tables");
    WARD_CHECK(Bind(select.from));
    for (const sql::Join& join : select.joins) WARD_CHECK(Bind(join.table));
    for (const sql::OutputColumn& column : select.columns) WARD_CHECK(Walk(column.expression, 0));
    for (const sql::Join& join : select.joins) WARD_CHECK(Walk(join.on, 0));
    if (select.where != nullptr) WARD_CHECK(Walk(select.where, 0));
    for (const sql::ExpressionPtr& expression : select.group_by) WARD_CHECK(Walk(expression, 0));
    for (const sql::OrderItem& item : select.order_by)
      if (!IsAlias(select, item.expression)) WARD_CHECK(Walk(item.expression, 0));
    return Ok();
  }

  Reads Take() { return std::move(reads_); }

 private:
  Status Bind(const sql::Relation& relation) {
    if (const auto* table = std::get_if<sql::TableRef>(&relation)) return BindTable(*table);
    return Error(ErrorKind::Internal, "a statement reads a relation that is not resolved yet");
  }

  Status BindTable(const sql::TableRef& ref) {
    const auto found =
        std::find_if(tables_.begin(), tables_.end(), [&](const catalog::Table& table) {
          return table.name == ref.table && table.schema == ref.schema;
        });
    if (found == tables_.end()) return UnknownTableIn(ref);
    const std::string_view name =
        ref.alias.empty() ? std::string_view(ref.table) : std::string_view(ref.alias);
    for (const Binding& binding : bindings_)
      if (binding.name == name)
        return Error(ErrorKind::Internal, "a statement uses one alias for two tables");
    bindings_.push_back({name, &*found});
    if (std::find(reads_.tables.begin(), reads_.tables.end(), &*found) == reads_.tables.end())
      reads_.tables.push_back(&*found);
    return Ok();
  }

  // An ORDER BY item that is an output's alias and no column of a table orders by what is read
  // already.
  bool IsAlias(const sql::Select& select, const sql::ExpressionPtr& expression) const {
    const auto* ref =
        expression == nullptr ? nullptr : std::get_if<sql::ColumnRef>(&expression->node);
    if (ref == nullptr || !ref->qualifier.empty()) return false;
    return std::any_of(
        select.columns.begin(), select.columns.end(),
        [&](const sql::OutputColumn& column) { return column.alias == ref->column; });
  }

  Status Walk(const sql::ExpressionPtr& expression, int depth) {
    if (expression == nullptr) return Error(ErrorKind::Internal, "a statement lacks an operand");
    if (depth >= sql::kExpressionDepthMax)
      return Error(ErrorKind::Internal, "a statement is nested too deeply");
    if (++nodes_ > sql::kExpressionNodesMax)
      return Error(ErrorKind::Internal, "a statement is too large");
    return std::visit([&](const auto& node) { return Visit(node, depth + 1); }, expression->node);
  }

  template <class Other>
  Status Visit(const Other& /*node*/, int /*depth*/) {
    return Error(ErrorKind::Internal, "a statement holds a node that is not resolved yet");
  }

  Status Visit(const sql::Literal& /*literal*/, int /*depth*/) { return Ok(); }

  Status Visit(const sql::Unary& unary, int depth) { return Walk(unary.operand, depth); }

  Status Visit(const sql::Binary& binary, int depth) {
    WARD_CHECK(Walk(binary.left, depth));
    return Walk(binary.right, depth);
  }

  Status Visit(const sql::Call& call, int depth) {
    if (!IsListedFunction(call.function))
      return Error(
          ErrorKind::NotARead,
          fmt::format("function \"{}\" is not on the list of reading functions", call.function));
    for (const sql::ExpressionPtr& argument : call.arguments) WARD_CHECK(Walk(argument, depth));
    return Ok();
  }

  Status Visit(const sql::ColumnRef& ref, int /*depth*/) {
    std::vector<ColumnRead> found;
    for (const Binding& binding : bindings_) {
      if (!ref.qualifier.empty() && binding.name != ref.qualifier) continue;
      const std::size_t at = catalog::FindColumn(*binding.table, ref.column);
      if (at != std::string_view::npos)
        found.push_back({binding.table, &binding.table->columns[at]});
    }
    if (found.size() != 1) return UnknownColumnIn(ref);
    const bool seen =
        std::any_of(reads_.columns.begin(), reads_.columns.end(),
                    [&](const ColumnRead& read) { return read.column == found.front().column; });
    if (!seen) reads_.columns.push_back(found.front());
    return Ok();
  }

  const std::vector<catalog::Table>& tables_;
  std::vector<Binding> bindings_;
  Reads reads_;
  std::size_t nodes_ = 0;
};

}  // namespace

Result<Reads> Resolve(const sql::Select& select, const std::vector<catalog::Table>& tables) {
  Resolver resolver(tables);
  WARD_CHECK(resolver.Run(select));
  return resolver.Take();
}

}  // namespace schemaward::guard
