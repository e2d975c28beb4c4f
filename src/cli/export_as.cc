// schemaward export --format: the definitions of a store as one document of another program.

#include <array>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "cli/output.h"
#include "cli/verbs.h"
#include "interchange/cube.h"
#include "interchange/metricflow.h"
#include "interchange/ossie.h"
#include "semantic/model.h"
#include "semantic/model_cache.h"

namespace schemaward::cli {
namespace {

using interchange::ExportColumns;
using interchange::Exported;
using interchange::Loss;
using semantic::Definitions;

constexpr std::size_t kLossesShown = 100;

Exported AsOssie(const Definitions& definitions, const ExportColumns& /*columns*/,
                 const std::string& source) {
  return interchange::ExportOssie(definitions, source);
}

Exported AsCube(const Definitions& definitions, const ExportColumns& columns,
                const std::string& /*source*/) {
  return interchange::ExportCube(definitions, columns);
}

Exported AsMetricFlow(const Definitions& definitions, const ExportColumns& columns,
                      const std::string& /*source*/) {
  return interchange::ExportMetricFlow(definitions, columns);
}

struct Format {
  std::string_view word;
  std::string_view ending;  ///< of the file in a folder, after the source's name
  Exported (*write)(const Definitions&, const ExportColumns&, const std::string& source);
};
constexpr std::array kFormats = {Format{"ossie", ".ossie.json", AsOssie},
                                 Format{"cube", ".cube.yml", AsCube},
                                 Format{"metricflow", ".metricflow.yml", AsMetricFlow}};

void PrintLosses(const std::vector<Loss>& losses) {
  for (std::size_t i = 0; i < losses.size() && i < kLossesShown; ++i)
    PrintWords(fmt::format("{} {}{}{}: {}", losses[i].dropped ? "left out" : "lost",
                           losses[i].object, losses[i].member.empty() ? "" : ", ", losses[i].member,
                           losses[i].reason));
  if (losses.size() > kLossesShown)
    PrintWords(fmt::format("and {} more", losses.size() - kLossesShown));
}

int WriteDocument(const CommandLine& line, const Format& format, const std::string& source,
                  const Exported& exported) {
  namespace fs = std::filesystem;
  fs::path path = line.arguments.front();
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) path /= source + std::string(format.ending);
  if (const Status written = WriteOutput(path.string(), exported.text, line.force); !written)
    return PrintError(written.error());
  PrintLosses(exported.losses);
  PrintWords(fmt::format("{} written; {} parts stand where only schemaward reads them, or nowhere",
                         path.filename().string(), exported.losses.size()));
  return kDone;
}

}  // namespace

int ExportAs(const CommandLine& line, const Where& where) {
  semantic::ModelCache models(*where.store);
  const auto model = models.Get(where.source);
  if (!model) return PrintError(model.error());
  for (const Format& format : kFormats)
    if (format.word == line.format)
      return WriteDocument(line, format, where.source.name,
                           format.write(interchange::Served(**model),
                                        interchange::ColumnsOf(**model), where.source.name));
  return PrintError(
      Error(ErrorKind::InvalidArgument, fmt::format("no format is called \"{}\"", line.format)));
}

}  // namespace schemaward::cli
