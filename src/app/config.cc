#include "app/config.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include "app/models.h"
#include "base/read_file.h"
#include "base/text_distance.h"
#include "connect/secret.h"
#include "llm/provider.h"
#include "net/url.h"

namespace schemaward::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStoreFile = "store.db";
constexpr std::string_view kPolicyFile = "policy.yaml";
constexpr std::string_view kConfigFile = "schemaward.yaml";
constexpr std::int64_t kNumberMax = 100'000'000;  // of a setting; in days or MiB it fits 64 bits
constexpr std::string_view kFileSink = "file:";
constexpr std::string_view kClaims = "claims.";  // of the caller on standard input and output
constexpr std::uintmax_t kConfigBytesMax = 1U << 20;

// The file's keys are flattened: audit: {mode: off} is audit.mode.
Status Flatten(const YAML::Node& node, const std::string& prefix,
               std::map<std::string, std::string>& out) {
  for (const auto& member : node) {
    const std::string key = prefix + member.first.as<std::string>();
    if (member.second.IsMap()) {
      WARD_CHECK(Flatten(member.second, key + '.', out));
    } else if (member.second.IsScalar()) {
      out[key] = member.second.as<std::string>();
    } else if (member.second.IsSequence()) {
      std::string joined;
      for (const auto& item : member.second)
        joined += (joined.empty() ? "" : ",") + item.as<std::string>();
      out[key] = joined;
    }
  }
  return Ok();
}

// ${VAR} is the variable's value; a variable that is not set is an error, since an empty password
// is rarely meant.
Result<std::string> Expand(const std::string& text, const Getenv& getenv) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = text.compare(i, 2, "${") == 0 ? text.find('}', i) : std::string::npos;
    if (end == std::string::npos) {
      out += text[i++];
      continue;
    }
    const std::string name = text.substr(i + 2, end - i - 2);
    const auto value = getenv(name);
    if (!value)
      return Error(ErrorKind::MissingCredential,
                   fmt::format("the configuration names variable {}, which is not set", name))
          .Hint("Set it where the program is started. Inside of ${...} stands a variable's name.");
    out += *value;
    i = end + 1;
  }
  return out;
}

std::string NearestKey(std::string_view wrong) {
  const auto& specs = SettingSpecs();
  const auto nearest =
      std::min_element(specs.begin(), specs.end(), [&](const SettingSpec& a, const SettingSpec& b) {
        return EditDistance(wrong, a.key) < EditDistance(wrong, b.key);
      });
  return std::string(nearest->key);
}

// The state folder: the nearest .schemaward upward, else the user's data folder.
fs::path StateFolder(const Getenv& getenv, const std::string& folder) {
  for (fs::path at = folder;; at = at.parent_path()) {
    std::error_code ignored;
    if (fs::is_directory(at / ".schemaward", ignored)) return at / ".schemaward";
    if (at == at.parent_path()) break;
  }
  if (const auto data = getenv("XDG_DATA_HOME"); data && fs::path(*data).is_absolute())
    return fs::path(*data) / "schemaward";
  return fs::path(getenv("HOME").value_or("/")) / ".local" / "share" / "schemaward";
}

std::string Absolute(const std::string& path, const std::string& folder) {
  return (fs::path(path).is_absolute() ? fs::path(path) : fs::path(folder) / path)
      .lexically_normal()
      .string();
}

// Each path of a list.
std::string AbsoluteList(const std::string& paths, const std::string& folder) {
  std::vector<std::string> out;
  for (const std::string& path : ListOf(paths)) out.push_back(Absolute(path, folder));
  return fmt::format("{}", fmt::join(out, ","));
}

Result<std::string> ReadSmall(const std::string& path) {
  return schemaward::ReadFile(path, kConfigBytesMax, "configuration file");
}

Result<ConfiguredSource> ReadSource(const YAML::Node& node, const Getenv& getenv) {
  ConfiguredSource source;
  if (!node.IsMap() || !node["source"])
    return Error(ErrorKind::InputUnreadable, "each entry of sources needs a member source");
  if (node["name"]) source.name = node["name"].as<std::string>();
  if (node["secret"]) source.secret = node["secret"].as<std::string>();
  WARD_TRY(source.source, Expand(node["source"].as<std::string>(), getenv));
  return source;
}

Error WrongModel(const std::string& what) {
  return Error(ErrorKind::InputUnreadable, "an entry of models " + what);
}

Status CheckModel(const ConfiguredModel& model) {
  if (model.name.empty() || model.model.empty())
    return WrongModel("needs the members name, provider and model");
  if (model.name.find(':') != std::string::npos)
    return WrongModel("has a name with a colon, which stands between provider and model");
  if (llm::FindProvider(model.provider) == nullptr)
    return WrongModel(
        fmt::format("names provider \"{}\"; there are {}", model.provider, llm::ProviderNames()));
  if (!model.base_url.empty() && !net::IsSafeUrl(model.base_url))
    return WrongModel("has a base_url that is neither https nor http on this machine");
  for (const std::int64_t number : {model.window, model.output, model.dimensions})
    if (number < 0 || number > kNumberMax) return WrongModel("has a number that cannot be");
  return Ok();
}

Result<ConfiguredModel> ReadModel(const YAML::Node& node, const Getenv& getenv) {
  ConfiguredModel model;
  const std::map<std::string, std::string*> words = {{"name", &model.name},
                                                     {"provider", &model.provider},
                                                     {"model", &model.model},
                                                     {"base_url", &model.base_url},
                                                     {"key_env", &model.key_env}};
  const std::map<std::string, std::int64_t*> numbers = {
      {"window", &model.window}, {"output", &model.output}, {"dimensions", &model.dimensions}};
  if (!node.IsMap()) return WrongModel("is not a mapping");
  for (const auto& member : node) {
    const auto key = member.first.as<std::string>();
    if (const auto word = words.find(key); word != words.end()) {
      WARD_TRY(*word->second, Expand(member.second.as<std::string>(), getenv));
    } else if (const auto number = numbers.find(key); number != numbers.end()) {
      *number->second = member.second.as<std::int64_t>();
    } else {
      return WrongModel(fmt::format("has no member \"{}\"", key));
    }
  }
  WARD_CHECK(CheckModel(model));
  return model;
}

}  // namespace

const std::vector<SettingSpec>& SettingSpecs() {
  static const std::vector<SettingSpec> specs = {
      {"store", "SCHEMAWARD_STORE", "", "file that keeps sources and their indexes"},
      {"policy", "SCHEMAWARD_POLICY", "",
       "policy file; policy.yaml of the state folder where not given; it narrows "
       "/etc/schemaward/policy.yaml"},
      {"tools", "SCHEMAWARD_TOOLS", "default",
       "sets of tools that serve offers: default, or names; default,explore adds"},
      {"refresh", "SCHEMAWARD_REFRESH", "on",
       "on: serve notices change in the sources and indexes again; off: it does not"},
      {"suggest.queries", "SCHEMAWARD_SUGGEST_QUERIES", "",
       "files of queries, SQL or JSON lines, that joins and examples are taken from"},
      {"suggest.query_log", "SCHEMAWARD_SUGGEST_QUERY_LOG", "on",
       "on: the database's own query log (pg_stat_statements) is read where it may be; off"},
      {"audit.mode", "SCHEMAWARD_AUDIT_MODE", "required",
       "required: what cannot be recorded is refused; best-effort; off"},
      {"audit.path", "SCHEMAWARD_AUDIT_PATH", "",
       "file of the audit log; beside the store where not given"},
      {"audit.key", "SCHEMAWARD_AUDIT_KEY", "",
       "Ed25519 private key that signs checkpoints of the audit log; PEM, mode 0600, not in the "
       "log's folder"},
      {"audit.checkpoints", "SCHEMAWARD_AUDIT_CHECKPOINTS", "",
       "file that signed checkpoints are also appended to; not in the log's folder"},
      {"audit.checkpoint_records", "SCHEMAWARD_AUDIT_CHECKPOINT_RECORDS", "1000",
       "a checkpoint after so many records"},
      {"audit.checkpoint_seconds", "SCHEMAWARD_AUDIT_CHECKPOINT_SECONDS", "300",
       "and so long after a record that none covers"},
      {"audit.rotate_mib", "SCHEMAWARD_AUDIT_ROTATE_MIB", "256",
       "size at which the log goes on in a next file; 0: never"},
      {"audit.rotate_days", "SCHEMAWARD_AUDIT_ROTATE_DAYS", "0",
       "age at which the log goes on in a next file; 0: never"},
      {"audit.keep_mib", "SCHEMAWARD_AUDIT_KEEP_MIB", "0",
       "size of all its files above which the oldest are removed; 0: none is"},
      {"audit.keep_days", "SCHEMAWARD_AUDIT_KEEP_DAYS", "0",
       "age of its last record at which a closed file is removed; 0: none is"},
      {"audit.sink", "SCHEMAWARD_AUDIT_SINK", "",
       "where each record also goes as a line of JSON: stderr, syslog, syslog:SOCKET or file:PATH"},
      {"log.level", "SCHEMAWARD_LOG_LEVEL", "warn",
       "debug, info, warn, error or off; lines go to standard error"},
      {"limits.call_timeout_ms", "SCHEMAWARD_CALL_TIMEOUT_MS", "30000", "longest a call may take"},
      {"limits.workers", "SCHEMAWARD_WORKERS", "0",
       "calls that run side by side; 0: twice the cores, at least 4"},
      {"limits.connections", "SCHEMAWARD_CONNECTIONS", "4", "connections to one source"},
      {"http.tokens", "SCHEMAWARD_HTTP_TOKENS", "",
       "file of who may call over HTTP, with hashes of their bearer tokens"},
      {"http.requests_per_second", "SCHEMAWARD_HTTP_REQUESTS_PER_SECOND", "0",
       "requests that one caller may send a second over HTTP; 0: no limit"},
      {"http.burst", "SCHEMAWARD_HTTP_BURST", "20",
       "requests that one caller may send at once before that"},
      {"http.tls.certificate", "SCHEMAWARD_HTTP_TLS_CERTIFICATE", "",
       "PEM file of the certificate that the HTTP server shows, with the chain above it"},
      {"http.tls.key", "SCHEMAWARD_HTTP_TLS_KEY", "", "PEM file of its key, mode 0600"},
      {"http.oauth.issuer", "SCHEMAWARD_HTTP_OAUTH_ISSUER", "",
       "issuer of access tokens that let callers in over HTTP; its address, as tokens write it"},
      {"http.oauth.resource", "SCHEMAWARD_HTTP_OAUTH_RESOURCE", "",
       "address that clients know this server by, as https://ward.example.com/mcp"},
      {"http.oauth.audience", "SCHEMAWARD_HTTP_OAUTH_AUDIENCE", "",
       "audiences that a token may be meant for; http.oauth.resource where not given"},
      {"http.oauth.keys", "SCHEMAWARD_HTTP_OAUTH_KEYS", "",
       "the issuer's key set (JWKS): a file, or its address"},
      {"http.oauth.scopes", "SCHEMAWARD_HTTP_OAUTH_SCOPES", "",
       "scopes that every token must have"},
      {"http.oauth.skew_seconds", "SCHEMAWARD_HTTP_OAUTH_SKEW_SECONDS", "60",
       "how far the issuer's clock may be from this machine's"},
      {"http.oauth.ca_file", "SCHEMAWARD_HTTP_OAUTH_CA_FILE", "",
       "PEM file of certificates to trust in place of the system's, where the keys are fetched"},
      {"http.tool_scopes", "SCHEMAWARD_HTTP_TOOL_SCOPES", "",
       "scopes that the tools of a set need over HTTP, as "
       "sql=ward.sql,explore=ward.explore|ward.admin"},
      {"http.hosts", "SCHEMAWARD_HTTP_HOSTS", "",
       "names that clients may call the server by, beside this machine's own"},
      {"http.origins", "SCHEMAWARD_HTTP_ORIGINS", "",
       "origins of web pages that may call, as https://app.example.com"},
      {"http.calls_per_principal", "SCHEMAWARD_HTTP_CALLS_PER_PRINCIPAL", "64",
       "calls that one caller may have at once over HTTP; 0: no limit"},
      {"llm.model", "SCHEMAWARD_MODEL", "",
       "model that is asked where --model names none: a name of models:, or provider:name"},
      {"llm.prices", "SCHEMAWARD_PRICES", "", "price file; a limit of money needs one"},
      {"llm.timeout_ms", "SCHEMAWARD_MODEL_TIMEOUT_MS", "300000",
       "longest that one request to a model may take"},
      {"llm.ca_file", "SCHEMAWARD_MODEL_CA_FILE", "",
       "PEM file of certificates to trust in place of the system's"},
      {"embed.model", "SCHEMAWARD_EMBED_MODEL", "",
       "embedder that makes search hybrid: a name of models:, or provider:name; empty: keywords "
       "alone"},
      {"embed.max_cost", "SCHEMAWARD_EMBED_MAX_COST", "",
       "US dollars that one process may spend on vectors, of tables and of questions; empty: no "
       "limit"},
      {"eval.min_agreement", "SCHEMAWARD_EVAL_MIN_AGREEMENT", "0",
       "percent of tool-choice agreement below which `eval agents` ends with exit code 1"},
      {"eval.min_success", "SCHEMAWARD_EVAL_MIN_SUCCESS", "0",
       "percent of task success below which it does"},
      {"engines.duckdb.library", "SCHEMAWARD_DUCKDB", "",
       "DuckDB's library, where it is not beside the program"},
      {"workspaces.api_url", "SCHEMAWARD_WORKSPACES_API_URL", "https://api.singlestore.com/v1/",
       "Management API of the managed service: https, or http on this machine"},
      {"workspaces.graphql_url", "SCHEMAWARD_WORKSPACES_GRAPHQL_URL",
       "https://backend.singlestore.com/public", "where it lists organizations"},
      {"workspaces.api_key", "SCHEMAWARD_WORKSPACES_API_KEY_REF",
       "env:SCHEMAWARD_WORKSPACES_API_KEY",
       "where the API key is: env:NAME or password_command:CMD; never the key itself"},
      {"workspaces.jwt", "SCHEMAWARD_WORKSPACES_JWT_REF", "env:SCHEMAWARD_WORKSPACES_JWT",
       "where a JWT is, used where there is no API key"},
      {"workspaces.organization", "SCHEMAWARD_WORKSPACES_ORGANIZATION", "",
       "id of the organization of callers that chose none"},
      {"workspaces.user", "SCHEMAWARD_WORKSPACES_USER", "",
       "database user of run_sql where the credential is an API key"},
      {"workspaces.password", "SCHEMAWARD_WORKSPACES_PASSWORD_REF",
       "env:SCHEMAWARD_WORKSPACES_PASSWORD", "where that user's password is"},
      {"workspaces.oauth_issuer", "SCHEMAWARD_WORKSPACES_OAUTH_ISSUER",
       "https://authsvc.singlestore.com", "where `schemaward login` logs in"},
      {"workspaces.oauth_client_id", "SCHEMAWARD_WORKSPACES_OAUTH_CLIENT_ID", "",
       "id of the public OAuth client that it logs in as"},
      {"workspaces.tokens", "SCHEMAWARD_WORKSPACES_TOKENS", "",
       "file of the login's tokens, mode 0600; beside the store where not given"},
      {"workspaces.ca_file", "SCHEMAWARD_WORKSPACES_CA_FILE", "",
       "PEM file of certificates to trust in place of the system's"},
  };
  return specs;
}

std::vector<std::string> ListOf(std::string_view text, std::string_view separators) {
  constexpr std::string_view kBlanks = " \t\r\n";
  std::vector<std::string> entries;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    std::string_view entry = text.substr(begin, end - begin);
    entry.remove_prefix(std::min(entry.find_first_not_of(kBlanks), entry.size()));
    entry = entry.substr(0, entry.find_last_not_of(kBlanks) + 1);
    if (!entry.empty()) entries.emplace_back(entry);
    begin = end + 1;
  }
  return entries;
}

Result<Config> Config::Load(const std::map<std::string, std::string>& flags, const Getenv& getenv,
                            const std::string& folder) {
  Config config;
  for (const SettingSpec& spec : SettingSpecs())
    config.settings_[std::string(spec.key)] = {std::string(spec.fallback), "default"};
  const fs::path state = StateFolder(getenv, folder);
  const auto named_flag = flags.find("config");
  const auto named =
      named_flag != flags.end() ? std::optional(named_flag->second) : getenv("SCHEMAWARD_CONFIG");
  std::error_code ignored;
  if (named) {
    WARD_CHECK(config.ReadFile(Absolute(*named, folder), getenv));
  } else if (fs::exists(state / kConfigFile, ignored)) {
    WARD_CHECK(config.ReadFile((state / kConfigFile).string(), getenv));
  }
  for (const SettingSpec& spec : SettingSpecs())
    if (const auto value = getenv(std::string(spec.variable)))
      config.settings_[std::string(spec.key)] = {*value, "environment"};
  for (const auto& [key, value] : flags)
    if (config.settings_.contains(key)) config.settings_[key] = {value, "flag"};
  Setting& store = config.settings_["store"];
  store.value = store.value.empty() ? (state / kStoreFile).string() : Absolute(store.value, folder);
  Setting& audit = config.settings_["audit.path"];
  audit.value = audit.value.empty() ? fs::path(store.value).replace_extension(".audit.db").string()
                                    : Absolute(audit.value, folder);
  Setting& tokens = config.settings_["workspaces.tokens"];
  tokens.value = tokens.value.empty()
                     ? fs::path(store.value).replace_extension(".login.json").string()
                     : Absolute(tokens.value, folder);
  for (std::string_view key :
       {"audit.key", "audit.checkpoints", "workspaces.ca_file", "llm.prices", "llm.ca_file",
        "http.tokens", "http.oauth.ca_file", "http.tls.certificate", "http.tls.key"})
    if (Setting& file = config.settings_[std::string(key)]; !file.value.empty())
      file.value = Absolute(file.value, folder);
  if (Setting& keys = config.settings_["http.oauth.keys"];
      !keys.value.empty() && keys.value.find("://") == std::string::npos)
    keys.value = Absolute(keys.value, folder);
  if (Setting& sink = config.settings_["audit.sink"]; sink.value.starts_with(kFileSink))
    sink.value = std::string(kFileSink) + Absolute(sink.value.substr(kFileSink.size()), folder);
  Setting& queries = config.settings_["suggest.queries"];
  queries.value = AbsoluteList(queries.value, queries.origin == "file"
                                                  ? fs::path(config.file_).parent_path().string()
                                                  : folder);
  Setting& policy = config.settings_["policy"];
  if (!policy.value.empty())
    policy.value = Absolute(policy.value, folder);
  else if (fs::exists(state / kPolicyFile, ignored))
    policy.value = (state / kPolicyFile).string();
  WARD_CHECK(config.Check());
  return config;
}

Config Config::Of(const std::map<std::string, std::string>& settings) {
  Config config;
  for (const SettingSpec& spec : SettingSpecs())
    config.settings_[std::string(spec.key)] = {std::string(spec.fallback), "default"};
  for (const auto& [key, value] : settings)
    if (const auto found = config.settings_.find(key); found != config.settings_.end())
      found->second = {value, "flag"};
  return config;
}

Status Config::ReadFile(const std::string& path, const Getenv& getenv) {
  file_ = path;
  WARD_TRY(const std::string text, ReadSmall(path));
  try {
    YAML::Node root = YAML::Load(text);
    if (root.IsNull()) return Ok();
    if (!root.IsMap())
      return Error(ErrorKind::InputUnreadable, "the configuration must be a mapping")
          .Hint("Write settings as \"key: value\"; `schemaward config` names them.");
    for (const char* list : {"sources", "models"})
      if (root[list] && !root[list].IsSequence() && !root[list].IsNull())
        return Error(ErrorKind::InputUnreadable,
                     fmt::format("{} of the configuration must be a list", list))
            .Hint(
                fmt::format("Begin each entry with \"- \", as in \"{}: [{{name: ...}}]\".", list));
    for (const auto& node : root["sources"]) {
      WARD_TRY(ConfiguredSource source, ReadSource(node, getenv));
      sources_.push_back(std::move(source));
    }
    root.remove("sources");
    for (const auto& node : root["models"]) {
      WARD_TRY(ConfiguredModel model, ReadModel(node, getenv));
      models_.push_back(std::move(model));
    }
    root.remove("models");
    std::map<std::string, std::string> flat;
    WARD_CHECK(Flatten(root, "", flat));
    for (const auto& [key, raw] : flat) {
      if (key.starts_with(kClaims) && key.size() > kClaims.size()) {
        WARD_TRY(claims_[key.substr(kClaims.size())], Expand(raw, getenv));
        continue;
      }
      if (const std::string group = key + '.';
          settings_.lower_bound(group) != settings_.end() &&
          settings_.lower_bound(group)->first.starts_with(group))
        return Error(
                   ErrorKind::InputUnreadable,
                   fmt::format("\"{}\" of the configuration is a group of settings, not one", key))
            .Hint(fmt::format("One of them is \"{}\".", settings_.lower_bound(group)->first));
      if (!settings_.contains(key))
        return Error(ErrorKind::InputUnreadable,
                     fmt::format("the configuration has no setting \"{}\"; the nearest is \"{}\"",
                                 key, NearestKey(key)));
      WARD_TRY(std::string value, Expand(raw, getenv));
      settings_[key] = {std::move(value), "file"};
    }
  } catch (const YAML::Exception& e) {
    return Error(ErrorKind::InputUnreadable,
                 fmt::format("the configuration is not YAML: line {}, column {}", e.mark.line + 1,
                             e.mark.column + 1))
        .Hint(
            "Look at brackets, quotes and the blank after a colon there; YAML is indented by "
            "blanks, not tabs.")
        .Private(e.what());
  }
  return Ok();
}

Status Config::Check() const {
  struct Words {
    std::string_view key;
    std::vector<std::string_view> allowed;
  };
  const Words closed[] = {{"refresh", {"on", "off"}},
                          {"suggest.query_log", {"on", "off"}},
                          {"audit.mode", {"required", "best-effort", "off"}},
                          {"log.level", {"debug", "info", "warn", "error", "off"}}};
  for (const Words& words : closed)
    if (std::find(words.allowed.begin(), words.allowed.end(), Get(words.key)) ==
        words.allowed.end())
      return Error(ErrorKind::InputUnreadable,
                   fmt::format("setting \"{}\" cannot be \"{}\"", words.key, Get(words.key)))
          .Hint(fmt::format("It is one of {}.", fmt::join(words.allowed, ", ")));
  for (std::string_view key :
       {"workspaces.api_url", "workspaces.graphql_url", "workspaces.oauth_issuer"})
    if (!net::IsSafeUrl(Get(key)))
      return Error(ErrorKind::InputUnreadable,
                   fmt::format("setting \"{}\" must be https, or http on this machine", key));
  for (std::string_view key : {"workspaces.api_key", "workspaces.jwt", "workspaces.password"})
    if (!Get(key).empty() && !connect::ParseSecretRef(Get(key)))
      return Error(ErrorKind::InputUnreadable,
                   fmt::format("setting \"{}\" must say where the secret is: env:NAME or "
                               "password_command:CMD",
                               key));
  if (const std::string& usd = Get("embed.max_cost"); !usd.empty() && !ParseUsd(usd))
    return Error(ErrorKind::InputUnreadable,
                 fmt::format("setting \"embed.max_cost\" must be US dollars, not \"{}\"", usd));
  for (std::string_view key :
       {"limits.call_timeout_ms", "llm.timeout_ms", "limits.workers", "limits.connections",
        "http.calls_per_principal", "http.oauth.skew_seconds", "http.requests_per_second",
        "http.burst", "audit.checkpoint_records", "audit.checkpoint_seconds", "audit.rotate_mib",
        "audit.rotate_days", "audit.keep_mib", "audit.keep_days", "eval.min_agreement",
        "eval.min_success"}) {
    const std::string& text = Get(key);
    std::int64_t number = -1;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed != std::errc() || end != text.data() + text.size() || number < 0 ||
        number > kNumberMax)
      return Error(ErrorKind::InputUnreadable,
                   fmt::format("setting \"{}\" must be a number, not \"{}\"", key, text));
  }
  return Ok();
}

const std::string& Config::Get(std::string_view key) const {
  return settings_.find(key)->second.value;
}

std::int64_t Config::GetInt(std::string_view key) const {
  const std::string& text = Get(key);
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::vector<std::string> Config::GetList(std::string_view key, std::string_view separators) const {
  return ListOf(Get(key), separators);
}

std::string Config::Canonical() const {
  std::string text;
  for (const auto& [key, setting] : settings_) text += fmt::format("{}={}\n", key, setting.value);
  for (const auto& [name, value] : claims_) text += fmt::format("claims.{}={}\n", name, value);
  for (const ConfiguredSource& source : sources_)
    text += fmt::format("source={} {}\n", source.name, MaskSecrets(source.source));
  for (const ConfiguredModel& model : models_)
    text += fmt::format("model={} {}:{} {}\n", model.name, model.provider, model.model,
                        MaskSecrets(model.base_url));
  return text;
}

}  // namespace schemaward::app
