#include "base/template_text.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace schemaward {
namespace {

Error Fault(std::string_view what, std::size_t line, const std::string& why) {
  return {ErrorKind::InputUnreadable, fmt::format("{}, line {}: {}", what, line, why)};
}

bool IsName(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// What stands between braces of JSON is no hole: a hole begins with a letter, # or /.
bool BeginsHole(std::string_view after) {
  if (after.empty()) return false;
  const char c = after.front();
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '#' || c == '/';
}

}  // namespace

Status TemplateText::Add(std::string_view tag, std::size_t line, std::string_view what,
                         std::string& open) {
  const char sign = tag.front();
  const bool is_section = sign == '#' || sign == '/';
  const std::string name(is_section ? tag.substr(1) : tag);
  if (!IsName(name))
    return Fault(what, line, fmt::format("\"{{{{{}}}}}\" is not the name of a hole", tag));
  if (sign == '/') {
    if (open != name)
      return Fault(what, line, fmt::format("section \"{}\" ends where it is not open", name));
    open.clear();
    parts_.push_back({Kind::Close, name});
    return Ok();
  }
  if (sign == '#' && !open.empty())
    return Fault(what, line, fmt::format("section \"{}\" begins inside \"{}\"", name, open));
  if (sign == '#') open = name;
  parts_.push_back({sign == '#' ? Kind::Open : Kind::Hole, name});
  holes_.push_back({name, line, sign == '#'});
  return Ok();
}

Result<TemplateText> TemplateText::Parse(std::string_view text, std::string_view what) {
  TemplateText made;
  std::string open;
  std::string words;
  std::size_t line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    if (rest.substr(0, 2) != "{{" || !BeginsHole(rest.substr(2))) {
      if (rest.front() == '\n') ++line;
      words += rest.front();
      ++at;
      continue;
    }
    const std::size_t end = rest.find("}}");
    if (end == std::string_view::npos) return Fault(what, line, "a hole does not end");
    if (!words.empty()) made.parts_.push_back({Kind::Text, std::exchange(words, {})});
    WARD_CHECK(made.Add(rest.substr(2, end - 2), line, what, open));
    at += end + 2;
  }
  if (!open.empty()) return Fault(what, line, fmt::format("section \"{}\" does not end", open));
  if (!words.empty()) made.parts_.push_back({Kind::Text, std::move(words)});
  return made;
}

bool TemplateText::HasSection(std::string_view name) const {
  return std::any_of(holes_.begin(), holes_.end(),
                     [&](const Hole& hole) { return hole.is_section && hole.name == name; });
}

std::string TemplateText::Fill(const HoleTexts& texts) const {
  std::string filled;
  bool is_left_out = false;
  for (const Part& part : parts_) {
    const auto found = texts.find(part.text);
    const bool has_text = found != texts.end() && !found->second.empty();
    if (part.kind == Kind::Open) is_left_out = !has_text;
    if (part.kind == Kind::Close) is_left_out = false;
    if (is_left_out) continue;
    if (part.kind == Kind::Text) filled += part.text;
    if (part.kind == Kind::Hole && has_text) filled += found->second;
  }
  return filled;
}

}  // namespace schemaward
