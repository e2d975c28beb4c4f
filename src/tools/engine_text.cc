#include "tools/engine_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "base/without_values.h"
#include "tools/shapes.h"

namespace schemaward::tools {
namespace {

constexpr std::size_t kTextMax = 600;

// Errors whose quoted words are names: no such database, table, column; an ambiguous or repeated
// name; wrong groups; wrong calls. Source: the error references of MySQL 8.0 and MariaDB 10.11.
constexpr auto kNameErrors = std::to_array<unsigned>(
    {1046, 1049, 1052, 1054, 1055, 1060, 1066, 1111, 1140, 1146, 1241, 1242, 1305});
// The same by SQLSTATE. Source: PostgreSQL documentation, appendix A.
constexpr auto kNameStates = std::to_array<std::string_view>(
    {"42P01", "42703", "42702", "42803", "42883", "3F000", "3D000", "42P10"});

bool SpeaksOfNames(const EngineSaid& said) {
  if (said.number)
    return std::find(kNameErrors.begin(), kNameErrors.end(), *said.number) != kNameErrors.end();
  return std::find(kNameStates.begin(), kNameStates.end(), said.sqlstate) != kNameStates.end();
}

// Takes "1146 (42S02) " off the front of `text`.
void TakeMySqlNumbers(std::string_view& text, EngineSaid& said) {
  unsigned code = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), code);
  const auto digits = static_cast<std::size_t>(end - text.data());
  constexpr std::size_t kState = 5, kAround = 10;  // " (42S02) "
  if (failed != std::errc() || code == 0 || text.size() < digits + kAround - 1 ||
      text.substr(digits, 2) != " (" || text[digits + 2 + kState] != ')')
    return;
  said.number = code;
  said.sqlstate = text.substr(digits + 2, kState);
  text.remove_prefix(std::min(text.size(), digits + kAround - 1));
}

// Takes "42P01 ERROR:  " off the front of `text`.
void TakePostgresState(std::string_view& text, EngineSaid& said) {
  constexpr std::size_t kState = 5;
  const std::string_view state = text.substr(0, kState);
  const bool is_state = state.size() == kState && text.size() > kState && text[kState] == ' ' &&
                        std::all_of(state.begin(), state.end(), [](char c) {
                          return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
                        });
  if (!is_state) return;
  said.sqlstate = state;
  text.remove_prefix(kState + 1);
  constexpr std::string_view kLead = "ERROR:";
  if (text.starts_with(kLead)) text.remove_prefix(kLead.size());
}

}  // namespace

EngineSaid ReadEngineText(const Error& error, std::string_view engine) {
  EngineSaid said;
  std::string_view text = error.private_detail();
  text = text.substr(0, text.find('\n'));
  if (engine == "mysql") TakeMySqlNumbers(text, said);
  if (engine == "postgres") TakePostgresState(text, said);
  if (said.sqlstate.empty()) {
    said.text = error.message();
    return said;
  }
  const std::string shown = SpeaksOfNames(said) ? std::string(text) : WithoutValues(text);
  said.text = CleanText(MaskSecrets(shown), kTextMax);
  return said;
}

}  // namespace schemaward::tools
