#pragma once

// What an engine module (lib/schemaward/ward_<engine>.so) exports; base/module_file.h says what a
// module is. Two things follow from that nothing is shared: a module writes no log (the level would
// be its own; it uses CallContext::Warn), and dialects are compared by name, not address.

#include <cstddef>
#include <cstdint>

#include "base/build_stamp.h"
#include "connect/connector.h"

namespace schemaward::connect {

/// Which builds of engines and program fit together: the types that cross the seam, and how many
/// kinds of errors there are.
constexpr BuildStamp EngineStamp() {
  constexpr std::size_t kErrorKinds = 0
#define WARD_ERROR(Id, ...) +1
#include "base/error_kinds.def"
#undef WARD_ERROR
      ;
  constexpr std::uint64_t kShape = ShapeOf({sizeof(catalog::Database),
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
                                            sizeof(QueryLog),
                                            kErrorKinds});
  return MakeBuildStamp(kShape, WARD_VERSION);
}

inline constexpr char kModuleStampSymbol[] = "ward_engine_abi";
inline constexpr char kModuleMakeSymbol[] = "ward_engine_make";

/// Returns a new engine that the caller owns.
using ModuleMakeFunction = Engine*();

}  // namespace schemaward::connect

/// Stands once in a module: exports the engine that `make` returns as std::unique_ptr<Engine>.
#define WARD_ENGINE_MODULE(make)                                                         \
  extern "C" __attribute__((visibility("default"))) const schemaward::BuildStamp*        \
  ward_engine_abi();                                                                     \
  extern "C" __attribute__((visibility("default"))) schemaward::connect::Engine*         \
  ward_engine_make();                                                                    \
  const schemaward::BuildStamp* ward_engine_abi() {                                      \
    static constexpr schemaward::BuildStamp kStamp = schemaward::connect::EngineStamp(); \
    return &kStamp;                                                                      \
  }                                                                                      \
  schemaward::connect::Engine* ward_engine_make() { return (make)().release(); }
