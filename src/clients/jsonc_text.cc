#include "clients/jsonc_text.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace schemaward::clients {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kNoValue = ",:{[";  // after these a comma is a fault
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kNone = std::string_view::npos;

/// A text and its twin of the same length that is plain JSON: comments and trailing commas are
/// blanks there, so positions hold for both.
struct Twin {
  std::string text, plain;
  std::vector<std::size_t> trailing_commas;
};

/// Where a member stands: its key's quote, its value's first byte, and one past the value.
struct Member {
  std::size_t key, value, end;
};

struct Object {
  std::size_t open, close;  ///< its braces
  std::vector<Member> members;
  std::size_t depth;  ///< 0: the root
};

std::size_t EndOfString(std::string_view text, std::size_t quote) {
  for (std::size_t i = quote + 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      return i + 1;
  }
  return text.size();
}

// Returns one past the comment that starts at `at`, or `at` where none does. A line's comment ends
// before the line break, a carriage return included.
std::size_t EndOfComment(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) == "//") return std::min(text.find_first_of("\r\n", at), text.size());
  if (text.substr(at, 2) != "/*") return at;
  const std::size_t close = text.find("*/", at + 2);
  return close == kNone ? at : close + 2;  // left as it is, an open comment is what parsing names
}

void BlankComments(std::string& plain) {
  for (std::size_t i = 0; i < plain.size();) {
    if (plain[i] == '"') {
      i = EndOfString(plain, i);
      continue;
    }
    const std::size_t end = EndOfComment(plain, i);
    std::fill(plain.begin() + static_cast<std::ptrdiff_t>(i),
              plain.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    i = std::max(end, i + 1);
  }
}

void BlankTrailingCommas(Twin& twin) {
  char before = '{';  // the last byte that is no blank
  for (std::size_t i = 0; i < twin.plain.size(); ++i) {
    const char byte = twin.plain[i];
    if (byte == '"') {
      i = EndOfString(twin.plain, i) - 1;
    } else if (byte == ',' && kNoValue.find(before) == kNone) {
      const std::size_t next = twin.plain.find_first_not_of(kBlanks, i + 1);
      if (next != kNone && (twin.plain[next] == '}' || twin.plain[next] == ']')) {
        twin.plain[i] = ' ';
        twin.trailing_commas.push_back(i);
      }
    }
    if (kBlanks.find(byte) == kNone) before = byte;
  }
}

Twin MakeTwin(std::string_view text, Comments comments) {
  Twin twin{std::string(text), std::string(text), {}};
  if (twin.plain.starts_with(kByteOrderMark)) twin.plain.replace(0, kByteOrderMark.size(), "   ");
  if (comments == Comments::Yes) {
    BlankComments(twin.plain);
    BlankTrailingCommas(twin);
  }
  if (twin.plain.find_first_not_of(kBlanks) == kNone) {  // as clients take an empty file
    twin.text += "{}\n";
    twin.plain += "{}\n";
  }
  return twin;
}

std::string PlaceOf(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t start = before.rfind('\n');
  return fmt::format("line {}, column {}", line, byte - (start == kNone ? 0 : start + 1) + 1);
}

Result<json::Value> ParsePlain(std::string_view plain) {
  try {
    json::Value value = json::Value::parse(plain);
    if (value.is_object()) return value;
    return Error(ErrorKind::InputUnreadable, "it holds no JSON object");
  } catch (const json::Value::parse_error& wrong) {
    const std::size_t byte = wrong.byte > 0 ? wrong.byte - 1 : 0;
    return Error(ErrorKind::InputUnreadable,
                 "it is not JSON at " + PlaceOf(plain, std::min(byte, plain.size())));
  }
}

// What follows reads text that has been parsed, so that brackets and quotes match.

std::size_t EndOfValue(std::string_view plain, std::size_t at) {
  if (plain[at] == '"') return EndOfString(plain, at);
  if (plain[at] != '{' && plain[at] != '[')
    return std::min(plain.find_first_of(",]} \t\r\n", at), plain.size());
  std::size_t depth = 0;
  for (std::size_t i = at; i < plain.size(); ++i) {
    if (plain[i] == '"') {
      i = EndOfString(plain, i) - 1;
    } else if (plain[i] == '{' || plain[i] == '[') {
      ++depth;
    } else if ((plain[i] == '}' || plain[i] == ']') && --depth == 0) {
      return i + 1;
    }
  }
  return plain.size();
}

Object ObjectAt(std::string_view plain, std::size_t open, std::size_t depth) {
  Object object{open, open, {}, depth};
  std::size_t at = plain.find_first_not_of(kBlanks, open + 1);
  while (plain[at] != '}') {
    const std::size_t colon = plain.find_first_not_of(kBlanks, EndOfString(plain, at));
    const std::size_t value = plain.find_first_not_of(kBlanks, colon + 1);
    object.members.push_back({at, value, EndOfValue(plain, value)});
    at = plain.find_first_not_of(kBlanks, object.members.back().end);
    if (plain[at] == ',') at = plain.find_first_not_of(kBlanks, at + 1);
  }
  object.close = at;
  return object;
}

// Of members of one name the last counts, as for every parser.
std::optional<std::size_t> IndexOf(std::string_view plain, const Object& object,
                                   const std::string& name) {
  for (std::size_t i = object.members.size(); i-- > 0;) {
    const std::size_t key = object.members[i].key;
    if (json::Value::parse(plain.substr(key, EndOfString(plain, key) - key)) == name) return i;
  }
  return std::nullopt;
}

/// The object that is nearest to a path's end, and the member there that the path names.
struct Spot {
  Object object;
  std::optional<std::size_t> index;
  bool is_end = false;  ///< the member is the path's last
};

Result<Spot> Locate(const Twin& twin, const MemberPath& path) {
  Spot spot{ObjectAt(twin.plain, twin.plain.find('{'), 0), {}, false};
  for (std::size_t depth = 0;; ++depth) {
    spot.index = IndexOf(twin.plain, spot.object, path[depth]);
    spot.is_end = depth + 1 == path.size();
    if (!spot.index || spot.is_end) return spot;
    const std::size_t value = spot.object.members[*spot.index].value;
    if (twin.plain[value] != '{')
      return Error(ErrorKind::InputUnreadable,
                   fmt::format("{} is no object, at {}", json::Quote(path[depth]),
                               PlaceOf(twin.plain, value)));
    spot.object = ObjectAt(twin.plain, value, depth + 1);
  }
}

// The blanks before `at` on its line, or none where something else stands there.
std::optional<std::string> IndentOf(std::string_view plain, std::size_t at) {
  const std::size_t line_end = plain.substr(0, at).rfind('\n');
  const std::size_t start = line_end == kNone ? 0 : line_end + 1;
  const std::string_view before = plain.substr(start, at - start);
  if (line_end == kNone || before.find_first_not_of(" \t") != kNone) return std::nullopt;
  return std::string(before);
}

std::string Repeat(const std::string& unit, std::size_t times) {
  std::string out;
  while (times-- > 0) out += unit;
  return out;
}

/// How the text is laid out.
struct Layout {
  std::string unit = "  ", line_break = "\n";
};

Layout LayoutOf(const Twin& twin) {
  Layout layout;
  if (twin.text.find("\r\n") != kNone) layout.line_break = "\r\n";
  const Object root = ObjectAt(twin.plain, twin.plain.find('{'), 0);
  if (root.members.empty()) return layout;
  if (const auto indent = IndentOf(twin.plain, root.members.front().key);
      indent && !indent->empty())
    layout.unit = *indent;
  return layout;
}

std::string MemberIndent(const Twin& twin, const Object& object, const Layout& layout) {
  if (!object.members.empty())
    if (auto indent = IndentOf(twin.plain, object.members.back().key)) return *indent;
  return Repeat(layout.unit, object.depth + 1);
}

// `value` over several lines, each after the first behind `indent`.
std::string Printed(const nlohmann::ordered_json& value, const std::string& indent,
                    const Layout& layout) {
  const std::string flat = value.dump(static_cast<int>(layout.unit.size()), layout.unit[0]);
  std::string out;
  for (const char byte : flat) {
    if (byte == '\n')
      out += layout.line_break + indent;
    else
      out += byte;
  }
  return out;
}

std::string InsertFirst(const Twin& twin, const Object& object, const Layout& layout,
                        const std::string& member, const std::string& indent) {
  std::string out = twin.text;
  const std::size_t from = object.open + 1, size = object.close - from;
  const bool is_bare = std::string_view(out).substr(from, size).find_first_not_of(kBlanks) == kNone;
  const std::string line = layout.line_break + indent + member;
  if (!is_bare) return out.insert(from, line);  // comments stay, behind the member
  return out.replace(from, size, line + layout.line_break + Repeat(layout.unit, object.depth));
}

std::string InsertLast(const Twin& twin, const Object& object, const Layout& layout,
                       const std::string& member, const std::string& indent) {
  std::string out = twin.text;
  const std::size_t end = object.members.back().end;
  const auto& commas = twin.trailing_commas;
  const auto comma = std::find_if(commas.begin(), commas.end(),
                                  [&](std::size_t at) { return at >= end && at < object.close; });
  const bool has_comma = comma != commas.end();
  std::size_t at = has_comma ? *comma + 1 : end;
  // A comment on the last member's line stays on it.
  const std::size_t line_end = twin.plain.find_first_of("\r\n", at);
  if (line_end < object.close && twin.plain.find_first_not_of(" \t", at) >= line_end) at = line_end;
  out.insert(at, layout.line_break + indent + member + (has_comma ? "," : ""));
  return has_comma ? out : out.insert(end, ",");
}

// Takes from `out`, a copy of the text, the member and its line where it has one of its own.
void EraseMember(std::string& out, const Twin& twin, const Member& member, std::size_t end) {
  std::size_t from = member.key;
  const std::size_t line_end = twin.plain.find('\n', end);
  const bool ends_line =
      line_end != kNone && twin.plain.find_first_not_of(" \t\r", end) >= line_end;
  if (const auto indent = IndentOf(twin.plain, member.key); indent && ends_line) {
    from -= indent->size();
    end = line_end + 1;
  }
  out.erase(from, end - from);
}

std::string Erase(const Twin& twin, const Object& object, std::size_t index) {
  std::string out = twin.text;
  const Member& member = object.members[index];
  if (object.members.size() == 1) {
    const std::size_t from = object.open + 1;
    const std::string_view rest = std::string_view(out).substr(from, object.close - from);
    // Without comments around it nothing but the braces stays.
    const bool is_alone = rest.substr(0, member.key - from).find_first_not_of(kBlanks) == kNone &&
                          rest.substr(member.end - from).find_first_not_of(kBlanks) == kNone;
    if (is_alone) return out.erase(from, object.close - from);
  }
  const bool is_last = index + 1 == object.members.size();
  std::size_t end = member.end;
  if (!is_last) {
    end = twin.plain.find(',', end) + 1;
  } else {
    for (const std::size_t comma : twin.trailing_commas)
      if (comma >= member.end && comma < object.close) end = comma + 1;
  }
  EraseMember(out, twin, member, end);
  // The comma that stood before the last one has nothing to part any more.
  if (is_last && end == member.end && index > 0)
    out.erase(twin.plain.find(',', object.members[index - 1].end), 1);
  return out;
}

// No edit is believed: what was written must read as the document that was meant.
Status MustRead(const std::string& text, Comments comments, const json::Value& meant) {
  WARD_TRY(const json::Value got, ReadJsonc(text, comments));
  if (got == meant) return Ok();
  return Error(ErrorKind::Internal, "the edited text does not hold what was meant");
}

}  // namespace

Result<json::Value> ReadJsonc(std::string_view text, Comments comments) {
  return ParsePlain(MakeTwin(text, comments).plain);
}

Result<std::string> SetMember(std::string_view text, Comments comments, const MemberPath& path,
                              std::string_view value_json) {
  const Twin twin = MakeTwin(text, comments);
  WARD_TRY(json::Value meant, ParsePlain(twin.plain));
  WARD_TRY(const Spot spot, Locate(twin, path));
  const Layout layout = LayoutOf(twin);
  const std::string indent = MemberIndent(twin, spot.object, layout);
  auto value = nlohmann::ordered_json::parse(value_json);
  std::string out;
  if (spot.index) {
    const Member& member = spot.object.members[*spot.index];
    out = twin.text;
    out.replace(member.value, member.end - member.value, Printed(value, indent, layout));
  } else {
    for (std::size_t i = path.size(); i-- > spot.object.depth + 1;)
      value = nlohmann::ordered_json{{path[i], value}};
    const std::string member =
        json::Quote(path[spot.object.depth]) + ": " + Printed(value, indent, layout);
    out = spot.object.members.empty() ? InsertFirst(twin, spot.object, layout, member, indent)
                                      : InsertLast(twin, spot.object, layout, member, indent);
  }
  json::Value* at = &meant;
  for (const std::string& name : path) at = &(*at)[name];
  *at = json::Value::parse(value_json);
  WARD_CHECK(MustRead(out, comments, meant));
  return out;
}

Result<std::string> RemoveMember(std::string_view text, Comments comments, const MemberPath& path) {
  const Twin twin = MakeTwin(text, comments);
  WARD_TRY(json::Value meant, ParsePlain(twin.plain));
  WARD_TRY(const Spot spot, Locate(twin, path));
  if (!spot.index || !spot.is_end) return std::string(text);
  std::string out = Erase(twin, spot.object, *spot.index);
  json::Value* at = &meant;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) at = &(*at)[path[i]];
  at->erase(path.back());
  WARD_CHECK(MustRead(out, comments, meant));
  return out;
}

}  // namespace schemaward::clients
