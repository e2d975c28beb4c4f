#include "mcp/trace.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include <nlohmann/json.hpp>

namespace schemaward::mcp {
namespace {

constexpr std::size_t kSize = 55;  // of version 00: version-trace-span-flags
constexpr std::string_view kKey = "traceparent";
// Where a part begins, and how many digits it has.
struct Part {
  std::size_t begin, size;
};
constexpr Part kVersion = {0, 2}, kTrace = {3, 32}, kSpan = {36, 16}, kFlags = {53, 2};
constexpr std::array<std::size_t, 3> kDashes = {2, 35, 52};

bool IsDigit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

bool IsHex(std::string_view digits) { return std::all_of(digits.begin(), digits.end(), IsDigit); }

bool IsZero(std::string_view digits) {
  return digits.find_first_not_of('0') == std::string_view::npos;
}

}  // namespace

std::string_view ReadTraceParent(std::string_view text) {
  if (text.size() < kSize) return {};
  const auto part = [&](const Part& of) { return text.substr(of.begin, of.size); };
  for (const Part& of : {kVersion, kTrace, kSpan, kFlags})
    if (!IsHex(part(of))) return {};
  for (const std::size_t dash : kDashes)
    if (text[dash] != '-') return {};
  if (part(kVersion) == "ff" || IsZero(part(kTrace)) || IsZero(part(kSpan))) return {};
  // A later version may say more, behind a further dash.
  const bool has_more = text.size() > kSize;
  if (has_more && (part(kVersion) == "00" || text[kSize] != '-')) return {};
  return text.substr(0, kSize);
}

std::string TraceParentIn(const json::Value& params) {
  if (!params.is_object()) return {};
  const auto meta = params.find("_meta");
  if (meta == params.end() || !meta->is_object()) return {};
  const auto found = meta->find(std::string(kKey));
  if (found == meta->end() || !found->is_string()) return {};
  return std::string(ReadTraceParent(found->get_ref<const std::string&>()));
}

}  // namespace schemaward::mcp
