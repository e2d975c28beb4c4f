#pragma once

// The configuration in force: flags, SCHEMAWARD_* variables, one YAML file, defaults, in this
// order. [R-CLI-3]

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace schemaward::app {

/// Gives an environment variable's value.
using Getenv = std::function<std::optional<std::string>(const std::string&)>;

/// A setting's value and where it comes from: flag | environment | file | default.
struct Setting {
  std::string value;
  std::string origin;
};

/// A source named in the configuration file.
struct ConfiguredSource {
  std::string name;
  std::string source;  ///< as on the command line
  std::string secret;  ///< a reference: env:NAME, passfile, service, password_command:...; or empty
};

/// A model named in the configuration file.
struct ConfiguredModel {
  std::string name;
  std::string provider, model;  ///< as in provider:model
  std::string base_url;         ///< empty: the provider's own
  std::string key_env;          ///< variable that its key is in; empty: the provider's own
  std::int64_t window = 0;      ///< tokens; 0: the usual
  std::int64_t output = 0;      ///< most tokens of one reply; 0: the usual
  std::int64_t dimensions = 0;  ///< of an embedder's vectors; 0: its own
};

/// Rows of the table of settings.
struct SettingSpec {
  std::string_view key;       ///< in the file, dotted
  std::string_view variable;  ///< environment
  std::string_view fallback;
  std::string_view meaning;
};

/// Every setting there is, in the order of `schemaward config`. Lifetime: static.
const std::vector<SettingSpec>& SettingSpecs();

/// Splits a setting that is a list at any of `separators`. Blanks around an entry, and entries with
/// nothing in them, are dropped.
std::vector<std::string> ListOf(std::string_view text, std::string_view separators = ",");

/// Thread: immutable once loaded.
class Config {
 public:
  /// Loads what is in force. `flags`: by key. `folder`: absolute, the search for .schemaward/ goes
  /// up from here. Errors: InputUnreadable when a configuration file that was named cannot be read,
  /// is not YAML, or holds a key or value that is not known (the nearest key is named).
  static Result<Config> Load(const std::map<std::string, std::string>& flags, const Getenv& getenv,
                             const std::string& folder);

  /// Returns one in which these settings are in force, by key, the rest at its default, whatever
  /// files and variables say. Keys that no setting has are passed over. For values that Load gave.
  static Config Of(const std::map<std::string, std::string>& settings);

  const std::string& Get(std::string_view key) const;
  std::int64_t GetInt(std::string_view key) const;
  /// As ListOf; what the file has as a list is one with commas.
  std::vector<std::string> GetList(std::string_view key, std::string_view separators = ",") const;
  const std::map<std::string, Setting, std::less<>>& settings() const { return settings_; }
  const std::vector<ConfiguredSource>& sources() const { return sources_; }
  const std::vector<ConfiguredModel>& models() const { return models_; }
  /// What the file states of the caller on standard input and output and on the command line, where
  /// no token does. A policy's ${claims.NAME} is filled from it.
  const std::map<std::string, std::string>& claims() const { return claims_; }
  /// The configuration file that was read, or empty.
  const std::string& file() const { return file_; }
  /// Absolute.
  std::string store_path() const { return Get("store"); }
  std::string audit_path() const { return Get("audit.path"); }
  /// All of it as one text, for the audit log's hash of the configuration.
  std::string Canonical() const;

 private:
  Status ReadFile(const std::string& path, const Getenv& getenv);
  Status Check() const;
  std::map<std::string, Setting, std::less<>> settings_;
  std::vector<ConfiguredSource> sources_;
  std::vector<ConfiguredModel> models_;
  std::map<std::string, std::string> claims_;
  std::string file_;
};

}  // namespace schemaward::app
