#include "interchange/document.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <yaml-cpp/yaml.h>

#include "base/read_file.h"

namespace schemaward::interchange {
namespace {

namespace fs = std::filesystem;
using json::Value;

constexpr int kDepthMax = 64;
constexpr json::ParseLimits kLimits{.bytes_max = kDocumentBytesMax, .depth_max = 200};

// Source: YAML 1.2, core schema, without the rarer spellings.
Value Plain(const std::string& text) {
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL")
    return nullptr;
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  const char* end = text.data() + text.size();
  std::int64_t integer = 0;
  if (const auto [at, failed] = std::from_chars(text.data(), end, integer);
      failed == std::errc() && at == end)
    return integer;
  double real = 0;
  const bool may_be_number = text.find_first_not_of("0123456789+-.eE") == std::string::npos;
  if (const auto [at, failed] = std::from_chars(text.data(), end, real);
      may_be_number && failed == std::errc() && at == end && std::isfinite(real))
    return real;
  return text;
}

/// Throws YAML::Exception past a bound.
class Converter {
 public:
  Value Convert(const YAML::Node& node, int depth) {
    if (depth > kDepthMax) throw YAML::Exception(node.Mark(), "nested too deeply");
    if (++nodes_ > kYamlNodesMax) throw YAML::Exception(node.Mark(), "too many nodes");
    switch (node.Type()) {
      case YAML::NodeType::Scalar:
        return node.Tag() == "?" ? Plain(node.Scalar()) : Value(node.Scalar());
      case YAML::NodeType::Sequence: {
        Value list = Value::array();
        for (const YAML::Node& item : node) list.push_back(Convert(item, depth + 1));
        return list;
      }
      case YAML::NodeType::Map: {
        Value object = Value::object();
        for (const auto& entry : node)
          if (entry.first.IsScalar())
            object[entry.first.Scalar()] = Convert(entry.second, depth + 1);
        return object;
      }
      default:
        return nullptr;
    }
  }

 private:
  std::size_t nodes_ = 0;
};

Result<std::string> ReadBytes(const fs::path& path, const std::string& name) {
  std::error_code failed;
  const std::uintmax_t size = fs::file_size(path, failed);
  std::ifstream file(path, std::ios::binary);
  if (failed || !file.is_open()) return UnreadableFile(path.string());
  if (size > kDocumentBytesMax)
    return Error(ErrorKind::ByteCap, fmt::format("file \"{}\" has {} bytes, the limit is {}", name,
                                                 size, kDocumentBytesMax));
  std::string text(static_cast<std::size_t>(size), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

bool IsDocument(const fs::path& path) {
  const fs::path ending = path.extension();
  return ending == ".yml" || ending == ".yaml" || ending == ".json";
}

Result<std::vector<fs::path>> FilesOf(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (fs::recursive_directory_iterator at(folder, failed), end; !failed && at != end;
       at.increment(failed)) {
    if (!at->is_regular_file(failed) || !IsDocument(at->path())) continue;
    if (files.size() == kFilesMax)
      return Error(ErrorKind::InputUnreadable,
                   fmt::format("the folder holds more than {} files", kFilesMax));
    files.push_back(at->path());
  }
  if (failed) return Error(ErrorKind::InputUnreadable, "the folder could not be read");
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

Result<json::Document> ParseYaml(std::string_view text) {
  if (text.size() > kYamlBytesMax)
    return Error(ErrorKind::ByteCap, fmt::format("the YAML text has {} bytes, the limit is {}",
                                                 text.size(), kYamlBytesMax));
  try {
    return json::Document(Converter().Convert(YAML::Load(std::string(text)), 0));
  } catch (const YAML::Exception& e) {
    return std::move(Error(ErrorKind::InputUnreadable,
                           fmt::format("the text is not YAML: line {}", e.mark.line + 1))
                         .Private(e.what()));
  }
}

Result<json::Document> ParseDocument(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') return ParseYaml(text);
  auto parsed = json::Parse(text, kLimits);
  if (parsed || parsed.error().kind() == ErrorKind::ByteCap) return parsed;
  auto yaml = ParseYaml(text);  // a YAML flow mapping starts with a brace too
  if (yaml) return yaml;
  return Error(ErrorKind::InputUnreadable, parsed.error().message());
}

Result<std::vector<SourceFile>> ReadPath(const std::string& path) {
  const fs::path root(path);
  std::error_code failed;
  std::vector<fs::path> files{root};
  const bool is_folder = fs::is_directory(root, failed);
  if (is_folder) {
    WARD_TRY(files, FilesOf(root));
  }
  std::vector<SourceFile> read;
  for (const fs::path& file : files) {
    const std::string name =
        (is_folder ? file.lexically_relative(root) : file.filename()).generic_string();
    WARD_TRY(const std::string text, ReadBytes(file, name));
    auto parsed = ParseDocument(text);
    if (!parsed)
      return std::move(Error(parsed.error().kind(),
                             fmt::format("file \"{}\": {}", name, parsed.error().message()))
                           .Private(parsed.error().private_detail()));
    read.push_back({name, std::move(*parsed)});
  }
  return read;
}

}  // namespace schemaward::interchange
