#pragma once

// MetricFlow: semantic models and metrics of dbt, to and from definitions.

#include <string>
#include <vector>

#include "base/result.h"
#include "interchange/document.h"
#include "interchange/plain_sql.h"
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

/// Returns one YAML file of semantic models and metrics, each over the dbt model that is named as
/// the entity's table. What MetricFlow has no form for stands in `config.meta` of a semantic model,
/// so that ImportMetricFlow gives the same definitions back, and is listed as lost for other
/// readers; what has no semantic model to stand in is lost for all. Thread: any.
Exported ExportMetricFlow(const semantic::Definitions& definitions, const ExportColumns& columns);

}  // namespace schemaward::interchange
