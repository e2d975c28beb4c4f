#pragma once

// The engines: those linked into the program, and those in modules that are loaded at first use.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "connect/connector.h"
#include "connect/secret.h"

namespace schemaward::connect {

/// How an engine stands in this build.
enum class EngineState : std::uint8_t { Linked, Module, Absent };

struct EngineInfo {
  std::string name;
  EngineState state = EngineState::Absent;
  std::filesystem::path module;  ///< of a module that is there
};

/// The folders in which modules are looked for, in order: $SCHEMAWARD_MODULES (an absolute path),
/// then lib/schemaward beside the folder of the program, which is both the installed and the build
/// tree's layout. Never the current folder.
std::vector<std::filesystem::path> ModuleFolders(const Environment& environment,
                                                 const std::filesystem::path& binary_folder);

/// Returns the folder of the running program, empty where the system does not say.
std::filesystem::path BinaryFolder();

/// Finds engines by name. Thread: any. Lifetime: loaded modules stay until the process ends, since
/// engines outlive the registry.
class Registry {
 public:
  /// linked: engines that are part of the program, first in order.
  Registry(std::vector<EnginePtr> linked, std::vector<std::filesystem::path> folders);

  /// Returns the engine, loading its module where need be.
  /// Errors: EngineUnavailable when there is no such engine or its module is absent, of another
  /// build, or cannot be loaded.
  Result<EnginePtr> Find(std::string_view name);

  /// True where Find would load nothing: the engine is linked, or its module is loaded by now.
  bool IsLoaded(std::string_view name);

  /// Returns every engine that is known, sorted by name, without loading any.
  std::vector<EngineInfo> List() const;

 private:
  std::filesystem::path ModuleOf(std::string_view name) const;

  const std::vector<EnginePtr> linked_;
  const std::vector<std::filesystem::path> folders_;
  Mutex mutex_;
  std::map<std::string, EnginePtr, std::less<>> loaded_ GUARDED_BY(mutex_);
};

}  // namespace schemaward::connect
