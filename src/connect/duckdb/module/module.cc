// What ward_duckdb.so exports.

#include "connect/module.h"

#include "connect/duckdb/duckdb.h"

WARD_ENGINE_MODULE(schemaward::connect::duckdb::MakeEngine)
