#include "connect/ddl/remote.h"

#include <set>

#include <pg_query/pg_query.pb-c.h>

#include "connect/ddl/apply.h"
#include "connect/ddl/kin.h"

namespace schemaward::connect::ddl {
namespace {

/// False where a column has too many.
bool AddTo(Relation& relation, std::string_view column, const catalog::Remote& remote) {
  const std::size_t at = relation.Find(column);
  return at == kNoColumn || catalog::AddRemote(relation.columns[at].column, remote);
}

}  // namespace

void ApplyOption(std::size_t count, Node* const* options, std::string_view wanted,
                 std::optional<std::string>& value) {
  for (std::size_t i = 0; i < count; ++i) {
    if (options[i]->node_case != PG_QUERY__NODE__NODE_DEF_ELEM) continue;
    const PgQuery__DefElem& option = *options[i]->def_elem;
    if (View(option.defname) != wanted) continue;
    if (option.defaction == PG_QUERY__DEF_ELEM_ACTION__DEFELEM_DROP) {
      value.reset();
    } else if (option.arg != nullptr && option.arg->node_case == PG_QUERY__NODE__NODE_STRING) {
      value = StringOf(option.arg);
    }
  }
}

void ApplyTableOption(std::size_t count, Node* const* options, Relation& relation) {
  for (const std::string_view name : {"object", "collection", "table", "table_name"})
    ApplyOption(count, options, name, relation.remote_table);
}

void AddRemotes(SchemaState& state, std::vector<catalog::Missing>& missing) {
  std::set<const Relation*> cut;
  for (const auto& relation : state.relations()) {
    if (relation->kind != catalog::TableKind::ForeignTable || relation->IsGone()) continue;
    const std::vector<Relation*> readers = WithAncestors(*relation);
    for (const ColumnState& column : relation->columns) {
      if (column.dropped || (!relation->remote_table && !column.remote_name)) continue;
      const std::string name = column.column.name;
      const catalog::Remote remote{relation->remote_table.value_or(relation->name),
                                   column.remote_name.value_or(name)};
      for (Relation* reader : readers)
        if (!AddTo(*reader, name, remote) && cut.insert(reader).second)
          missing.push_back(catalog::RemotesCut(reader->schema, reader->name));
    }
  }
}

}  // namespace schemaward::connect::ddl
