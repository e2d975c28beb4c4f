#include "app/engines.h"

#include "connect/ddl/ddl_engine.h"
#include "connect/sqlite/engine.h"

namespace schemaward::app {

std::vector<connect::EnginePtr> LinkedEngines() {
  return {connect::MakeSqliteEngine(), connect::ddl::MakeDdlEngine()};
}

}  // namespace schemaward::app
