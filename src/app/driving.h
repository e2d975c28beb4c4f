#pragma once

// What a model's run is driven with: the engine's repair prompt, the domain pack, the analysis and
// the verification that follow.

#include <functional>
#include <memory>
#include <string>

#include "app/application.h"
#include "app/models.h"
#include "explore/recorded_run.h"
#include "packs/library.h"

namespace schemaward::app {

/// The packs that there are: built in, and imported beside the store.
packs::Library PacksOf(const Config& config);

/// Returns the pack that `name` means: a folder where it has a slash, else a name of the library.
/// Errors: as packs::Library::Find; InputUnreadable for one with faults.
Result<std::shared_ptr<const packs::Pack>> FindPack(const Config& config, const std::string& name);

/// Errors: InvalidArgument where the pack has no category of that name, with the nearest.
Status CheckCategory(const packs::Pack& pack, const std::string& category);

/// Told what the analysis comes to, as it is kept; each may be empty.
struct AnalysisWatch {
  std::function<void(const explore::AreaResult&)> on_area{};
  std::function<void(const explore::RunInsight&)> on_insight{};
};

/// Returns the options that drive `run`; what follows the steps is the analysis of its pack, where
/// it names one. What the project says of itself is profiles/PACK.json beside the store. Errors: as
/// FindPack and CheckCategory; InputUnreadable where that does not fit the pack's schema, or where
/// the engine's repair prompt is no template. Lifetime: they keep what they need but the watch's
/// own references.
Result<explore::DriveOptions> DriveOptionsOf(const Application& application,
                                             const explore::RunRecord& run,
                                             const MeteredModel& model,
                                             const AnalysisWatch& watch = {});

}  // namespace schemaward::app
