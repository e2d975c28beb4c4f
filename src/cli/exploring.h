#pragma once

// An exploration driven on a terminal.

#include <functional>

#include "app/application.h"
#include "app/models.h"
#include "cli/command_line.h"
#include "cli/stop_signal.h"
#include "explore/run_store.h"
#include "store/store.h"

namespace schemaward::cli {

/// What is driven.
struct Exploring {
  store::Source source;
  app::MeteredModel model;
  /// Returns the run as this process owns it; asked once, as soon as nothing else is missing.
  std::function<Result<explore::RunRecord>()> begin;
};

/// Drives a run to its end. Each step is shown on standard error as it comes, the summary or one
/// JSON document on standard output. What `stop` ends is kept and can be resumed. Returns the exit
/// code.
int DriveRun(const CommandLine& line, app::Application& app, explore::RunStore& runs,
             const Exploring& what, const StopSignal& stop);

}  // namespace schemaward::cli
