#include "tools/untrusted_text.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>

#include "text/fold.h"
#include "tools/untrusted_words.h"

namespace schemaward::tools {
namespace {

enum class Sign : std::uint8_t {
  RoleTag,
  SetsAside,
  AddressesReader,
  NamesTool,
  SendsAway,
  HiddenCharacters
};
constexpr std::size_t kSigns = 6;
constexpr std::array<std::string_view, kSigns> kNames = {
    "role_tag", "sets_aside", "addresses_reader", "names_tool", "sends_away", "hidden_characters"};

class Found {
 public:
  void Add(Sign sign, bool is_there) {
    if (is_there) signs_[static_cast<std::size_t>(sign)] = true;
  }
  std::vector<std::string_view> Names() const {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < kSigns; ++i)
      if (signs_[i]) names.push_back(kNames[i]);
    return names;
  }

 private:
  std::array<bool, kSigns> signs_{};
};

constexpr std::size_t kTextMax = 20'000;   // bytes looked at of one text
constexpr std::size_t kShortest = 6;       // no sign is shorter
constexpr std::size_t kWordsTogether = 8;  // words of one request stand so close

bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Folded; tags need the blanks and signs between words.
std::string Folded(std::string_view text) {
  const bool is_ascii = std::all_of(text.begin(), text.end(),
                                    [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  std::string folded(text);
  if (is_ascii) {
    for (char& c : folded)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return folded;
  }
  folded = text::Fold(text);
  constexpr std::string_view kSoftHyphen = "\xC2\xAD";  // a word in two lines is one word
  for (std::size_t at = folded.find(kSoftHyphen); at != std::string::npos;
       at = folded.find(kSoftHyphen, at))
    folded.erase(at, kSoftHyphen.size());
  constexpr std::string_view kDotless = "\xC4\xB1";
  for (std::size_t at = folded.find(kDotless); at != std::string::npos;
       at = folded.find(kDotless, at))
    folded.replace(at, kDotless.size(), "i");
  return folded;
}

std::vector<std::string_view> WordsOf(std::string_view text) {
  constexpr std::size_t kBytesAWord = 5;
  std::vector<std::string_view> words;
  words.reserve(text.size() / kBytesAWord + 1);
  for (std::size_t i = 0; i < text.size();) {
    while (i < text.size() && !IsWordByte(text[i])) ++i;
    const std::size_t begin = i;
    while (i < text.size() && IsWordByte(text[i])) ++i;
    if (i > begin) words.push_back(text.substr(begin, i - begin));
  }
  return words;
}

// Whether the words of a phrase stand from `at` on.
bool StandsAt(const std::vector<std::string_view>& words, std::size_t at, std::string_view phrase) {
  while (!phrase.empty()) {
    const std::size_t blank = std::min(phrase.find(' '), phrase.size());
    if (at >= words.size() || words[at] != phrase.substr(0, blank)) return false;
    ++at;
    phrase.remove_prefix(std::min(blank + 1, phrase.size()));
  }
  return true;
}

// Where each kind of word was last; a request is all of its kinds close together.
class Together {
 public:
  void Note(std::size_t kind, std::size_t at) { last_[kind] = at + 1; }
  bool AreAll(std::size_t at) const {
    return std::all_of(last_.begin(), last_.end(), [&](std::size_t last) {
      return last > 0 && at + 1 - last < kWordsTogether;
    });
  }

 private:
  std::array<std::size_t, 3> last_{};  // position + 1; 0: never
};

void LookAtWords(const std::vector<std::string_view>& words, Found& found) {
  Together aside, away;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const unsigned kinds = KindsOf(words[i]);
    if (kinds == 0) continue;
    const auto is = [&](WordKind kind) { return (kinds & BitOf(kind)) != 0; };
    if (is(WordKind::Ignore)) aside.Note(0, i);
    if (is(WordKind::Earlier)) aside.Note(1, i);
    if (is(WordKind::Instruction)) aside.Note(2, i);
    if (is(WordKind::Send)) away.Note(0, i);
    if (is(WordKind::Sent)) away.Note(1, i);
    if (is(WordKind::Web)) away.Note(2, i);
    found.Add(Sign::SetsAside, aside.AreAll(i));
    found.Add(Sign::SendsAway, away.AreAll(i));
    found.Add(Sign::NamesTool, is(WordKind::Tool));
    for (const std::string_view phrase : Phrases())
      if (phrase.front() == words[i].front())
        found.Add(Sign::AddressesReader, StandsAt(words, i, phrase));
  }
}

// Characters that hide text or turn it round, as UTF-8: U+200B, U+2060, U+202A to U+202E, U+2066 to
// U+2069, tags, and selectors of variants in a row: of a letter one chooses its shape, more carry a
// text. Joiners are part of some scripts and do not count.
bool HasHidden(std::string_view text) {
  constexpr std::size_t kSelectorBytes = 4;
  std::size_t after_selector = std::string_view::npos;
  for (std::size_t i = 0; i + 2 < text.size(); ++i) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[i + k]); };
    if (byte(0) == 0xF3 && byte(1) == 0xA0 && (byte(2) == 0x80 || byte(2) == 0x81)) return true;
    if (byte(0) == 0xF3 && byte(1) == 0xA0 && byte(2) >= 0x84 && byte(2) <= 0x87) {
      if (i == after_selector) return true;
      after_selector = i + kSelectorBytes;
    }
    if (byte(0) != 0xE2) continue;
    if (byte(1) == 0x80 && (byte(2) == 0x8B || (byte(2) >= 0xAA && byte(2) <= 0xAE))) return true;
    if (byte(1) == 0x81 && (byte(2) == 0xA0 || (byte(2) >= 0xA6 && byte(2) <= 0xA9))) return true;
  }
  return false;
}

// A speaker's name at the start of a line; "system:" at the start of a text is a plain label.
bool HasSpeakerTag(const std::string& folded) {
  constexpr std::string_view kFirst = "<[#\n";  // of every tag
  if (folded.starts_with("assistant:")) return true;
  if (folded.find_first_of(kFirst) == std::string::npos) return false;
  const auto tags = SpeakerTags();
  return std::any_of(tags.begin(), tags.end(),
                     [&](std::string_view tag) { return folded.find(tag) != std::string::npos; });
}

}  // namespace

std::vector<std::string_view> SignsOf(std::string_view text) {
  text = text.substr(0, kTextMax);
  if (text.size() < kShortest) return {};
  Found found;
  found.Add(Sign::HiddenCharacters, HasHidden(text));
  const std::string folded = Folded(text);
  found.Add(Sign::RoleTag, HasSpeakerTag(folded));
  LookAtWords(WordsOf(folded), found);
  return found.Names();
}

void FlaggedText::Bind(json::Fields& f) {
  f("where", where, "which text");
  f("signs", signs,
    "role_tag, sets_aside, addresses_reader, names_tool, sends_away or hidden_characters");
}

bool TextFlags::Look(std::string_view what, std::string_view of, std::string_view text) {
  if (flagged_.size() >= kFlagsMax) return false;
  const auto signs = SignsOf(text);
  if (signs.empty()) return false;
  flagged_.push_back({of.empty() ? std::string(what) : fmt::format("{} of {}", what, of),
                      {signs.begin(), signs.end()}});
  return true;
}

}  // namespace schemaward::tools
