#include "connect/dbt/project.h"

#include <algorithm>

#include "base/ascii.h"
#include "connect/dbt/read_target.h"

namespace schemaward::connect::dbt {
namespace {

std::string Unquoted(std::string_view name) {
  constexpr std::string_view kQuotes = "\"`[";
  if (name.size() > 2 && kQuotes.find(name.front()) != std::string_view::npos)
    name = name.substr(1, name.size() - 2);
  return std::string(name);
}

/// The quoted positional arguments of a call like ref('a', 'b').
std::vector<std::string> Arguments(std::string_view text) {
  std::vector<std::string> arguments;
  std::size_t i = 0;
  while (i < text.size() && text[i] != ')') {
    const char quote = text[i];
    if (quote != '\'' && quote != '"') {
      ++i;
      continue;
    }
    const std::size_t end = std::min(text.find(quote, i + 1), text.size());
    if (i == 0 || text[i - 1] != '=') arguments.emplace_back(text.substr(i + 1, end - i - 1));
    i = end + 1;
  }
  return arguments;
}

/// The only relation for which `fits` holds, or null.
template <class Fits>
Relation* OnlyOne(std::vector<Relation>& relations, const Fits& fits) {
  Relation* found = nullptr;
  for (Relation& relation : relations) {
    if (!fits(relation)) continue;
    if (found != nullptr) return nullptr;
    found = &relation;
  }
  return found;
}

std::vector<std::string> PrintedParts(std::string_view printed) {
  std::string plain(printed);
  std::replace(plain.begin(), plain.end(), '`', '"');
  return catalog::SplitName(plain);
}

}  // namespace

Relation* Project::Find(std::string_view id) {
  const auto found = std::lower_bound(
      relations.begin(), relations.end(), id,
      [](const Relation& relation, std::string_view wanted) { return relation.id < wanted; });
  return found != relations.end() && found->id == id ? &*found : nullptr;
}

Relation* Project::Resolve(std::string_view reference) {
  constexpr std::string_view kRef = "ref(", kSource = "source(";
  if (const std::size_t at = reference.find(kRef); at != std::string_view::npos) {
    const std::vector<std::string> names = Arguments(reference.substr(at + kRef.size()));
    return names.empty() ? nullptr : OnlyOne(relations, [&](const Relation& relation) {
      return relation.source_name.empty() && relation.name == names.back();
    });
  }
  if (const std::size_t at = reference.find(kSource); at != std::string_view::npos) {
    const std::vector<std::string> names = Arguments(reference.substr(at + kSource.size()));
    return names.size() != 2 ? nullptr : OnlyOne(relations, [&](const Relation& relation) {
      return relation.source_name == names[0] && relation.name == names[1];
    });
  }
  const std::vector<std::string> parts = PrintedParts(reference);
  if (parts.empty()) return nullptr;
  return OnlyOne(relations, [&](const Relation& relation) {
    const std::size_t n = parts.size();
    return EqualsIgnoringAsciiCase(relation.table.name, parts[n - 1]) &&
           (n < 2 || EqualsIgnoringAsciiCase(relation.table.schema, parts[n - 2])) &&
           (n < 3 || EqualsIgnoringAsciiCase(relation.database, parts[n - 3]));
  });
}

void Project::Miss(std::string_view object, std::string_view reason) {
  if (missing.size() >= kMissingMax) {
    if (missing.size() == kMissingMax)
      missing.push_back({"project", "more could not be read than is listed"});
    return;
  }
  catalog::Missing entry{std::string(object), std::string(reason)};
  for (std::string* text : {&entry.object, &entry.reason})
    for (char& c : *text)
      if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  missing.push_back(std::move(entry));
}

catalog::Column* FindColumn(catalog::Table& table, std::string_view name) {
  const std::string plain = Unquoted(name);
  if (const std::size_t at = catalog::FindColumn(table, plain); at != std::string_view::npos)
    return &table.columns[at];
  for (catalog::Column& column : table.columns)
    if (EqualsIgnoringAsciiCase(column.name, plain)) return &column;
  return nullptr;
}

}  // namespace schemaward::connect::dbt
