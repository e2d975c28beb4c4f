#include "interchange/metricflow.h"

#include <filesystem>
#include <utility>

#include "interchange/flow_project.h"

namespace schemaward::interchange {

Imported ImportMetricFlow(const std::vector<SourceFile>& files) {
  Imported imported;
  Losses losses;
  const FlowProject project = ReadFlow(files, losses);
  AddEntities(project, imported.definitions, losses);
  AddMetrics(project, imported.definitions, losses);
  Sort(imported.definitions);
  DropWhatHangs(imported.definitions, losses);
  imported.losses = losses.Take();
  return imported;
}

Result<Imported> ImportDbtTarget(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  for (const char* name : {"semantic_manifest.json", "manifest.json"}) {
    const fs::path path = fs::path(folder) / name;
    if (!fs::exists(path, ignored)) continue;
    WARD_TRY(const std::vector<SourceFile> files, ReadPath(path.string()));
    return ImportMetricFlow(files);
  }
  return Error(ErrorKind::InputUnreadable,
               "the folder has neither semantic_manifest.json nor manifest.json")
      .Hint("Point it at the folder in which `dbt parse` leaves them, usually target.");
}

}  // namespace schemaward::interchange
