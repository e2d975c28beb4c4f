#pragma once

// What a run will come to, told before it begins.

#include "app/application.h"
#include "app/models.h"
#include "cli/command_line.h"
#include "explore/run_record.h"
#include "store/store.h"

namespace schemaward::cli {

/// Prints the forecast of `run` on `source`; nothing is sent, queried or kept. Returns the exit
/// code.
int TellForecast(const CommandLine& line, app::Application& app, const store::Source& source,
                 const explore::RunRecord& run, const app::MeteredModel& model);

}  // namespace schemaward::cli
