#include "privacy/policy_file.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "base/one_line.h"
#include "base/read_file.h"
#include "base/text_distance.h"
#include "catalog/catalog.h"
#include "privacy/floor.h"
#include "privacy/policy.h"

namespace schemaward::privacy {
namespace {

namespace fs = std::filesystem;

using Keys = std::span<const std::string_view>;

constexpr std::string_view kTopKeys[] = {"version",          "profile", "hide_names", "categories",
                                         "column_overrides", "allow",   "deny",       "row_filters",
                                         "session",          "limits",  "tools",      "callers",
                                         "unlisted_callers", "sources"};
constexpr std::string_view kSourceKeys[] = {"profile", "session"};
constexpr std::string_view kCallerSourceKeys[] = {"session"};
constexpr std::string_view kCallerKeys[] = {"match",   "allow",  "deny",  "row_filters",
                                            "session", "limits", "tools", "sources"};
constexpr std::string_view kListKeys[] = {"schemas", "tables", "entities", "metrics"};
constexpr std::string_view kMatchKeys[] = {"principal", "client", "transport", "scope"};
constexpr std::string_view kLimitKeys[] = {"rows_max", "bytes_max", "time_ms_max", "plan_cost_max",
                                           "plan_rows_max"};
constexpr std::string_view kOverrideKeys[] = {"sensitivity", "categories", "reason"};
constexpr std::string_view kActionWords[] = {"refuse", "mask", "allow_in_predicate",
                                             "allow_aggregate", "allow"};

constexpr std::string_view kSessionKeys[] = {"role", "settings"};
constexpr std::string_view kToolKeys[] = {"allow", "deny"};
constexpr std::string_view kAggregateKeys[] = {"allow_aggregate"};

constexpr std::size_t kNameShownMax = 100;

std::string Nearest(std::string_view wrong, const Keys& keys) {
  return std::string(*std::min_element(keys.begin(), keys.end(), [&](auto a, auto b) {
    return EditDistance(wrong, a) < EditDistance(wrong, b);
  }));
}

// Reads a file's tree. Goes on after a fault, so that all are said at once.
class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  PolicyData Read(const YAML::Node& root) {
    PolicyData data;
    Check(root, kTopKeys);
    if (const auto version = Scalar(root["version"]); version && *version != "1")
      Fault(root["version"], fmt::format("version {} is not known; this is version 1", *version));
    data.first.profile = ReadProfile(root["profile"]);
    data.first.hide_names = ReadBool(root["hide_names"]);
    ReadSources(root["sources"], data.first);
    ReadCategories(root["categories"], data.first);
    ReadOverrides(root["column_overrides"], data.overrides);
    data.everyone = ReadRules(root);
    ReadCallers(root, data);
    return data;
  }

  void Fault(const YAML::Node& node, std::string_view message) { FaultAt(node.Mark(), message); }

  void FaultAt(const YAML::Mark& mark, std::string_view message) {
    ++faults_;
    if (faults_ == 1) first_ = fmt::format("{}:{}: {}", file_, mark.line + 1, message);
    if (faults_ <= kPolicyFaultsMax)
      text_ += fmt::format("{}{}:{}: {}", text_.empty() ? "" : "\n", file_, mark.line + 1, message);
  }

  std::optional<Error> Finish() const {
    if (faults_ == 0) return std::nullopt;
    Error error(ErrorKind::InputUnreadable,
                faults_ == 1 ? first_ : fmt::format("{} (and {} more)", first_, faults_ - 1));
    if (faults_ > 1) error.Detail(text_);  // one alone is said by the message
    return error;
  }

 private:
  // Says what is wrong with a mapping's keys: unknown, or there twice.
  void Check(const YAML::Node& node, const Keys& keys) {
    std::vector<std::string_view> seen;
    for (const auto& member : node) {
      const std::string key = member.first.IsScalar() ? member.first.Scalar() : "";
      const auto known = std::find(keys.begin(), keys.end(), key);
      if (known == keys.end())
        Fault(member.first, fmt::format("there is no key \"{}\"; the nearest is \"{}\"", key,
                                        Nearest(key, keys)));
      else if (std::find(seen.begin(), seen.end(), *known) != seen.end())
        Fault(member.first, fmt::format("key \"{}\" is there twice", key));
      else
        seen.push_back(*known);
    }
  }

  // The same of a mapping whose keys are names: of two entries the last alone would hold.
  void CheckTwice(const YAML::Node& node) {
    std::set<std::string> seen;
    for (const auto& member : node)
      if (member.first.IsScalar() && !seen.insert(member.first.Scalar()).second)
        Fault(member.first, fmt::format("key \"{}\" is there twice", member.first.Scalar()));
  }

  // A name with a blank at an end or a control inside fits nothing: what it denies would be read.
  void CheckName(const YAML::Node& node, std::string_view name) {
    const auto is_control = [](char c) {
      return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    };
    if (name.empty())
      Fault(node, "a name is expected here");
    else if (name.front() == ' ' || name.back() == ' ' ||
             std::any_of(name.begin(), name.end(), is_control))
      Fault(node, fmt::format("\"{}\" fits nothing: it has blanks around it or controls in it",
                              OneLine(std::string(name), kNameShownMax)));
  }

  // A list of names; null and an empty list are what `when_empty` says, if anything.
  std::vector<std::string> ReadNameList(const YAML::Node& node, std::string_view when_empty = {}) {
    std::vector<std::string> names = ReadList(node);
    for (const std::string& name : names) CheckName(node, name);
    if (node.IsDefined() && names.empty() && !when_empty.empty()) Fault(node, when_empty);
    return names;
  }

  bool IsThere(const YAML::Node& node) const { return node.IsDefined() && !node.IsNull(); }

  // True when it is there and a mapping with such keys.
  bool Map(const YAML::Node& node, const Keys& keys) {
    if (!IsThere(node)) return false;
    if (!node.IsMap()) {
      Fault(node, "a mapping is expected here");
      return false;
    }
    Check(node, keys);
    return true;
  }

  std::optional<std::string> Scalar(const YAML::Node& node) {
    if (!IsThere(node)) return std::nullopt;
    if (node.IsScalar()) return node.Scalar();
    Fault(node, "one value is expected here");
    return std::nullopt;
  }

  std::optional<bool> ReadBool(const YAML::Node& node) {
    const auto text = Scalar(node);
    if (!text) return std::nullopt;
    if (*text == "true") return true;
    if (*text == "false") return false;
    Fault(node, fmt::format("\"{}\" is neither true nor false", *text));
    return std::nullopt;
  }

  std::optional<std::int64_t> ReadCount(const YAML::Node& node) {
    const auto text = Scalar(node);
    if (!text) return std::nullopt;
    constexpr std::size_t kDigitsMax = 15;
    const bool is_number = !text->empty() && text->size() <= kDigitsMax &&
                           text->find_first_not_of("0123456789") == std::string::npos;
    if (is_number) return std::stoll(*text);
    Fault(node, fmt::format("\"{}\" is no number of 0 or more", *text));
    return std::nullopt;
  }

  // A list of texts; one text alone is a list of one.
  std::vector<std::string> ReadList(const YAML::Node& node) {
    std::vector<std::string> texts;
    if (!IsThere(node)) return texts;
    if (node.IsScalar()) return {node.Scalar()};
    if (!node.IsSequence() || node.size() > kPolicyEntriesMax) {
      Fault(node, "a list of at most 10000 names is expected here");
      return texts;
    }
    for (const auto& item : node)
      if (auto text = Scalar(item)) texts.push_back(*std::move(text));
    return texts;
  }

  template <class Enum, std::size_t n>
  std::optional<Enum> ReadWord(const YAML::Node& node, const std::array<Enum, n>& values) {
    const auto text = Scalar(node);
    if (!text) return std::nullopt;
    std::vector<std::string_view> words;
    for (const Enum value : values) {
      words.push_back(NameOf(value));
      if (words.back() == *text) return value;
    }
    Fault(node,
          fmt::format("\"{}\" is not known; the nearest is \"{}\"", *text, Nearest(*text, words)));
    return std::nullopt;
  }

  std::optional<Profile> ReadProfile(const YAML::Node& node) {
    return ReadWord(node, std::array{Profile::Dev, Profile::Team, Profile::Strict});
  }

  std::optional<Category> ReadCategory(const YAML::Node& node, const std::string& name) {
    if (const auto category = CategoryNamed(name)) return category;
    std::vector<std::string_view> words;
    for (std::size_t i = 0; i < kCategoryCount; ++i)
      words.push_back(NameOf(static_cast<Category>(i)));
    Fault(node, fmt::format("there is no category \"{}\"; the nearest is \"{}\"", name,
                            Nearest(name, words)));
    return std::nullopt;
  }

  // refuse, mask, ...; {allow_aggregate: 20}; or a list of these.
  std::optional<Allowance> ReadAction(const YAML::Node& node) {
    if (node.IsSequence()) {
      Allowance all = kRefuse;
      for (const auto& item : node)
        if (const auto one = item.IsSequence() ? std::nullopt : ReadAction(item))
          all = Unite(all, *one);
      return all;
    }
    if (node.IsMap()) {
      Check(node, kAggregateKeys);
      const auto rows = ReadCount(node["allow_aggregate"]);
      if (rows && *rows < 2) Fault(node, "a group of fewer than 2 rows shows one value");
      return rows && *rows >= 2 ? std::optional(AllowAggregate(*rows)) : std::nullopt;
    }
    const std::string word = Scalar(node).value_or("");
    if (word == "refuse") return kRefuse;
    if (word == "mask") return kMask;
    if (word == "allow_in_predicate") return kAllowInPredicate;
    if (word == "allow_aggregate") return AllowAggregate(kGroupMinDefault);
    if (word == "allow") return kAllow;
    Fault(node, fmt::format("there is no action \"{}\"; the nearest is \"{}\"", word,
                            Nearest(word, kActionWords)));
    return std::nullopt;
  }

  void ReadSources(const YAML::Node& node, ActionLayer& layer) {
    if (!IsThere(node)) return;
    if (!node.IsMap() || node.size() > kPolicyEntriesMax)
      return Fault(node, "a mapping of at most 10000 sources is expected here");
    CheckTwice(node);
    for (const auto& member : node) {
      CheckName(member.first, Scalar(member.first).value_or(""));
      if (!Map(member.second, kSourceKeys)) continue;
      if (const auto profile = ReadProfile(member.second["profile"]))
        layer.sources.push_back({Scalar(member.first).value_or(""), *profile});
    }
  }

  // The keys of sources are checked where their profiles are read, and of a caller here.
  void ReadSourceSessions(const YAML::Node& node, bool is_callers,
                          std::vector<SourceSession>& sessions) {
    if (!IsThere(node) || (!is_callers && !node.IsMap())) return;
    if (!node.IsMap() || node.size() > kPolicyEntriesMax)
      return Fault(node, "a mapping of at most 10000 sources is expected here");
    for (const auto& member : node) {
      if (!member.second.IsMap() || (is_callers && !Map(member.second, kCallerSourceKeys)))
        continue;
      const YAML::Node session = member.second["session"];
      if (!IsThere(session)) continue;
      const bool is_none = session.IsScalar() && session.Scalar() == "none";
      sessions.push_back(
          {Scalar(member.first).value_or(""), is_none ? std::nullopt : ReadSession(session)});
    }
  }

  void ReadCategories(const YAML::Node& node, ActionLayer& layer) {
    if (!IsThere(node)) return;
    if (!node.IsMap()) return Fault(node, "a mapping of categories to actions is expected here");
    CheckTwice(node);
    for (const auto& member : node) {
      const auto category = ReadCategory(member.first, Scalar(member.first).value_or(""));
      if (!category) continue;
      const auto action = ReadAction(member.second);
      if (!action) continue;
      if (IsFloor(*category) && !action->IsRefused())
        Fault(member.first,
              fmt::format("category {} cannot be let out; declare the one column that does not "
                          "hold it under column_overrides, with a reason",
                          NameOf(*category)));
      else if (!IsFloor(*category))
        layer.categories[static_cast<std::size_t>(*category)] = action;
    }
  }

  void ReadOverrides(const YAML::Node& node, std::vector<ColumnOverride>& overrides) {
    if (!IsThere(node)) return;
    if (!node.IsMap() || node.size() > kPolicyEntriesMax)
      return Fault(node, "a mapping of at most 10000 columns is expected here");
    CheckTwice(node);
    for (const auto& member : node) ReadOverride(member.first, member.second, overrides);
  }

  void ReadOverride(const YAML::Node& key, const YAML::Node& node,
                    std::vector<ColumnOverride>& overrides) {
    ColumnOverride override;
    override.column = Scalar(key).value_or("");
    const auto parts = catalog::SplitName(override.column);
    if (parts.size() < 2 || parts.size() > 3)
      return Fault(
          key, fmt::format("\"{}\" is no table.column or schema.table.column", override.column));
    if (!Map(node, kOverrideKeys)) return;
    for (const std::string& name : ReadList(node["categories"]))
      if (const auto category = ReadCategory(node["categories"], name))
        override.categories.push_back(*category);
    std::sort(override.categories.begin(), override.categories.end());
    override.reason = Scalar(node["reason"]).value_or("");
    if (node["reason"].IsDefined() && !SaysSomething(override.reason))
      Fault(node["reason"], "a reason says something");
    const auto sensitivity =
        ReadWord(node["sensitivity"], std::array{Sensitivity::Public, Sensitivity::Internal,
                                                 Sensitivity::Confidential, Sensitivity::Pii});
    override.sensitivity =
        sensitivity.value_or(override.categories.empty() ? Sensitivity::Public : Sensitivity::Pii);
    if (override.sensitivity == Sensitivity::Pii && override.categories.empty())
      return Fault(node, "what is pii belongs to a category: name it under categories");
    CheckFloor(key, parts, override);
    overrides.push_back(std::move(override));
  }

  static bool SaysSomething(std::string_view reason) {
    return std::any_of(reason.begin(), reason.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             // A letter of another script; marks that nobody sees begin with these two.
             (static_cast<unsigned char>(c) >= 0xC3 && c != '\xE2' && c != '\xEF');
    });
  }

  void CheckFloor(const YAML::Node& key, const std::vector<std::string>& parts,
                  const ColumnOverride& override) {
    const auto floor = FloorCategoryOf(parts[parts.size() - 2], parts.back());
    const auto& kept = override.categories;
    if (floor && override.reason.empty() &&
        std::find(kept.begin(), kept.end(), floor->category) == kept.end())
      Fault(key, fmt::format("column \"{}\" holds {} by its name; to say that it does not, give a "
                             "reason",
                             override.column, NameOf(floor->category)));
  }

  NameLists ReadNames(const YAML::Node& node, std::string_view when_empty = {}) {
    NameLists lists;
    if (!Map(node, kListKeys)) return lists;
    lists.schemas = ReadNameList(node["schemas"], when_empty);
    lists.tables = ReadNameList(node["tables"], when_empty);
    lists.entities = ReadNameList(node["entities"], when_empty);
    lists.metrics = ReadNameList(node["metrics"], when_empty);
    for (const std::string& pattern : lists.tables) CheckTable(node["tables"], pattern);
    return lists;
  }

  void CheckTable(const YAML::Node& node, const std::string& pattern) {
    const std::size_t parts = catalog::SplitName(pattern).size();
    if (parts != 1 && parts != 2)
      Fault(node, fmt::format("\"{}\" is no table or schema.table", pattern));
  }

  void ReadFilters(const YAML::Node& node, std::vector<RowFilter>& filters) {
    if (!IsThere(node)) return;
    if (!node.IsMap() || node.size() > kPolicyEntriesMax)
      return Fault(node, "a mapping of tables to expressions is expected here");
    CheckTwice(node);
    for (const auto& member : node) {
      const std::string table = Scalar(member.first).value_or("");
      CheckTable(member.first, table);
      CheckName(member.first, table);
      std::vector<std::string> expressions = ReadList(member.second);
      if (expressions.empty()) Fault(member.second, "an empty filter lets every row through");
      for (std::string& expression : expressions) {
        if (expression.find_first_not_of(" \t\r\n") == std::string::npos)
          Fault(member.second, "an empty filter lets every row through");
        filters.push_back({table, std::move(expression)});
      }
    }
  }

  std::optional<Session> ReadSession(const YAML::Node& node) {
    if (!Map(node, kSessionKeys)) return std::nullopt;
    Session session;
    session.role = Scalar(node["role"]).value_or("");
    CheckPlaceholders(node["role"], session.role);
    const YAML::Node settings = node["settings"];
    if (IsThere(settings) && !settings.IsMap()) Fault(settings, "a mapping is expected here");
    if (IsThere(settings) && settings.IsMap()) CheckTwice(settings);
    if (IsThere(settings) && settings.IsMap())
      for (const auto& member : settings) {
        const std::string name = Scalar(member.first).value_or("");
        const std::string value = Scalar(member.second).value_or("");
        if (!IsOwnSetting(name))
          Fault(member.first,
                fmt::format("\"{}\" is no setting of the database's own users: these are written "
                            "prefix.name, of letters, digits and _",
                            name));
        CheckPlaceholders(member.second, value);
        session.settings[name] = value;
      }
    if (session.role.empty() && session.settings.empty())
      Fault(node, "a session needs a role or settings");
    return session;
  }

  // Settings that the engine itself obeys are pinned by the program and are not a policy's.
  static bool IsOwnSetting(std::string_view name) {
    constexpr std::size_t kNameMax = 63;
    const std::size_t dot = name.find('.');
    if (dot == std::string_view::npos || dot == 0 || dot + 1 == name.size() ||
        name.size() > kNameMax || name.find('.', dot + 1) != std::string_view::npos)
      return false;
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    return !is_digit(name.front()) && !is_digit(name[dot + 1]) &&
           std::all_of(name.begin(), name.end(), [&](char c) {
             return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
                    c == '.';
           });
  }

  void CheckPlaceholders(const YAML::Node& node, std::string_view text) {
    for (std::size_t at = text.find("${"); at != std::string_view::npos;
         at = text.find("${", at + 2)) {
      const std::size_t end = text.find('}', at);
      if (end == std::string_view::npos || !PlaceholderOf(text.substr(at, end + 1 - at)))
        Fault(node, fmt::format("\"{}\" holds what is no placeholder; there are ${{principal.id}}, "
                                "${{principal.client}} and ${{claims.NAME}}",
                                text));
    }
  }

  Limits ReadLimits(const YAML::Node& node) {
    if (!Map(node, kLimitKeys)) return {};
    return {ReadCount(node["rows_max"]), ReadCount(node["bytes_max"]),
            ReadCount(node["time_ms_max"]), ReadCount(node["plan_cost_max"]),
            ReadCount(node["plan_rows_max"])};
  }

  void ReadTools(const YAML::Node& node, std::vector<ToolLists>& tools) {
    if (!Map(node, kToolKeys)) return;
    ToolLists lists;
    if (node["allow"].IsDefined()) lists.allow = ReadNameList(node["allow"]);
    lists.deny = ReadNameList(node["deny"]);
    tools.push_back(std::move(lists));
  }

  Rules ReadRules(const YAML::Node& node) {
    Rules rules;
    if (IsThere(node["allow"]))
      rules.allow.push_back(ReadNames(
          node["allow"], "an empty list limits nothing: leave it out, or write what is allowed"));
    rules.deny = ReadNames(node["deny"]);
    ReadFilters(node["row_filters"], rules.row_filters);
    rules.session = ReadSession(node["session"]);
    ReadSourceSessions(node["sources"], node["match"].IsDefined(), rules.source_sessions);
    rules.limits = ReadLimits(node["limits"]);
    ReadTools(node["tools"], rules.tools);
    return rules;
  }

  void ReadCallers(const YAML::Node& root, PolicyData& data) {
    const YAML::Node node = root["callers"];
    bool allows = true;
    if (const auto word = Scalar(root["unlisted_callers"])) {
      if (*word != "allow" && *word != "refuse")
        Fault(root["unlisted_callers"], fmt::format("\"{}\" is neither allow nor refuse", *word));
      allows = *word == "allow";
    }
    if (!IsThere(node) && allows) return;
    data.allow_unlisted.push_back(allows);
    std::vector<CallerRules>& callers = data.callers.emplace_back();
    if (!IsThere(node)) return;
    if (!node.IsSequence() || node.size() > kPolicyEntriesMax)
      return Fault(node, "a list of callers is expected here");
    for (const auto& item : node)
      if (Map(item, kCallerKeys)) callers.push_back({ReadMatch(item), ReadRules(item)});
  }

  CallerMatch ReadMatch(const YAML::Node& caller) {
    const YAML::Node node = caller["match"];
    if (!IsThere(node)) Fault(caller, "a caller needs a match");
    if (!Map(node, kMatchKeys)) return {};
    for (const auto& member : node)
      if (const auto pattern = Scalar(member.second); pattern && !pattern->empty())
        CheckName(member.second, *pattern);
    return {Scalar(node["principal"]).value_or(""), Scalar(node["client"]).value_or(""),
            Scalar(node["transport"]).value_or(""), Scalar(node["scope"]).value_or("")};
  }

  std::string file_;
  std::size_t faults_ = 0;
  std::string first_;
  std::string text_;
};

}  // namespace

Result<PolicyData> ReadPolicy(std::string_view text, const std::string& file) {
  Reader reader(file);
  PolicyData data;
  if (text.size() > kPolicyBytesMax)
    return Error(ErrorKind::InputUnreadable, fmt::format("{} is larger than 1 MiB", file));
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(std::string(text));
    const YAML::Node root = documents.empty() ? YAML::Node() : documents.front();
    if (documents.size() > 1)
      reader.FaultAt(documents[1].Mark(), "a policy is one document: what follows is not read");
    if (root.IsMap())
      data = reader.Read(root);
    else if (!root.IsNull())
      reader.Fault(root, "a policy is a mapping");
  } catch (const YAML::Exception& e) {
    reader.FaultAt(e.mark, "this is not YAML");
  }
  if (auto error = reader.Finish()) return *std::move(error);
  return data;
}

Result<PolicyData> ReadPolicyFile(const std::string& path) {
  WARD_TRY(const std::string text, ReadFile(path, kPolicyBytesMax, "policy file"));
  return ReadPolicy(text, path);
}

Result<PolicyData> ReadPolicies(const std::vector<PolicyFile>& files, Notes* notes) {
  std::optional<PolicyData> policy;
  for (const PolicyFile& file : files) {
    std::error_code failed;
    const auto status = fs::symlink_status(file.path, failed);
    if (!file.must_exist && status.type() == fs::file_type::not_found) continue;
    WARD_TRY(PolicyData data, ReadPolicyFile(file.path));
    policy = policy ? Narrow(*policy, data, notes) : std::move(data);
  }
  return policy.value_or(PolicyData());
}

}  // namespace schemaward::privacy
