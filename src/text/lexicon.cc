#include "text/lexicon.h"

#include <algorithm>
#include <cstddef>
#include <tuple>

#include "text/words.h"

namespace schemaward::text {
namespace {

constexpr std::uint8_t kSamePercent = 90;     // another spelling of the same word
constexpr std::uint8_t kSynonymPercent = 55;  // another word, maybe another thing
constexpr std::uint8_t kOneWayPercent = 50;   // a hint at what is meant
constexpr std::size_t kPartShortest = 3;      // letters of a part of a compound
constexpr std::size_t kCompoundShortest = 6;  // letters of a compound
constexpr std::size_t kPartsMax = 6;

std::vector<std::string_view> Split(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    const auto from = line.find_first_not_of(' ');
    if (from == std::string_view::npos) return words;
    const auto to = std::min(line.find(' ', from), line.size());
    words.push_back(line.substr(from, to - from));
    line.remove_prefix(to);
  }
}

void SortUnique(std::vector<std::string_view>& words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
}

}  // namespace

Lexicon::Lexicon() {
  std::string_view text = LexiconText();
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    Read(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::sort(pairs_.begin(), pairs_.end(), [](const Pair& a, const Pair& b) {
    return std::tie(a.from, b.percent, a.to) < std::tie(b.from, a.percent, b.to);
  });
  for (const auto& pair : pairs_) {
    known_.push_back(pair.from);
    known_.push_back(pair.to);
  }
  SortUnique(known_);
  SortUnique(stop_words_);
}

void Lexicon::Read(std::string_view line) {
  if (line.size() < 2) return;
  const auto words = Split(line.substr(1));
  switch (line.front()) {
    case '=':
      return AddSet(words, kSynonymPercent);
    case '~':
      return AddSet(words, kSamePercent);
    case '>': {
      const auto arrow = std::find(words.begin(), words.end(), "->");
      if (arrow != words.end()) AddOneWay({words.begin(), arrow}, {arrow + 1, words.end()});
      return;
    }
    case '+':
      known_.insert(known_.end(), words.begin(), words.end());
      return;
    case '-':
      stop_words_.insert(stop_words_.end(), words.begin(), words.end());
      return;
    default:
      return;  // a remark
  }
}

void Lexicon::AddSet(const std::vector<std::string_view>& words, std::uint8_t percent) {
  for (const auto from : words) {
    for (const auto to : words) {
      if (from != to) pairs_.push_back({from, to, percent});
    }
  }
}

void Lexicon::AddOneWay(const std::vector<std::string_view>& from,
                        const std::vector<std::string_view>& to) {
  for (const auto word : from) {
    for (const auto meant : to) {
      if (word != meant) pairs_.push_back({word, meant, kOneWayPercent});
    }
  }
}

std::vector<Synonym> Lexicon::SynonymsOf(std::string_view word) const {
  std::vector<Synonym> found;
  auto at = std::lower_bound(pairs_.begin(), pairs_.end(), word,
                             [](const Pair& pair, std::string_view w) { return pair.from < w; });
  for (; at != pairs_.end() && at->from == word; ++at) {
    const bool seen =
        std::any_of(found.begin(), found.end(), [&](const Synonym& s) { return s.word == at->to; });
    if (!seen) found.push_back({at->to, at->percent});
  }
  return found;
}

bool Lexicon::IsStopWord(std::string_view word) const {
  return std::binary_search(stop_words_.begin(), stop_words_.end(), word);
}

bool Lexicon::Knows(std::string_view word) const {
  return std::binary_search(known_.begin(), known_.end(), word);
}

std::vector<std::string> Lexicon::Segment(std::string_view word) const {
  if (word.size() < kCompoundShortest || Knows(word)) return {};
  // best[n]: how the first n bytes are read, in the fewest parts; empty where they cannot be.
  std::vector<std::vector<std::string>> best(word.size() + 1);
  for (std::size_t end = kPartShortest; end <= word.size(); ++end) {
    for (std::size_t begin = 0; begin + kPartShortest <= end; ++begin) {
      if (begin > 0 && best[begin].empty()) continue;
      const std::size_t parts = best[begin].size() + 1;
      if (parts > kPartsMax || (!best[end].empty() && best[end].size() <= parts)) continue;
      const std::string_view part = word.substr(begin, end - begin);
      const bool may_be_plural = part.back() == 's';
      if (!Knows(part) && !(may_be_plural && Knows(Singular(part)))) continue;
      best[end] = best[begin];
      best[end].push_back(Singular(part));
    }
  }
  return best[word.size()].size() > 1 ? best[word.size()] : std::vector<std::string>{};
}

}  // namespace schemaward::text
