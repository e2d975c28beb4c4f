#pragma once

// What an engine module (lib/schemaward/ward_<engine>.so) exports. A module is C++ of the same
// build as the executable: it brings its own copy of base/, json/ and catalog/, all of it hidden,
// so nothing but these two names is shared. Two things follow: a module writes no log (the level
// would be its own; it uses CallContext::Warn), and dialects are compared by name, not address.

#include <cstddef>
#include <cstdint>

#include "connect/connector.h"

namespace schemaward::connect {

/// Folds `value` into `hash`. Source: FNV-1a, 64 bit, over whole words.
constexpr std::uint64_t FoldWord(std::uint64_t hash, std::uint64_t value) {
  constexpr std::uint64_t kPrime = 1099511628211u;
  return (hash ^ value) * kPrime;
}

/// Returns a number that differs when a type that crosses the seam has another size, or the list of
/// errors another length.
constexpr std::uint64_t InterfaceShape() {
  constexpr std::uint64_t kSeed = 14695981039346656037u;
  std::uint64_t hash = kSeed;
  for (const std::size_t size : {sizeof(catalog::Database),
                                 sizeof(catalog::Table),
                                 sizeof(catalog::Column),
                                 sizeof(catalog::ForeignKey),
                                 sizeof(catalog::Index),
                                 sizeof(catalog::Missing),
                                 sizeof(guard::Approved),
                                 sizeof(sql::Literal),
                                 sizeof(sql::Dialect),
                                 sizeof(Error),
                                 sizeof(CallContext),
                                 sizeof(Target),
                                 sizeof(Scope),
                                 sizeof(QueryLimits),
                                 sizeof(QueryResult),
                                 sizeof(Cell),
                                 sizeof(PlanEstimate),
                                 sizeof(Capabilities),
                                 sizeof(LoggedQuery),
                                 sizeof(QueryLog)})
    hash = FoldWord(hash, size);
#define WARD_ERROR(Id, ...) hash = FoldWord(hash, 1);
#include "base/error_kinds.def"
#undef WARD_ERROR
  return hash;
}

/// Says which builds fit together. Compared byte by byte before anything else of a module is used.
struct ModuleAbi {
  std::uint64_t shape;
  char compiler[64];
  char version[32];
};

constexpr ModuleAbi ThisAbi() {
  ModuleAbi abi{InterfaceShape(), {}, {}};
  constexpr char kCompiler[] = __VERSION__
#ifdef _GLIBCXX_ASSERTIONS
      "+assertions"
#endif
      ;
  constexpr char kVersion[] = WARD_VERSION;
  for (std::size_t i = 0; i < sizeof kCompiler && i + 1 < sizeof abi.compiler; ++i)
    abi.compiler[i] = kCompiler[i];
  for (std::size_t i = 0; i < sizeof kVersion && i + 1 < sizeof abi.version; ++i)
    abi.version[i] = kVersion[i];
  return abi;
}

inline constexpr char kModuleAbiSymbol[] = "ward_engine_abi";
inline constexpr char kModuleMakeSymbol[] = "ward_engine_make";

using ModuleAbiFunction = const ModuleAbi*();
/// Returns a new engine that the caller owns.
using ModuleMakeFunction = Engine*();

}  // namespace schemaward::connect

/// Stands once in a module: exports the engine that `make` returns as std::unique_ptr<Engine>.
#define WARD_ENGINE_MODULE(make)                                                           \
  extern "C" __attribute__((visibility("default"))) const schemaward::connect::ModuleAbi*  \
  ward_engine_abi();                                                                       \
  extern "C" __attribute__((visibility("default"))) schemaward::connect::Engine*           \
  ward_engine_make();                                                                      \
  const schemaward::connect::ModuleAbi* ward_engine_abi() {                                \
    static constexpr schemaward::connect::ModuleAbi kAbi = schemaward::connect::ThisAbi(); \
    return &kAbi;                                                                          \
  }                                                                                        \
  schemaward::connect::Engine* ward_engine_make() { return (make)().release(); }
