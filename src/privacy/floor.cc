#include "privacy/floor.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/contains.h"
#include "privacy/floor_rules.h"
#include "privacy/spellings.h"
#include "privacy/words.h"

namespace schemaward::privacy {
namespace {

using Words = std::vector<std::string>;

// Half-open range of words that a phrase covers.
struct Span {
  std::size_t begin;
  std::size_t end;
  bool is_written_out = false;  // a short form in it was written out
};

bool IsNumber(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

Words WithoutConnectives(Words words) {
  // A name that is nothing but such a word keeps it.
  Words kept;
  for (std::string& word : words)
    if (!Contains(kConnectives, word)) kept.push_back(std::move(word));
  return kept;
}

// True when all that follows the span keeps the value one: password_hash_old, token2.
bool EndsAsValue(const Words& words, Span span) {
  return std::all_of(
      words.begin() + static_cast<std::ptrdiff_t>(span.end), words.end(),
      [](const std::string& word) { return IsNumber(word) || Contains(kValueWords, word); });
}

bool AsksOrCounts(Category category, std::string_view first) {
  if (Contains(kAskingWords, first)) return true;
  if (category == Category::Credential) return Contains(kCountingWords, first);
  return category == Category::PaymentCard && first == kLastDigits;
}

// True when the name speaks about the value rather than holding it.
bool SpeaksAbout(Category category, const Words& words, Span span) {
  if (span.begin > 0 && AsksOrCounts(category, words.front())) return true;
  for (std::size_t i = words.size(); i-- > span.end;) {
    if (IsNumber(words[i])) continue;
    return Contains(kAboutWords, words[i]) ||
           (category == Category::PaymentCard && words[i] == kLastDigits);
  }
  return false;
}

std::string_view Singular(std::string_view word) {
  return word.size() > 2 && word.back() == 's' && word[word.size() - 2] != 's'
             ? word.substr(0, word.size() - 1)
             : word;
}

bool IsAccountTable(std::string_view table) {
  const Words words = WordsOf(table);
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return Contains(kAccountWords, word) || Contains(kAccountWords, Singular(word));
  });
}

bool Opens(const Words& words, Span span, std::string_view table) {
  return span.begin == 0 || (span.begin == 1 && OpensWithPrefix(words, table));
}

bool StandsRight(Place place, const Words& words, Span span, std::string_view table) {
  // One short word alone means much; beside people and logins it means what it is short for.
  if (span.is_written_out && span.end - span.begin == 1) place = Place::Account;
  switch (place) {
    case Place::Anywhere:
      return true;
    case Place::End:
      return EndsAsValue(words, span);
    case Place::Whole:
      return Opens(words, span, table) && EndsAsValue(words, span);
    case Place::Account:
      return Opens(words, span, table) && EndsAsValue(words, span) && IsAccountTable(table);
  }
  return false;
}

bool IsOtherCard(Category category, const Words& words, Span span) {
  return category == Category::PaymentCard && span.begin > 0 &&
         Contains(kOtherCards, words[span.begin - 1]);
}

bool Matches(const FloorRule& rule, const Words& words, Span span, std::string_view table) {
  return !SpeaksAbout(rule.category, words, span) && !IsOtherCard(rule.category, words, span) &&
         StandsRight(rule.place, words, span, table);
}

// Phrase to the rules that have it. Walking all rules for each column of a description took longer
// than all the rest of the description.
using PhraseIndex = std::unordered_multimap<std::string_view, const FloorRule*>;

const PhraseIndex& Phrases() {
  static const PhraseIndex index = [] {
    PhraseIndex made;
    for (const FloorRule& rule : kFloorRules) made.emplace(rule.phrase, &rule);
    return made;
  }();
  return index;
}

const std::vector<std::string_view>& SortedPhrases() {
  static const std::vector<std::string_view> sorted = [] {
    std::vector<std::string_view> all;
    for (const FloorRule& rule : kFloorRules) all.push_back(rule.phrase);
    std::sort(all.begin(), all.end());
    return all;
  }();
  return sorted;
}

// Returns the name that a generic column stands for (credit card number, api key value), or
// nothing. A table named only "cards" may hold playing cards and does not count.
Words NameFromTable(std::string_view table, const Words& column) {
  if (column.size() != 1 || !Contains(kGenericColumns, column.front())) return {};
  Words words = WithoutConnectives(WordsOf(table));
  if (words.empty()) return {};
  words.back() = Singular(words.back());
  if (words.size() == 1 && words.front() == "card") return {};
  if (column.front() != words.back()) words.push_back(column.front());
  return words;
}

// Of the rules that match, the first of the table.
std::optional<FloorMatch> FirstMatch(const Words& words, std::string_view table) {
  const FloorRule* first = nullptr;
  for (std::size_t begin = 0; begin < words.size(); ++begin)
    Joiner(words, [&](std::string_view joined, std::size_t end, bool is_written_out) {
      const auto [from, to] = Phrases().equal_range(joined);
      for (auto at = from; at != to; ++at)
        if ((first == nullptr || at->second < first) &&
            Matches(*at->second, words, {begin, end, is_written_out}, table))
          first = at->second;
      return BeginsOne(SortedPhrases(), joined);
    }).From(begin);
  if (first == nullptr) return std::nullopt;
  return FloorMatch{first->category, first->phrase};
}

}  // namespace

std::optional<FloorMatch> FloorCategoryOf(std::string_view table, std::string_view column) {
  const Words words = WithoutConnectives(WordsOf(column));
  if (auto match = FirstMatch(words, table)) return match;
  return FirstMatch(NameFromTable(table, words), table);
}

}  // namespace schemaward::privacy
