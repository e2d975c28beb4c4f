#include "patterns/ranking.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "text/words.h"

namespace schemaward::patterns {
namespace {

constexpr double kTitle = 4, kTags = 3, kUseWhen = 2, kSummary = 2, kCategory = 2, kRest = 0.5;
constexpr double kSaturation = 2;      // of BM25: how fast a word said again counts less
constexpr double kSynonymShare = 0.6;  // of a word that is meant, not said
constexpr double kCoverageMin = 0.3;   // of what the words weigh: a pattern that has less is no hit
constexpr double kOfBestMin = 0.35;    // of the best score: what is far behind it is no hit
constexpr std::size_t kWordsMax = 40;  // of a query
constexpr double kPercent = 100;

// Words that say nothing of a need. Shorter than the lexicon's: "without", "each", "most" and
// "rows" are what patterns are about.
constexpr auto kEmptyWords = std::to_array<std::string_view>(
    {"a",    "an",      "and",      "are",    "at",    "be",   "by",   "can",  "do",  "does",
     "find", "for",     "from",     "get",    "give",  "has",  "have", "how",  "i",   "in",
     "is",   "it",      "its",      "list",   "me",    "my",   "need", "of",   "on",  "or",
     "our",  "pattern", "patterns", "please", "query", "show", "sql",  "that", "the", "their",
     "them", "there",   "they",     "this",   "to",    "use",  "want", "was",  "we",  "were",
     "what", "when",    "where",    "which",  "who",   "with", "you"});
static_assert(std::is_sorted(kEmptyWords.begin(), kEmptyWords.end()));

bool SaysNothing(std::string_view word) {
  return std::binary_search(kEmptyWords.begin(), kEmptyWords.end(), word);
}

std::string StemOf(const std::string& word, const text::Stemmer& stemmer) {
  return stemmer.Stem(text::Singular(word));
}

}  // namespace

Ranking::Ranking(const std::vector<Pattern>& patterns, const text::Lexicon& lexicon)
    : lexicon_(lexicon), count_(patterns.size()) {
  const text::Stemmer stemmer;
  for (std::size_t at = 0; at < patterns.size(); ++at) {
    const Pattern& pattern = patterns[at];
    const auto add = [&](std::string_view text, double weight) { Add(at, text, weight, stemmer); };
    add(pattern.id, kTitle);
    add(pattern.title, kTitle);
    add(json::EnumNames<Category>::kNames[static_cast<std::size_t>(pattern.category)], kCategory);
    add(pattern.summary, kSummary);
    for (const std::string& tag : pattern.tags) add(tag, kTags);
    for (const std::string& use : pattern.use_when) add(use, kUseWhen);
    for (const std::string& pitfall : pattern.pitfalls) add(pitfall, kRest);
    for (const Parameter& parameter : pattern.parameters) add(parameter.meaning, kRest);
  }
}

void Ranking::Add(std::size_t at, std::string_view text, double weight,
                  const text::Stemmer& stemmer) {
  for (const std::string& word : text::SplitWords(text)) {
    if (SaysNothing(word)) continue;
    std::vector<double>& held = postings_[StemOf(word, stemmer)];
    held.resize(count_);
    held[at] += weight;
  }
}

double Ranking::RarityOf(const std::vector<double>& postings) const {
  const auto holders = static_cast<double>(
      std::count_if(postings.begin(), postings.end(), [](double held) { return held > 0; }));
  const auto all = static_cast<double>(count_);
  return std::log(1 + (all - holders + 0.5) / (holders + 0.5));
}

// What each pattern has of a word: the word itself, or the best of those that may stand for it.
std::vector<double> Ranking::Of(const std::string& word, const text::Stemmer& stemmer) const {
  std::vector<double> best(count_);
  const auto take = [&](const std::string& stem, double share) {
    const auto found = postings_.find(stem);
    if (found == postings_.end()) return;
    for (std::size_t i = 0; i < count_; ++i) best[i] = std::max(best[i], share * found->second[i]);
  };
  take(StemOf(word, stemmer), 1);
  for (const text::Synonym& synonym : lexicon_.SynonymsOf(text::Singular(word)))
    take(StemOf(std::string(synonym.word), stemmer), kSynonymShare * synonym.percent / kPercent);
  return best;
}

std::vector<double> Ranking::Scores(std::string_view words) const {
  const text::Stemmer stemmer;
  std::vector<double> scores(count_), covered(count_);
  double whole = 0;
  std::vector<std::string> asked = text::SplitWords(words);
  if (asked.size() > kWordsMax) asked.resize(kWordsMax);
  for (const std::string& word : asked) {
    if (SaysNothing(word)) continue;
    const std::vector<double> held = Of(word, stemmer);
    const double rarity = RarityOf(held);
    // A word that no pattern has, and nothing that stands for it, cannot tell them apart.
    if (std::all_of(held.begin(), held.end(), [](double one) { return one <= 0; })) continue;
    whole += rarity;
    for (std::size_t i = 0; i < count_; ++i) {
      scores[i] += rarity * held[i] / (held[i] + kSaturation);
      if (held[i] > 0) covered[i] += rarity;
    }
  }
  const double best = scores.empty() ? 0 : *std::max_element(scores.begin(), scores.end());
  for (std::size_t i = 0; i < count_; ++i)
    if (covered[i] < kCoverageMin * whole || scores[i] < kOfBestMin * best) scores[i] = 0;
  return scores;
}

}  // namespace schemaward::patterns
