#include "connect/registry.h"

#include <fstream>
#include <utility>

#include "base/result_matchers.h"

namespace schemaward::connect {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Named final : public Engine {
 public:
  std::string_view name() const override { return "sqlite"; }
  Result<std::unique_ptr<Connector>> Open(const Target&, CallContext&) override {
    return Error(ErrorKind::EngineUnavailable, "opens nothing");
  }
};

TEST(Registry, FindsLinkedEngines) {
  Registry registry({std::make_shared<Named>()}, {});
  const auto engine = registry.Find("sqlite");
  ASSERT_THAT(engine, IsOk());
  EXPECT_EQ((*engine)->name(), "sqlite");
}

TEST(Registry, SaysWhatIsLoadedWithoutLoading) {
  Registry registry({std::make_shared<Named>()}, {});
  EXPECT_TRUE(registry.IsLoaded("sqlite"));
  EXPECT_FALSE(registry.IsLoaded("postgres"));
  EXPECT_FALSE(registry.IsLoaded("oracle"));
}

TEST(Registry, SaysWhichEnginesThisBuildLacks) {
  Registry registry({}, {});
  for (const std::string_view name : {"oracle", "db2"})
    EXPECT_THAT(registry.Find(name), IsError(ErrorKind::EngineUnavailable,
                                             HasSubstr("has no engine \"" + std::string(name))));
  for (const std::string_view name : {"postgres", "duckdb"})
    EXPECT_THAT(registry.Find(name),
                IsError(ErrorKind::EngineUnavailable, HasSubstr("not installed")));
}

TEST(Registry, RefusesAModuleThatIsNone) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "ward_modules";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "ward_postgres.so") << "not a shared object";
  Registry registry({}, {folder});
  EXPECT_THAT(registry.Find("postgres"),
              IsError(ErrorKind::EngineUnavailable, HasSubstr("could not be loaded")));
}

TEST(Registry, ListsEnginesByNameWithoutLoading) {
  Registry registry({std::make_shared<Named>()}, {});
  std::vector<std::string> names;
  for (const EngineInfo& info : registry.List()) names.push_back(info.name);
  EXPECT_THAT(names, ElementsAre("duckdb", "mysql", "postgres", "sqlite"));
}

TEST(Registry, NeverLooksInTheCurrentFolder) {
  const auto variable = [](std::string value) {
    return [value = std::move(value)](const std::string&) {
      return std::optional<std::string>(value);
    };
  };
  EXPECT_THAT(ModuleFolders(variable("modules"), "/opt/ward/bin"),
              ElementsAre(std::filesystem::path("/opt/ward/lib/schemaward")));
  EXPECT_THAT(ModuleFolders(variable("/srv/modules"), "/opt/ward/bin"),
              ElementsAre(std::filesystem::path("/srv/modules"),
                          std::filesystem::path("/opt/ward/lib/schemaward")));
  EXPECT_THAT(ModuleFolders(variable(""), ""), ElementsAre());
}

}  // namespace
}  // namespace schemaward::connect
