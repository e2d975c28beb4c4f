#include "app/query_logs.h"

#include <filesystem>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/read_file.h"
#include "querylog/statements.h"

namespace schemaward::app {
namespace {

Result<std::string> ReadAll(const std::string& path) {
  return ReadFile(path, querylog::kFileBytesMax, "file of queries");
}

suggest::QueryLog NotThere(std::string origin, std::string note) {
  return {std::move(origin), {}, {}, std::move(note), false};
}

suggest::QueryLog AskEngine(connect::Connector& connector, CallContext& ctx) {
  auto asked = connector.ReadQueryLog(kLoggedQueriesMax, ctx);
  if (!asked) return NotThere("query log", asked.error().message());
  suggest::QueryLog log{
      asked->origin, {}, std::move(asked->search_path), std::move(asked->note), asked->is_there};
  for (std::size_t i = 0; i < asked->queries.size(); ++i)
    log.entries.push_back({std::move(asked->queries[i].sql), asked->queries[i].calls,
                           fmt::format("query {} by calls", i + 1)});
  return log;
}

}  // namespace

QueryLogOptions QueryLogOptionsOf(const Config& config) {
  QueryLogOptions options;
  options.files = config.GetList("suggest.queries");
  options.ask_engine = config.Get("suggest.query_log") == "on";
  return options;
}

Result<suggest::QueryLog> ReadQueryFiles(const std::vector<std::string>& files) {
  suggest::QueryLog log{suggest::kFileOrigin, {}, {}, {}, true};
  for (const std::string& path : files) {
    WARD_TRY(const std::string text, ReadAll(path));
    WARD_TRY(auto entries,
             querylog::ReadStatements(text, std::filesystem::path(path).filename().string()));
    std::move(entries.begin(), entries.end(), std::back_inserter(log.entries));
  }
  return log;
}

std::vector<suggest::QueryLog> ReadQueryLogs(const QueryLogOptions& options,
                                             connect::Connector* connector, CallContext& ctx) {
  std::vector<suggest::QueryLog> logs;
  if (!options.files.empty()) {
    auto log = ReadQueryFiles(options.files);
    logs.push_back(log ? *std::move(log) : NotThere(suggest::kFileOrigin, log.error().message()));
  }
  if (options.ask_engine && connector != nullptr) logs.push_back(AskEngine(*connector, ctx));
  return logs;
}

Result<std::vector<suggest::MinedLog>> KeepQueryLogs(store::Store& store,
                                                     const store::Source& source,
                                                     const std::vector<catalog::Table>& tables,
                                                     const std::vector<suggest::QueryLog>& logs,
                                                     CallContext& ctx) {
  std::vector<suggest::MinedLog> kept;
  WARD_TRY(auto views, suggest::KeepViews(store, source, tables, ctx));
  if (views) kept.push_back(*std::move(views));
  for (const suggest::QueryLog& log : logs) {
    auto one = suggest::KeepQueryLog(store, source, tables, log, ctx);
    if (!one && one.error().kind() != ErrorKind::ByteCap) return one.error();
    kept.push_back(one ? *std::move(one)
                       : suggest::MinedLog{log.origin, {}, 0, false, one.error().message()});
  }
  return kept;
}

}  // namespace schemaward::app
