#include "clients/toml_text.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

namespace schemaward::clients {
namespace {

using Lines = std::vector<std::string>;  // each with its line break

Result<toml::table> Parse(std::string_view text) {
  toml::parse_result parsed = toml::parse(text);
  if (parsed) return std::move(parsed).table();
  const auto at = parsed.error().source().begin;
  return Error(ErrorKind::InputUnreadable,
               fmt::format("it is not TOML at line {}, column {}", at.line, at.column));
}

Lines Split(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

std::string Join(const Lines& lines) {
  std::string out;
  for (const std::string& line : lines) out += line;
  return out;
}

// JSON's texts and lists of texts are TOML as they stand, but for "\/", which is never written.
std::string Line(const std::pair<std::string, std::string>& member, std::string_view line_break) {
  const auto value = json::Value::parse(member.second);
  std::string list;
  if (!value.is_array()) return fmt::format("{} = {}{}", member.first, value.dump(), line_break);
  for (const auto& item : value) list += (list.empty() ? "" : ", ") + item.dump();
  return fmt::format("{} = [{}]{}", member.first, list, line_break);
}

json::Value ToJson(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  json::Value out;
  if (const auto* list = node.as_array()) {
    out = json::Value::array();
    for (const toml::node& item : *list)
      if (const auto* text = item.as_string()) out.push_back(text->get());
  } else if (const auto* table = node.as_table()) {
    out = json::Value::object();
    for (const auto& [key, member] : *table)
      if (member.is_string() || member.is_array() || member.is_table())
        out[std::string(key.str())] = ToJson(member);
  }
  return out;
}

// Lines, from 1, on which tables start.
void HeaderLines(const toml::node& node, std::vector<std::size_t>& into) {
  if (const auto* table = node.as_table()) {
    if (!table->is_inline() && table->source().begin.line > 0)
      into.push_back(table->source().begin.line);
    for (const auto& [key, member] : *table) HeaderLines(member, into);
  } else if (const auto* list = node.as_array()) {
    for (const toml::node& item : *list)
      if (item.is_table()) HeaderLines(item, into);
  }
}

bool IsHeader(const std::string& line) { return line.find_first_not_of(" \t") == line.find('['); }

Error OtherForm(const std::string& group, const std::string& name) {
  return std::move(
      Error(ErrorKind::InputUnreadable, fmt::format("{}.{} has no header of its own", group, name))
          .Hint(fmt::format("Write it as a table under [{}.{}], or take it out.", group, name)));
}

// The table, null where it is absent. Errors: InputUnreadable where it is no table with a header.
Result<const toml::table*> Find(const toml::table& root, const Lines& lines,
                                const std::string& group, const std::string& name) {
  const toml::node* node = root[group][name].node();
  if (node == nullptr) return static_cast<const toml::table*>(nullptr);
  const toml::table* table = node->as_table();
  const std::size_t line = node->source().begin.line;
  if (table == nullptr || table->is_inline() || line == 0 || line > lines.size() ||
      !IsHeader(lines[line - 1]))
    return OtherForm(group, name);
  return table;
}

// What is beside the table must be as before.
Status MustKeep(const toml::table& before, const std::string& text, const std::string& group,
                const std::string& name) {
  WARD_TRY(toml::table after, Parse(text));
  toml::table was = before;
  for (toml::table* root : {&was, &after}) {
    toml::table* servers = (*root)[group].as_table();
    if (servers != nullptr) servers->erase(name);
    if (servers != nullptr && servers->empty()) root->erase(group);
  }
  if (was == after) return Ok();
  return Error(ErrorKind::Internal, "the edited text does not hold what was meant");
}

std::string LineBreakOf(std::string_view text) {
  return text.find("\r\n") == std::string_view::npos ? "\n" : "\r\n";
}

void Append(Lines& lines, const std::string& header, const TomlMembers& members,
            const std::string& line_break) {
  if (!lines.empty() && !lines.back().ends_with('\n')) lines.back() += line_break;
  if (!lines.empty()) lines.push_back(line_break);
  lines.push_back(header + line_break);
  for (const auto& member : members) lines.push_back(Line(member, line_break));
}

// Sets members in the table that starts at a header's line.
void Update(Lines& lines, const toml::table& table, const TomlMembers& members,
            const std::string& line_break) {
  struct Change {
    std::size_t first, last;  // lines from 1 that go; last < first: none do
    std::string line;
  };
  const std::size_t header = table.source().begin.line;
  std::vector<Change> changes;
  for (const auto& member : members) {
    const toml::node* node = table.get(member.first);
    if (node == nullptr) {
      changes.push_back({header + 1, header, Line(member, line_break)});
    } else if (ToJson(*node) != json::Value::parse(member.second)) {
      changes.push_back(
          {node->source().begin.line, node->source().end.line, Line(member, line_break)});
    }
  }
  if (!lines.back().ends_with('\n')) lines.back() += line_break;
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.first > b.first; });
  for (const Change& change : changes) {
    const auto from = lines.begin() + static_cast<std::ptrdiff_t>(change.first - 1);
    const auto count = static_cast<std::ptrdiff_t>(change.last + 1 - change.first);
    lines.insert(lines.erase(from, from + count), change.line);
  }
}

// Takes out the lines of the table that starts at `first`, up to the next table's; comments above
// that one stay, and so does what stands above the header.
void EraseTable(Lines& lines, std::size_t first, const std::vector<std::size_t>& headers) {
  const auto next =
      std::find_if(headers.begin(), headers.end(), [&](std::size_t line) { return line > first; });
  std::size_t last = next == headers.end() ? lines.size() : *next - 1;
  const auto is_loose = [&](const std::string& line) {
    const std::size_t at = line.find_first_not_of(" \t\r\n");
    return at == std::string::npos || line[at] == '#';
  };
  while (last > first && is_loose(lines[last - 1])) --last;
  if (first > 1 && lines[first - 2].find_first_not_of(" \t\r\n") == std::string::npos) --first;
  lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(first - 1),
              lines.begin() + static_cast<std::ptrdiff_t>(last));
}

}  // namespace

Result<json::Value> ReadTomlTable(std::string_view text, const std::string& group,
                                  const std::string& name) {
  WARD_TRY(const toml::table root, Parse(text));
  const toml::node* node = root[group][name].node();
  return node == nullptr ? json::Value() : ToJson(*node);
}

Result<std::string> SetTomlTable(std::string_view text, const std::string& group,
                                 const std::string& name, const TomlMembers& members) {
  WARD_TRY(const toml::table root, Parse(text));
  Lines lines = Split(text);
  WARD_TRY(const toml::table* table, Find(root, lines, group, name));
  const toml::node* servers = root.get(group);
  if (servers != nullptr && (!servers->is_table() || servers->as_table()->is_inline()))
    return OtherForm(group, name);
  if (table == nullptr)
    Append(lines, fmt::format("[{}.{}]", group, name), members, LineBreakOf(text));
  else
    Update(lines, *table, members, LineBreakOf(text));
  std::string out = Join(lines);
  WARD_CHECK(MustKeep(root, out, group, name));
  WARD_TRY(const json::Value got, ReadTomlTable(out, group, name));
  for (const auto& [key, value] : members)
    if (got.value(key, json::Value()) != json::Value::parse(value))
      return Error(ErrorKind::Internal, "the edited text does not hold what was meant");
  return out;
}

Result<std::string> RemoveTomlTable(std::string_view text, const std::string& group,
                                    const std::string& name) {
  WARD_TRY(const toml::table root, Parse(text));
  Lines lines = Split(text);
  WARD_TRY(const toml::table* table, Find(root, lines, group, name));
  if (table == nullptr) return std::string(text);
  std::vector<std::size_t> all, ours;
  HeaderLines(root, all);
  HeaderLines(*table, ours);
  std::sort(all.begin(), all.end());
  std::sort(ours.begin(), ours.end(), std::greater<>());
  for (const std::size_t line : ours)
    if (line <= lines.size() && IsHeader(lines[line - 1])) EraseTable(lines, line, all);
  std::string out = Join(lines);
  WARD_CHECK(MustKeep(root, out, group, name));
  WARD_TRY(const json::Value left, ReadTomlTable(out, group, name));
  if (left.is_null()) return out;
  return OtherForm(group, name);
}

}  // namespace schemaward::clients
