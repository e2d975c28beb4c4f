// What ward_mysql.so exports.

#include "connect/module.h"

#include "connect/mysql/mysql.h"

WARD_ENGINE_MODULE(schemaward::connect::mysql::MakeEngine)
