#include "store/search_access.h"

#include "store/impl.h"

namespace schemaward::store {

Status WithSearch(Store& store, const std::function<Status(SearchReader&)>& ask) {
  WARD_TRY(auto connection, store.impl().Read());
  WARD_CHECK(connection->database().Execute("BEGIN"));
  Status answer = ask(connection->search());
  // Nothing was written; a failure to end the transaction would be a fault of ours or the disk's.
  WARD_CHECK(connection->database().Execute("COMMIT"));
  return answer;
}

}  // namespace schemaward::store
