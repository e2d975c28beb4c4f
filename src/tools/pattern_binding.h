#pragma once

// A pattern on an indexed source: what fills its parameters there, and whether the SQL passes.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/fields.h"
#include "patterns/bind.h"
#include "patterns/pattern.h"
#include "tools/names.h"
#include "tools/pattern_answer.h"

namespace schemaward::tools {

inline constexpr std::size_t kNameBytesMax = 400;  ///< of a name or value that is given

/// What the caller says of one parameter.
struct GivenIn {
  std::string parameter, fills;
  void Bind(json::Fields& f);
};

struct FillingOut {
  std::string parameter;
  patterns::Fills fills = patterns::Fills::Value;
  std::string value, how;
  std::vector<std::string> alternatives;
  void Bind(json::Fields& f);
};

/// The pattern on the source.
struct BindingOut {
  std::string source, dialect;
  std::string decision;  ///< allowed | refused | unfilled | writes | no_sql
  std::string reason;
  std::string sql;
  std::vector<FillingOut> fillings;
  void Bind(json::Fields& f);
};

struct BindRequest {
  std::optional<std::string> source;
  std::vector<GivenIn> given;
};

/// Fills `out`, or makes `question` ask for a name that is not there. Errors: those of the source;
/// AmbiguousName where several sources are served and none is named.
Status BindTo(const Services& services, const patterns::Pattern& pattern,
              const BindRequest& request, CallContext& ctx, BindingOut& out,
              PatternAnswer& question);

}  // namespace schemaward::tools
