#include "app/engines.h"

#include "connect/dbt/dbt_engine.h"
#include "connect/ddl/ddl_engine.h"
#include "connect/sqlite/engine.h"

namespace schemaward::app {

std::vector<connect::EnginePtr> LinkedEngines() {
  return {connect::MakeSqliteEngine(), connect::ddl::MakeDdlEngine(),
          connect::dbt::MakeDbtEngine()};
}

}  // namespace schemaward::app
