#include "privacy/fields.h"

#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "catalog/type_tags.h"

namespace schemaward::privacy {
namespace {

/// Reads the text of a type of DuckDB. Lifetime: a view of the text. Thread: one.
class TypeText {
 public:
  explicit TypeText(std::string_view text) : text_(text) {}

  // At each bracket is noted whether names stand in it: STRUCT(a INTEGER, "b c" STRUCT(d DATE)[]).
  void Read(const std::string& column, std::vector<FieldName>& fields) {
    std::vector<std::string> holders;  // of each open bracket; empty where it holds no names
    std::string holder = column;
    std::string word;
    while (at_ < text_.size() && fields.size() < kFieldsMax) {
      const char c = text_[at_];
      if (c == '\'' || c == '"') {
        Quoted(c);
        word.clear();
      } else if (c == '(') {
        ++at_;
        const bool has_fields =
            EqualsIgnoringAsciiCase(word, "struct") || EqualsIgnoringAsciiCase(word, "union");
        holders.push_back(has_fields ? holder : std::string());
        word.clear();
        if (has_fields) fields.push_back({holders.back(), holder = Name()});
      } else if (c == ',') {
        ++at_;
        word.clear();
        if (!holders.empty() && !holders.back().empty())
          fields.push_back({holders.back(), holder = Name()});
      } else {
        ++at_;
        if (c == ')' && !holders.empty()) holders.pop_back();
        if (IsWordChar(c))
          word += c;
        else
          word.clear();
      }
    }
  }

 private:
  static bool IsWordChar(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  // A quote stands for itself where it is doubled.
  std::string Quoted(char quote) {
    std::string value;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == quote) {
        if (at_ + 1 >= text_.size() || text_[at_ + 1] != quote) break;
        ++at_;
      }
      value += text_[at_];
    }
    ++at_;
    return value;
  }

  std::string Name() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (at_ < text_.size() && text_[at_] == '"') return Quoted('"');
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != ' ' && text_[at_] != ')') ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  const std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<FieldName> FieldsOf(const catalog::Column& column) {
  std::vector<FieldName> fields;
  TypeText(column.type).Read(column.name, fields);
  for (const std::string& tag : column.tags) {
    if (!tag.starts_with(catalog::kFieldTag) || fields.size() >= kFieldsMax) continue;
    auto parts = catalog::SplitName(std::string_view(tag).substr(catalog::kFieldTag.size()));
    if (parts.size() == 2) fields.push_back({std::move(parts[0]), std::move(parts[1])});
  }
  return fields;
}

std::string OwnTypeName(const catalog::Column& column) {
  if (!column.domain && column.labels.empty()) return {};  // a row, or of the engine
  std::string_view type = column.domain ? *column.domain : column.type;
  while (type.ends_with("[]")) type.remove_suffix(2);
  auto parts = catalog::SplitName(type);
  return parts.size() == 2 && parts.front() != "pg_catalog" ? std::move(parts.back())
                                                            : std::string();
}

}  // namespace schemaward::privacy
