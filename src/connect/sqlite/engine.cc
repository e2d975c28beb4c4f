#include "connect/sqlite/engine.h"

#include "connect/sqlite/file_connector.h"

namespace schemaward::connect {
namespace {

class SqliteEngine final : public Engine {
 public:
  std::string_view name() const override { return "sqlite"; }

  Result<std::unique_ptr<Connector>> Open(const Target& target, CallContext& ctx) override {
    auto connector = std::make_unique<sqlite_engine::FileConnector>(target.location, kept_);
    WARD_CHECK(connector->Ping(ctx));
    return connector;
  }

 private:
  // Shared: with connectors, which may outlive the engine.
  const std::shared_ptr<sqlite_engine::KeptHandles> kept_ =
      std::make_shared<sqlite_engine::KeptHandles>();
};

}  // namespace

EnginePtr MakeSqliteEngine() { return std::make_shared<SqliteEngine>(); }

}  // namespace schemaward::connect
