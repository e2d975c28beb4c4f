#pragma once

// Vectors of tables, as an embedder made them: one of each table, of one model at a time.

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/store.h"

namespace schemaward::store {

/// The vector of one table. `text_hash`: of the text that it was made of.
struct TableVector {
  std::int64_t table_id = 0;
  std::int64_t text_hash = 0;
  std::vector<float> numbers;
};

/// Hashes of the texts that a source's vectors of `model` were made of, by table id.
Result<std::map<std::int64_t, std::int64_t>> VectorHashes(Store& store, std::int64_t source_id,
                                                          std::string_view model);

/// Keeps vectors of tables of a source in place of what there was of each, in one transaction. A
/// table that has gone meanwhile is passed over. Errors: UnknownSource; as Store.
Status PutVectors(Store& store, std::int64_t source_id, std::string_view model,
                  std::span<const TableVector> vectors);

/// Forgets a source's vectors of other models than `model`; those of all where it is empty.
Status ForgetOtherVectors(Store& store, std::int64_t source_id, std::string_view model);

/// True when some source of `sources` (empty: all) has vectors of `model`.
Result<bool> HasVectors(Store& store, std::string_view model,
                        std::span<const std::int64_t> sources);

/// Calls `visit` with each vector of `model` of `sources` (empty: all), in no order; false from
/// `visit` ends it. One vector is held at a time. Lifetime: the numbers are for the call only.
Status VisitVectors(
    Store& store, std::string_view model, std::span<const std::int64_t> sources,
    const std::function<bool(std::int64_t table_id, std::span<const float> numbers)>& visit);

}  // namespace schemaward::store
