#include "querylog/statements.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "json/value.h"
#include "pgparse/script.h"

namespace schemaward::querylog {
namespace {

bool IsJsonLines(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return first != std::string_view::npos && text[first] == '{';
}

Result<Entry> ReadLine(std::string_view line, std::string place) {
  const auto document = json::Parse(line);
  const Error wrong(ErrorKind::InvalidArgument, place + R"( is no {"sql": "...", "calls": 12})");
  if (!document || !document->value().is_object()) return wrong;
  const json::Value& object = document->value();
  const auto sql = object.find("sql");
  if (sql == object.end() || !sql->is_string()) return wrong;
  Entry entry{sql->get<std::string>(), 1, std::move(place)};
  const auto calls = object.find("calls");
  if (calls == object.end()) return entry;
  if (!calls->is_number_integer() || calls->get<std::int64_t>() < 0) return wrong;
  entry.calls = calls->get<std::int64_t>();
  return entry;
}

Result<std::vector<Entry>> ReadJsonLines(std::string_view text, std::string_view name) {
  std::vector<Entry> entries;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size() && entries.size() <= kEntriesMax;) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.find_first_not_of(" \t\r\xEF\xBB\xBF") == std::string_view::npos) continue;
    WARD_TRY(Entry entry, ReadLine(line, fmt::format("{} line {}", name, number)));
    entries.push_back(std::move(entry));
  }
  return entries;
}

Result<std::vector<Entry>> ReadScript(std::string_view text, std::string_view name) {
  std::vector<Entry> entries;
  pgparse::ScriptReader script(text);
  pgparse::Statement statement;
  while (script.Next(statement) && entries.size() <= kEntriesMax)
    if (statement.origin == pgparse::StatementOrigin::Sql)
      entries.push_back({statement.text, 1, fmt::format("{} line {}", name, statement.line)});
  return entries;
}

}  // namespace

Result<std::vector<Entry>> ReadStatements(std::string_view text, std::string_view name) {
  if (text.size() > kFileBytesMax)
    return Error(ErrorKind::ByteCap,
                 fmt::format("{} is longer than {} bytes", name, kFileBytesMax));
  WARD_TRY(auto entries, IsJsonLines(text) ? ReadJsonLines(text, name) : ReadScript(text, name));
  if (entries.size() > kEntriesMax)
    return Error(ErrorKind::ByteCap,
                 fmt::format("{} holds more than {} statements", name, kEntriesMax));
  return entries;
}

}  // namespace schemaward::querylog
