// Any text is read as a definition or refused with a place, and what is read writes a file that
// reads as the same.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "semantic/files.h"

namespace {

using schemaward::semantic::LoadedFiles;

template <class T>
void CheckRoundTrip(std::string_view kind, const T& definition) {
  LoadedFiles again;
  schemaward::semantic::ReadFile(schemaward::semantic::ToYaml(definition), "again.yaml", kind,
                                 again);
  if (!again.errors.empty()) std::abort();
  const auto& all = again.definitions;
  schemaward::semantic::Definitions expected;
  if constexpr (std::is_same_v<T, schemaward::semantic::Entity>) expected.entities = {definition};
  if constexpr (std::is_same_v<T, schemaward::semantic::Join>) expected.joins = {definition};
  if constexpr (std::is_same_v<T, schemaward::semantic::Metric>) expected.metrics = {definition};
  if (!(all == expected)) std::abort();
}

}  // namespace

// The first byte says the kind.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  constexpr std::string_view kKinds[] = {"entity", "join", "metric", ""};
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  LoadedFiles loaded;
  schemaward::semantic::ReadFile(text, "one.yaml", kKinds[data[0] % 4], loaded);
  for (const auto& one : loaded.definitions.entities) CheckRoundTrip("entity", one);
  for (const auto& one : loaded.definitions.joins) CheckRoundTrip("join", one);
  for (const auto& one : loaded.definitions.metrics) CheckRoundTrip("metric", one);
  return 0;
}
