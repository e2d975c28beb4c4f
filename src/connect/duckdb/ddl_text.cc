#include "connect/duckdb/ddl_text.h"

#include <utility>

namespace schemaward::connect::duckdb {
namespace {

// Returns where the quoted part that begins at `at` ends: behind its closing quote.
std::size_t BehindQuoted(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] != quote) continue;
    if (i + 1 >= text.size() || text[i + 1] != quote) return i + 1;
    ++i;
  }
  return text.size();
}

bool IsQuote(char c) { return c == '\'' || c == '"'; }

// Returns what stands between the bracket at `at` and its partner; all that is left without one.
std::string_view Inside(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  for (std::size_t i = at; i < text.size();) {
    if (IsQuote(text[i])) {
      i = BehindQuoted(text, i);
      continue;
    }
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return text.substr(at + 1, i - at - 1);
    ++i;
  }
  return text.substr(at + 1);
}

std::string_view Trim(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Cuts at the commas outside of brackets and quotes.
std::vector<std::string_view> Parts(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0, depth = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (IsQuote(text[i])) {
      i = BehindQuoted(text, i);
      continue;
    }
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && depth > 0) --depth;
    if (text[i] == ',' && depth == 0) {
      parts.push_back(Trim(text.substr(begin, i - begin)));
      begin = i + 1;
    }
    ++i;
  }
  parts.push_back(Trim(text.substr(begin)));
  return parts;
}

// Finds `word` outside of brackets and quotes.
std::size_t FindTop(std::string_view text, std::string_view word) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (IsQuote(text[i])) {
      i = BehindQuoted(text, i);
      continue;
    }
    if (depth == 0 && text.substr(i).starts_with(word)) return i;
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && depth > 0) --depth;
    ++i;
  }
  return std::string_view::npos;
}

std::string Unquote(std::string_view quoted) {
  std::string text;
  for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
    text += quoted[i];
    if (quoted[i] == quoted[0]) ++i;
  }
  return text;
}

// The name that `text` begins with, and what follows it.
std::pair<std::string, std::string_view> TakeName(std::string_view text) {
  if (text.starts_with('"')) {
    const std::size_t end = BehindQuoted(text, 0);
    return {Unquote(text.substr(0, end)), text.substr(end)};
  }
  const std::size_t end = text.find_first_of(" (,");
  if (end == std::string_view::npos) return {std::string(text), {}};
  return {std::string(text.substr(0, end)), text.substr(end)};
}

// True where the brackets around `text` belong together.
bool IsBracketed(std::string_view text) {
  return text.size() > 2 && text.front() == '(' && Inside(text, 0).size() == text.size() - 2;
}

std::string_view WithoutBrackets(std::string_view text) {
  text = Trim(text);
  while (IsBracketed(text)) text = Trim(Inside(text, 0));
  return text;
}

// 'a', 'b': nothing where anything else is among them.
std::vector<std::string> TextList(std::string_view list) {
  std::vector<std::string> values;
  for (const std::string_view part : Parts(list)) {
    const bool is_text =
        part.size() >= 2 && part.front() == '\'' && BehindQuoted(part, 0) == part.size();
    if (!is_text || values.size() >= kLabelsMax) return {};
    values.push_back(Unquote(part));
  }
  return values;
}

}  // namespace

std::map<std::string, std::string> GeneratedColumns(std::string_view create_table) {
  constexpr std::string_view kGenerated = " GENERATED ALWAYS AS";
  std::map<std::string, std::string> generated;
  const std::size_t open = FindTop(create_table, "(");
  if (open == std::string_view::npos) return generated;
  for (const std::string_view part : Parts(Inside(create_table, open))) {
    const auto [name, rest] = TakeName(part);
    const std::size_t at = FindTop(rest, kGenerated);
    const std::size_t bracket =
        at == std::string_view::npos ? at : rest.find('(', at + kGenerated.size());
    if (bracket == std::string_view::npos) continue;
    generated[name] = WithoutBrackets(Inside(rest, bracket));
  }
  return generated;
}

std::vector<std::string> IndexParts(std::string_view create_index) {
  const std::size_t on = FindTop(create_index, " ON ");
  const std::size_t open =
      on == std::string_view::npos ? on : FindTop(create_index.substr(on), "(");
  if (open == std::string_view::npos) return {};
  std::vector<std::string> names;
  for (const std::string_view part : Parts(Inside(create_index, on + open))) {
    const auto [name, rest] = TakeName(part);
    const bool is_column = rest.empty() && !name.empty();
    names.push_back(is_column ? name : std::string(WithoutBrackets(part)));
  }
  return names;
}

std::string ViewSelect(std::string_view create_view) {
  constexpr std::string_view kAs = " AS ";
  const std::size_t as = FindTop(create_view, kAs);
  if (as == std::string_view::npos || FindTop(create_view.substr(0, as), "(") < as) return {};
  std::string_view select = Trim(create_view.substr(as + kAs.size()));
  if (select.ends_with(';')) select.remove_suffix(1);
  return std::string(select);
}

std::vector<std::string> EnumLabels(std::string_view type) {
  constexpr std::string_view kEnum = "ENUM(";
  if (!type.starts_with(kEnum) || !type.ends_with(')')) return {};
  const std::string_view inside = Inside(type, kEnum.size() - 1);
  return inside.size() + kEnum.size() + 1 == type.size() ? TextList(inside)
                                                         : std::vector<std::string>();
}

std::vector<std::string> CheckLabels(std::string_view expression, std::string_view column) {
  constexpr std::string_view kIn = " IN (";
  const auto [name, rest] = TakeName(WithoutBrackets(expression));
  if (name != column || !rest.starts_with(kIn)) return {};
  const std::string_view inside = Inside(rest, kIn.size() - 1);
  if (inside.size() + kIn.size() + 1 != rest.size()) return {};
  return TextList(inside);
}

}  // namespace schemaward::connect::duckdb
