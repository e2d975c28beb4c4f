#pragma once

// Names of what the sources hold, for lists of resources and for completion. Each look is a call:
// of a list of names or of a tool, under the caller's policy, and recorded.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/method.h"

namespace schemaward::mcp {

/// What a name is the name of.
enum class Named : std::uint8_t { Text, Source, Table, Entity, Metric, ErrorKind };

struct Name {
  std::string source, name;
  std::string qualified_name;  ///< as tools take it without a source
};

/// What is looked for.
struct Wanted {
  std::string prefix;  ///< how the names begin, whatever their case
  std::string source;  ///< empty: all
  std::size_t limit = 100;
  std::string cursor;  ///< of Table, Entity and Metric: Names::next_cursor of the page before
};

struct Names {
  std::vector<Name> names;  ///< at most `limit`, sorted
  std::int64_t total = 0;
  std::string next_cursor;  ///< empty: these are the last
};

/// Returns the names of `kind` that `wanted` asks for; none of a kind whose tool is not served, or
/// that the caller may not know of. Fails where a cursor is not ours or too old, and where the
/// call cannot be made. Thread: any.
std::variant<Names, rpc::Failure> LookUpNames(const Parts& parts, Named kind, const Wanted& wanted,
                                              CallContext& ctx);

/// Returns whether resources, prompts and completion may speak of `kind`: its tool is served.
bool IsServed(const Parts& parts, Named kind);

/// Returns the failure that an answer which is an error or a refusal stands for. `not_found`: the
/// code where what was named is not there. `data_json`: as rpc::Failure.
rpc::Failure FailureOfAnswer(const tool::Answer& answer, int not_found, std::string data_json);

/// Returns the kinds of errors that have a page, sorted. Lifetime: static.
std::vector<std::string_view> ErrorKinds();

}  // namespace schemaward::mcp
