// ClassifyName: the name rules, looked up by phrase.

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/contains.h"
#include "privacy/classify.h"
#include "privacy/floor.h"
#include "privacy/floor_rules.h"
#include "privacy/name_rules.h"
#include "privacy/spellings.h"
#include "privacy/type_family.h"
#include "privacy/words.h"

namespace schemaward::privacy {
namespace {

using Words = std::vector<std::string>;

constexpr std::size_t kWordsMax = 12;  // of a name; later ones are not looked at

bool IsNumber(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// A phrase in the name: words [begin, end) and the rules that have it.
struct Match {
  std::size_t begin, end;
  const NameRules* rules;
  std::string_view phrase;
  bool is_written_out;  // a short form in it was written out
};

// Phrase to the rules that have it. Built once from the constant table; looking a name up costs a
// few hash look-ups, where walking some 1,300 phrases cost 20 us a column.
using PhraseIndex = std::unordered_multimap<std::string_view, const NameRules*>;

PhraseIndex BuildIndex() {
  PhraseIndex index;
  for (const NameRules& rules : name_rules) {
    for (std::size_t begin = 0; begin < rules.phrases.size();) {
      const std::size_t end = std::min(rules.phrases.find(' ', begin), rules.phrases.size());
      index.emplace(rules.phrases.substr(begin, end - begin), &rules);
      begin = end + 1;
    }
  }
  return index;
}

const PhraseIndex& Phrases() {
  static const PhraseIndex index = BuildIndex();
  return index;
}

const std::vector<std::string_view>& SortedPhrases() {
  static const std::vector<std::string_view> sorted = [] {
    std::vector<std::string_view> all;
    for (const auto& [phrase, rules] : Phrases()) all.push_back(phrase);
    std::sort(all.begin(), all.end());
    return all;
  }();
  return sorted;
}

std::vector<Match> FindPhrases(const Words& words) {
  std::vector<Match> matches;
  for (std::size_t begin = 0; begin < words.size(); ++begin)
    Joiner(words, [&](std::string_view joined, std::size_t end, bool is_written_out) {
      const auto [first, last] = Phrases().equal_range(joined);
      for (auto at = first; at != last; ++at)
        matches.push_back({begin, end, at->second, at->first, is_written_out});
      return BeginsOne(SortedPhrases(), joined);
    }).From(begin);
  return matches;
}

// The singular forms that plurals of the six languages lead to; the word itself first.
template <class List>
bool HoldsSingular(const List& list, std::string_view word) {
  static constexpr std::string_view kEndings[] = {"s",  "es",  "n",   "en",   "e",
                                                  "er", "lar", "ler", "leri", "lari"};
  if (Contains(list, word)) return true;
  if (word.size() > 4 && word.ends_with("ies") &&
      Contains(list, std::string(word.substr(0, word.size() - 3)) + "y"))
    return true;
  return std::any_of(std::begin(kEndings), std::end(kEndings), [&](std::string_view ending) {
    return word.size() > ending.size() + 2 && word.ends_with(ending) &&
           Contains(list, word.substr(0, word.size() - ending.size()));
  });
}

template <class List>
bool NamesOneOf(const List& list, const Words& table) {
  return std::any_of(table.begin(), table.end(),
                     [&](const std::string& word) { return HoldsSingular(list, word); });
}

bool IsTrait(Category category) {
  return category == Category::Health || category == Category::Genetic ||
         category == Category::Biometric || category == Category::DemographicProtected;
}

// What the rules ask about a column.
class Judge {
 public:
  Judge(Words words, std::string_view table, std::uint8_t family)
      : words_(std::move(words)),
        table_(table),
        family_(family),
        start_(OpensWithPrefix(words_, table) ? 1 : 0) {}

  const Words& words() const { return words_; }

  bool Holds(const Match& match) const {
    if ((match.rules->types & family_) == 0 || Asks(match) || IsDoubtful(match)) return false;
    switch (match.rules->stand) {
      case Stand::Anywhere:
        return !SpeaksAbout(match);
      case Stand::End:
        return EndsAsValue(match);
      case Stand::Whole:
        return Opens(match) && EndsAsValue(match);
      case Stand::Person:
        return Opens(match) && EndsAsValue(match) && IsAboutPeople();
      case Stand::OfPerson:
        return IsOfPerson(match);
      case Stand::Postal:
        return !SpeaksAbout(match) && !IsMachine() && !IsAboutPlaces();
      case Stand::Geo:
        return EndsAsValue(match) && !IsAboutPlaces();
    }
    return false;
  }

 private:
  bool Opens(const Match& match) const { return match.begin == 0 || match.begin == start_; }
  // One short word alone (ph, dir, dx) means much; in a table about people it means what it is
  // short for.
  bool IsDoubtful(const Match& match) const {
    return match.is_written_out && match.end - match.begin == 1 &&
           !(Opens(match) && EndsAsValue(match) && IsAboutPeople());
  }
  bool Asks(const Match& match) const {
    return match.begin > 0 && Contains(asking_heads, words_.front());
  }
  bool EndsAsValue(const Match& match) const {
    return std::all_of(words_.begin() + static_cast<std::ptrdiff_t>(match.end), words_.end(),
                       [&](const std::string& word) {
                         return IsNumber(word) || Contains(keeping_tails, word) ||
                                IsOfTrait(match, word);
                       });
  }
  bool IsPersonAt(std::size_t i) const {
    return HoldsSingular(person_words, words_[i]) && !HoldsSingular(not_of_person, words_[i]);
  }
  bool IsOfPerson(const Match& match) const {
    if (match.begin > 0 && IsPersonAt(match.begin - 1)) return EndsAsValue(match);
    return match.begin == 0 && match.end + 1 == words_.size() && IsPersonAt(match.end);
  }
  bool SpeaksAbout(const Match& match) const {
    for (std::size_t i = words_.size(); i-- > match.end;)
      if (!IsNumber(words_[i]))
        return Contains(about_tails, words_[i]) && !IsOfTrait(match, words_[i]);
    return false;
  }
  // What somebody is or has is told by its code as by its name: race_cd, disability_flag.
  bool IsOfTrait(const Match& match, std::string_view word) const {
    return IsTrait(match.rules->category) && Contains(trait_tails, word);
  }
  bool IsMachine() const {
    return std::any_of(words_.begin(), words_.end(),
                       [](const std::string& word) { return Contains(not_postal, word); });
  }

  // What the table is about is looked at where a phrase asks for it only: the lists are long.
  bool IsAboutPeople() const;
  bool IsAboutPlaces() const;

  Words words_;
  std::string_view table_;
  std::uint8_t family_;
  std::size_t start_;  // where the name begins, behind a prefix
};

// "spendername" is "spender name": German writes such names as one word.
std::size_t NameBegins(std::string_view word) {
  for (const std::string_view tail : {"name", "namen"})
    if (word.size() > tail.size() + 2 && word.ends_with(tail) &&
        HoldsSingular(person_words, word.substr(0, word.size() - tail.size())))
      return word.size() - tail.size();
  return word.size();
}

Words Prepared(std::string_view name) {
  Words kept;
  for (const std::string& word : WordsOf(name)) {
    if (kept.size() == kWordsMax) break;
    // A letter in front joins nothing: d_o_b, l_name.
    if (Contains(kConnectives, word) && !(kept.empty() && word.size() == 1)) continue;
    const std::size_t tail = NameBegins(word);
    kept.push_back(word.substr(0, tail));
    if (tail < word.size()) kept.push_back(word.substr(tail));
  }
  return kept;
}

bool Judge::IsAboutPeople() const {
  const Words table = Prepared(table_);
  if (!NamesOneOf(person_words, table)) return false;
  // "app_users", "team_members": the last word says what they are, but where the language puts it
  // first ("pedidos_clientes") and of words that things have too ("ad_accounts").
  const bool ends_in_people =
      HoldsSingular(person_words, table.back()) && !HoldsSingular(account_words, table.back());
  return std::none_of(table.begin(), table.end(), [&](const std::string& word) {
    return HoldsSingular(thing_words, word) &&
           !(ends_in_people && !HoldsSingular(head_first_words, word));
  });
}

bool Judge::IsAboutPlaces() const {
  const Words table = Prepared(table_);
  return NamesOneOf(place_words, table) && !NamesOneOf(person_words, table);
}

// "address" inside "ip_address" is not looked at: the longer phrase says what the name means.
bool IsInside(const Match& inner, const Match& outer) {
  return outer.begin <= inner.begin && inner.end <= outer.end &&
         outer.end - outer.begin > inner.end - inner.begin;
}

}  // namespace

Classification ClassifyName(std::string_view table, std::string_view column,
                            std::string_view type) {
  Classification result;
  const std::uint8_t family = FamilyOf(type);
  const bool can_hold_floor = family == kAny || (family & (kBool | kTime)) == 0;
  if (const auto floor = FloorCategoryOf(table, column);
      floor && (can_hold_floor || floor->category == Category::PaymentCard)) {
    result.Add(floor->category, Method::Name, floor->phrase);
    return result;
  }
  const Judge judge(Prepared(column), table, family);
  const std::vector<Match> matches = FindPhrases(judge.words());
  for (const Match& match : matches) {
    const bool is_inside = std::any_of(matches.begin(), matches.end(), [&](const Match& other) {
      return IsInside(match, other) && (!other.is_written_out || judge.Holds(other));
    });
    if (!is_inside && judge.Holds(match))
      result.Add(match.rules->category, Method::Name, match.phrase);
  }
  return result;
}

}  // namespace schemaward::privacy
