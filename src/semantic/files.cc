#include "semantic/files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <yaml-cpp/yaml.h>

#include "json/read.h"
#include "json/value.h"
#include "json/write.h"
#include "text/nearest.h"

namespace schemaward::semantic {
namespace {

namespace fs = std::filesystem;

constexpr int kDepthMax = 16;
constexpr std::size_t kNodesMax = 100'000;  // of one file; aliases count each time
constexpr std::size_t kNear = 3;
constexpr std::array<std::string_view, 3> kKinds = {"entity", "join", "metric"};
constexpr std::array<std::string_view, 3> kFolders = {"entities", "joins", "metrics"};

void AddError(LoadedFiles& loaded, const std::string& file, int line, std::string message,
              std::vector<std::string> near = {}) {
  if (loaded.errors.size() >= kFileErrorsMax) return;
  loaded.errors.push_back({file, line, std::move(message), std::move(near)});
}

bool IsPlainText(std::string_view text) {
  const bool has_control = std::any_of(text.begin(), text.end(), [](char c) {
    return (c >= 0 && c < ' ' && c != '\n' && c != '\r' && c != '\t') || c == '\x7F';
  });
  if (has_control) return false;
  try {
    (void)json::Value(std::string(text)).dump();
    return true;
  } catch (const json::Value::type_error&) {
    return false;
  }
}

// The line where a second document begins, or 0. Read from the text, since the library loops for
// ever over some faults when it is asked for all documents.
int SecondDocument(std::string_view text) {
  int line = 0;
  bool has_content = false;
  while (!text.empty()) {
    ++line;
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view one = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool is_mark =
        one.substr(0, 3) == "---" && (one.size() == 3 || one[3] == ' ' || one[3] == '\r');
    if (is_mark && has_content) return line;
    const std::size_t begin = one.find_first_not_of(" \t\r");
    const bool is_blank = begin == std::string_view::npos || one[begin] == '#' || one[0] == '%';
    has_content = has_content || (!is_blank && (!is_mark || one.size() > 4));
  }
  return 0;
}

// YAML as JSON: every scalar a string, since json::Read takes strings for what a member declares.
class Converter {
 public:
  explicit Converter(std::map<std::string, int, std::less<>>& lines) : lines_(lines) {}

  json::Value Convert(const YAML::Node& node, const std::string& path, int depth) {
    if (node.Mark().line >= 0) lines_[path] = node.Mark().line + 1;
    if (depth > kDepthMax) throw YAML::Exception(node.Mark(), "nested too deeply");
    if (++nodes_ > kNodesMax) throw YAML::Exception(node.Mark(), "the file holds too much");
    switch (node.Type()) {
      case YAML::NodeType::Sequence:
        return List(node, path, depth);
      case YAML::NodeType::Map:
        return Object(node, path, depth);
      case YAML::NodeType::Scalar:
        return node.Scalar();
      default:
        return nullptr;
    }
  }

 private:
  json::Value List(const YAML::Node& node, const std::string& path, int depth) {
    json::Value list = json::Value::array();
    std::size_t i = 0;
    for (const YAML::Node& item : node)
      list.push_back(Convert(item, fmt::format("{}[{}]", path, i++), depth + 1));
    return list;
  }

  json::Value Object(const YAML::Node& node, const std::string& path, int depth) {
    json::Value object = json::Value::object();
    for (const auto& entry : node) {
      const std::string key = entry.first.Scalar();
      const std::string member = path.empty() ? key : path + "." + key;
      if (object.contains(key))
        throw YAML::Exception(entry.first.Mark(), "key \"" + key + "\" stands twice");
      object[key] = Convert(entry.second, member, depth + 1);
      lines_[member] = entry.first.Mark().line + 1;
    }
    return object;
  }

  std::map<std::string, int, std::less<>>& lines_;
  std::size_t nodes_ = 0;
};

// {customer_id: id} is {from: customer_id, to: id}.
void ExpandPairs(json::Value& list) {
  if (list.is_object()) list = json::Value::array({list});
  if (!list.is_array()) return;
  for (json::Value& pair : list) {
    if (!pair.is_object() || pair.size() != 1 || pair.contains("from") || pair.contains("to"))
      continue;
    const auto only = pair.begin();
    pair = json::Value{{"from", only.key()}, {"to", only.value()}};
  }
}

// Keys that every file may have and that are no members of the definition.
struct Header {
  std::string kind, source;
};

std::string Take(json::Value& object, const char* key) {
  if (!object.contains(key)) return {};
  std::string text = object[key].is_string() ? object[key].get<std::string>() : "";
  object.erase(key);
  return text;
}

Header TakeHeader(json::Value& object, std::string_view kind_hint) {
  Header header{Take(object, "kind"), Take(object, "source")};
  if (header.kind.empty()) header.kind = kind_hint;
  // Where it comes from stands at the top of a file, and in one member of the struct.
  json::Value trust = json::Value::object();
  for (const char* key : {"method", "state", "observations", "evidence"}) {
    if (!object.contains(key)) continue;
    trust[key] = object[key];
    object.erase(key);
  }
  if (!trust.empty()) object["trust"] = trust;
  return header;
}

template <class T>
void ReadInto(const json::Value& object, const std::string& file, std::string_view kind,
              FilePlace place, const Header& header, std::vector<T>& list, LoadedFiles& loaded) {
  T definition;
  const json::ReadReport report = json::Read(object, definition);
  for (const json::Problem& problem : report.problems) {
    std::vector<std::string> near = problem.allowed;
    near.resize(std::min(near.size(), kNear));
    std::string text = problem.text;
    if (text.substr(0, 8) == "argument") text = "key" + text.substr(8);
    AddError(loaded, file, place.LineOf(problem.path), std::move(text), std::move(near));
  }
  if (!report.ok()) return;
  const std::string key = fmt::format("{} {}", kind, definition.name);
  if (const auto other = loaded.places.find(key); other != loaded.places.end()) {
    AddError(
        loaded, file, place.LineOf("name"),
        fmt::format("{} \"{}\" is defined in {} too", kind, definition.name, other->second.file));
    return;
  }
  if (!header.source.empty()) loaded.sources[key] = header.source;
  loaded.places[key] = std::move(place);
  list.push_back(std::move(definition));
}

void ReadObject(json::Value object, const std::string& file, std::string_view kind_hint,
                FilePlace place, LoadedFiles& loaded) {
  const Header header = TakeHeader(object, kind_hint);
  for (const char* key : {"on", "match"})
    if (object.contains(key)) ExpandPairs(object[key]);
  if (object.contains("through") && object["through"].is_object())
    for (const char* key : {"from", "to"})
      if (object["through"].contains(key)) ExpandPairs(object["through"][key]);
  if (header.kind == "entity")
    return ReadInto(object, file, header.kind, std::move(place), header,
                    loaded.definitions.entities, loaded);
  if (header.kind == "join")
    return ReadInto(object, file, header.kind, std::move(place), header, loaded.definitions.joins,
                    loaded);
  if (header.kind == "metric")
    return ReadInto(object, file, header.kind, std::move(place), header, loaded.definitions.metrics,
                    loaded);
  const std::vector<std::string> kinds(kKinds.begin(), kKinds.end());
  AddError(loaded, file, place.LineOf("kind"),
           header.kind.empty() ? "the file does not say its kind: entity, join or metric"
                               : fmt::format("\"{}\" is not a kind of definition", header.kind),
           text::FindNearestNames(header.kind, kinds, 1));
}

std::string_view KindOfFolder(const fs::path& relative) {
  const std::string first = relative.begin()->string();
  for (std::size_t i = 0; i < kFolders.size(); ++i)
    if (first == kFolders[i]) return kKinds[i];
  return {};
}

Result<std::vector<fs::path>> ListFiles(const std::string& folder) {
  std::error_code failed;
  if (!fs::is_directory(folder, failed))
    return Error(ErrorKind::InputUnreadable, "there is no such folder of definitions")
        .Hint("Name a folder that holds entities/, joins/ and metrics/.")
        .Private(folder);
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator at(folder, failed), end; at != end; at.increment(failed)) {
    if (failed) break;
    const std::string extension = at->path().extension().string();
    if (!at->is_regular_file(failed) || (extension != ".yaml" && extension != ".yml")) continue;
    files.push_back(at->path());
    if (files.size() > kFilesMax)
      return Error(ErrorKind::InputUnreadable,
                   fmt::format("the folder holds more than {} files", kFilesMax));
  }
  std::sort(files.begin(), files.end());
  return files;
}

void SortAll(Definitions& definitions) {
  const auto sort = [](auto& list) {
    std::stable_sort(list.begin(), list.end(),
                     [](const auto& a, const auto& b) { return a.name < b.name; });
  };
  sort(definitions.entities);
  sort(definitions.joins);
  sort(definitions.metrics);
}

// Emits JSON in its own order as YAML.
void Emit(YAML::Emitter& out, const nlohmann::ordered_json& value) {
  if (value.is_object()) {
    out << YAML::BeginMap;
    for (const auto& [key, member] : value.items()) {
      out << YAML::Key << key << YAML::Value;
      Emit(out, member);
    }
    out << YAML::EndMap;
  } else if (value.is_array()) {
    const bool flat = std::none_of(value.begin(), value.end(), [](const auto& item) {
      return item.is_structured() ||
             (item.is_string() && item.template get<std::string>().size() > 40);
    });
    out << (flat ? YAML::Flow : YAML::Block) << YAML::BeginSeq;
    for (const auto& item : value) Emit(out, item);
    out << YAML::EndSeq;
  } else if (value.is_string()) {
    out << value.get<std::string>();
  } else {
    out << value.dump();
  }
}

template <class T>
std::string YamlOf(const T& definition) {
  auto value = nlohmann::ordered_json::parse(json::WriteArguments(definition));
  if (value.contains("trust")) {
    // The top of the file says where it comes from; a file says nothing of what people wrote.
    const auto trust = value["trust"];
    value.erase("trust");
    for (const auto& [key, member] : trust.items()) value[key] = member;
  }
  YAML::Emitter out;
  Emit(out, value);
  return std::string(out.c_str()) + "\n";
}

}  // namespace

std::string FileError::ToText() const {
  std::string text = line > 0 ? fmt::format("{}:{}: {}", file, line, message)
                              : fmt::format("{}: {}", file, message);
  if (!near.empty()) text += fmt::format("; the nearest is \"{}\"", near.front());
  return text;
}

int FilePlace::LineOf(std::string_view member) const {
  std::string_view path = member;
  while (true) {
    if (const auto found = lines.find(path); found != lines.end()) return found->second;
    const std::size_t cut = path.find_last_of(".[");
    if (cut == std::string_view::npos) break;
    path = path.substr(0, cut);
  }
  const auto whole = lines.find(std::string_view());
  return whole == lines.end() ? 0 : whole->second;
}

std::string_view WordOf(store::DefinitionKind kind) {
  return kKinds[static_cast<std::size_t>(kind)];
}

void ReadFile(std::string_view text, const std::string& file, std::string_view kind_hint,
              LoadedFiles& loaded) {
  if (text.size() > kFileBytesMax)
    return AddError(loaded, file, 0,
                    fmt::format("the file is larger than {} bytes", kFileBytesMax));
  if (!IsPlainText(text)) return AddError(loaded, file, 0, "the file is not UTF-8 text");
  if (const int line = SecondDocument(text); line > 0)
    return AddError(loaded, file, line, "the file holds a second document; one definition a file");
  try {
    const YAML::Node node = YAML::Load(std::string(text));
    if (!node.IsMap())
      return AddError(loaded, file, 1, "the file does not hold one definition as keys and values");
    FilePlace place;
    place.file = file;
    Converter converter(place.lines);
    json::Value object = converter.Convert(node, "", 0);
    ReadObject(std::move(object), file, kind_hint, std::move(place), loaded);
  } catch (const YAML::Exception& error) {
    AddError(loaded, file, error.mark.line + 1, "not readable as YAML: " + error.msg);
  }
}

Result<LoadedFiles> ReadFolder(const std::string& folder) {
  WARD_TRY(const auto files, ListFiles(folder));
  LoadedFiles loaded;
  for (const fs::path& path : files) {
    const fs::path relative = path.lexically_relative(folder);
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    if (!file) {
      AddError(loaded, relative.string(), 0, "the file cannot be read");
      continue;
    }
    ReadFile(text.str(), relative.string(), KindOfFolder(relative), loaded);
  }
  SortAll(loaded.definitions);
  return loaded;
}

std::string ToYaml(const Entity& entity) { return YamlOf(entity); }
std::string ToYaml(const Join& join) { return YamlOf(join); }
std::string ToYaml(const Metric& metric) { return YamlOf(metric); }

Result<std::size_t> WriteFolder(const std::string& folder, const Definitions& definitions,
                                bool force) {
  std::map<fs::path, std::string> files;
  const auto add = [&](std::size_t kind, const auto& list) {
    for (const auto& one : list)
      files[fs::path(folder) / kFolders[kind] / (one.name + ".yaml")] = YamlOf(one);
  };
  add(0, definitions.entities);
  add(1, definitions.joins);
  add(2, definitions.metrics);
  std::error_code failed;
  for (const auto& [path, text] : files)
    if (!force && fs::exists(path, failed))
      return Error(ErrorKind::InputUnreadable,
                   fmt::format("{} is there already", path.lexically_relative(folder).string()))
          .Hint("Name an empty folder, or give --force to overwrite.");
  for (const auto& [path, text] : files) {
    fs::create_directories(path.parent_path(), failed);
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << text;
    if (!file.flush())
      return Error(ErrorKind::InputUnreadable,
                   fmt::format("{} cannot be written", path.lexically_relative(folder).string()))
          .Hint("Name a folder, there or not yet, that this user may write to.");
  }
  return files.size();
}

}  // namespace schemaward::semantic
