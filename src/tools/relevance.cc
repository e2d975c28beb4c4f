#include "tools/relevance.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "text/nearest.h"
#include "text/words.h"

namespace schemaward::tools {
namespace {

constexpr std::size_t kQueryWordsMax = 40;
constexpr std::size_t kReasonsMax = 3;
constexpr std::size_t kPrefixMin = 4;  // letters of a word that another may begin with
constexpr std::uint32_t kTypo = 12;    // distance of a word that is misspelt
constexpr double kStem = 0.9;
constexpr double kSynonym = 0.8;
constexpr double kPrefix = 0.6;
constexpr double kMisspelt = 0.7;
// What a place is worth.
constexpr double kName = 1.0;
constexpr double kPartOfName = 0.7;
constexpr double kOtherName = 0.95;
constexpr double kMember = 0.55;
constexpr double kDescription = 0.5;
constexpr double kEnough = 0.5;  // of the query's weight, for MEDIUM

std::vector<std::string> WordsOf(std::string_view text) {
  std::vector<std::string> words = text::SplitWords(text);
  for (std::string& word : words) word = text::Singular(word);
  return words;
}

bool IsBlank(std::string_view query) {
  const std::size_t begin = query.find_first_not_of(" \t\n");
  return begin == std::string_view::npos || query.substr(begin) == "*";
}

}  // namespace

/// Where a word of the query was found best in one definition.
struct Relevance::Place {
  double worth = 0;
  std::string what;         ///< "name", "synonym \"client\"", "column city"
  bool fills_name = false;  ///< all words of that name are asked for
  bool is_name = false;
};

Relevance::Relevance(std::string_view query, const text::Lexicon& lexicon) {
  if (IsBlank(query)) return;
  std::vector<std::string> kept, all = text::SplitWords(query);
  for (const std::string& word : all)
    if (!lexicon.IsStopWord(word)) kept.push_back(word);
  if (kept.empty()) kept = all;
  std::set<std::string> seen;
  for (const std::string& word : kept) {
    Word one;
    one.text = text::Singular(word);
    if (words_.size() >= kQueryWordsMax || !seen.insert(one.text).second) continue;
    one.stem = stemmer_.Stem(one.text);
    one.synonyms = lexicon.SynonymsOf(one.text);
    words_.push_back(std::move(one));
  }
  // A query of signs alone finds nothing, but is no wish for everything.
  if (words_.empty()) words_.push_back({std::string(query.substr(0, 64)), {}, {}});
}

double Relevance::Likeness(const Word& word, const std::string& other, bool with_stem) const {
  if (word.text == other) return 1;
  double best = 0;
  for (const text::Synonym& synonym : word.synonyms)
    if (synonym.word == other) best = kSynonym * synonym.percent / 100.0;
  if (with_stem && best < kStem && !word.stem.empty() && stemmer_.Stem(other) == word.stem)
    return kStem;
  const bool is_prefix = word.text.size() >= kPrefixMin && other.starts_with(word.text);
  return is_prefix ? std::max(best, kPrefix) : best;
}

std::vector<Relevance::Place> Relevance::Match(const Said& said, bool with_typos) const {
  std::vector<Place> best(words_.size());
  const auto offer = [&](std::size_t i, double worth, const std::string& what, bool is_name,
                         bool fills) {
    if (worth > best[i].worth) best[i] = {worth, what, fills, is_name};
  };
  const auto name = [&](const std::string& text, double weight, const std::string& what) {
    const std::vector<std::string> parts = WordsOf(text);
    std::vector<double> like(words_.size(), 0);
    std::size_t filled = 0;
    for (const std::string& part : parts) {
      double most = 0;
      for (std::size_t i = 0; i < words_.size(); ++i) {
        double one = Likeness(words_[i], part, true);
        if (one == 0 && with_typos && part.size() >= kPrefixMin &&
            text::NameDistance(words_[i].text, part, kTypo) <= kTypo)
          one = kMisspelt;
        like[i] = std::max(like[i], one);
        most = std::max(most, one);
      }
      filled += most > 0 ? 1 : 0;
    }
    const bool fills = !parts.empty() && filled == parts.size();
    for (std::size_t i = 0; i < words_.size(); ++i)
      if (like[i] > 0)
        offer(i, like[i] * weight * (fills ? 1 : kPartOfName), what, true,
              fills && like[i] >= kStem);
  };
  name(said.name, kName, "name");
  for (const std::string& synonym : said.synonyms)
    name(synonym, kOtherName, fmt::format("synonym \"{}\"", synonym));
  for (const std::string& member : said.members)
    for (const std::string& part : WordsOf(member))
      for (std::size_t i = 0; i < words_.size(); ++i)
        if (const double like = Likeness(words_[i], part, false); like > 0)
          offer(i, like * kMember, member, false, false);
  for (const std::string& part : WordsOf(said.description))
    for (std::size_t i = 0; i < words_.size(); ++i)
      if (const double like = Likeness(words_[i], part, true); like > 0)
        offer(i, like * kDescription, "description", false, false);
  return best;
}

std::vector<Fit> Relevance::Rank(const std::vector<Said>& all) const {
  std::vector<std::vector<Place>> places;
  std::vector<double> rarity(words_.size(), 0);
  for (const bool with_typos : {false, true}) {
    places.clear();
    bool found = false;
    for (const Said& said : all) {
      places.push_back(Match(said, with_typos));
      for (const Place& place : places.back()) found = found || place.worth > 0;
    }
    if (found) break;
  }
  double total = 0;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const auto count = std::count_if(places.begin(), places.end(),
                                     [&](const auto& one) { return one[i].worth > 0; });
    rarity[i] =
        std::log(1.0 + static_cast<double>(all.size() + 1) / (static_cast<double>(count) + 0.5));
    total += rarity[i];
  }
  std::vector<Fit> fits;
  for (std::size_t at = 0; at < places.size(); ++at) {
    Fit fit{at, 0, tool::Confidence::Low, ""};
    bool fills = false, names = false;
    std::size_t reasons = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const Place& place = places[at][i];
      if (place.worth <= 0) continue;
      fit.score += place.worth * rarity[i] / total;
      fills = fills || place.fills_name;
      names = names || place.is_name;
      if (++reasons > kReasonsMax) continue;
      fit.reason +=
          fmt::format("{}\"{}\" fits {}", reasons > 1 ? "; " : "", words_[i].text, place.what);
    }
    if (fit.score <= 0) continue;
    if (fills)
      fit.confidence = tool::Confidence::High;
    else if (names || fit.score >= kEnough * kMember)
      fit.confidence = tool::Confidence::Medium;
    if (fills) fit.score += kPartOfName * (1.0 - fit.score / 2);
    fits.push_back(std::move(fit));
  }
  std::stable_sort(fits.begin(), fits.end(),
                   [](const Fit& a, const Fit& b) { return a.score > b.score; });
  return fits;
}

}  // namespace schemaward::tools
