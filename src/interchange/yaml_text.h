#pragma once

// JSON values as YAML text, for exports that people read and keep beside their code.

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace schemaward::interchange {

/// Returns the value as one YAML document in blocks, members in their order. Texts are quoted
/// unless they are plain words, so that ParseYaml gives the same value back. Thread: any.
std::string YamlText(const nlohmann::ordered_json& value);

}  // namespace schemaward::interchange
