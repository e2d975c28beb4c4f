#pragma once

// MetricFlow: semantic models and metrics of dbt, to definitions.

#include <string>
#include <vector>

#include "base/result.h"
#include "interchange/document.h"
#include "interchange/report.h"

namespace schemaward::interchange {

/// Returns the definitions that the files hold: semantic_manifest.json, manifest.json of dbt (v11
/// and later), or MetricFlow's YAML; all files are one project. What cannot be translated is
/// listed; a metric of which a filter or another part that changes its value cannot be is left out.
/// Methods are dbt_import, states applied. Thread: any. Lifetime: keeps nothing.
Imported ImportMetricFlow(const std::vector<SourceFile>& files);

/// Reads semantic_manifest.json of a dbt target folder, or manifest.json where there is none.
/// Errors: as ReadPath; InputUnreadable where the folder has neither.
Result<Imported> ImportDbtTarget(const std::string& folder);

}  // namespace schemaward::interchange
