#include "patterns/pattern.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace schemaward::patterns {
namespace {

constexpr std::size_t kLinesMax = 400;
constexpr std::size_t kCells = 4;  // of a line of the table of parameters

std::string_view Trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    if (const auto part = Trimmed(text.substr(begin, end - begin)); !part.empty())
      parts.emplace_back(part);
    begin = end + 1;
  }
  return parts;
}

template <class E>
std::optional<E> FromName(std::string_view word) {
  const auto& names = json::EnumNames<E>::kNames;
  const auto found = std::find(names.begin(), names.end(), word);
  if (found == names.end()) return std::nullopt;
  return static_cast<E>(found - names.begin());
}

/// Reads a file line by line. Thread: owner.
class Reader {
 public:
  explicit Reader(std::string_view text) {
    for (std::size_t begin = 0; begin < text.size() && lines_.size() < kLinesMax;) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      lines_.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  Result<Pattern> All() {
    WARD_CHECK(Head());
    for (; at_ < lines_.size(); ++at_) WARD_CHECK(Line());
    if (pattern_.id.empty() || pattern_.title.empty() || pattern_.summary.empty() ||
        pattern_.texts.empty())
      return Fault("the pattern lacks an id, a title, a summary or its SQL");
    return std::move(pattern_);
  }

 private:
  Error Fault(std::string_view what) const {
    return Error(ErrorKind::InputUnreadable, fmt::format("line {}: {}", at_ + 1, what));
  }

  Status Head() {
    if (lines_.empty() || lines_[0] != "---") return Fault("the file does not begin with ---");
    for (at_ = 1; at_ < lines_.size() && lines_[at_] != "---"; ++at_) {
      const std::size_t colon = lines_[at_].find(": ");
      if (colon == std::string_view::npos) return Fault("no name and value");
      WARD_CHECK(HeadLine(lines_[at_].substr(0, colon), Trimmed(lines_[at_].substr(colon + 2))));
    }
    ++at_;
    return Ok();
  }

  Status HeadLine(std::string_view name, std::string_view value) {
    if (name == "id") {
      pattern_.id = value;
    } else if (name == "category") {
      const auto category = FromName<Category>(value);
      if (!category) return Fault("no such category");
      pattern_.category = *category;
    } else if (name == "difficulty") {
      const auto difficulty = FromName<Difficulty>(value);
      if (!difficulty) return Fault("no such difficulty");
      pattern_.difficulty = *difficulty;
    } else if (name == "tags") {
      pattern_.tags = Split(value, ',');
    } else if (name == "related") {
      pattern_.related = Split(value, ',');
    } else if (name == "fixture") {
      pattern_.fixture = value;
    } else if (name == "writes") {
      pattern_.writes = value == "yes";
    } else {
      return Fault("no such entry");
    }
    return Ok();
  }

  Status Line() {
    const std::string_view line = lines_[at_];
    if (line.starts_with("# ")) {
      pattern_.title = line.substr(2);
    } else if (line.starts_with("## ")) {
      section_ = line.substr(3);
    } else if (line.starts_with("### ")) {
      pattern_.texts.push_back({Split(line.substr(4), ','), {}});
    } else if (line.starts_with("```")) {
      return Code();
    } else if (!Trimmed(line).empty()) {
      return Words(line);
    }
    return Ok();
  }

  Status Code() {
    std::string code;
    for (++at_; at_ < lines_.size() && !lines_[at_].starts_with("```"); ++at_) {
      if (!code.empty()) code += '\n';
      code += lines_[at_];
    }
    if (section_ == "Check") {
      pattern_.check = std::move(code);
      return Ok();
    }
    if (pattern_.texts.empty() || !pattern_.texts.back().sql.empty())
      return Fault("code without a heading of its dialects");
    pattern_.texts.back().sql = std::move(code);
    return Ok();
  }

  Status Words(std::string_view line) {
    if (section_.empty()) {
      pattern_.summary += (pattern_.summary.empty() ? "" : " ") + std::string(Trimmed(line));
      return Ok();
    }
    if (section_ == "Parameters") return ParameterLine(line);
    if (section_ == "Result") {
      pattern_.result += std::string(line) + '\n';
      return Ok();
    }
    std::vector<std::string>* list = ListOf();
    if (list == nullptr || !line.starts_with("- ")) return Fault("no item of a known section");
    list->emplace_back(Trimmed(line.substr(2)));
    return Ok();
  }

  std::vector<std::string>* ListOf() {
    if (section_ == "Use when") return &pattern_.use_when;
    if (section_ == "Avoid when") return &pattern_.avoid_when;
    if (section_ == "Needs") return &pattern_.needs;
    if (section_ == "Pitfalls") return &pattern_.pitfalls;
    return nullptr;
  }

  Status ParameterLine(std::string_view line) {
    const std::vector<std::string> cells = Split(line, '|');
    if (cells.size() != kCells) return Fault("a line of the parameters has four cells");
    if (cells[0] == "name" || cells[0].starts_with("---")) return Ok();
    Parameter parameter;
    parameter.name = cells[0];
    parameter.example = cells[2];
    parameter.meaning = cells[3];
    WARD_CHECK(FillsOf(cells[1], parameter));
    pattern_.parameters.push_back(std::move(parameter));
    return Ok();
  }

  // table | value: ROLE | column of TABLE[: ROLE], where a reference may say what it refers to.
  Status FillsOf(const std::string& text, Parameter& parameter) const {
    const auto colon = text.find(": ");
    const std::string head = text.substr(0, colon);
    std::string role = colon == std::string::npos ? "any" : text.substr(colon + 2);
    constexpr std::string_view kColumnOf = "column of ", kRefersTo = "reference to ";
    if (head == "table") {
      parameter.fills = Fills::Table;
      return Ok();
    }
    if (head != "value" && !head.starts_with(kColumnOf)) return Fault("no such filling");
    parameter.fills = head == "value" ? Fills::Value : Fills::Column;
    if (parameter.fills == Fills::Column) parameter.table = head.substr(kColumnOf.size());
    if (role.starts_with(kRefersTo)) {
      parameter.refers_to = role.substr(kRefersTo.size());
      role = "reference";
    }
    const auto known = FromName<Role>(role);
    if (!known) return Fault("no such kind of column");
    parameter.role = *known;
    return Ok();
  }

  std::vector<std::string_view> lines_;
  std::size_t at_ = 0;
  std::string section_;
  Pattern pattern_;
};

}  // namespace

void Evidence::Bind(json::Fields& f) {
  f("engine", engine, "that ran the example");
  f("version", version, "of the engine");
  f("rows", rows, "rows of its answer, equal to the result");
  f("statement", statement, "SHA-256 of what ran");
}

Result<Pattern> ParsePattern(std::string_view text) { return Reader(text).All(); }

const Text* FindText(const Pattern& pattern, std::string_view dialect) {
  for (const Text& text : pattern.texts)
    if (std::find(text.dialects.begin(), text.dialects.end(), dialect) != text.dialects.end())
      return &text;
  return nullptr;
}

const Parameter* FindParameter(const Pattern& pattern, std::string_view name) {
  for (const Parameter& parameter : pattern.parameters)
    if (parameter.name == name) return &parameter;
  return nullptr;
}

std::string Substitute(const Pattern& pattern, std::string_view sql,
                       const std::vector<std::string>& values) {
  std::string out;
  for (std::size_t at = 0; at < sql.size();) {
    const std::size_t open = std::min(sql.find('{', at), sql.size());
    out += sql.substr(at, open - at);
    const std::size_t close = sql.find('}', open);
    if (close == std::string_view::npos) {
      out += sql.substr(open);
      break;
    }
    const std::string_view name = sql.substr(open + 1, close - open - 1);
    const Parameter* parameter = FindParameter(pattern, name);
    if (parameter == nullptr) {
      out += '{';  // braces of the SQL itself
      at = open + 1;
      continue;
    }
    out += values[static_cast<std::size_t>(parameter - pattern.parameters.data())];
    at = close + 1;
  }
  return out;
}

std::string ExampleOf(const Pattern& pattern, std::string_view sql) {
  std::vector<std::string> values;
  values.reserve(pattern.parameters.size());
  for (const Parameter& parameter : pattern.parameters) values.push_back(parameter.example);
  return Substitute(pattern, sql, values);
}

}  // namespace schemaward::patterns
