#include "interchange/yaml_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include <nlohmann/json.hpp>
#include <yaml-cpp/yaml.h>

#include "base/ascii.h"

namespace schemaward::interchange {
namespace {

using Json = nlohmann::ordered_json;

/// Words that some reader of YAML takes for something else than a text.
constexpr std::array<std::string_view, 10> kTaken = {"true", "false", "null", "yes", "no",
                                                     "on",   "off",   "y",    "n",   "nan"};

bool IsPlainWord(const std::string& text) {
  const auto is_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  if (text.empty() || std::isalpha(static_cast<unsigned char>(text.front())) == 0) return false;
  const std::string lowered = LowerAscii(text);
  return std::all_of(text.begin(), text.end(), is_word) &&
         std::find(kTaken.begin(), kTaken.end(), lowered) == kTaken.end();
}

void Emit(YAML::Emitter& out, const Json& value) {
  if (value.is_object()) {
    out << YAML::BeginMap;
    for (const auto& [name, member] : value.items()) {
      out << YAML::Key;
      Emit(out, Json(name));
      out << YAML::Value;
      Emit(out, member);
    }
    out << YAML::EndMap;
  } else if (value.is_array()) {
    const bool is_flat = std::none_of(value.begin(), value.end(),
                                      [](const Json& one) { return one.is_structured(); });
    out << (is_flat ? YAML::Flow : YAML::Block) << YAML::BeginSeq;
    for (const Json& item : value) Emit(out, item);
    out << YAML::EndSeq;
  } else if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (!IsPlainWord(text)) out << YAML::DoubleQuoted;
    out << text;
  } else {
    out << value.dump();
  }
}

}  // namespace

std::string YamlText(const Json& value) {
  YAML::Emitter out;
  Emit(out, value);
  return std::string(out.c_str()) + "\n";
}

}  // namespace schemaward::interchange
