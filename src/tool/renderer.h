#pragma once

// A renderer turns the one result there is into the shape of a family. One file per family.
// [R-FAM-2]

#include <cstdint>
#include <string>

#include "tool/invoke.h"
#include "tool/tool.h"

namespace schemaward::tool {

/// What a renderer may say beside the reply.
struct RenderInfo {
  std::int64_t duration_us = 0;
  std::int64_t now_us = 0;           ///< microseconds since 1970
  std::string user_id;               ///< empty where it is not known
  Format format = Format::Markdown;  ///< of the pattern family
};

/// Thread: any; stateless. Lifetime: static.
class Renderer {
 public:
  virtual ~Renderer() = default;
  /// The tool's outputSchema, given the schema of its data. [R-ENV-6]
  virtual std::string OutputSchema(const std::string& data_schema) const = 0;
  virtual Answer Render(const Reply& reply, const RenderInfo& info) const = 0;
};

const Renderer& RendererOf(Family family);

// One per file; the list is RendererOf.
const Renderer& CharterRenderer();
const Renderer& PatternRenderer();
const Renderer& WorkspaceRenderer();

}  // namespace schemaward::tool
