#include "explore/objects.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace schemaward::explore {
namespace {

constexpr std::array<std::string_view, 2> kTags = {"think>", "thinking>"};

bool StartsWith(std::string_view text, std::string_view start) {
  return text.size() >= start.size() &&
         EqualsIgnoringAsciiCase(text.substr(0, start.size()), start);
}

// Length of an opening or closing tag at the beginning of `text`; 0 where there is none.
std::size_t TagLength(std::string_view text, bool closing) {
  const std::string_view start = closing ? "</" : "<";
  if (!StartsWith(text, start)) return 0;
  for (const std::string_view tag : kTags)
    if (StartsWith(text.substr(start.size()), tag)) return start.size() + tag.size();
  return 0;
}

// The end of the first closing tag at or after `at`; npos where there is none.
std::size_t AfterClosingTag(std::string_view text, std::size_t at) {
  for (at = text.find("</", at); at != std::string_view::npos; at = text.find("</", at + 1))
    if (const std::size_t length = TagLength(text.substr(at), true); length > 0) return at + length;
  return std::string_view::npos;
}

// The end of the object that begins at `at`; npos where it does not end.
std::size_t AfterObject(std::string_view text, std::size_t at) {
  int depth = 0;
  bool in_string = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      if (c == '\\') ++at;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return at + 1;
    }
  }
  return std::string_view::npos;
}

char LastNonBlank(std::string_view text) {
  const std::size_t at = text.find_last_not_of(" \t\r\n");
  return at == std::string_view::npos ? '\0' : text[at];
}

char FirstNonBlank(std::string_view text) {
  const std::size_t at = text.find_first_not_of(" \t\r\n");
  return at == std::string_view::npos ? '\0' : text[at];
}

bool IsListItem(std::string_view text, std::size_t begin, std::size_t end) {
  const char before = LastNonBlank(text.substr(0, begin));
  const char after = FirstNonBlank(text.substr(end));
  return (before == '[' || before == ',') && (after == ']' || after == ',');
}

/// Walks a reply once. Thread: owner.
class Walk {
 public:
  explicit Walk(std::string_view text) : text_(text) {}

  FoundObjects Run() {
    while (at_ < text_.size() && !is_over_) Piece();
    if (found_.objects.size() > FoundObjects::kObjectsMax)
      found_.objects.erase(found_.objects.begin(),
                           found_.objects.end() - FoundObjects::kObjectsMax);
    return std::move(found_);
  }

 private:
  void Piece() {
    const std::string_view rest = text_.substr(at_);
    if (rest[0] == '{') return Object();
    if (TagLength(rest, false) > 0) {
      const std::size_t after = AfterClosingTag(text_, at_);
      is_over_ = after == std::string_view::npos;  // thinking to the end
      at_ = after;
    } else if (const std::size_t length = TagLength(rest, true); length > 0) {
      found_.objects.clear();  // all before was thinking
      at_ += length;
    } else {
      ++at_;
    }
  }

  void Object() {
    const std::size_t end = AfterObject(text_, at_);
    if (end != std::string_view::npos) {
      found_.objects.push_back({text_.substr(at_, end - at_), IsListItem(text_, at_, end)});
      at_ = end;
      return;
    }
    // A stray brace in thinking whose opening tag was not sent hides nothing behind the closing
    // one.
    const std::size_t after = AfterClosingTag(text_, at_);
    if (after != std::string_view::npos && !has_restarted_) {
      has_restarted_ = true;
      found_.objects.clear();
      at_ = after;
      return;
    }
    // After an action, a brace of prose is no object.
    found_.is_cut = found_.objects.empty() || FirstNonBlank(text_.substr(at_ + 1)) == '"';
    is_over_ = true;
  }

  const std::string_view text_;
  FoundObjects found_;
  std::size_t at_ = 0;
  bool is_over_ = false;
  bool has_restarted_ = false;
};

}  // namespace

FoundObjects FindObjects(std::string_view reply) { return Walk(reply).Run(); }

}  // namespace schemaward::explore
