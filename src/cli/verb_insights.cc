// schemaward insights verify: numbers that insights claim, recomputed by a model within bounds.

#include <fmt/format.h>

#include "app/models.h"
#include "app/server.h"
#include "base/read_file.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "cli/where.h"
#include "connect/repair_prompt.h"
#include "tools/names.h"
#include "tools/warehouse.h"
#include "verify/verifier.h"

namespace schemaward::cli {
namespace {

constexpr std::uintmax_t kFileBytesMax = 64U << 20U;

Result<app::MeteredModel> ModelOf(const CommandLine& line, const app::Application& app) {
  app::ModelLimits limits;
  if (line.max_cost) {
    WARD_TRY(limits.cost_max, app::ParseUsd(*line.max_cost));
  }
  return app::MakeModel(app.config(), line.model, limits);
}

void Show(const verify::Insight& insight, const verify::Validation& validation) {
  PrintWords(fmt::format("{:14}{}: {}", verify::NameOf(validation.status),
                         insight.name.empty() ? insight.id : insight.name,
                         validation.reasons.empty() ? "" : validation.reasons.front()));
}

void PrintVerified(const verify::InsightFile& file, const verify::Verified& verified,
                   bool as_json) {
  if (!as_json) {
    const verify::Counters& counters = verified.counters;
    PrintLine(fmt::format("{} confirmed, {} adjusted, {} rejected, {} unverifiable, {} in error",
                          counters.confirmed, counters.adjusted, counters.rejected,
                          counters.unverifiable, counters.error));
    return;
  }
  std::string list;
  for (std::size_t i = 0; i < verified.validations.size(); ++i)
    list += (i == 0 ? "" : ",") + verify::ToJson(file.insights[i], verified.validations[i]);
  PrintLine(fmt::format(
      R"({{"complete":{},"counters":{},"input_tokens":{},"output_tokens":{},"validations":[{}]}})",
      !verified.error, verify::ToJson(verified.counters), verified.usage.input_tokens,
      verified.usage.output_tokens, list));
}

Result<verify::InsightFile> FileOf(const CommandLine& line) {
  WARD_TRY(const std::string text, ReadFile(line.arguments.front(), kFileBytesMax));
  auto file = verify::ReadInsights(text);
  if (!file && file.error().hint().empty())
    file.error().Hint("`schemaward explore --json` prints such a file; see docs/verification.md.");
  return file;
}

Result<verify::VerifyOptions> OptionsFor(const std::string& dialect) {
  WARD_TRY(auto prompt,
           TemplateText::Parse(connect::RepairPromptOf(dialect), dialect + "/sql_repair.md"));
  return verify::VerifyOptions{dialect, std::move(prompt), true};
}

int RunInsightsVerify(const CommandLine& line, app::Application& app) {
  const auto file = FileOf(line);
  if (!file) return PrintError(file.error());
  const auto where = FindWhere(line, app);
  if (!where) return PrintError(where.error());
  const auto model = ModelOf(line, app);
  if (!model) return PrintError(model.error());
  const auto options = OptionsFor(std::string(tools::DialectOf(where->source).name));
  if (!options) return PrintError(options.error());
  const auto server =
      app::ToolServer::Create(app, {.sets = {"catalog", "sql"}, .served = {where->source.name}});
  if (!server) return PrintError(server.error());
  CallContext ctx = app.CommandContext();
  tools::IndexWarehouse warehouse((*server)->services().For(ctx), (*server)->invoker(),
                                  where->source);
  const verify::Verified verified =
      verify::VerifyAll(*file, *options, warehouse, *model->llm, Show, ctx);
  PrintVerified(*file, verified, line.json);
  if (verified.error) return PrintError(*verified.error);
  const verify::Counters& counters = verified.counters;
  return counters.adjusted + counters.rejected + counters.error == 0 ? kDone : kNo;
}

}  // namespace

void AddInsights(Syntax& program, CommandLine& /*line*/) {
  Syntax insights =
      program.Group("insights", "Look after what explorations found",
                    "  schemaward insights verify insights.json --model anthropic:NAME --max-cost "
                    "1");
  Syntax verb = insights.Verb(
      "verify",
      "Let a model recompute the number of each insight of a file; exit code 1 where one is not "
      "right or could not be checked",
      "  schemaward insights verify insights.json --model anthropic:NAME --max-cost 1 --json",
      RunInsightsVerify);
  verb.PolicyFile();
  verb.Words("FILE", {},
             "JSON: \"insights\", and \"steps\" as `schemaward explore --json` prints them");
  verb.Model("The model that checks: named as for explore; else the setting llm.model");
  verb.OneSource();
}

}  // namespace schemaward::cli
