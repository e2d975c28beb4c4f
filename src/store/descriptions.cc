#include "store/descriptions.h"

#include <utility>

#include "store/impl.h"

namespace schemaward::store {
namespace {

constexpr std::string_view kRead =
    "SELECT column_name, text, model, shape_hash, made_at_us FROM description"
    " WHERE object_id = ?1 ORDER BY column_name";
constexpr std::string_view kShapes =
    "SELECT d.object_id, d.shape_hash FROM object AS o JOIN description AS d"
    " ON d.object_id = o.id AND d.column_name = '' WHERE o.source_id = ?1";
constexpr std::string_view kForget = "DELETE FROM description WHERE object_id = ?1";
constexpr std::string_view kPut =
    "INSERT INTO description(object_id, column_name, text, model, shape_hash, made_at_us)"
    " SELECT id, ?2, ?3, ?4, ?5, ?6 FROM object WHERE id = ?1";

}  // namespace

Result<std::vector<Description>> ReadDescriptions(Store& store, std::int64_t table_id) {
  WARD_TRY(auto connection, store.impl().Read());
  WARD_TRY(auto row, connection->Prepared(kRead));
  row->Bind(1, table_id);
  std::vector<Description> descriptions;
  while (true) {
    WARD_TRY(const bool found, row->Step());
    if (!found) return descriptions;
    descriptions.push_back({std::string(row->Text(0)), std::string(row->Text(1)),
                            std::string(row->Text(2)), row->Int(3), row->Int(4)});
  }
}

Result<std::map<std::int64_t, std::int64_t>> DescribedShapes(Store& store, std::int64_t source_id) {
  WARD_TRY(auto connection, store.impl().Read());
  WARD_TRY(auto row, connection->Prepared(kShapes));
  row->Bind(1, source_id);
  std::map<std::int64_t, std::int64_t> shapes;
  while (true) {
    WARD_TRY(const bool found, row->Step());
    if (!found) return shapes;
    shapes.emplace(row->Int(0), row->Int(1));
  }
}

Status PutDescriptions(Store& store, std::int64_t table_id,
                       const std::vector<Description>& descriptions) {
  WARD_TRY(auto connection, store.impl().Write());
  WARD_TRY(auto transaction, sqlite::Transaction::Begin(connection->database()));
  {
    WARD_TRY(auto forget, connection->Prepared(kForget));
    WARD_CHECK(forget->Bind(1, table_id).Run());
  }
  for (const Description& one : descriptions) {
    WARD_TRY(auto put, connection->Prepared(kPut));
    put->Bind(1, table_id)
        .Bind(2, std::string_view(one.column))
        .Bind(3, std::string_view(one.text))
        .Bind(4, std::string_view(one.model))
        .Bind(5, one.shape_hash)
        .Bind(6, one.made_at_us);
    WARD_CHECK(put->Run());
  }
  return transaction.Commit();
}

catalog::Table WithDescriptions(catalog::Table table,
                                const std::vector<Description>& descriptions) {
  for (const Description& one : descriptions) {
    if (one.column.empty()) {
      if (table.comment.empty()) table.comment = one.text;
      continue;
    }
    const std::size_t at = catalog::FindColumn(table, one.column);
    if (at < table.columns.size() && table.columns[at].comment.empty())
      table.columns[at].comment = one.text;
  }
  return table;
}

}  // namespace schemaward::store
