// Reads the files of a pack: pack.yaml, and the prompts that it means.

#include <algorithm>
#include <array>
#include <initializer_list>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "packs/pack.h"
#include "packs/profile.h"
#include "text/nearest.h"

namespace schemaward::packs {
namespace {

constexpr const char* kManifest = "pack.yaml";
constexpr const char* kProfile = "profile.schema.json";

// Holes that prompts may have.
constexpr std::array<std::string_view, 9> kHoles = {
    "SCHEMA_INFO", "ACTIONS", "AREAS",         "PROFILE",  "QUESTION",
    "DIALECT",     "AREA",    "QUERY_RESULTS", "INSIGHTS",
};

bool IsId(std::string_view id) {
  return !id.empty() && id.size() <= kWordBytesMax && id.front() != '-' &&
         std::all_of(id.begin(), id.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
         });
}

std::size_t LineOf(const YAML::Node& node) {
  const YAML::Mark mark = node.Mark();
  return mark.is_null() ? 0 : static_cast<std::size_t>(mark.line) + 1;
}

std::vector<std::string> Names(std::span<const std::string_view> names) {
  return {names.begin(), names.end()};
}

/// Reads one pack. Thread: owner.
class Reader {
 public:
  Reader(std::string_view id, const PackFiles& files) : files_(files) { pack().id = id; }

  LoadedPack Run() {
    if (!IsId(pack().id))
      Add("", 0,
          fmt::format("\"{}\" is no name of a pack: small letters, digits and -", pack().id));
    if (CheckSizes()) {
      Manifest();
      Prompts();
      Profile();
      Strays();
    }
    std::stable_sort(loaded_.faults.begin(), loaded_.faults.end(),
                     [](const auto& a, const auto& b) {
                       return std::pair(a.file, a.line) < std::pair(b.file, b.line);
                     });
    std::sort(pack().areas.begin(), pack().areas.end(), [](const Area& a, const Area& b) {
      return std::pair(a.priority, a.id) < std::pair(b.priority, b.id);
    });
    return std::move(loaded_);
  }

 private:
  Pack& pack() { return loaded_.pack; }

  void Add(std::string file, std::size_t line, std::string message, std::string_view wrong = {},
           const std::vector<std::string>& there = {}) {
    if (loaded_.faults.size() >= kFaultsMax) return;
    std::string near;
    if (!there.empty()) near = text::FindNearestNames(wrong, there, 1).front();
    loaded_.faults.push_back({std::move(file), line, std::move(message), std::move(near)});
  }

  bool CheckSizes() {
    if (files_.size() > kFilesMax)
      Add("", 0, fmt::format("the pack has more than {} files", kFilesMax));
    for (const auto& [name, text] : files_)
      if (text.size() > kFileBytesMax)
        Add(name, 0, fmt::format("the file has more than {} bytes", kFileBytesMax));
    return loaded_.faults.empty();
  }

  // Null where the file is not there or no YAML; then that is said.
  YAML::Node Yaml() {
    used_.insert(kManifest);
    const auto found = files_.find(kManifest);
    if (found == files_.end()) {
      Add(kManifest, 0, "the file is not there");
      return {};
    }
    try {
      return YAML::Load(found->second);
    } catch (const YAML::Exception& error) {
      const bool has_line = !error.mark.is_null();
      Add(kManifest, has_line ? static_cast<std::size_t>(error.mark.line) + 1 : 0,
          "the file is no YAML");
      return {};
    }
  }

  void Manifest() {
    const YAML::Node root = Yaml();
    if (!loaded_.faults.empty()) return;
    if (!Keys(root, "a pack", {"name", "description", "version", "hidden", "categories", "areas"}))
      return;
    pack().name = Line(root, "name", true);
    pack().description = Line(root, "description", true);
    pack().version = Line(root, "version", true);
    if (const YAML::Node hidden = root["hidden"]) {
      const bool is_word = hidden.IsScalar();
      const std::string word = is_word ? hidden.Scalar() : "";
      if (word != "true" && word != "false")
        Add(kManifest, LineOf(hidden), "\"hidden\" is neither true nor false");
      pack().is_hidden = word == "true";
    }
    for (const YAML::Node& node : Items(root, "categories", kCategoriesMax)) AddCategory(node);
    for (const YAML::Node& node : Items(root, "areas", kAreasMax)) AddArea(node);
    if (pack().areas.empty()) Add(kManifest, LineOf(root), "the pack has no areas");
  }

  // False where it is no mapping. Keys that are not known are faults.
  bool Keys(const YAML::Node& node, std::string_view what,
            std::initializer_list<std::string_view> known) {
    if (!node.IsMap()) {
      Add(kManifest, LineOf(node), fmt::format("{} is no mapping", what));
      return false;
    }
    const std::vector<std::string> names(known.begin(), known.end());
    for (const auto& member : node) {
      const std::string key = member.first.IsScalar() ? member.first.Scalar() : "";
      if (std::find(names.begin(), names.end(), key) == names.end())
        Add(kManifest, LineOf(member.first), fmt::format("{} has no \"{}\"", what, key), key,
            names);
    }
    return true;
  }

  std::string Line(const YAML::Node& node, const char* key, bool is_needed) {
    const YAML::Node value = node[key];
    if (!value) {
      if (is_needed) Add(kManifest, LineOf(node), fmt::format("\"{}\" is missing", key));
      return {};
    }
    if (!value.IsScalar() || value.Scalar().empty() || value.Scalar().size() > kLineBytesMax) {
      Add(kManifest, LineOf(value),
          fmt::format("\"{}\" is no text of 1 to {} bytes", key, kLineBytesMax));
      return {};
    }
    return value.Scalar();
  }

  std::vector<YAML::Node> Items(const YAML::Node& node, const char* key, std::size_t items_max) {
    const YAML::Node list = node[key];
    std::vector<YAML::Node> items;
    if (!list) return items;
    if (!list.IsSequence() || list.size() > items_max) {
      Add(kManifest, LineOf(list), fmt::format("\"{}\" is no list of at most {}", key, items_max));
      return items;
    }
    for (const YAML::Node& item : list) items.push_back(item);
    return items;
  }

  // Empty where it is none, or is taken by another of `taken`.
  std::string Id(const YAML::Node& node, const std::vector<std::string>& taken) {
    std::string id = Line(node, "id", true);
    if (id.empty()) return {};
    if (!IsId(id)) {
      Add(kManifest, LineOf(node["id"]),
          fmt::format("\"{}\" is no id: small letters, digits and -", id));
      return {};
    }
    if (std::find(taken.begin(), taken.end(), id) != taken.end()) {
      Add(kManifest, LineOf(node["id"]), fmt::format("\"{}\" is there twice", id));
      return {};
    }
    return id;
  }

  template <class List>
  static std::vector<std::string> Ids(const List& list) {
    std::vector<std::string> ids;
    for (const auto& one : list) ids.push_back(one.id);
    return ids;
  }

  void AddCategory(const YAML::Node& node) {
    if (!Keys(node, "a category", {"id", "name", "description"})) return;
    Category category;
    category.id = Id(node, Ids(pack().categories));
    category.name = Line(node, "name", true);
    category.description = Line(node, "description", true);
    if (!category.id.empty()) pack().categories.push_back(std::move(category));
  }

  void AddArea(const YAML::Node& node) {
    if (!Keys(node, "an area", {"id", "name", "description", "keywords", "priority", "category"}))
      return;
    Area area;
    area.id = Id(node, Ids(pack().areas));
    area.name = Line(node, "name", true);
    area.description = Line(node, "description", true);
    area.keywords = Keywords(node);
    area.priority = Priority(node);
    area.category = Line(node, "category", false);
    const auto there = Ids(pack().categories);
    if (!area.category.empty() &&
        std::find(there.begin(), there.end(), area.category) == there.end())
      Add(kManifest, LineOf(node["category"]),
          fmt::format("there is no category \"{}\"", area.category), area.category, there);
    if (!area.id.empty()) pack().areas.push_back(std::move(area));
  }

  std::vector<std::string> Keywords(const YAML::Node& node) {
    std::vector<std::string> words;
    for (const YAML::Node& item : Items(node, "keywords", kKeywordsMax)) {
      const std::string word = item.IsScalar() ? item.Scalar() : "";
      if (word.empty() || word.size() > kWordBytesMax)
        Add(kManifest, LineOf(item),
            fmt::format("a keyword is no text of 1 to {} bytes", kWordBytesMax));
      else
        words.push_back(word);
    }
    if (words.empty()) Add(kManifest, LineOf(node), "the area has no keywords");
    return words;
  }

  std::int64_t Priority(const YAML::Node& node) {
    const YAML::Node value = node["priority"];
    std::int64_t priority = 0;
    const bool is_number =
        value && value.IsScalar() && YAML::convert<std::int64_t>::decode(value, priority);
    if (is_number && priority >= 1 && priority <= kPriorityMax) return priority;
    Add(kManifest, LineOf(value ? value : node),
        fmt::format("\"priority\" is no number of 1 to {}", kPriorityMax));
    return 1;
  }

  void Prompts() {
    pack().base = Prompt("prompts/base.md", {});
    pack().exploration = Prompt("prompts/exploration.md", {"SCHEMA_INFO", "ACTIONS", "QUESTION"});
    pack().recommendations = Prompt("prompts/recommendations.md", {"INSIGHTS"});
    for (Category& category : pack().categories)
      category.exploration = Prompt("categories/" + category.id + ".md", {});
    for (Area& area : pack().areas)
      area.prompt = Prompt("areas/" + area.id + ".md", {"QUERY_RESULTS"});
  }

  TemplateText Prompt(const std::string& file, const std::vector<std::string>& needed) {
    used_.insert(file);
    const auto found = files_.find(file);
    if (found == files_.end()) {
      std::vector<std::string> there;
      for (const auto& [name, text] : files_) there.push_back(name);
      Add(file, 0, "the file is not there", file, there);
      return {};
    }
    auto prompt = TemplateText::Parse(found->second, file);
    if (!prompt) {
      Add(file, LineIn(prompt.error().message()), Without(prompt.error().message()));
      return {};
    }
    CheckHoles(file, *prompt, needed);
    return *std::move(prompt);
  }

  // A template says "file, line 3: why".
  static std::size_t LineIn(const std::string& message) {
    const std::size_t at = message.find(", line ");
    return at == std::string::npos ? 0 : std::strtoul(message.c_str() + at + 7, nullptr, 10);
  }
  static std::string Without(const std::string& message) {
    const std::size_t at = message.find(": ");
    return at == std::string::npos ? message : message.substr(at + 2);
  }

  void CheckHoles(const std::string& file, const TemplateText& prompt,
                  const std::vector<std::string>& needed) {
    std::set<std::string> names;
    for (const TemplateText::Hole& hole : prompt.holes()) {
      names.insert(hole.name);
      if (std::find(kHoles.begin(), kHoles.end(), hole.name) == kHoles.end())
        Add(file, hole.line, fmt::format("no hole is called \"{}\"", hole.name), hole.name,
            Names(kHoles));
    }
    for (const std::string& name : needed)
      if (!names.contains(name)) Add(file, 0, fmt::format("{{{{{}}}}} is missing", name));
  }

  void Profile() {
    used_.insert(kProfile);
    const auto found = files_.find(kProfile);
    if (found == files_.end()) return Add(kProfile, 0, "the file is not there");
    if (const Status checked = CheckProfileSchema(found->second); !checked)
      return Add(kProfile, 0, checked.error().message());
    pack().profile_schema = found->second;
  }

  // A file that nothing means is most often a misspelt one.
  void Strays() {
    const std::vector<std::string> there(used_.begin(), used_.end());
    for (const auto& [name, text] : files_)
      if (!used_.contains(name)) Add(name, 0, "nothing in the pack means this file", name, there);
  }

  const PackFiles& files_;
  std::set<std::string> used_;
  LoadedPack loaded_;
};

}  // namespace

std::string PackFault::ToText() const {
  std::string text = file.empty() ? "pack" : file;
  if (line > 0) text += fmt::format(":{}", line);
  text += ": " + message;
  return near.empty() ? text : text + fmt::format("; the nearest is \"{}\"", near);
}

std::vector<const Area*> Pack::AreasOf(std::string_view category) const {
  std::vector<const Area*> found;
  for (const Area& area : areas)
    if (area.category.empty() || area.category == category) found.push_back(&area);
  return found;
}

LoadedPack ReadPack(std::string_view id, const PackFiles& files) { return Reader(id, files).Run(); }

}  // namespace schemaward::packs
