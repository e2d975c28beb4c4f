#pragma once

// Cube: data models in YAML, to and from definitions.

#include <vector>

#include "interchange/document.h"
#include "interchange/plain_sql.h"
#include "interchange/report.h"

namespace schemaward::interchange {

/// Returns the definitions of all cubes of the files, manually_authored and applied. A measure
/// whose filter cannot be translated is left out. What ExportCube wrote and nobody changed comes
/// back as it was. Thread: any.
Imported ImportCube(const std::vector<SourceFile>& files);

/// Returns one YAML file of cubes. What Cube has no form for stands in the cubes' `meta`, so that
/// ImportCube gives the same definitions back, and is listed as lost for other readers; what cannot
/// stand in any cube is lost for all. Thread: any.
Exported ExportCube(const semantic::Definitions& definitions, const ExportColumns& columns);

}  // namespace schemaward::interchange
