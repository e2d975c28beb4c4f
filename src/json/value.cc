#include "json/value.h"

#include <cstdint>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace schemaward::json {
namespace {

constexpr std::size_t kEscapesExpected = 8;  // room is made for one escape in so many bytes

// The library reads without recursion, but writing and destroying recurse, so depth is bounded
// before anything is built.
bool IsTooDeep(std::string_view text, int depth_max) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > depth_max) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

// Returns the length of the UTF-8 sequence that starts at text[i], or 0 where there is none.
// Source: RFC 3629, section 4.
std::size_t Utf8Length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<std::uint8_t>(text[k]); };
  const std::uint8_t lead = byte(i);
  if (lead < 0x80) return 1;
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || i + size > text.size()) return 0;
  for (std::size_t k = i + 1; k < i + size; ++k)
    if ((byte(k) & 0xC0) != 0x80) return 0;
  const std::uint8_t second = byte(i + 1);
  const bool out_of_range = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
                            (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F);
  return out_of_range ? 0 : size;
}

// ASCII that stands in JSON as it is.
bool IsPlain(char c) {
  const auto byte = static_cast<std::uint8_t>(c);
  return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

// Where the next byte that is not plain may stand, from `i` on: whole words are passed over at
// once.
std::size_t SkipPlain(std::string_view text, std::size_t i) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHighs = kOnes * 0x80;
  // Sets the high bit of a byte that is below `bound` (and, by a borrow, perhaps of one above it).
  const auto below = [](std::uint64_t word, std::uint64_t bound) {
    return (word - kOnes * bound) & ~word;
  };
  for (std::uint64_t word = 0; i + sizeof word <= text.size(); i += sizeof word) {
    std::memcpy(&word, text.data() + i, sizeof word);
    const std::uint64_t others =
        word | below(word, 0x20) | below(word ^ (kOnes * '"'), 1) | below(word ^ (kOnes * '\\'), 1);
    if ((others & kHighs) != 0) break;
  }
  return i;
}

void AppendControl(std::string& out, char c) {
  switch (c) {
    case '\n':
      out += "\\n";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    default:
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
}

}  // namespace

Document::Document() : value_(std::make_unique<Value>()) {}
Document::Document(Value value) : value_(std::make_unique<Value>(std::move(value))) {}
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::~Document() = default;

Result<Document> Parse(std::string_view text, const ParseLimits& limits) {
  if (text.size() > limits.bytes_max)
    return Error(ErrorKind::ByteCap,
                 fmt::format("the JSON text has {} bytes, more than the {} that are read",
                             text.size(), limits.bytes_max));
  if (IsTooDeep(text, limits.depth_max))
    return Error(ErrorKind::InvalidArgument,
                 fmt::format("the JSON text is nested more than {} deep", limits.depth_max));
  try {
    return Document(Value::parse(text.begin(), text.end()));
  } catch (const Value::parse_error& e) {
    return Error(ErrorKind::InvalidArgument,
                 fmt::format("the text is not JSON: reading stopped at byte {}", e.byte))
        .Private(e.what());
  } catch (const Value::exception& e) {  // a number beyond the range of a double
    return Error(ErrorKind::InvalidArgument,
                 "the text is not JSON that can be read: a number is out of range")
        .Private(e.what());
  }
}

std::string Canonical(const Value& value) {
  return value.dump(-1, ' ', false, Value::error_handler_t::replace);
}

void AppendQuoted(std::string& out, std::string_view text) {
  out.reserve(out.size() + text.size() + text.size() / kEscapesExpected + 2);
  out += '"';
  // Text is copied in runs: most needs no escape, and what a backslash precedes begins the next.
  std::size_t begin = 0;
  for (std::size_t i = SkipPlain(text, 0); i < text.size();) {
    const char c = text[i];
    if (IsPlain(c)) {
      ++i;
      continue;
    }
    if (const std::size_t size = Utf8Length(text, i); size > 1) {
      i += size;
      continue;
    }
    out.append(text, begin, i - begin);
    begin = i + 1;
    if (c == '"' || c == '\\') {
      out += '\\';
      begin = i;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      AppendControl(out, c);
    } else {
      out += "\xEF\xBF\xBD";
    }
    i = SkipPlain(text, i + 1);
  }
  out.append(text, begin).append(1, '"');
}

std::string Quote(std::string_view text) {
  std::string out;
  AppendQuoted(out, text);
  return out;
}

}  // namespace schemaward::json
