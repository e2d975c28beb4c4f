#include "tools/drift.h"

#include <cctype>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "catalog/catalog.h"

namespace schemaward::tools {
namespace {

bool IsWordByte(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool HoldsWord(std::string_view text, std::string_view word) {
  if (word.empty()) return false;
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !IsWordByte(text[at - 1])) && (end == text.size() || !IsWordByte(text[end])))
      return true;
  }
  return false;
}

Error Named(const Error& error, std::string_view message) {
  Error named(error.kind(), message);
  named.Hint(error.hint()).Private(error.private_detail());
  return named;
}

}  // namespace

Error NameDrift(const std::vector<guard::TableRead>& reads, const Error& error) {
  if (error.kind() != ErrorKind::SchemaDrift) return error;
  const std::string_view words = error.private_detail();
  const std::string_view line = words.substr(0, words.find('\n'));
  std::vector<std::string> columns, tables;
  for (const guard::TableRead& read : reads) {
    const std::string table = catalog::QualifiedName(read.schema, read.table);
    if (HoldsWord(line, read.table)) tables.push_back(fmt::format("the table {}", table));
    for (const std::string& column : read.columns)
      if (HoldsWord(line, column))
        columns.push_back(fmt::format("the column {} of {}", catalog::QuoteName(column), table));
  }
  const std::vector<std::string>& found = columns.empty() ? tables : columns;
  if (found.size() != 1) return error;
  return Named(error, fmt::format("the source no longer has {}", found.front()));
}

}  // namespace schemaward::tools
