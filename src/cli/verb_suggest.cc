// schemaward suggest: drafts of entities, joins and metrics, without a model.

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/output.h"
#include "cli/verbs.h"
#include "cli/where.h"
#include "json/value.h"
#include "json/write.h"
#include "semantic/files.h"
#include "suggest/against.h"
#include "suggest/run.h"

namespace schemaward::cli {
namespace {

constexpr std::uintmax_t kFileBytesMax = 256U << 20U;
constexpr std::size_t kShownMax = 50;  // of each kind, to people

Result<std::string> ReadAll(const std::string& path) {
  std::error_code failed;
  const auto bytes = std::filesystem::file_size(path, failed);
  std::ifstream in(path, std::ios::binary);
  if (failed || !in || bytes > kFileBytesMax)
    return Error(ErrorKind::InputUnreadable, "file " + path + " cannot be read");
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

template <class T>
std::string ListJson(const std::vector<T>& list) {
  std::string out = "[";
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out += ',';
    out += json::WriteArguments(list[i]);
  }
  return out + "]";
}

void PrintJson(const store::Source& source, const suggest::Suggestion& made) {
  const semantic::Definitions& drafts = made.drafts.definitions;
  PrintLine("{\"source\":" + json::Quote(source.name) +
            ",\"summary\":" + json::Write(made.summary) +
            ",\"entities\":" + ListJson(drafts.entities) + ",\"joins\":" + ListJson(drafts.joins) +
            ",\"metrics\":" + ListJson(drafts.metrics) + "}");
}

std::string Evidence(const semantic::Trust& trust) {
  return fmt::format("{}", fmt::join(trust.evidence, "; "));
}

template <class T, class Show>
void AddRows(const std::vector<T>& list, std::vector<std::vector<std::string>>& rows, Show show) {
  for (std::size_t i = 0; i < list.size() && i < kShownMax; ++i) rows.push_back(show(list[i]));
  if (list.size() > kShownMax)
    rows.push_back({"", fmt::format("and {} more", list.size() - kShownMax), "", ""});
}

void PrintDrafts(const suggest::Suggestion& made) {
  const semantic::Definitions& drafts = made.drafts.definitions;
  std::vector<std::vector<std::string>> rows = {{"kind", "name", "of", "from"}};
  AddRows(drafts.entities, rows, [](const semantic::Entity& entity) -> std::vector<std::string> {
    return {"entity", entity.name, entity.table, Evidence(entity.trust)};
  });
  AddRows(drafts.joins, rows, [](const semantic::Join& join) -> std::vector<std::string> {
    return {"join", join.name, join.from + " -> " + join.to, Evidence(join.trust)};
  });
  AddRows(drafts.metrics, rows, [](const semantic::Metric& metric) -> std::vector<std::string> {
    return {"metric", metric.name, metric.entity, Evidence(metric.trust)};
  });
  PrintTable(rows);
}

Result<suggest::AgainstReport> Against(const CommandLine& line, const Where& where,
                                       CallContext& ctx) {
  WARD_TRY(const std::string text, ReadAll(line.against));
  WARD_TRY(auto expected, suggest::ReadLinks(text));
  WARD_TRY(const auto tables, suggest::LoadTables(*where.store, where.source.id, ctx));
  std::vector<suggest::ColumnLink> found;
  for (const suggest::Link& link :
       suggest::FindLinks(tables, suggest::InferOptionsOf(where.source), {}))
    for (std::size_t i = 0; i < link.columns.size(); ++i)
      found.push_back({catalog::QualifiedName(tables[link.table]), link.columns[i],
                       catalog::QualifiedName(tables[link.target]), link.target_columns[i]});
  return suggest::Compare(std::move(found), std::move(expected));
}

int RunAgainst(const CommandLine& line, const Where& where, CallContext& ctx) {
  const auto report = Against(line, where, ctx);
  if (!report) return PrintError(report.error());
  std::string text = line.json ? json::Write(*report) : suggest::ToText(*report);
  if (!text.empty() && text.back() == '\n') text.pop_back();
  PrintLine(text);
  return kDone;
}

Result<suggest::Suggestion> Suggest(const CommandLine& line, app::Application& app,
                                    const Where& where, CallContext& ctx) {
  WARD_TRY(const auto tables, suggest::LoadTables(*where.store, where.source.id, ctx));
  suggest::SuggestOptions options;
  std::unique_ptr<connect::Connector> connector;
  if (line.check_values) {
    WARD_TRY(connector, app.Connect(where.source, ctx));
    options.check_values_with = connector.get();
  }
  WARD_TRY(auto made, suggest::Suggest(*where.store, where.source, tables, options, ctx));
  if (line.out) {
    WARD_TRY(const std::size_t files,
             semantic::WriteFolder(*line.out, made.drafts.definitions, line.force));
    PrintWords(fmt::format("{} files written", files));
  }
  return made;
}

}  // namespace

int RunSuggest(const CommandLine& line, app::Application& app) {
  const auto where = FindWhere(line, app);
  if (!where) return PrintError(where.error());
  CallContext ctx = app.CommandContext();
  if (!line.against.empty()) return RunAgainst(line, *where, ctx);
  const auto made = Suggest(line, app, *where, ctx);
  if (!made) return PrintError(made.error());
  if (line.json) {
    PrintJson(where->source, *made);
    return kDone;
  }
  PrintDrafts(*made);
  PrintWords(suggest::ToText(made->summary));
  if (line.check_values)
    PrintWords(fmt::format("values: {} inferred joins checked, {} of them dropped, {} not checked",
                           made->values.checked, made->values.dropped, made->values.not_checked));
  return kDone;
}

}  // namespace schemaward::cli
