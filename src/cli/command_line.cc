#include "cli/command_line.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <CLI/CLI.hpp>

#include "app/application.h"
#include "base/text_distance.h"
#include "explore/limits.h"

namespace schemaward::cli {
namespace {

// Each verb's options, and how its examples read.
class Grammar {
 public:
  Grammar()
      : app_(
            "Schemaward: databases, explained to agents. Indexes a database's structure and serves "
            "it over MCP.",
            "schemaward") {
    app_.require_subcommand(1);
    app_.set_version_flag("--version", "schemaward " + std::string(app::Version()));
    app_.footer(
        "Examples:\n"
        "  schemaward index postgres://reader@localhost/shop    read a database's structure\n"
        "  schemaward serve                                     serve it to an MCP client on "
        "standard input and output\n"
        "  schemaward call find_relevant_tables query=refunds   make one call from the shell");
    Index();
    Serve();
    Init();
    Call();
    Eval();
    Suggest();
    Explore();
    Insights();
    Packs();
    Runs();
    Sources();
    Definitions();
    Import();
    Plain("login",
          "Log in at the managed service whose workspaces the set workspaces serves, by a browser",
          "  SCHEMAWARD_WORKSPACES_OAUTH_CLIENT_ID=... schemaward login");
    Plain("logout", "Forget that login", "  schemaward logout");
    Plain("lint",
          "Check the served tools against the charter: descriptions, answers, the subset that "
          "clients accept",
          "  schemaward lint");
    Validate();
    Review();
    Guard();
    Audit();
    Policy();
    Plain("doctor", "Check store, sources, secrets, engines and wired clients, and say what to do",
          "  schemaward doctor --json");
    Plain("config", "Print the configuration in force, each setting with its origin",
          "  schemaward config");
    Plain("version", "Print the version", "  schemaward version");
  }

  CLI::App& app() { return app_; }
  CommandLine Take() { return std::move(line_); }

 private:
  CLI::App* Verb(CLI::App& parent, const std::string& name, const std::string& does,
                 const std::string& examples, const std::string& verb) {
    CLI::App* sub = parent.add_subcommand(name, does);
    sub->footer("Examples:\n" + examples);
    sub->callback([this, verb] { line_.verb = verb; });
    Setting(sub, "--store", "store", "FILE", "File that keeps sources and their indexes");
    Setting(sub, "--config", "config", "FILE", "Configuration file");
    Setting(sub, "--log-level", "log.level", "LEVEL", "debug, info, warn, error or off");
    sub->add_flag("--json", line_.json, "Print one JSON document");
    return sub;
  }

  // Verbs of two words. Its help shows an example of its own.
  CLI::App* Group(const std::string& name, const std::string& does, const std::string& example) {
    CLI::App* sub = app_.add_subcommand(name, does);
    sub->footer("Examples:\n" + example + "\n\nRun `schemaward " + name +
                " VERB --help` for the options of a verb.");
    sub->require_subcommand(1);
    return sub;
  }

  void Setting(CLI::App* sub, const std::string& flag, const std::string& key,
               const std::string& type, const std::string& does) {
    sub->add_option_function<std::string>(
           flag, [this, key](const std::string& value) { line_.settings[key] = value; }, does)
        ->type_name(type);
  }

  void PolicyFile(CLI::App* sub) {
    Setting(sub, "--policy", "policy", "FILE",
            "Policy file; it narrows /etc/schemaward/policy.yaml");
  }

  void Model(CLI::App* sub, const std::string& does) {
    sub->add_option("--model", line_.model, does)->type_name("MODEL");
    MaxCost(sub, "Most US dollars that the model may cost; needs a price file");
  }

  void MaxCost(CLI::App* sub, const std::string& does) {
    sub->add_option_function<std::string>(
           "--max-cost", [this](const std::string& usd) { line_.max_cost = usd; }, does)
        ->type_name("USD");
  }

  void Plain(const std::string& name, const std::string& does, const std::string& examples) {
    Verb(app_, name, does, examples, name);
  }

  void Index() {
    CLI::App* sub = Verb(app_, "index", "Read a database's structure into the store",
                         "  schemaward index postgres://reader@localhost/shop --name shop\n"
                         "  schemaward index ./shop.db\n"
                         "  schemaward index ddl:schema.sql --json\n"
                         "  schemaward index env:DATABASE_URL",
                         "index");
    PolicyFile(sub);
    sub->add_option(
           "SOURCE", line_.arguments,
           "postgres://..., mysql://..., sqlite:FILE, duckdb:FILE, ddl:FILE.sql, dbt:TARGET_DIR, "
           "env:NAME, or a path to such a file")
        ->required()
        ->expected(1);
    sub->add_option_function<std::string>(
           "--name", [this](const std::string& name) { line_.name = name; },
           "Name of the source; default: the database's name or the file's stem")
        ->type_name("NAME");
    sub->add_option("--sample", line_.sample_rows,
                    "Keep up to N sample rows a table; never of columns that hold personal data "
                    "which the policy blocks")
        ->type_name("N")
        ->check(CLI::Range(0, 100));
    sub->add_option("--schema", line_.schemas, "Only this schema; may be repeated")
        ->type_name("NAME");
    sub->add_option("--watch", line_.watch_seconds,
                    "Keep looking every SECONDS and index again where the catalog changed, until "
                    "interrupted")
        ->type_name("SECONDS")
        ->check(CLI::Range(1, 86'400));
    Setting(sub, "--query-log", "suggest.query_log", "on|off",
            "Read the database's own query log where it may be");
    sub->add_flag("--classify-content", line_.classify_content,
                  "Check some values of each column for card numbers, IBANs, addresses of mail and "
                  "national ids; only the verdict is kept");
    sub->add_flag("--enrich", line_.enrich,
                  "Let a model describe tables and columns that have no comments; taken up where "
                  "it ended");
    Model(sub,
          "The model that describes: a name of models: in the configuration, or provider:name");
    sub->add_option("--max-tables", line_.enrich_tables, "Most tables that it is asked about")
        ->type_name("N")
        ->check(CLI::Range(1, 100'000));
    Setting(sub, "--embed", "embed.model", "MODEL",
            "Make vectors of tables by this embedder, for search by meaning");
    sub->add_flag("--no-suggest", line_.no_suggest,
                  "Draft no entities, joins and metrics afterwards");
  }

  void Suggest() {
    CLI::App* sub =
        Verb(app_, "suggest",
             "Draft entities, joins and metrics from an index; without a model, or with one as "
             "well",
             "  schemaward suggest\n"
             "  schemaward suggest --source shop --out drafts\n"
             "  schemaward suggest --queries reports.sql --queries log.jsonl\n"
             "  schemaward suggest --against true_joins.jsonl\n"
             "  schemaward suggest --model anthropic:NAME --max-cost 2.50",
             "suggest");
    sub->add_option_function<std::string>(
           "--source", [this](const std::string& name) { line_.source = name; },
           "The source; needed where several are indexed")
        ->type_name("NAME");
    sub->add_option_function<std::string>(
           "--out", [this](const std::string& folder) { line_.out = folder; },
           "Also write the drafts as YAML files to this folder")
        ->type_name("DIR");
    sub->add_flag("--force", line_.force, "Write over files that are there");
    sub->add_flag("--check-values", line_.check_values,
                  "Ask the source whether values of inferred joins occur in their target; never of "
                  "columns that hold secrets, cards or government ids");
    sub->add_option(
           "--queries", line_.queries,
           "Take joins and examples from the queries of this file, SQL or one {\"sql\": "
           "..., \"calls\": N} a line, in place of those of earlier files; may be repeated")
        ->type_name("FILE");
    sub->add_flag("--forget-queries", line_.forget_queries, "Forget what earlier files said");
    Setting(sub, "--query-log", "suggest.query_log", "on|off",
            "Read the database's own query log where it may be");
    Model(
        sub,
        "Let this model propose metrics and entities as well: drafts of LOW confidence, kept where "
        "they fit the index");
    sub->add_option("--against", line_.against,
                    "Compare inferred joins with these, one {\"from\": [table, column], \"to\": "
                    "[table, column]} a line; nothing is kept")
        ->type_name("FILE");
  }

  void Explore() {
    CLI::App* sub =
        Verb(app_, "explore", "Let a model explore a source to answer a question",
             "  schemaward explore 'why do refunds grow?' --model anthropic:NAME --max-cost 2.50\n"
             "  schemaward explore 'why do refunds grow?' --model scripted:replies.json\n"
             "  schemaward explore 'what costs us customers?' --pack ecommerce --max-cost 5\n"
             "  schemaward explore 'why do refunds grow?' --model anthropic:NAME --estimate",
             "explore");
    PolicyFile(sub);
    sub->add_option("QUESTION", line_.arguments, "What to find out")->required()->expected(1);
    Model(sub,
          "A name of the configuration's models, provider:name, scripted:FILE (a JSON array of "
          "replies) or recorded:FILE; else the setting llm.model");
    sub->add_option_function<std::string>(
           "--source", [this](const std::string& name) { line_.source = name; },
           "The source; needed where several are indexed")
        ->type_name("NAME");
    MaxSteps(sub);
    sub->add_option("--min-steps", line_.steps_min, "Steps before the model may end the run")
        ->type_name("N")
        ->check(CLI::Range(0, 1'000));
    sub->add_option("--window", line_.window_tokens,
                    "Tokens of the model's window; else as configured")
        ->type_name("N")
        ->check(CLI::Range(4'000, 10'000'000));
    sub->add_option("--pack", line_.pack,
                    "A domain pack, or its folder with a slash: its words frame the run, and its "
                    "areas are analysed afterwards")
        ->type_name("NAME|DIR");
    sub->add_option("--category", line_.category, "A category of the pack")->type_name("NAME");
    sub->add_flag("--no-verify", line_.no_verify,
                  "Do not recompute the numbers of the insights of the analysis");
    sub->add_flag("--estimate", line_.estimate,
                  "Say what the run will come to, in tokens and money, and begin nothing");
  }

  void Insights() {
    CLI::App* insights =
        Group("insights", "Look after what explorations found",
              "  schemaward insights verify insights.json --model anthropic:NAME --max-cost 1");
    CLI::App* sub = Verb(
        *insights, "verify",
        "Let a model recompute the number of each insight of a file; exit code 1 where one is not "
        "right or could not be checked",
        "  schemaward insights verify insights.json --model anthropic:NAME --max-cost 1 --json",
        "insights verify");
    PolicyFile(sub);
    sub->add_option("FILE", line_.arguments,
                    "JSON: \"insights\", and \"steps\" as `schemaward explore --json` prints them")
        ->required()
        ->expected(1);
    Model(sub, "The model that checks: named as for explore; else the setting llm.model");
    sub->add_option_function<std::string>(
           "--source", [this](const std::string& name) { line_.source = name; },
           "The source; needed where several are indexed")
        ->type_name("NAME");
  }

  void Packs() {
    CLI::App* packs = Group("packs", "Look after domain packs", "  schemaward packs list");
    Verb(*packs, "list", "List the packs: built in and imported", "  schemaward packs list --json",
         "packs list")
        ->add_flag("--all", line_.all, "Hidden ones too");
    const auto with = [&](const std::string& name, const std::string& does,
                          const std::string& example, const std::string& arguments, int count) {
      CLI::App* sub = Verb(*packs, name, does, example, "packs " + name);
      sub->add_option(arguments, line_.arguments, "A pack's name, a folder, or both in this order")
          ->required()
          ->expected(count);
      return sub;
    };
    with("show", "Show a pack's areas and categories", "  schemaward packs show ecommerce", "NAME",
         1);
    with("validate", "Say what is wrong with a folder as a pack; exit code 1 where anything is",
         "  schemaward packs validate ./my-shop", "DIR", 1);
    with("export", "Write a pack's files to a folder, to be changed",
         "  schemaward packs export ecommerce ./my-shop", "NAME DIR", 2)
        ->add_flag("--force", line_.force, "Overwrite files that are there");
    with("import", "Take over a folder as a pack of its name",
         "  schemaward packs import ./my-shop", "DIR", 1)
        ->add_flag("--force", line_.force, "Replace a pack of its name");
  }

  void MaxSteps(CLI::App* sub) {
    sub->add_option("--max-steps", line_.steps_max, "Most steps of the run")
        ->type_name("N")
        ->check(CLI::Range(std::int64_t{1}, explore::kStepsMax));
  }

  void Runs() {
    CLI::App* runs =
        Group("runs", "Look after explorations that are kept", "  schemaward runs list");
    Verb(*runs, "list", "Print the latest runs", "  schemaward runs list --limit 50 --json",
         "runs list")
        ->add_option("--limit", line_.runs_limit, "Most runs; 20 by default")
        ->type_name("N")
        ->check(CLI::Range(std::int64_t{1}, explore::kRunsKeptMax));
    const auto of_one = [&](const std::string& name, const std::string& does,
                            const std::string& example) {
      CLI::App* sub = Verb(*runs, name, does, "  schemaward runs " + example, "runs " + name);
      sub->add_option("ID", line_.arguments, "The run, as `runs list` names it")
          ->required()
          ->expected(1);
      return sub;
    };
    of_one("show", "Print a run: its budgets, its steps and how it stands",
           "show run_0123456789abcdef");
    CLI::App* resume =
        of_one("resume", "Take up a run that broke off or was stopped; no query runs again",
               "resume run_0123456789abcdef --max-cost 5");
    PolicyFile(resume);
    Model(resume, "Another model than the run had");
    MaxSteps(resume);
    of_one("cancel", "End a run for good; whoever drives it stops before its next step",
           "cancel run_0123456789abcdef");
    CLI::App* write = of_one("export", "Print a run as a report",
                             "export run_0123456789abcdef --format html --out report.html");
    write->add_option("--format", line_.run_format, "markdown (where absent), html or json")
        ->check(CLI::IsMember({"markdown", "html", "json"}));
    write
        ->add_option_function<std::string>(
            "--out", [this](const std::string& file) { line_.out = file; },
            "Write it to this file instead")
        ->type_name("FILE");
    write->add_flag("--force", line_.force, "Write over a file that is there");
  }

  void Serve() {
    CLI::App* sub =
        Verb(app_, "serve",
             "Serve the index to an MCP client on standard input and output, or to many over HTTP",
             "  schemaward serve\n"
             "  schemaward serve ./shop.db\n"
             "  schemaward serve shop --tools catalog\n"
             "  schemaward serve shop --http 127.0.0.1:8080",
             "serve");
    sub->add_option("SOURCE", line_.arguments,
                    "Names of indexed sources, or SOURCEs that are indexed in the background; all "
                    "where absent");
    PolicyFile(sub);
    Setting(sub, "--tools", "tools", "SETS",
            "Sets of tools: catalog, semantic, sql, patterns, explore, workspaces; default,explore "
            "adds");
    Setting(sub, "--refresh", "refresh", "on|off", "Notice change in the sources and index again");
    Setting(sub, "--query-log", "suggest.query_log", "on|off",
            "Read the databases' own query logs where they may be");
    Setting(sub, "--embed", "embed.model", "MODEL",
            "Search by meaning too, by this embedder: the one that the index used");
    Setting(sub, "--audit", "audit.mode", "MODE", "required, best-effort or off");
    sub->add_option_function<std::string>(
           "--http", [this](const std::string& at) { line_.http = at; },
           "Serve many clients over HTTP instead; port 0 takes a free one; beyond this machine "
           "only with http.tokens or http.oauth")
        ->type_name("ADDR:PORT");
    sub->add_flag("--conformance-fixtures", line_.conformance_fixtures,
                  "Serve the tools of the protocol's conformance suite in place of ours");
  }

  void Init() {
    CLI::App* sub =
        Verb(app_, "init",
             "Put the server into the configuration of MCP clients: those that are found; shows "
             "what would change and asks",
             "  schemaward init\n"
             "  schemaward init --client cursor --client zed --source shop\n"
             "  schemaward init --yes --json\n"
             "  schemaward init --print --client codex\n"
             "  schemaward init --remove",
             "init");
    sub->add_option("--client", line_.clients,
                    "claude-desktop, claude-code, cursor, windsurf, vscode, zed, codex or gemini; "
                    "may be repeated")
        ->type_name("NAME");
    sub->add_option("--source", line_.source, "Serve this source only")->type_name("NAME");
    sub->add_option("--name", line_.name, "What clients call the server; schemaward where absent")
        ->type_name("NAME");
    sub->add_flag("--yes", line_.yes, "Write without asking");
    sub->add_flag("--print", line_.print, "Print what goes into each file; change nothing");
    sub->add_flag("--remove", line_.unwire, "Take the server out again");
  }

  void Call() {
    CLI::App* sub =
        Verb(app_, "call", "Make one call of a tool and print its answer as JSON",
             "  schemaward call describe_table qualified_name=main.orders\n"
             "  schemaward call suggest_joins '{\"tables\":[\"main.orders\",\"main.customers\"]}'",
             "call");
    PolicyFile(sub);
    sub->add_option("TOOL", line_.arguments,
                    "The tool, then its arguments as one JSON object or key=value pairs")
        ->required()
        ->expected(1, -1);
    sub->prefix_command(false);
  }

  void Eval() {
    CLI::App* eval =
        Group("eval", "Measure how well tables are found, and how well agents use the tools",
              "  schemaward eval retrieval --questions questions.jsonl");
    CLI::App* sub =
        Verb(*eval, "retrieval", "Ask questions whose tables are known and print recall and time",
             "  schemaward eval retrieval --questions questions.jsonl", "eval retrieval");
    sub->add_option("--questions", line_.questions, "One JSON object a line: question, gold_tables")
        ->type_name("FILE")
        ->required();
    EvalAgents(*eval);
  }

  void EvalAgents(CLI::App& eval) {
    CLI::App* sub =
        Verb(eval, "agents",
             "Let models do tasks whose tools and outcomes are known, and print how they did",
             "  schemaward eval agents --model anthropic:NAME --max-cost 5 --keep today.json\n"
             "  schemaward eval agents --model anthropic:NAME --model openai:NAME\n"
             "  schemaward eval agents --model fast --compare today.json --min-success 90\n"
             "  schemaward eval agents --tasks tasks.jsonl --model fast --json",
             "eval agents");
    PolicyFile(sub);
    sub->add_option("--model", line_.models,
                    "A model that plays, named as for explore; may be repeated; else the setting "
                    "llm.model")
        ->type_name("MODEL");
    MaxCost(sub, "Most US dollars that each model may cost; needs a price file");
    sub->add_option("--tasks", line_.tasks,
                    "One task a line; else the starter set about the sample shop")
        ->type_name("FILE");
    sub->add_option("--keep", line_.keep, "Keep the run in this file")->type_name("FILE");
    sub->add_flag("--force", line_.force, "Write over a file that is there");
    sub->add_option("--compare", line_.compare, "Say what changed since the run in this file")
        ->type_name("FILE");
    Setting(sub, "--min-agreement", "eval.min_agreement", "PERCENT",
            "Exit code 1 where a model's tool-choice agreement is below");
    Setting(sub, "--min-success", "eval.min_success", "PERCENT",
            "Exit code 1 where a model's task success is below");
    Setting(sub, "--tools", "tools", "SETS", "Sets of tools that models see, as for serve");
  }

  void Sources() {
    CLI::App* sub = Verb(app_, "sources", "List the sources in the store, rename or remove one",
                         "  schemaward sources\n  schemaward sources --rename shop=store\n  "
                         "schemaward sources --remove shop",
                         "sources");
    sub->add_option_function<std::string>(
           "--rename", [this](const std::string& pair) { line_.rename = pair; }, "Rename a source")
        ->type_name("OLD=NEW");
    sub->add_option_function<std::string>(
           "--remove", [this](const std::string& name) { line_.remove = name; },
           "Remove a source and its index")
        ->type_name("NAME");
  }

  CLI::App* Definition(const std::string& name, const std::string& does,
                       const std::string& examples) {
    CLI::App* sub = Verb(app_, name, does, examples, name);
    sub->add_option_function<std::string>(
           "--source", [this](const std::string& source) { line_.source = source; },
           "Source that the definitions belong to; the only one where absent")
        ->type_name("NAME");
    return sub;
  }

  void Folder(CLI::App* sub) {
    sub->add_option("DIR", line_.arguments, "Folder with entities/, joins/ and metrics/")
        ->required()
        ->expected(1);
  }

  void Definitions() {
    CLI::App* apply =
        Definition("apply", "Put entities, joins and metrics from files into the store",
                   "  schemaward apply ./definitions\n"
                   "  schemaward apply ./definitions --dry-run --json");
    Folder(apply);
    apply->add_flag("--dry-run", line_.dry_run, "Check and print what would change");
    apply->add_flag("--prune", line_.prune, "Remove applied definitions that no file holds");
    Folder(Definition("diff", "Compare files with what is applied; exit code 1 where they differ",
                      "  schemaward diff ./definitions"));
    Definition("check", "Check that applied definitions still fit the index; exit code 1 on drift",
               "  schemaward check --json");
    CLI::App* write = Definition("export", "Write the definitions of the store as files",
                                 "  schemaward export ./definitions --force\n"
                                 "  schemaward export shop.json --format ossie\n"
                                 "  schemaward export cubes.yml --format cube");
    Folder(write);
    write->add_flag("--force", line_.force, "Overwrite files that are there");
    write->add_option("--format", line_.format, "yaml, or to one file: ossie, cube, metricflow")
        ->check(CLI::IsMember({"yaml", "ossie", "cube", "metricflow"}));
    CLI::App* confirm = Definition("confirm", "Say that definitions are right: they are then HIGH",
                                   "  schemaward confirm metric net_revenue\n"
                                   "  schemaward confirm join --all");
    confirm->add_option("KIND NAME", line_.arguments, "entity, join or metric, then names")
        ->expected(0, -1);
    confirm->add_flag("--all", line_.all, "All of the kind, or all there are");
  }

  void Import() {
    CLI::App* sub = Definition("import", "Take over entities, joins and metrics of another program",
                               "  schemaward import dbt ./target\n"
                               "  schemaward import metricflow ./models --source shop --dry-run\n"
                               "  schemaward import dbt ./target --out ./definitions");
    sub->add_option("FORMAT PATH", line_.arguments,
                    "dbt and its target folder; metricflow, ossie or cube and a file or folder")
        ->required()
        ->expected(2);
    sub->add_option_function<std::string>(
           "--out", [this](const std::string& folder) { line_.out = folder; },
           "Write YAML files to this folder instead of into the store")
        ->type_name("DIR");
    sub->add_flag("--dry-run", line_.dry_run, "Print what would be carried and what not");
    sub->add_flag("--force", line_.force, "Replace definitions or files of the same name");
    sub->add_flag("--strict", line_.strict, "Exit code 1 where something could not be carried");
    sub->add_option("--report", line_.report, "Write the whole report as JSON")->type_name("FILE");
  }

  void Validate() {
    CLI::App* sub =
        Verb(app_, "validate",
             "Say whether a statement would pass under the policy; runs nothing; exit code 1 where "
             "it would not",
             "  schemaward validate --engine postgres report.sql\n"
             "  echo 'SELECT status FROM orders' | schemaward validate --source shop - --json",
             "validate");
    PolicyFile(sub);
    sub->add_option("FILE", line_.arguments, "File with one statement; - for standard input")
        ->required()
        ->expected(1);
    sub->add_option_function<std::string>(
           "--engine", [this](const std::string& engine) { line_.engine = engine; },
           "Dialect of the statement: postgres, sqlite, mysql or duckdb; the source's where absent")
        ->type_name("ENGINE")
        ->check(CLI::IsMember({"postgres", "sqlite", "mysql", "duckdb"}));
    sub->add_option_function<std::string>(
           "--source", [this](const std::string& name) { line_.source = name; },
           "Source whose tables are meant; the only one of the engine where absent")
        ->type_name("NAME");
  }

  void Review() {
    CLI::App* sub =
        Verb(app_, "review",
             "Say what is wrong with SQL files; nothing is executed; exit code 1 where it is bad",
             "  schemaward review migrations/0042.sql\n"
             "  schemaward review *.sql --dialect mysql --format sarif > review.sarif\n"
             "  schemaward review report.sql --source shop --fail-on medium\n"
             "  git show HEAD:report.sql | schemaward review -\n"
             "  schemaward review --rules",
             "review");
    sub->add_option("FILES", line_.arguments, "Files of SQL statements; - is standard input")
        ->expected(1, -1);
    sub->add_option("--source", line_.source,
                    "Check names, types, keys and indexes against this indexed source")
        ->type_name("NAME");
    sub->add_flag("--rules", line_.list_rules, "List the rules instead");
    sub->add_option("--dialect", line_.dialect,
                    "postgres, sqlite, mysql or duckdb; where absent that of the source, else "
                    "postgres")
        ->check(CLI::IsMember({"postgres", "sqlite", "mysql", "duckdb"}));
    sub->add_option("--format", line_.review_format, "text (where absent), json or sarif")
        ->check(CLI::IsMember({"text", "json", "sarif"}));
    sub->add_option("--fail-on", line_.fail_on,
                    "Least severity that gives exit code 1: high (where absent), medium, low; "
                    "never")
        ->check(CLI::IsMember({"high", "medium", "low", "never"}));
  }

  void Guard() {
    CLI::App* guard =
        Group("guard", "Try the guard of SQL text", "  schemaward guard test attacks.jsonl");
    CLI::App* sub = Verb(
        *guard, "test",
        "Run a corpus of statements against the guard; exit code 1 where one is judged otherwise",
        "  schemaward guard test attacks.jsonl --fixture tables.sql --policy policy.yaml\n"
        "  schemaward guard test queries.jsonl --engine sqlite --dsn ./shop.db --json",
        "guard test");
    sub->add_option(
           "CORPUS", line_.arguments,
           "JSON lines: {\"id\", \"engine\", \"expect\": accepted | refused | pii, \"sql\"}")
        ->required()
        ->expected(1);
    const auto text = [&](const std::string& flag, std::optional<std::string>& to,
                          const std::string& type, const std::string& does) {
      sub->add_option_function<std::string>(
             flag, [&to](const std::string& value) { to = value; }, does)
          ->type_name(type);
    };
    text("--fixture", line_.fixture, "FILE.sql",
         "CREATE statements of the tables that the corpus speaks of; fixture.sql beside it where "
         "absent");
    text("--policy", line_.policy, "FILE.yaml",
         "The policy to judge by; policy.yaml beside the corpus, else the built-in one, where "
         "absent");
    text("--engine", line_.engine, "ENGINE",
         "Only cases of this engine: postgres, sqlite, mysql, duckdb");
    text("--dsn", line_.dsn, "SOURCE",
         "A database whose tables the corpus speaks of; accepted statements run on it");
  }

  void Policy() {
    CLI::App* policy =
        Group("policy", "Look after the policy", "  schemaward policy test cases.jsonl");
    CLI::App* sub =
        Verb(*policy, "test", "Run cases of callers and calls against the policy",
             "  schemaward policy test cases.jsonl --policy policy.yaml", "policy test");
    PolicyFile(sub);
    sub->add_option("FILE", line_.arguments,
                    "One JSON object a line: caller, what is asked, expect")
        ->required()
        ->expected(1);
  }

  void Audit() {
    CLI::App* audit =
        Group("audit", "Look after the audit log", "  schemaward audit verify --full");
    CLI::App* sub =
        Verb(*audit, "verify", "Check that no record of the audit log was changed or removed",
             "  schemaward audit verify --full --json", "audit verify");
    sub->add_flag("--full", line_.full, "Go on after the first record that is wrong");
    sub->add_option("--public-key", line_.public_key,
                    "Check signatures of checkpoints against these keys")
        ->type_name("FILE");
    sub->add_option("--checkpoints", line_.checkpoints,
                    "Hold the log against these checkpoints, kept elsewhere; with --public-key "
                    "the file of audit.checkpoints unless told")
        ->type_name("FILE");
    sub->add_option("--proof", line_.proof,
                    "Check a proof of one record instead, without the log; needs --public-key")
        ->type_name("FILE");
    AuditFilters(Verb(*audit, "list", "Print the latest calls",
                      "  schemaward audit list --tool execute_query --status refused --limit 20",
                      "audit list"));
    AuditFilters(Verb(*audit, "tail", "Print calls as they end, until interrupted",
                      "  schemaward audit tail --json", "audit tail"));
    Verb(*audit, "export", "Print every record as one line of JSON, in order",
         "  schemaward audit export > records.jsonl", "audit export");
    Verb(*audit, "loops",
         "Print failing calls that a caller makes again and again; exit code 1 where there are any",
         "  schemaward audit loops --json", "audit loops");
    Verb(*audit, "prove", "Print the proof that a record is in the log, as JSON",
         "  schemaward audit prove 1234 > proof.json", "audit prove")
        ->add_option("SEQ", line_.audit_record, "Sequence of the record")
        ->required()
        ->check(CLI::PositiveNumber);
    Verb(*audit, "keygen",
         "Make a key that signs checkpoints: the private one at FILE, the public one at FILE.pub",
         "  schemaward audit keygen /etc/schemaward/audit.key", "audit keygen")
        ->add_option("FILE", line_.arguments, "Where the private key goes; it must not exist")
        ->required()
        ->expected(1);
  }

  void AuditFilters(CLI::App* sub) {
    sub->add_option("--tool", line_.audit_tool, "Only calls of this tool")->type_name("TOOL");
    sub->add_option("--status", line_.audit_status,
                    "Only calls that ended so: refused, error, success...")
        ->type_name("STATUS");
    sub->add_option("--principal", line_.audit_principal, "Only calls of this caller")
        ->type_name("ID");
    sub->add_option("--reason", line_.audit_reason, "Only calls that failed for this reason")
        ->type_name("REASON");
    sub->add_option("--limit", line_.audit_limit, "Most calls; 100 by default")
        ->type_name("N")
        ->check(CLI::Range(1, 10'000));
  }

  CLI::App app_;
  CommandLine line_;
};

// Where a word stands that should be a verb and is none: what is said of it. Else empty.
std::string WrongVerb(CLI::App& root, int argc, char** argv) {
  CLI::App* at = &root;
  std::string before;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto verbs = at->get_subcommands([](const CLI::App*) { return true; });
    if (verbs.empty() || word.starts_with('-')) return {};
    const auto nearest =
        std::min_element(verbs.begin(), verbs.end(), [&](const CLI::App* a, const CLI::App* b) {
          return EditDistance(word, a->get_name()) < EditDistance(word, b->get_name());
        });
    if ((*nearest)->get_name() != word)
      return "there is no verb \"" + before + word + "\"; the nearest is \"" + before +
             (*nearest)->get_name() + '"';
    at = *nearest;
    before += word + ' ';
  }
  return {};
}

}  // namespace

ParsedCommandLine ParseCommandLine(int argc, char** argv) {
  Grammar grammar;
  try {
    grammar.app().parse(argc, argv);
  } catch (const CLI::CallForHelp& e) {
    return {std::nullopt, grammar.app().exit(e)};
  } catch (const CLI::CallForAllHelp& e) {
    return {std::nullopt, grammar.app().exit(e)};
  } catch (const CLI::CallForVersion& e) {
    return {std::nullopt, grammar.app().exit(e)};
  } catch (const CLI::ParseError& e) {
    const std::string wrong = WrongVerb(grammar.app(), argc, argv);
    std::fprintf(stderr, "schemaward: %s\nRun `schemaward --help`, or `schemaward VERB --help`.\n",
                 wrong.empty() ? e.what() : wrong.c_str());
    return {std::nullopt, kCouldNot};
  }
  return {grammar.Take(), kDone};
}

}  // namespace schemaward::cli
