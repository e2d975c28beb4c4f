#include "tool/renderer.h"

namespace schemaward::tool {

const Renderer& RendererOf(Family family) {
  switch (family) {
    case Family::Charter:
      return CharterRenderer();
    case Family::Pattern:
      return PatternRenderer();
    case Family::Workspace:
      return WorkspaceRenderer();
  }
  return CharterRenderer();
}

}  // namespace schemaward::tool
