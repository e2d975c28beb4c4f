#pragma once

// The URIs of our resources: schemaward://KIND and schemaward://KIND/PART/..., each part
// percent-encoded.

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/lookup.h"

namespace schemaward::mcp {

/// A part of a URI that stands for a name.
struct UriPart {
  std::string_view variable;  ///< in the template
  Named kind;
};

/// A kind of resources, or one resource where it has no parts. Lifetime: static.
struct ResourceKind {
  std::string_view word;  ///< the first part of its URI
  std::string_view name, title, description, mime_type;
  std::vector<UriPart> parts;
  std::string_view tool;           ///< whose answer it is; empty: a page that is built in
  std::string_view name_argument;  ///< of the tool: what the last part is given as; may be empty
};

/// Every kind, in the order of lists. Lifetime: static.
const std::vector<ResourceKind>& ResourceKinds();

/// Returns the template of a kind, or the URI of one without parts.
std::string TemplateOf(const ResourceKind& kind);

/// Returns the URI of one resource. Requires: as many names as the kind has parts.
std::string UriOf(const ResourceKind& kind, const std::vector<std::string>& names);

/// What a URI names.
struct ResourceName {
  const ResourceKind* kind;        ///< never null
  std::vector<std::string> names;  ///< decoded, one for each part
};

/// Returns what `uri` names; nothing where it is none of ours.
std::optional<ResourceName> ReadUri(std::string_view uri);

}  // namespace schemaward::mcp
