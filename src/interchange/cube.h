#pragma once

// Cube: data models in YAML, to definitions.

#include <vector>

#include "interchange/document.h"
#include "interchange/report.h"

namespace schemaward::interchange {

/// Returns the definitions of all cubes of the files, manually_authored and applied. A measure
/// whose filter cannot be translated is left out. Thread: any.
Imported ImportCube(const std::vector<SourceFile>& files);

}  // namespace schemaward::interchange
