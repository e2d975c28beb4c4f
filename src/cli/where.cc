#include "cli/where.h"

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "connect/secret.h"

namespace schemaward::cli {

Result<Where> FindWhere(const CommandLine& line, app::Application& app) {
  Where where;
  WARD_TRY(where.store, app.Store(false));
  WARD_TRY(const auto sources, where.store->ListSources());
  std::vector<std::string> names;
  for (const store::Source& source : sources) {
    if (source.generation > 0) names.push_back(source.name);
    if (line.source ? source.name == *line.source : source.generation > 0) where.source = source;
  }
  if (line.source && where.source.id == 0)
    return Error(ErrorKind::UnknownSource, fmt::format("no source is named \"{}\"", *line.source))
        .Hint("Run `schemaward sources` to see them.");
  if (names.empty())
    return Error(ErrorKind::IndexNotReady, "nothing is indexed yet")
        .Hint("Run `schemaward index SOURCE` first.");
  if (!line.source && names.size() > 1)
    return Error(ErrorKind::AmbiguousName,
                 fmt::format("{} sources are indexed; say which with --source", names.size()))
        .Hint(fmt::format("They are {}.", fmt::join(names, ", ")));
  return where;
}

std::string ProgramPath() {
  // A package that brings libraries along starts the program by a launcher that knows where.
  if (auto launcher = connect::SystemEnvironment()("SCHEMAWARD_LAUNCHER");
      launcher && launcher->starts_with('/'))
    return *std::move(launcher);
  std::error_code failed;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", failed);
  return failed ? "schemaward" : path.string();
}

}  // namespace schemaward::cli
