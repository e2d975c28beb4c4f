#include "json/value.h"

#include <array>
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

// Whether the eight bytes at `text` are all plain.
bool IsPlainWord(const char* text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHighs = kOnes * 0x80;
  // Sets the high bit of a byte that is below `bound` (and, by a borrow, perhaps of one above it).
  const auto below = [](std::uint64_t word, std::uint64_t bound) {
    return (word - kOnes * bound) & ~word;
  };
  std::uint64_t word = 0;
  std::memcpy(&word, text, sizeof word);
  const std::uint64_t others =
      word | below(word, 0x20) | below(word ^ (kOnes * '"'), 1) | below(word ^ (kOnes * '\\'), 1);
  return (others & kHighs) == 0;
}

// Gathers bytes, and appends them in large pieces: a string asks at each whether it has room.
class Gathered {
 public:
  explicit Gathered(std::string& out) : out_(out) {}
  ~Gathered() { Flush(); }
  Gathered(const Gathered&) = delete;
  Gathered& operator=(const Gathered&) = delete;

  void Add(char c) {
    if (size_ == bytes_.size()) Flush();
    bytes_[size_++] = c;
  }
  void AddWord(const char* text) {
    if (bytes_.size() - size_ < kWord) Flush();
    std::memcpy(bytes_.data() + size_, text, kWord);
    size_ += kWord;
  }
  /// Empties into the string, to which the caller may append.
  std::string& Flush() {
    out_.append(bytes_.data(), size_);
    size_ = 0;
    return out_;
  }
  static constexpr std::size_t kWord = sizeof(std::uint64_t);

 private:
  std::string& out_;
  std::array<char, 512> bytes_;
  std::size_t size_ = 0;
};

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
  Gathered gathered(out);
  gathered.Add('"');
  for (std::size_t i = 0; i < text.size();) {
    if (text.size() - i >= Gathered::kWord && IsPlainWord(text.data() + i)) {
      gathered.AddWord(text.data() + i);
      i += Gathered::kWord;
      continue;
    }
    // Byte by byte to behind the next that is not plain.
    while (i < text.size() && IsPlain(text[i])) gathered.Add(text[i++]);
    if (i == text.size()) break;
    const char c = text[i];
    if (const std::size_t size = Utf8Length(text, i); size > 1) {
      gathered.Flush().append(text, i, size);
      i += size;
      continue;
    }
    ++i;
    if (c == '"' || c == '\\') {
      gathered.Add('\\');
      gathered.Add(c);
    } else if (static_cast<unsigned char>(c) < 0x20) {
      AppendControl(gathered.Flush(), c);
    } else {
      gathered.Flush() += "\xEF\xBF\xBD";
    }
  }
  gathered.Add('"');
}

std::string Quote(std::string_view text) {
  std::string out;
  AppendQuoted(out, text);
  return out;
}

}  // namespace schemaward::json
