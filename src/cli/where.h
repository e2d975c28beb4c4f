#pragma once

// The source that a verb works on, and the program itself.

#include <string>

#include "app/application.h"
#include "base/result.h"
#include "cli/command_line.h"
#include "store/store.h"

namespace schemaward::cli {

/// A store and the source that is meant.
struct Where {
  store::Store* store = nullptr;
  store::Source source;
};

/// Returns the source named by --source, else the only one that is indexed. Errors: UnknownSource;
/// IndexNotReady when nothing is indexed; AmbiguousName when several are; as Store.
Result<Where> FindWhere(const CommandLine& line, app::Application& app);

/// Returns the absolute path by which this program is started: of SCHEMAWARD_LAUNCHER where a
/// package sets it, else its own; its name where the system does not tell.
std::string ProgramPath();

}  // namespace schemaward::cli
