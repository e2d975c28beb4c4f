#pragma once

// Imported names against an index.

#include "interchange/report.h"
#include "semantic/definitions.h"
#include "semantic/model.h"

namespace schemaward::interchange {

/// Spells columns as the index does where they differ in case only: other programs fold them
/// (Snowflake's CUSTOMER_ID is customer_id in dbt). `model`: of the same definitions, over the
/// index. What fits no column stays as it is.
semantic::Definitions WithColumnsAsIndexed(semantic::Definitions definitions,
                                           const semantic::Model& model);

}  // namespace schemaward::interchange
