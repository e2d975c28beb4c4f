#include "connect/repair_prompt.h"

#include <span>
#include <string>

#include "base/embedded_text.h"

namespace schemaward::connect {

std::span<const EmbeddedText> RepairPrompts();  // generated from */sql_repair.md

std::string_view RepairPromptOf(std::string_view engine) {
  const std::string path = std::string(engine) + "/sql_repair.md";
  for (const EmbeddedText& prompt : RepairPrompts())
    if (prompt.name == path) return prompt.text;
  return {};
}

}  // namespace schemaward::connect
