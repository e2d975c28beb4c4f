#include "store/search_access.h"

#include "store/impl.h"

namespace schemaward::store {

Status WithSearch(Store& store, const std::function<Status(SearchReader&)>& ask) {
  WARD_TRY(auto connection, store.impl().Read());
  if (connection->IsOneState()) return ask(connection->search());
  WARD_CHECK(connection->Begin());
  Status answer = ask(connection->search());
  WARD_CHECK(connection->End());
  return answer;
}

}  // namespace schemaward::store
