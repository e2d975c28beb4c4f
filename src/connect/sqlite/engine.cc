#include "connect/sqlite/engine.h"

#include "connect/sqlite/file_connector.h"

namespace schemaward::connect {
namespace {

class SqliteEngine final : public Engine {
 public:
  std::string_view name() const override { return "sqlite"; }

  Result<std::unique_ptr<Connector>> Open(const Target& target, CallContext& ctx) override {
    auto connector = std::make_unique<sqlite_engine::FileConnector>(target.location);
    WARD_CHECK(connector->Ping(ctx));
    return connector;
  }
};

}  // namespace

EnginePtr MakeSqliteEngine() { return std::make_shared<SqliteEngine>(); }

}  // namespace schemaward::connect
