#include "store/vectors.h"

#include <algorithm>
#include <cstring>

#include "store/impl.h"
#include "store/require_source.h"

namespace schemaward::store {
namespace {

constexpr std::string_view kHashes =
    "SELECT object_id, text_hash FROM vector WHERE model = ?1 AND source_id = ?2";
// The table may be gone, and then its vector would stay for ever.
constexpr std::string_view kPut =
    "INSERT OR REPLACE INTO vector(object_id, source_id, model, text_hash, generation, numbers)"
    " SELECT o.id, o.source_id, ?3, ?4, s.generation, ?5 FROM object AS o"
    " JOIN source AS s ON s.id = o.source_id WHERE o.id = ?1 AND o.source_id = ?2";
constexpr std::string_view kForget = "DELETE FROM vector WHERE source_id = ?1 AND model <> ?2";
// Plan: a search of vector_model, then each row. No order is asked for, since a sorter would hold
// every vector.
constexpr std::string_view kVisit =
    "SELECT object_id, source_id, numbers FROM vector WHERE model = ?1";
constexpr std::string_view kSources = "SELECT DISTINCT source_id FROM vector WHERE model = ?1";

// Little endian, as the machines are that this runs on; docs/formats/store.md says so.
std::string_view BytesOf(const std::vector<float>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float)};
}

bool IsWanted(std::span<const std::int64_t> sources, std::int64_t source) {
  return sources.empty() || std::find(sources.begin(), sources.end(), source) != sources.end();
}

}  // namespace

Result<std::map<std::int64_t, std::int64_t>> VectorHashes(Store& store, std::int64_t source_id,
                                                          std::string_view model) {
  WARD_TRY(auto connection, store.impl().Read());
  WARD_TRY(auto row, connection->Prepared(kHashes));
  row->Bind(1, model).Bind(2, source_id);
  std::map<std::int64_t, std::int64_t> hashes;
  while (true) {
    WARD_TRY(const bool found, row->Step());
    if (!found) return hashes;
    hashes.emplace(row->Int(0), row->Int(1));
  }
}

Status PutVectors(Store& store, std::int64_t source_id, std::string_view model,
                  std::span<const TableVector> vectors) {
  WARD_TRY(auto connection, store.impl().Write());
  WARD_TRY(auto transaction, sqlite::Transaction::Begin(connection->database()));
  WARD_CHECK(RequireSource(*connection, source_id));
  for (const TableVector& vector : vectors) {
    WARD_TRY(auto put, connection->Prepared(kPut));
    put->Bind(1, vector.table_id).Bind(2, source_id).Bind(3, model).Bind(4, vector.text_hash);
    WARD_CHECK(put->BindBlob(5, BytesOf(vector.numbers)).Run());
  }
  return transaction.Commit();
}

Status ForgetOtherVectors(Store& store, std::int64_t source_id, std::string_view model) {
  WARD_TRY(auto connection, store.impl().Write());
  WARD_TRY(auto forget, connection->Prepared(kForget));
  return forget->Bind(1, source_id).Bind(2, model).Run();
}

Result<bool> HasVectors(Store& store, std::string_view model,
                        std::span<const std::int64_t> sources) {
  WARD_TRY(auto connection, store.impl().Read());
  WARD_TRY(auto row, connection->Prepared(kSources));
  row->Bind(1, model);
  while (true) {
    WARD_TRY(const bool found, row->Step());
    if (!found) return false;
    if (IsWanted(sources, row->Int(0))) return true;
  }
}

Status VisitVectors(
    Store& store, std::string_view model, std::span<const std::int64_t> sources,
    const std::function<bool(std::int64_t table_id, std::span<const float> numbers)>& visit) {
  WARD_TRY(auto connection, store.impl().Read());
  WARD_TRY(auto row, connection->Prepared(kVisit));
  row->Bind(1, model);
  std::vector<float> numbers;
  while (true) {
    WARD_TRY(const bool found, row->Step());
    if (!found) return Ok();
    if (!IsWanted(sources, row->Int(1))) continue;
    const std::string_view bytes = row->Blob(2);
    if (bytes.size() % sizeof(float) != 0)
      return Error(ErrorKind::StoreUnusable, "a vector in the store cannot be read");
    numbers.resize(bytes.size() / sizeof(float));
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
    if (!visit(row->Int(0), numbers)) return Ok();
  }
}

}  // namespace schemaward::store
