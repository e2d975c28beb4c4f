// schemaward suggest: drafts of entities, joins and metrics, without a model, or with one as well.

#include <chrono>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/models.h"
#include "app/policy.h"
#include "app/query_logs.h"
#include "base/read_file.h"
#include "cli/list_json.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "cli/where.h"
#include "json/value.h"
#include "json/write.h"
#include "semantic/files.h"
#include "store/mined.h"
#include "suggest/against.h"
#include "suggest/by_model.h"
#include "suggest/run.h"

namespace schemaward::cli {
namespace {

constexpr std::uintmax_t kFileBytesMax = 256U << 20U;
constexpr std::size_t kShownMax = 50;  // of each kind, to people
constexpr std::chrono::milliseconds kConnectMax{10'000};

/// Drafts of a model, and what they cost.
struct ModelDrafts {
  suggest::ByModelDrafts drafts;
  llm::NanoUsd cost = 0;
};

std::string ToJson(const ModelDrafts& made) {
  const semantic::Definitions& drafts = made.drafts.definitions;
  return "{\"summary\":" + json::Write(made.drafts.summary) + ",\"cost_usd\":\"" +
         llm::ShowUsd(made.cost) + "\",\"entities\":" + ListJson(drafts.entities) +
         ",\"metrics\":" + ListJson(drafts.metrics) + "}";
}

void PrintJson(const store::Source& source, const suggest::Suggestion& made,
               const std::optional<ModelDrafts>& by_model) {
  const semantic::Definitions& drafts = made.drafts.definitions;
  PrintLine("{\"source\":" + json::Quote(source.name) +
            ",\"summary\":" + json::Write(made.summary) +
            ",\"entities\":" + ListJson(drafts.entities) + ",\"joins\":" + ListJson(drafts.joins) +
            ",\"metrics\":" + ListJson(drafts.metrics) + ",\"queries\":" + ListJson(made.logs) +
            (by_model ? ",\"by_model\":" + ToJson(*by_model) : "") + "}");
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

void PrintDrafts(const semantic::Definitions& drafts) {
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

/// Joins of the files that are named, else of the logs that are kept.
Result<std::vector<querylog::ObservedJoin>> ObservedFor(const CommandLine& line, const Where& where,
                                                        const std::vector<catalog::Table>& tables,
                                                        CallContext& ctx) {
  if (line.queries.empty()) return suggest::ObservedJoins(*where.store, where.source.id);
  WARD_TRY(const auto log, app::ReadQueryFiles(line.queries));
  WARD_TRY(auto evidence, suggest::ReadQueryLog(where.source, tables, log, ctx));
  return std::move(evidence.joins);
}

Result<suggest::AgainstReport> Against(const CommandLine& line, const Where& where,
                                       CallContext& ctx) {
  WARD_TRY(const std::string text, ReadFile(line.against, kFileBytesMax));
  WARD_TRY(auto expected, suggest::ReadLinks(text));
  WARD_TRY(const auto tables, suggest::LoadTables(*where.store, where.source.id, ctx));
  WARD_TRY(const auto observed, ObservedFor(line, where, tables, ctx));
  std::vector<suggest::ColumnLink> found;
  suggest::ColumnNames names;
  for (const suggest::Link& link :
       suggest::FindLinks(tables, suggest::InferOptionsOf(where.source), observed, names))
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

/// A session with the source for its query log, or null with a note where there is none to be had:
/// drafts do not wait for a source that is away.
std::unique_ptr<connect::Connector> ConnectForLog(app::Application& app,
                                                  const store::Source& source) {
  CallContext ctx = app.CommandContext();
  ctx.deadline = Deadline::After(app.clock(), kConnectMax);
  auto connector = app.Connect(source, ctx);
  if (connector) return *std::move(connector);
  PrintWords("the source's own query log was not read: " + connector.error().message());
  return nullptr;
}

Result<std::vector<suggest::MinedLog>> ReadLogs(const CommandLine& line, app::Application& app,
                                                const Where& where,
                                                const std::vector<catalog::Table>& tables,
                                                connect::Connector* connector, CallContext& ctx) {
  app::QueryLogOptions options = app::QueryLogOptionsOf(app.config());
  options.files.insert(options.files.end(), line.queries.begin(), line.queries.end());
  if (line.forget_queries) {
    WARD_CHECK(store::RemoveMinedLog(*where.store, where.source.id, suggest::kFileOrigin));
  }
  std::vector<suggest::QueryLog> logs;
  if (!options.files.empty()) {
    // A file that is named and cannot be read is an error here: it was asked for.
    WARD_TRY(auto log, app::ReadQueryFiles(options.files));
    logs.push_back(std::move(log));
  }
  std::unique_ptr<connect::Connector> own;
  if (options.ask_engine && connector == nullptr && where.source.engine == "postgres") {
    own = ConnectForLog(app, where.source);
    connector = own.get();
  }
  options.files.clear();
  for (suggest::QueryLog& log : app::ReadQueryLogs(options, connector, ctx))
    logs.push_back(std::move(log));
  return app::KeepQueryLogs(*where.store, where.source, tables, logs, ctx);
}

Result<suggest::Suggestion> Suggest(const CommandLine& line, app::Application& app,
                                    const Where& where, CallContext& ctx) {
  WARD_TRY(const auto tables, suggest::LoadTables(*where.store, where.source.id, ctx));
  suggest::SuggestOptions options;
  options.all_anew = true;  // they are shown
  std::unique_ptr<connect::Connector> connector;
  if (line.check_values) {
    WARD_TRY(connector, app.Connect(where.source, ctx));
    options.check_values_with = connector.get();
  }
  WARD_TRY(auto logs, ReadLogs(line, app, where, tables, connector.get(), ctx));
  WARD_TRY(auto made, suggest::Suggest(*where.store, where.source, tables, options, ctx));
  made.logs = std::move(logs);
  if (line.out) {
    WARD_TRY(const std::size_t files,
             semantic::WriteFolder(*line.out, made.drafts.definitions, line.force));
    PrintWords(fmt::format("{} files written", files));
  }
  return made;
}

Result<std::optional<app::MeteredModel>> ModelOf(const CommandLine& line, app::Application& app) {
  if (line.model.empty()) return std::optional<app::MeteredModel>();
  app::ModelLimits limits;
  if (line.max_cost) {
    WARD_TRY(limits.cost_max, app::ParseUsd(*line.max_cost));
  }
  WARD_TRY(auto model, app::MakeModel(app.config(), line.model, limits));
  return std::optional<app::MeteredModel>(std::move(model));
}

Result<std::optional<ModelDrafts>> ByModel(const std::optional<app::MeteredModel>& model,
                                           app::Application& app, const Where& where,
                                           CallContext& ctx) {
  if (!model) return std::optional<ModelDrafts>();
  WARD_TRY(const privacy::Policy loaded, app::LoadPolicy(app.config(), privacy::Profile::Team));
  suggest::ByModelOptions options;
  options.policy = loaded.Of(where.source.name, app::DefaultProfile({where.source}, true));
  WARD_TRY(const auto tables, suggest::LoadTables(*where.store, where.source.id, ctx));
  ModelDrafts made;
  WARD_TRY(made.drafts,
           suggest::SuggestByModel(*where.store, where.source, tables, *model->llm, options, ctx));
  made.cost = model->meter->spent().cost;
  return std::optional<ModelDrafts>(std::move(made));
}

void PrintByModel(const ModelDrafts& made) {
  const suggest::ByModelSummary& summary = made.drafts.summary;
  PrintDrafts(made.drafts.definitions);
  for (const std::string& reason : summary.reasons) PrintWords("dropped " + reason);
  PrintWords(fmt::format(
      "drafts by {}: {} entities, {} metrics; {} dropped, {} requests unreadable, {} tables left; "
      "{} "
      "tokens in, {} out, {} dollars",
      summary.model, summary.entities, summary.metrics, summary.dropped, summary.failed,
      summary.left, summary.input_tokens, summary.output_tokens, llm::ShowUsd(made.cost)));
}

int RunSuggest(const CommandLine& line, app::Application& app) {
  const auto where = FindWhere(line, app);
  if (!where) return PrintError(where.error());
  CallContext ctx = app.CommandContext();
  if (!line.against.empty()) return RunAgainst(line, *where, ctx);
  const auto model = ModelOf(line, app);
  if (!model) return PrintError(model.error());
  const auto made = Suggest(line, app, *where, ctx);
  if (!made) return PrintError(made.error());
  const auto by_model = ByModel(*model, app, *where, ctx);
  if (!by_model) return PrintError(by_model.error());
  const auto ended = *by_model ? (*by_model)->drafts.summary.ended_by : std::nullopt;
  if (line.json) {
    PrintJson(where->source, *made, *by_model);
    return ended ? PrintError(*ended) : kDone;
  }
  PrintDrafts(made->drafts.definitions);
  for (const suggest::MinedLog& log : made->logs) PrintWords(suggest::ToText(log));
  PrintWords(suggest::ToText(made->summary));
  if (line.check_values)
    PrintWords(fmt::format("values: {} inferred joins checked, {} of them dropped, {} not checked",
                           made->values.checked, made->values.dropped, made->values.not_checked));
  if (*by_model) PrintByModel(**by_model);
  return ended ? PrintError(*ended) : kDone;
}

}  // namespace

void AddSuggest(Syntax& program, CommandLine& line) {
  Syntax verb = program.Verb(
      "suggest",
      "Draft entities, joins and metrics from an index; without a model, or with one as well",
      "  schemaward suggest\n"
      "  schemaward suggest --source shop --out drafts\n"
      "  schemaward suggest --queries reports.sql --queries log.jsonl\n"
      "  schemaward suggest --against true_joins.jsonl\n"
      "  schemaward suggest --model anthropic:NAME --max-cost 2.50",
      RunSuggest);
  verb.OneSource();
  verb.Text("--out", "DIR", line.out, "Also write the drafts as YAML files to this folder");
  verb.Flag("--force", line.force, "Write over files that are there");
  verb.Flag("--check-values", line.check_values,
            "Ask the source whether values of inferred joins occur in their target; never of "
            "columns that hold secrets, cards or government ids");
  verb.Texts("--queries", "FILE", line.queries,
             "Take joins and examples from the queries of this file, SQL or one {\"sql\": ..., "
             "\"calls\": N} a line, in place of those of earlier files; may be repeated");
  verb.Flag("--forget-queries", line.forget_queries, "Forget what earlier files said");
  verb.Setting("--query-log", "suggest.query_log", "on|off",
               "Read the database's own query log where it may be");
  verb.Model(
      "Let this model propose metrics and entities as well: drafts of LOW confidence, kept where "
      "they fit the index");
  verb.Text("--against", "FILE", line.against,
            "Compare inferred joins with these, one {\"from\": [table, column], \"to\": [table, "
            "column]} a line; nothing is kept");
}

}  // namespace schemaward::cli
