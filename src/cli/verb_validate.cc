// schemaward validate: would a statement pass the guard under the policy in force? Runs nothing.

#include <algorithm>
#include <array>
#include <fstream>
#include <iostream>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "app/server.h"
#include "base/read_file.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "json/access.h"
#include "json/value.h"
#include "tools/names.h"

namespace schemaward::cli {
namespace {

constexpr std::size_t kStatementBytesMax = 65'536;  // as validate_query takes

// What says nothing of the statement: it could not be judged.
constexpr auto kNotJudged = std::to_array<std::string_view>(
    {"internal_error", "index_not_ready", "missing_credential", "cost_cap_exceeded"});

// The text of FILE, or of standard input for "-".
Result<std::string> ReadStatement(const std::string& path) {
  std::ifstream file;
  if (path != "-") file.open(path, std::ios::binary);
  std::istream& in = path == "-" ? std::cin : file;
  std::string text(kStatementBytesMax + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (in.bad() || (path != "-" && !file.is_open())) return UnreadableFile(path);
  if (text.size() > kStatementBytesMax)
    return Error(ErrorKind::InputUnreadable,
                 fmt::format("file {} holds more than {} bytes", path, kStatementBytesMax));
  return text;
}

// The source named, else the only one whose SQL is of --engine.
Result<store::Source> FindSource(const CommandLine& line, app::Application& app) {
  CommandLine named = line;
  if (!line.source && line.engine) {
    WARD_TRY(store::Store * store, app.Store(false));
    WARD_TRY(const auto sources, store->ListSources());
    std::vector<std::string> fits;
    for (const store::Source& source : sources)
      if (source.generation > 0 && tools::DialectOf(source).name == *line.engine)
        fits.push_back(source.name);
    if (fits.size() > 1)
      return Error(ErrorKind::AmbiguousName,
                   fmt::format("{} sources are of engine {}; say which with --source", fits.size(),
                               *line.engine))
          .Hint(fmt::format("They are {}.", fmt::join(fits, ", ")));
    if (fits.size() == 1) named.source = fits.front();
  }
  WARD_TRY(const Where where, FindWhere(named, app));
  const std::string_view engine = tools::DialectOf(where.source).name;
  if (line.engine && engine != *line.engine)
    return Error(ErrorKind::InputUnreadable, fmt::format("source \"{}\" takes SQL of {}, not of {}",
                                                         where.source.name, engine, *line.engine))
        .Hint("Name a source with --source, or leave --engine out.");
  return where.source;
}

void PrintPassed(const json::Value& data) {
  PrintLine(json::TextOf(data, "statement"));
  for (const json::Value& table : json::Member(data, "tables")) {
    std::vector<std::string> columns;
    for (const json::Value& column : json::Member(table, "columns"))
      columns.push_back(column.get<std::string>());
    PrintWords(fmt::format("reads {} ({})", json::TextOf(table, "qualified_name"),
                           fmt::join(columns, ", ")));
  }
  for (const json::Value& column : json::Member(data, "masked"))
    PrintWords(fmt::format("masks {}", column.get<std::string>()));
  PrintWords("allowed");
}

void PrintRefused(const json::Value& error) {
  PrintWords(fmt::format("{}/{}: {}", json::TextOf(error, "kind"), json::TextOf(error, "reason"),
                         json::TextOf(error, "message")));
  for (const char* member : {"detail", "hint"})
    if (const std::string words = json::TextOf(error, member); !words.empty()) PrintWords(words);
  const std::string rewrite =
      json::TextOf(json::Member(error, {"recovery", "suggested_rewrite", "rewritten"}));
  if (!rewrite.empty()) PrintWords("This passes: " + rewrite);
}

int ExitCodeOf(const json::Value& error) {
  if (error.is_null()) return kDone;
  const std::string kind = json::TextOf(error, "kind");
  const bool is_judged =
      std::find(kNotJudged.begin(), kNotJudged.end(), std::string_view(kind)) == kNotJudged.end();
  return is_judged ? kNo : kCouldNot;
}

Result<int> Run(const CommandLine& line, app::Application& app) {
  WARD_TRY(const std::string sql, ReadStatement(line.arguments.front()));
  WARD_TRY(const store::Source source, FindSource(line, app));
  WARD_TRY(const auto server,
           app::ToolServer::Create(app, {.sets = {"catalog", "sql"}, .served = {source.name}}));
  CallContext ctx = app.CommandContext();
  const json::Value args = {{"sql", sql}, {"source", source.name}};
  const tool::Answer answer = server->invoker().Invoke("validate_query", args, ctx);
  const auto read = json::Parse(answer.structured);
  if (!read)
    return Error(ErrorKind::InputUnreadable, "the statement cannot be judged")
        .Detail(answer.text.substr(0, answer.text.find('\n')));
  const json::Value& error = json::Member(read->value(), "error");
  if (line.json)
    PrintLine(answer.structured);
  else if (error.is_null())
    PrintPassed(json::Member(read->value(), "data"));
  else
    PrintRefused(error);
  return ExitCodeOf(error);
}

int RunValidate(const CommandLine& line, app::Application& app) {
  const auto done = Run(line, app);
  return done ? *done : PrintError(done.error());
}

}  // namespace

void AddValidate(Syntax& program, CommandLine& line) {
  Syntax verb = program.Verb(
      "validate",
      "Say whether a statement would pass under the policy; runs nothing; exit code 1 where it "
      "would not",
      "  schemaward validate --engine postgres report.sql\n"
      "  echo 'SELECT status FROM orders' | schemaward validate --source shop - --json",
      RunValidate);
  verb.PolicyFile();
  verb.Words("FILE", {}, "File with one statement; - for standard input");
  verb.Choice("--engine", "ENGINE", {"postgres", "sqlite", "mysql", "duckdb"}, line.engine,
              "Dialect of the statement: postgres, sqlite, mysql or duckdb; the source's where "
              "absent");
  verb.Source("Source whose tables are meant; the only one of the engine where absent");
}

}  // namespace schemaward::cli
