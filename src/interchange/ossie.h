#pragma once

// Apache Ossie, formerly OSI: core specification 0.2.0.dev0.

#include <string_view>
#include <vector>

#include "interchange/document.h"
#include "interchange/report.h"

namespace schemaward::interchange {

inline constexpr std::string_view kOssieVersion = "0.2.0.dev0";
/// Names our custom_extensions.
inline constexpr std::string_view kOssieVendor = "SCHEMAWARD";

/// Returns one document with one semantic model of that name. What Ossie has no words for stands in
/// our custom_extensions, so that ImportOssie gives the same definitions back, and is listed as
/// lost for other readers. Thread: any.
Exported ExportOssie(const semantic::Definitions& definitions, std::string_view model_name);

/// Returns the definitions of all semantic models of the files. Where a part with an extension of
/// ours was changed by others, the changed part counts. What was never ours is manually_authored
/// and applied. Thread: any.
Imported ImportOssie(const std::vector<SourceFile>& files);

}  // namespace schemaward::interchange
