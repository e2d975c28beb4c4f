// Worlds inside this process.

#include <utility>

#include <nlohmann/json.hpp>

#include "app/application.h"
#include "app/server.h"
#include "index/run.h"
#include "mcp/server.h"
#include "mcp/test_support.h"
#include "semantic/lifecycle.h"
#include "store/testing.h"
#include "transport/memory.h"
#include "wire/world.h"

namespace schemaward::wire {
namespace {

std::string SchemaIn(const tool::Registry& registry, const std::string& name) {
  const tool::Tool* tool = registry.Find(name);
  if (tool == nullptr) return {};
  const auto definition = json::Value::parse(tool::DefinitionJson(*tool, true));
  return definition["outputSchema"].dump();
}

bool WorksIn(const tool::Invoker& invoker, const Clock& clock, const std::string& tool,
             const std::string& args) {
  CallContext ctx(clock);
  return !invoker.Invoke(tool, json::Value::parse(args), ctx).is_error;
}

Status Define(store::Store& store) {
  WARD_TRY(const auto source, store.FindSource("shop"));
  WARD_TRY(const auto loaded, semantic::ReadFolder(WIRE_DEFINITIONS));
  WARD_TRY(const auto plan, semantic::PlanApply(store, *source, loaded, false));
  if (!plan.errors.empty()) return Error(ErrorKind::Internal, plan.errors.front().ToText());
  return store::ChangeDefinitions(store, source->id, plan.changes);
}

class DemoWorld final : public World {
 public:
  DemoWorld(std::vector<std::string> sets, std::chrono::milliseconds consent_max)
      : server_({.threads = 4, .queue_max = 16}, "Ask echo.", std::move(sets), consent_max) {}

  void Say(std::string_view line) override { server_.memory.Say(line); }
  std::optional<std::string> Hear(std::chrono::milliseconds patience) override {
    return server_.memory.Hear(patience);
  }
  Status Close() override {
    server_.memory.Close();
    return Ok();
  }
  void Open() override { server_.door.Open(); }
  void AwaitArrivals(int count) override { server_.door.AwaitArrivals(count); }
  std::string OutputSchema(const std::string& tool) override {
    return SchemaIn(server_.invoker().registry(), tool);
  }
  std::optional<bool> Works(const std::string& tool, const std::string& args) override {
    return WorksIn(server_.invoker(), server_.clock, tool, args);
  }

 private:
  mcp::testing::TestServer server_;
};

// Members stand in the order that their ends need.
class ShopWorld final : public World {
 public:
  ShopWorld(std::unique_ptr<store::TempFolder> folder, app::Config config)
      : folder_(std::move(folder)), app_(std::move(config)) {}
  ~ShopWorld() override {
    if (memory_) memory_->Close(transport::Ending::OutputClosed);
    pool_.Stop();
  }
  ShopWorld(const ShopWorld&) = delete;
  ShopWorld& operator=(const ShopWorld&) = delete;

  /// Indexes shop.sql and starts the server.
  Status Start(const std::string& sets_text) {
    CallContext ctx = app_.CommandContext();
    WARD_TRY(const auto source, app_.AddSource(std::string("ddl:") + WIRE_FIXTURE, "shop"));
    WARD_TRY(const auto connector, app_.Connect(source, ctx));
    WARD_TRY(auto* store, app_.Store(true));
    WARD_TRY(const auto summary, index::Run(*connector, *store, source, {}, ctx));
    (void)summary;
    WARD_CHECK(Define(*store));
    WARD_TRY(const auto sets, app::ParseToolSets(sets_text, true));
    WARD_TRY(tools_, app::ToolServer::Create(app_, {.sets = sets, .served = {}, .watch = false}));
    server_ = std::make_unique<mcp::Server>(
        tools_->invoker(), pool_, app_.clock(),
        mcp::ServerOptions{.version = std::string(app::Version()),
                           .instructions = [this] { return tools_->Instructions(); },
                           .names = &tools_->names()});
    memory_ = std::make_unique<transport::Memory>(*server_);
    return Ok();
  }

  void Say(std::string_view line) override { memory_->Say(line); }
  std::optional<std::string> Hear(std::chrono::milliseconds patience) override {
    return memory_->Hear(patience);
  }
  Status Close() override {
    memory_->Close();
    return Ok();
  }
  std::string OutputSchema(const std::string& tool) override {
    return SchemaIn(tools_->registry(), tool);
  }
  std::optional<bool> Works(const std::string& tool, const std::string& args) override {
    return WorksIn(tools_->invoker(), app_.clock(), tool, args);
  }

 private:
  std::unique_ptr<store::TempFolder> folder_;
  app::Application app_;
  std::unique_ptr<app::ToolServer> tools_;
  ThreadPool pool_;
  std::unique_ptr<mcp::Server> server_;
  std::unique_ptr<transport::Memory> memory_;
};

}  // namespace

std::unique_ptr<World> MakeDemoWorld(const std::string& more,
                                     std::chrono::milliseconds consent_max) {
  std::vector<std::string> sets = {"catalog"};
  if (more != "catalog") sets.push_back(more);
  return std::make_unique<DemoWorld>(std::move(sets), consent_max);
}

Result<std::unique_ptr<World>> MakeShopWorld(const std::string& sets) {
  auto folder = std::make_unique<store::TempFolder>();
  const auto no_variables = [](const std::string&) { return std::optional<std::string>(); };
  WARD_TRY(auto config, app::Config::Load({{"store", folder->File("store.db")},
                                           {"audit.path", folder->File("audit.db")},
                                           {"policy", WIRE_POLICY}},
                                          no_variables, folder->File("")));
  auto world = std::make_unique<ShopWorld>(std::move(folder), std::move(config));
  WARD_CHECK(world->Start(sets));
  return world;
}

}  // namespace schemaward::wire
