#pragma once

// Descriptions of tables and columns that a model wrote, where the database says nothing.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalog/catalog.h"
#include "store/store.h"

namespace schemaward::store {

/// What a model wrote of one table or column.
struct Description {
  std::string column;  ///< empty: of the table itself
  std::string text;
  std::string model;            ///< provider:name
  std::int64_t shape_hash = 0;  ///< of the table that the model saw
  std::int64_t made_at_us = 0;
  bool operator==(const Description&) const = default;
};

/// Descriptions of a table, sorted by column. Errors: as Store.
Result<std::vector<Description>> ReadDescriptions(Store& store, std::int64_t table_id);

/// The shape that each described table of a source had when it was described, by table id.
Result<std::map<std::int64_t, std::int64_t>> DescribedShapes(Store& store, std::int64_t source_id);

/// Makes `descriptions` what is kept of the table; nothing happens where it has gone. Errors: as
/// Store.
Status PutDescriptions(Store& store, std::int64_t table_id,
                       const std::vector<Description>& descriptions);

/// Returns the table with descriptions where it has no comments: what search reads.
catalog::Table WithDescriptions(catalog::Table table, const std::vector<Description>& descriptions);

}  // namespace schemaward::store
