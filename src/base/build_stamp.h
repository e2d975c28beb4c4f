#pragma once

// Of which build a module is: what it shows beside what it makes. Includes nothing, so that a
// module needs nothing of ours for it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace schemaward {

/// Says which builds fit together. Compared before anything else of a module is used.
struct BuildStamp {
  std::uint64_t shape = 0;
  std::array<char, 64> compiler{};
  std::array<char, 32> version{};
  bool operator==(const BuildStamp&) const = default;
};

/// What a module shows: its stamp.
using BuildStampFunction = const BuildStamp*();

/// Returns a number that differs when one of `sizes` does: those of the types that cross the seam.
/// Source: FNV-1a, 64 bit, over whole words.
constexpr std::uint64_t ShapeOf(std::initializer_list<std::size_t> sizes) {
  constexpr std::uint64_t kSeed = 14695981039346656037u, kPrime = 1099511628211u;
  std::uint64_t hash = kSeed;
  for (const std::size_t size : sizes) hash = (hash ^ size) * kPrime;
  return hash;
}

/// Returns the stamp of what is being compiled.
constexpr BuildStamp MakeBuildStamp(std::uint64_t shape, std::string_view version) {
  constexpr std::string_view kCompiler = __VERSION__
#ifdef _GLIBCXX_ASSERTIONS
      "+assertions"
#endif
      ;
  BuildStamp stamp{shape, {}, {}};
  for (std::size_t i = 0; i < kCompiler.size() && i + 1 < stamp.compiler.size(); ++i)
    stamp.compiler[i] = kCompiler[i];
  for (std::size_t i = 0; i < version.size() && i + 1 < stamp.version.size(); ++i)
    stamp.version[i] = version[i];
  return stamp;
}

}  // namespace schemaward
