#pragma once

// Parts of the program that come as shared libraries beside it (lib/schemaward/ward_*.so). A module
// is C++ of the same build: it brings its own copy of base/ and json/, all of it hidden, so nothing
// is shared but the few names that it shows, and one of these says of which build it is.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/build_stamp.h"
#include "base/result.h"

namespace schemaward {

/// Which module is meant, and what to say where it cannot be had. Lifetime: its texts outlive it.
struct ModuleSpec {
  std::string what;                  ///< in messages: "the module of ..."
  std::string file;                  ///< "ward_http.so"
  const char* stamp_symbol;          ///< a BuildStampFunction
  const BuildStamp& stamp;           ///< that it must have
  std::vector<const char*> symbols;  ///< that it must show beside
  std::string_view absent_hint, unloadable_hint, other_build_hint;
};

/// Returns where the first of `folders` that has `file` has it; empty where none does.
std::filesystem::path FindModule(const std::vector<std::filesystem::path>& folders,
                                 std::string_view file);

/// A module that was loaded. It is never closed: what it made, and threads of libraries that it
/// brought, may outlive any moment at which it could be. Thread: any.
class Module {
 public:
  /// Loads it from the first of `folders` that has it. Errors: EngineUnavailable where none has it,
  /// where it or a library that it needs cannot be loaded, and where it is of another build.
  static Result<Module> Load(const ModuleSpec& spec,
                             const std::vector<std::filesystem::path>& folders);

  /// Returns a function that it shows. Requires: `name` is one of the spec's symbols.
  template <class Function>
  Function* Symbol(const char* name) const {
    return reinterpret_cast<Function*>(Find(name));
  }

 private:
  explicit Module(void* handle) : handle_(handle) {}
  void* Find(const char* name) const;
  bool Fits(const ModuleSpec& spec) const;

  void* handle_;
};

}  // namespace schemaward
