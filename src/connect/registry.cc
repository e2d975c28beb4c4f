#include "connect/registry.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/contains.h"
#include "base/module_file.h"
#include "connect/module.h"

namespace schemaward::connect {
namespace {

namespace fs = std::filesystem;

// Engines that come as modules.
constexpr std::array<std::string_view, 3> kModules = {"duckdb", "mysql", "postgres"};

Error Unavailable(std::string_view message, std::string_view hint) {
  return std::move(Error(ErrorKind::EngineUnavailable, message).Hint(hint));
}

std::string Quoted(std::string_view name) { return '"' + std::string(name) + '"'; }

std::string FileOf(std::string_view name) { return "ward_" + std::string(name) + ".so"; }

Result<EnginePtr> Load(std::string_view name, const std::vector<fs::path>& folders) {
  static constexpr BuildStamp kStamp = EngineStamp();
  const ModuleSpec spec{
      "engine " + Quoted(name),
      FileOf(name),
      kModuleStampSymbol,
      kStamp,
      {kModuleMakeSymbol},
      "It belongs into lib/schemaward beside the program's folder, or into the folder that "
      "SCHEMAWARD_MODULES names.",
      "A library that it needs may be missing; the log names it. For PostgreSQL install the "
      "package libpq5, for MySQL libmariadb3.",
      "Install the program and its modules together, and unset SCHEMAWARD_MODULES unless it is "
      "meant."};
  WARD_TRY(const Module module, Module::Load(spec, folders));
  return EnginePtr(module.Symbol<ModuleMakeFunction>(kModuleMakeSymbol)());
}

}  // namespace

std::vector<fs::path> ModuleFolders(const Environment& environment, const fs::path& binary_folder) {
  std::vector<fs::path> folders;
  const fs::path named = environment("SCHEMAWARD_MODULES").value_or("");
  if (named.is_absolute()) folders.push_back(named);
  if (binary_folder.is_absolute())
    folders.push_back((binary_folder / ".." / "lib" / "schemaward").lexically_normal());
  return folders;
}

fs::path BinaryFolder() {
  std::error_code failed;
  const fs::path self = fs::read_symlink("/proc/self/exe", failed);
  return failed ? fs::path() : self.parent_path();
}

Registry::Registry(std::vector<EnginePtr> linked, std::vector<fs::path> folders)
    : linked_(std::move(linked)), folders_(std::move(folders)) {}

fs::path Registry::ModuleOf(std::string_view name) const {
  return FindModule(folders_, FileOf(name));
}

Result<EnginePtr> Registry::Find(std::string_view name) {
  for (const EnginePtr& engine : linked_)
    if (engine->name() == name) return engine;
  if (!Contains(kModules, name))
    return Unavailable(
        "this build has no engine " + Quoted(name),
        "There are postgres, mysql, sqlite, duckdb, ddl (a script of CREATE statements) and dbt (a "
        "project's target folder).");
  // Loading is rare and short; under the lock a module is loaded once.
  MutexLock lock(mutex_);
  if (const auto found = loaded_.find(name); found != loaded_.end()) return found->second;
  WARD_TRY(EnginePtr engine, Load(name, folders_));
  loaded_.emplace(name, engine);
  return engine;
}

bool Registry::IsLoaded(std::string_view name) {
  for (const EnginePtr& engine : linked_)
    if (engine->name() == name) return true;
  MutexLock lock(mutex_);
  return loaded_.contains(name);
}

std::vector<EngineInfo> Registry::List() const {
  std::vector<EngineInfo> all;
  all.reserve(linked_.size() + kModules.size());
  for (const EnginePtr& engine : linked_)
    all.push_back({std::string(engine->name()), EngineState::Linked, {}});
  for (const std::string_view name : kModules) {
    const fs::path path = ModuleOf(name);
    all.push_back(
        {std::string(name), path.empty() ? EngineState::Absent : EngineState::Module, path});
  }
  std::sort(all.begin(), all.end(),
            [](const EngineInfo& a, const EngineInfo& b) { return a.name < b.name; });
  return all;
}

}  // namespace schemaward::connect
