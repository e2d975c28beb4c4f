#include "app/application.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/engines.h"
#include "app/models.h"
#include "base/sha256.h"
#include "base/text_distance.h"
#include "connect/secret.h"
#include "retrieve/meaning.h"
#include "store/sources.h"

namespace schemaward::app {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kPrivateFolder = 0700;

// A password inside SOURCE is looked for later in the variable of the name that the source has in
// the end.
std::string RefOf(const connect::SourceSpec& spec, const std::optional<std::string>& name) {
  if (!spec.secret_in_text || !name) return connect::ToText(spec.secret_ref);
  return connect::ToText({connect::SecretKind::Env, connect::SecretVariable(*name)});
}

std::shared_ptr<retrieve::Meaning> MeaningOf(const std::shared_ptr<llm::Embedder>& embedder) {
  return embedder == nullptr ? nullptr : std::make_shared<retrieve::Meaning>(embedder);
}

std::string UserName() {
  const auto name = connect::SystemEnvironment()("USER");
  return name && !name->empty() ? *name : fmt::format("uid:{}", ::getuid());
}

}  // namespace

Status EnsureStateFolder(const std::string& store_path) {
  const fs::path folder = fs::path(store_path).parent_path();
  std::error_code failed;
  if (fs::exists(folder, failed)) return Ok();
  fs::create_directories(folder.parent_path(), failed);
  if (::mkdir(folder.c_str(), kPrivateFolder) != 0 && !fs::exists(folder, failed))
    return Error(ErrorKind::StoreUnusable, "the folder of the store cannot be made")
        .Hint("Name a store by --store, in a folder that this user may write to.")
        .Private(folder.string());
  std::ofstream(folder / ".gitignore") << "*\n";
  return Ok();
}

std::string_view Version() { return WARD_VERSION; }

Application::Application(Config config)
    : config_(std::move(config)),
      engines_(LinkedEngines(),
               connect::ModuleFolders(connect::SystemEnvironment(), connect::BinaryFolder())),
      embedder_(MakeEmbedder(config_, connect::SystemEnvironment())),
      searcher_(MeaningOf(embedder_)) {}

Result<store::Store*> Application::Store(bool create) {
  if (store_ == nullptr) {
    const std::string path = config_.store_path();
    std::error_code failed;
    if (create) {
      WARD_CHECK(EnsureStateFolder(path));
    } else if (!fs::exists(path, failed)) {
      if (failed)
        return Error(ErrorKind::StoreUnusable, "the folder of the store may not be entered")
            .Hint("Let this user enter it, or name another store with --store.")
            .Private(path);
      Error error(ErrorKind::IndexNotReady, "there is no store yet");
      error.Hint("Run `schemaward index SOURCE` first, or name a store with --store.")
          .Private(path);
      return error;
    }
    WARD_TRY(store_, store::Store::Open(path, {.create = create}));
  }
  return store_.get();
}

Result<store::Source> Application::AddSource(const std::string& text,
                                             const std::optional<std::string>& name) {
  WARD_TRY(const connect::SourceSpec spec, connect::ParseSource(text));
  WARD_TRY(store::Store * store, Store(true));
  const store::SourceSpec wanted{.name = name.value_or(spec.default_name),
                                 .name_given = name.has_value(),
                                 .engine = spec.engine,
                                 .location = spec.location,
                                 .secret_ref = RefOf(spec, name)};
  WARD_TRY(store::Source source, store::PutSource(*store, wanted));
  if (!spec.secret.empty()) KeepSecret(source.id, spec.secret);
  return source;
}

void Application::KeepSecret(std::int64_t source_id, const std::string& secret) {
  MutexLock lock(mutex_);
  session_secrets_[source_id] = secret;
}

std::string Application::KeptSecret(std::int64_t source_id) {
  MutexLock lock(mutex_);
  const auto known = session_secrets_.find(source_id);
  return known == session_secrets_.end() ? "" : known->second;
}

Result<std::unique_ptr<connect::Connector>> Application::Connect(const store::Source& source,
                                                                 CallContext& ctx) {
  WARD_TRY(const connect::EnginePtr engine, engines_.Find(source.engine));
  connect::Target target{source.engine, source.location, {}};
  if (source.engine == "duckdb") target.library = config_.Get("engines.duckdb.library");
  target.secret = KeptSecret(source.id);
  if (target.secret.empty()) {
    WARD_TRY(const connect::SecretRef ref, connect::ParseSecretRef(source.secret_ref));
    WARD_TRY(target.secret, connect::ResolveSecret(ref, connect::SystemEnvironment(), ctx));
  }
  return engine->Open(target, ctx);
}

CallContext Application::CommandContext() const {
  CallContext ctx(clock_);
  ctx.request_id = "cli";
  ctx.principal = {UserName(), "schemaward " + std::string(Version()), "cli", {}, config_.claims()};
  return ctx;
}

Result<std::vector<std::string>> ParseToolSets(const std::string& text, bool on_stdio) {
  static constexpr std::string_view kSets[] = {"default",  "catalog", "semantic",  "sql",
                                               "patterns", "explore", "workspaces"};
  std::vector<std::string> sets;
  for (const std::string& word : ListOf(text)) {
    if (word == "default") {
      sets.insert(sets.end(), {"catalog", "semantic"});
      if (on_stdio) sets.emplace_back("sql");
      continue;
    }
    if (std::find(std::begin(kSets), std::end(kSets), word) == std::end(kSets)) {
      const auto near = *std::min_element(std::begin(kSets), std::end(kSets),
                                          [&](std::string_view a, std::string_view b) {
                                            return EditDistance(word, a) < EditDistance(word, b);
                                          });
      return Error(
                 ErrorKind::InvalidArgument,
                 fmt::format("there is no set of tools \"{}\"; the nearest is \"{}\"", word, near))
          .Hint(fmt::format("Sets are {}.", fmt::join(kSets, ", ")));
    }
    sets.push_back(word);
  }
  if (sets.empty())
    return Error(ErrorKind::InvalidArgument, "no set of tools is named")
        .Hint(fmt::format("Sets are {}.", fmt::join(kSets, ", ")));
  return sets;
}

Result<std::unique_ptr<audit::Log>> OpenAudit(const Application& application,
                                              std::string_view tools_text,
                                              const privacy::Policy& policy) {
  constexpr std::int64_t kMib = 1 << 20;
  constexpr std::int64_t kDayMicros = 86'400'000'000;
  const Config& config = application.config();
  const std::string& mode = config.Get("audit.mode");
  audit::Options options;
  options.signing.key_path = config.Get("audit.key");
  options.signing.checkpoints_path = config.Get("audit.checkpoints");
  options.signing.records = std::max<std::int64_t>(config.GetInt("audit.checkpoint_records"), 1);
  options.signing.interval = std::chrono::seconds(config.GetInt("audit.checkpoint_seconds"));
  options.rotation = {
      config.GetInt("audit.rotate_mib") * kMib, config.GetInt("audit.rotate_days") * kDayMicros,
      config.GetInt("audit.keep_mib") * kMib, config.GetInt("audit.keep_days") * kDayMicros};
  options.sink = config.Get("audit.sink");
  options.path = application.config().audit_path();
  options.mode = mode == "off"           ? audit::Mode::Off
                 : mode == "best-effort" ? audit::Mode::BestEffort
                                         : audit::Mode::Required;
  options.clock = &application.clock();
  options.start.program_version = Version();
  options.start.config_hash = Sha256Hex(application.config().Canonical());
  options.start.policy_hash = policy.hash();
  options.start.profile = privacy::NameOf(policy.profile());
  options.start.exemptions = policy.Exemptions();
  options.start.tools_hash = Sha256Hex(tools_text);
  return audit::Log::Create(std::move(options));
}

}  // namespace schemaward::app
