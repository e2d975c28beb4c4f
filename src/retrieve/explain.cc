#include "retrieve/explain.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "retrieve/search.h"
#include "text/words.h"

namespace schemaward::retrieve {
namespace {

constexpr std::size_t kPartsMax = 4;         // of a reason
constexpr std::size_t kWordsPerPart = 3;     // that one part of a reason quotes
constexpr std::size_t kNameBytesShown = 64;  // of a column or a table

// How much of a word's weight a match of it accounts for, by its reading.
double Trust(Reading reading) {
  switch (reading) {
    case Reading::Exact:
      return 1.0;
    case Reading::Spelling:
    case Reading::Compound:
      return 0.9;
    case Reading::Form:
      return 0.8;
    case Reading::Synonym:
    case Reading::Prefix:
      return 0.6;
    case Reading::Typo:
      return 0.5;
  }
  return 0;
}

constexpr double kUnknownWordWeight = 1.0;  // of a word that the store knows nothing like
constexpr double kValueWeight = 0.3;        // of a word in quotes or a number: names no table
constexpr double kCommentTrust = 0.8;       // of a match in a comment, label or type only
constexpr double kNamedCoverage = 0.45;     // of the query, for a named table to be HIGH

/// The weight of the query's words, and how much of it the table accounts for: in [0, 1].
double CoverageOf(const Query& query, const Candidate& candidate) {
  double all = 0, found = 0;
  for (std::size_t i = 0; i < query.words.size(); ++i) {
    const auto& word = query.words[i];
    double weight = word.readings.empty() ? kUnknownWordWeight : std::max(word.rarity, 0.5);
    if (word.is_value) weight *= kValueWeight;
    all += weight;
    const auto& match = candidate.matches[i];
    if (match.score == 0) continue;
    const bool in_name =
        (match.fields & (store::kInName | store::kInColumn | store::kInSchema)) != 0;
    found += weight * Trust(word.readings[match.reading].reading) * (in_name ? 1 : kCommentTrust);
  }
  return all > 0 ? found / all : 0;
}

/// True where `word` of a table's name is what a word of the query means, by a reading as good as
/// the word itself.
bool IsNamed(const Query& query, const Candidate& candidate, const std::string& word) {
  if (std::find(query.singulars.begin(), query.singulars.end(), word) != query.singulars.end()) {
    return true;
  }
  for (std::size_t i = 0; i < query.words.size(); ++i) {
    const auto& match = candidate.matches[i];
    if (match.score == 0 || (match.fields & store::kInName) == 0) continue;
    const auto& reading = query.words[i].readings[match.reading];
    const bool as_good = reading.reading == Reading::Exact ||
                         reading.reading == Reading::Spelling ||
                         reading.reading == Reading::Compound;
    if (as_good && (reading.term == word || word.find(reading.term) != std::string::npos)) {
      return true;
    }
  }
  return false;
}

/// The share of the table's name that the query names: in [0, 1].
double NameShare(const Query& query, const Candidate& candidate, std::string_view name) {
  const auto words = text::SplitWords(name);
  if (words.empty()) return 0;
  std::size_t named = 0;
  for (const auto& word : words) {
    named += IsNamed(query, candidate, text::Singular(word)) ? 1 : 0;
  }
  return static_cast<double>(named) / static_cast<double>(words.size());
}

std::string Shown(std::string_view name) {
  return name.size() <= kNameBytesShown ? std::string(name)
                                        : std::string(name.substr(0, kNameBytesShown)) + "...";
}

/// "client", or "client" (as customer) where another word stands for it.
std::string Quoted(const QueryWord& word, const TermReading& reading) {
  if (reading.reading == Reading::Exact) return fmt::format("\"{}\"", word.text);
  return fmt::format("\"{}\" (as {})", word.text, reading.term);
}

/// Where a match is said to be: the first of these places that it has.
enum class Place : std::uint8_t { Name, Column, Schema, Label, Comment, Type };

Place PlaceOf(std::uint8_t fields) {
  if ((fields & store::kInName) != 0) return Place::Name;
  if ((fields & store::kInColumn) != 0) return Place::Column;
  if ((fields & store::kInSchema) != 0) return Place::Schema;
  if ((fields & store::kInLabel) != 0) return Place::Label;
  if ((fields & store::kInComment) != 0) return Place::Comment;
  return Place::Type;
}

std::string Sentence(Place place, std::string_view column, const std::string& words) {
  switch (place) {
    case Place::Name:
      return "name matches " + words;
    case Place::Schema:
      return "schema matches " + words;
    case Place::Column:
      return fmt::format("column {} matches {}", column, words);
    case Place::Label:
      return fmt::format("a value of {} matches {}", column, words);
    case Place::Comment:
      return column.empty() ? "comment mentions " + words
                            : fmt::format("comment of {} mentions {}", column, words);
    case Place::Type:
      return fmt::format("type of {} matches {}", column, words);
  }
  return {};
}

/// What is said of one place: the words found there and what they score together.
struct Part {
  std::vector<std::string> words;
  std::uint64_t score = 0;
};

}  // namespace

double ConfidenceOf(const Query& query, const Candidate& candidate, std::string_view name) {
  // Joined to what was found, but with no word of the query: a guess.
  constexpr double kJoinedOnly = 0.2;
  constexpr double kPartlyNamed = 0.79;  // the most that is no HIGH
  const double coverage = CoverageOf(query, candidate);
  if (coverage <= 0) return kJoinedOnly;
  const double share = NameShare(query, candidate, name);
  if (share >= 1) {
    return coverage >= kNamedCoverage ? kHighFrom + (1 - kHighFrom) * coverage
                                      : kMediumFrom + (kHighFrom - kMediumFrom) * coverage;
  }
  return kPartlyNamed * coverage * (0.7 + 0.3 * share);
}

std::string ReasonOf(const Query& query, const Candidate& candidate,
                     const std::vector<std::string>& columns,
                     const std::vector<std::string>& joined) {
  std::map<std::pair<Place, std::uint16_t>, Part> parts;
  for (std::size_t i = 0; i < query.words.size(); ++i) {
    const auto& match = candidate.matches[i];
    if (match.score == 0) continue;
    const Place place = PlaceOf(match.fields);
    const bool of_table = place == Place::Name || place == Place::Schema;
    auto& part = parts[{place, of_table ? std::uint16_t{0} : match.column}];
    part.score += match.score;
    if (part.words.size() < kWordsPerPart) {
      part.words.push_back(Quoted(query.words[i], query.words[i].readings[match.reading]));
    }
  }
  std::vector<std::pair<std::uint64_t, std::string>> sentences;
  for (const auto& [where, part] : parts) {
    const std::size_t column = where.second;
    const std::string name =
        column > 0 && column <= columns.size() ? Shown(columns[column - 1]) : std::string();
    sentences.emplace_back(
        part.score, Sentence(where.first, name, fmt::format("{}", fmt::join(part.words, ", "))));
  }
  std::stable_sort(sentences.begin(), sentences.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string reason;
  const auto add = [&](const std::string& sentence) {
    const std::string more = (reason.empty() ? "" : "; ") + sentence;
    if (reason.size() + more.size() <= kReasonBytesMax) reason += more;
  };
  for (std::size_t i = 0; i < std::min(kPartsMax, sentences.size()); ++i) add(sentences[i].second);
  if (!joined.empty()) {
    std::vector<std::string> shown;
    for (const auto& name : joined) shown.push_back(Shown(name));
    add(fmt::format("joins {}", fmt::join(shown, " and ")));
  }
  return reason;
}

std::size_t BestColumnOf(const Candidate& candidate) {
  std::map<std::uint16_t, std::uint64_t> scores;
  for (const auto& match : candidate.matches) {
    if (match.score > 0 && match.column > 0) scores[match.column] += match.score;
  }
  std::size_t best = std::string::npos;
  std::uint64_t most = 0;
  for (const auto& [column, score] : scores) {
    if (score <= most) continue;
    most = score;
    best = static_cast<std::size_t>(column) - 1;
  }
  return best;
}

}  // namespace schemaward::retrieve
