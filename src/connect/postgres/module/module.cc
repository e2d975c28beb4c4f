// What ward_postgres.so exports.

#include "connect/module.h"

#include "connect/postgres/postgres.h"

WARD_ENGINE_MODULE(schemaward::connect::postgres::MakeEngine)
