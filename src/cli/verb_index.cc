// schemaward index: reads a database's structure into the store.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "app/embed_after.h"
#include "app/models.h"
#include "app/policy.h"
#include "app/suggest_after.h"
#include "cli/list_json.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "connect/secret.h"
#include "connect/source_spec.h"
#include "index/enrich.h"
#include "index/run.h"
#include "json/value.h"
#include "json/write.h"
#include "llm/metered.h"
#include "store/sources.h"

namespace schemaward::cli {
namespace {

constexpr std::size_t kMissingShown = 10;

/// What the index and then its drafts came to.
struct Done {
  std::optional<suggest::KeepSummary> drafts;
  std::vector<suggest::MinedLog> logs;
  std::optional<Result<index::EnrichSummary>> descriptions;
  llm::NanoUsd cost = 0;  // of the descriptions
  std::optional<Result<index::EmbedSummary>> vectors;
  llm::NanoUsd vectors_cost = 0;
  llm::NanoUsd cost_before = 0;  // of earlier indexes of the same --watch
};

std::string ToText(const index::EnrichSummary& made, llm::NanoUsd cost) {
  return fmt::format(
      "descriptions by {}: {} tables, {} columns; {} unchanged, {} failed, {} left; {} tokens in, "
      "{} "
      "out, {} dollars",
      made.model, made.described, made.columns, made.unchanged, made.failed, made.left,
      made.input_tokens, made.output_tokens, llm::ShowUsd(cost));
}

std::string ToText(const index::EmbedSummary& vectors, llm::NanoUsd cost) {
  return fmt::format("vectors of {}: {} tables embedded, {} unchanged, {} tokens, {} dollars",
                     vectors.model, vectors.embedded, vectors.unchanged, vectors.tokens,
                     llm::ShowUsd(cost));
}

std::string ErrorJson(const Error& error) {
  return fmt::format(R"({{"error":{{"kind":"{}","reason":"{}","message":{}}}}})", error.row().kind,
                     error.row().reason, json::Quote(error.message()));
}

// The summary, and what it cost.
std::string VectorsJson(const Result<index::EmbedSummary>& vectors, llm::NanoUsd cost) {
  if (!vectors) return ErrorJson(vectors.error());
  std::string out = json::Write(*vectors);
  out.pop_back();
  return out + ",\"cost_usd\":\"" + llm::ShowUsd(cost) + "\"}";
}

void PrintDone(const Done& done) {
  for (const suggest::MinedLog& log : done.logs)
    if (log.counts.statements > 0 || log.origin == suggest::kFileOrigin)
      PrintWords(suggest::ToText(log));
  if (done.drafts) PrintWords(suggest::ToText(*done.drafts));
  if (done.descriptions && *done.descriptions) PrintWords(ToText(**done.descriptions, done.cost));
  if (done.vectors && *done.vectors) PrintWords(ToText(**done.vectors, done.vectors_cost));
  if (done.vectors && !*done.vectors) {
    PrintWords("the index stands; the vectors could not be made:");
    PrintError(done.vectors->error());
  }
}

void PrintSummary(const store::Source& source, const index::Summary& summary, const Done& done) {
  PrintWords(
      fmt::format("{}: {} tables, {} views, {} columns ({} added, {} changed, {} removed, {} "
                  "unchanged) in {} ms",
                  source.name, summary.tables, summary.views, summary.columns, summary.added,
                  summary.changed, summary.removed, summary.unchanged,
                  summary.introspect_ms + summary.sample_ms + summary.write_ms));
  if (summary.columns == 0)
    PrintWords(
        "Nothing was found. Is it the right database, and may the role see its tables? Look at "
        "SOURCE, then index again.");
  PrintDone(done);
  if (summary.classified_columns > 0)
    PrintWords(
        fmt::format("{} columns hold personal data by their values", summary.classified_columns));
  if (!summary.IsPartial()) return;
  PrintWords(fmt::format("{} objects could not be read:", summary.missing.size()));
  for (std::size_t i = 0; i < summary.missing.size() && i < kMissingShown; ++i)
    PrintWords(fmt::format("  {}: {}", summary.missing[i].object, summary.missing[i].reason));
  if (summary.missing.size() > kMissingShown)
    PrintWords(fmt::format("  and {} more", summary.missing.size() - kMissingShown));
}

void PrintJson(const store::Source& source, const index::Summary& summary, const Done& done) {
  std::string out = "{\"source\":" + json::Quote(source.name) +
                    ",\"status\":" + (summary.IsPartial() ? "\"partial\"" : "\"success\"");
  out += ",\"summary\":" + json::Write(summary);
  if (done.drafts) {
    out += ",\"drafts\":" + json::Write(*done.drafts);
    out += ",\"queries\":" + ListJson(done.logs);
  }
  if (done.descriptions)
    out += ",\"descriptions\":" + (*done.descriptions ? json::Write(**done.descriptions)
                                                      : ErrorJson(done.descriptions->error()));
  if (done.vectors) out += ",\"vectors\":" + VectorsJson(*done.vectors, done.vectors_cost);
  out += '}';
  PrintLine(out);
  std::fflush(stdout);  // a watch goes on, and its reader waits for this line
}

// A password inside SOURCE serves this run only: says how serve will find one. [R-CLI-4]
void AdviseOnSecret(const std::string& text, const store::Source& source) {
  const auto spec = connect::ParseSource(text);
  if (!spec || !spec->secret_in_text) return;
  const auto later = connect::ParseSecretRef(source.secret_ref);
  PrintWords(
      "The password inside SOURCE is not stored. A later `schemaward serve` looks for it in the "
      "variable " +
      (later ? later->text : source.secret_ref) + ".");
}

// A source that was never read is not kept: a mistyped path should leave nothing behind.
void ForgetIfNew(app::Application& app, const store::Source& source, bool was_known) {
  const auto store = app.Store(true);
  if (was_known || !store) return;
  const auto removed = store::RemoveSource(**store, source.name);
  if (!removed) PrintError(removed.error());
}

Result<bool> IsKnown(app::Application& app, const std::string& text) {
  WARD_TRY(const connect::SourceSpec spec, connect::ParseSource(text));
  WARD_TRY(store::Store * store, app.Store(true));
  WARD_TRY(const auto sources, store->ListSources());
  return std::any_of(sources.begin(), sources.end(), [&](const store::Source& source) {
    return source.engine == spec.engine && source.location == spec.location;
  });
}

app::SuggestAfterOptions OptionsOf(const CommandLine& line, const app::Application& app,
                                   const privacy::Policy& policy) {
  return {policy, line.sample_rows > 0, app::QueryLogOptionsOf(app.config())};
}

app::SuggestDone Into(Done& done) {
  return [&done](const store::Source&, const Result<suggest::Suggestion>& made) {
    if (!made) {
      PrintError(made.error());
      return;
    }
    done.drafts = made->summary;
    done.logs = made->logs;
  };
}

index::AfterIndex Enrich(const CommandLine& line, store::Store& store,
                         const privacy::Policy& policy, const app::MeteredModel& model,
                         Done& done) {
  return [&line, &store, policy, model, &done](const store::Source& source, connect::Connector&,
                                               const index::Indexed&, CallContext& ctx) {
    done.descriptions =
        index::EnrichTables(store, source, *model.llm, {policy, line.enrich_tables}, ctx);
    done.cost = model.meter->spent().cost;
  };
}

/// Money that a run may cost, and what is spent of it.
Result<app::ModelLimits> LimitsOf(const CommandLine& line) {
  app::ModelLimits limits;
  if (line.max_cost) {
    WARD_TRY(limits.cost_max, app::ParseUsd(*line.max_cost));
  }
  return limits;
}

/// Makes vectors with what money the descriptions left.
index::AfterIndex Embed(app::Application& app, store::Store& store, const privacy::Policy& policy,
                        const app::ModelLimits& limits, Done& done) {
  if (app.embedder() == nullptr) return {};
  return [&app, &store, policy, limits, &done](const store::Source& source,
                                               connect::Connector& connector,
                                               const index::Indexed& indexed, CallContext& ctx) {
    app::ModelLimits left = limits;
    left.before.cost = done.cost_before + done.cost;
    const auto meter = app::MeterOf(app.config(), *app.embedder(), left);
    if (!meter) {
      done.vectors = Result<index::EmbedSummary>(meter.error());
      return;
    }
    const auto metered = std::make_shared<llm::MeteredEmbedder>(app.embedder(), *meter);
    app::EmbedAfter(
        store, metered, [&policy](const store::Source&) { return policy; },
        [&done](const store::Source&, const Result<index::EmbedSummary>& made) {
          done.vectors = made;
        })(source, connector, indexed, ctx);
    done.vectors_cost = metered->spent().cost - left.before.cost;
  };
}

/// True where vectors were asked for with --embed; else a setting names their embedder, and an
/// index without them will do.
bool WantsVectors(const CommandLine& line) { return line.settings.contains("embed.model"); }

/// The model of --enrich, or null; what is wrong with it is said before anything is indexed.
Result<std::unique_ptr<app::MeteredModel>> ModelOf(const CommandLine& line, app::Application& app) {
  WARD_TRY(const app::ModelLimits limits, LimitsOf(line));
  if (app.embedder() != nullptr) {
    // One that cannot be asked has no price either: of the two its key is what is missing.
    if (limits.cost_max || WantsVectors(line)) {
      WARD_CHECK(app::CheckEmbedder(app.config(), connect::SystemEnvironment()));
    }
    const auto meter = app::MeterOf(app.config(), *app.embedder(), limits);
    if (!meter) return meter.error();
  }
  if (!line.enrich) return std::unique_ptr<app::MeteredModel>();
  WARD_TRY(auto model, app::MakeModel(app.config(), line.model, limits));
  return std::make_unique<app::MeteredModel>(std::move(model));
}

/// What ended the descriptions before their end.
std::optional<Error> EndOfDescriptions(const Done& done) {
  if (!done.descriptions) return std::nullopt;
  return *done.descriptions ? (*done.descriptions)->ended_by : done.descriptions->error();
}

/// What ended the vectors: a limit of money, and where they were asked for whatever it was.
std::optional<Error> EndOfVectors(const CommandLine& line, const Done& done) {
  if (!done.vectors || *done.vectors) return std::nullopt;
  const Error& error = done.vectors->error();
  if (WantsVectors(line) || error.kind() == ErrorKind::MoneyCap) return error;
  return std::nullopt;
}

Result<index::Summary> Index(const CommandLine& line, app::Application& app,
                             const store::Source& source, const app::MeteredModel* model,
                             Done& done) {
  CallContext ctx = app.CommandContext();
  ProgressBar bar("indexing " + source.name);
  ctx.progress = [&](const Progress& progress) { bar.Show(progress); };
  WARD_TRY(const auto connector, app.Connect(source, ctx));
  WARD_TRY(store::Store * store, app.Store(true));
  WARD_TRY(const privacy::Policy loaded, app::LoadPolicy(app.config(), privacy::Profile::Team));
  const privacy::Policy policy = loaded.Of(source.name, app::DefaultProfile({source}, true));
  index::RunOptions options;
  options.policy = policy;
  options.scope = connect::Scope{line.schemas};
  options.sample_rows = line.sample_rows;
  options.classify_content = line.classify_content;
  if (!line.no_suggest)
    options.after = app::SuggestAfter(*store, OptionsOf(line, app, policy), Into(done));
  if (model != nullptr)
    options.after =
        app::InTurn(std::move(options.after), Enrich(line, *store, policy, *model, done));
  WARD_TRY(const app::ModelLimits limits, LimitsOf(line));
  options.after = app::InTurn(std::move(options.after), Embed(app, *store, policy, limits, done));
  return index::Run(*connector, *store, source, options, ctx);
}

/// True when the source's catalog is no longer the one that was indexed. Where it still is, news of
/// its query logs are folded in.
Result<bool> HasChanged(const CommandLine& line, app::Application& app,
                        const store::Source& source) {
  CallContext ctx = app.CommandContext();
  WARD_TRY(const auto connector, app.Connect(source, ctx));
  WARD_TRY(const std::string fingerprint, connector->Fingerprint(ctx));
  WARD_TRY(store::Store * store, app.Store(true));
  WARD_TRY(const auto indexed, store->FindSource(source.name));
  if (!indexed || indexed->fingerprint != fingerprint) return true;
  if (line.no_suggest) return false;
  Done done;
  WARD_TRY(const privacy::Policy loaded, app::LoadPolicy(app.config(), privacy::Profile::Team));
  const privacy::Policy policy = loaded.Of(source.name, app::DefaultProfile({source}, true));
  app::SuggestWhenUnchanged(*store, OptionsOf(line, app, policy), Into(done))(*indexed, *connector,
                                                                              ctx);
  PrintDone(done);
  return false;
}

/// Looks at the source again and again until the process is ended. A source that is away for a
/// while is no reason to stop. `spent`: of the limit of money, which is for all of it.
void Watch(const CommandLine& line, app::Application& app, const store::Source& source,
           llm::NanoUsd spent) {
  PrintWords(fmt::format("watching {} every {} s", source.name, line.watch_seconds));
  while (true) {
    std::this_thread::sleep_for(std::chrono::seconds(line.watch_seconds));
    const auto changed = HasChanged(line, app, source);
    if (!changed) PrintError(changed.error());
    if (!changed || !*changed) continue;
    Done done;
    done.cost_before = spent;
    const auto summary = Index(line, app, source, nullptr, done);
    spent += done.cost + done.vectors_cost;
    if (!summary)
      PrintError(summary.error());
    else if (line.json)
      PrintJson(source, *summary, done);
    else
      PrintSummary(source, *summary, done);
  }
}

// Said once, of what was never read before.
void TellNext() {
  PrintWords(
      "Next: `schemaward init` puts the server into your MCP clients; `schemaward call "
      "find_relevant_tables query=...` asks it from here.");
}

int RunIndex(const CommandLine& line, app::Application& app) {
  const std::string& text = line.arguments.front();
  const auto was_known = IsKnown(app, text);
  if (!was_known) return PrintError(was_known.error());
  const auto model = ModelOf(line, app);
  if (!model) return PrintError(model.error());
  const auto source = app.AddSource(text, line.name);
  if (!source) return PrintError(source.error());
  Done done;
  const auto summary = Index(line, app, *source, model->get(), done);
  if (!summary) {
    ForgetIfNew(app, *source, *was_known);
    return PrintError(summary.error());
  }
  if (line.json)
    PrintJson(*source, *summary, done);
  else
    PrintSummary(*source, *summary, done);
  AdviseOnSecret(text, *source);
  if (!*was_known && summary->columns > 0 && !line.json) TellNext();
  if (line.watch_seconds > 0) Watch(line, app, *source, done.cost + done.vectors_cost);
  if (const auto ended = EndOfDescriptions(done)) return PrintError(*ended);
  if (const auto ended = EndOfVectors(line, done))
    return line.json ? PrintError(*ended) : ended->row().exit_code;  // else said with the summary
  return kDone;
}

void AddEnriching(Syntax& verb, CommandLine& line) {
  verb.Flag("--enrich", line.enrich,
            "Let a model describe tables and columns that have no comments; taken up where it "
            "ended");
  verb.Model("The model that describes: a name of models: in the configuration, or provider:name");
  verb.Number("--max-tables", "N", {1, 100'000}, line.enrich_tables,
              "Most tables that it is asked about");
  verb.Setting("--embed", "embed.model", "MODEL",
               "Make vectors of tables by this embedder, for search by meaning");
}

}  // namespace

void AddIndex(Syntax& program, CommandLine& line) {
  Syntax verb = program.Verb("index", "Read a database's structure into the store",
                             "  schemaward index postgres://reader@localhost/shop --name shop\n"
                             "  schemaward index ./shop.db\n"
                             "  schemaward index ddl:schema.sql --json\n"
                             "  schemaward index env:DATABASE_URL",
                             RunIndex);
  verb.PolicyFile();
  verb.Words("SOURCE", {},
             "postgres://..., mysql://..., sqlite:FILE, duckdb:FILE, ddl:FILE.sql, dbt:TARGET_DIR, "
             "env:NAME, or a path to such a file");
  verb.Text("--name", "NAME", line.name,
            "Name of the source; default: the database's name or the file's stem");
  verb.Number("--sample", "N", {0, 100}, line.sample_rows,
              "Keep up to N sample rows a table; never of columns that hold personal data which "
              "the policy blocks");
  verb.Texts("--schema", "NAME", line.schemas, "Only this schema; may be repeated");
  verb.Number("--watch", "SECONDS", {1, 86'400}, line.watch_seconds,
              "Keep looking every SECONDS and index again where the catalog changed, until "
              "interrupted");
  verb.Setting("--query-log", "suggest.query_log", "on|off",
               "Read the database's own query log where it may be");
  verb.Flag("--classify-content", line.classify_content,
            "Check some values of each column for card numbers, IBANs, addresses of mail and "
            "national ids; only the verdict is kept");
  AddEnriching(verb, line);
  verb.Flag("--no-suggest", line.no_suggest, "Draft no entities, joins and metrics afterwards");
}

}  // namespace schemaward::cli
