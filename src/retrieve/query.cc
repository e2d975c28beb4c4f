#include "retrieve/query.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "text/stemmer.h"
#include "text/words.h"

namespace schemaward::retrieve {
namespace {

// What a reading is worth next to the word itself. An inflected form may be another word by
// accident of the stem (depart, department); a typo may be no typo.
constexpr double kExactWorth = 1.0;
constexpr double kFormWorth = 0.75;
constexpr double kCompoundWorth = 0.9;
constexpr double kPartWorth = 0.8;
constexpr double kPrefixWorth = 0.6;
constexpr double kOneTypoWorth = 0.6;
constexpr double kTwoTyposWorth = 0.45;
constexpr double kValueWorth = 0.4;     // of a word in quotes or a number
constexpr double kNameTypoWorth = 0.5;  // of a typo in what looks like a proper name

constexpr double kWeightUnit = 64.0;
constexpr std::size_t kFormsMax = 6;
constexpr std::size_t kPrefixesMax = 6;
constexpr std::size_t kTyposMax = 4;
constexpr std::size_t kPrefixShortest = 3;
constexpr std::size_t kTypoShortest = 4;       // letters of a word that may hold one typo
constexpr std::size_t kTwoTyposShortest = 8;   // and two
constexpr std::size_t kTypoWordsMax = 8;       // words of a query that are looked up by likeness
constexpr std::size_t kQueryBytesMax = 4'000;  // the rest of a longer question is not read
constexpr std::uint8_t kSpellingPercent = 90;  // the lexicon's spellings and abbreviations

/// A word as it was written.
struct Written {
  std::string text, singular;
  bool is_value = false;
  bool is_capital = false;  ///< begins with a capital, and is not the first word
  double worth = 1.0;
};

bool IsNumber(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

/// Where the quoted text that opens at `at` ends, or npos where no quote opens there: an apostrophe
/// within a word opens nothing.
std::size_t QuoteEnd(std::string_view text, std::size_t at) {
  const char quote = text[at];
  if (quote != '\'' && quote != '"') return std::string_view::npos;
  if (at > 0 && IsLetter(text[at - 1])) return std::string_view::npos;
  for (std::size_t end = at + 1; end < text.size(); ++end) {
    if (text[end] == quote && (end + 1 == text.size() || !IsLetter(text[end + 1]))) return end;
  }
  return std::string_view::npos;
}

void AddWritten(std::string_view piece, bool quoted, std::vector<Written>& out) {
  const bool capital = !piece.empty() && piece[0] >= 'A' && piece[0] <= 'Z' && !out.empty();
  for (auto& word : text::SplitWords(piece)) {
    Written written;
    written.singular = text::Singular(word);
    written.is_value = quoted || IsNumber(word);
    written.is_capital = capital;
    written.worth = written.is_value ? kValueWorth : 1.0;
    written.text = std::move(word);
    out.push_back(std::move(written));
  }
}

/// The words of a question in order; those in quotes are marked.
std::vector<Written> ReadWords(std::string_view text) {
  std::vector<Written> words;
  std::size_t begin = 0;
  const auto flush = [&](std::size_t end, bool quoted) {
    if (end > begin) AddWritten(text.substr(begin, end - begin), quoted, words);
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == ' ' || text[at] == '\n' || text[at] == '\t') {
      flush(at, false);
      begin = at + 1;
    } else if (const auto end = QuoteEnd(text, at); end != std::string_view::npos) {
      flush(at, false);
      begin = at + 1;
      flush(end, true);
      at = end;
      begin = end + 1;
    }
  }
  flush(text.size(), false);
  return words;
}

double Rarity(std::int64_t tables, std::int64_t with_term) {
  return std::log(1.0 + static_cast<double>(tables) / static_cast<double>(with_term));
}

/// Gathers the readings of one word, each term once, the best reading first come.
class Readings {
 public:
  Readings(std::int64_t tables, double worth) : tables_(tables), worth_(worth) {}

  void Add(store::TermInfo term, Reading reading, double worth) {
    if (concept_.terms.size() >= store::kQueryTermsMax || term.table_count <= 0) return;
    for (const auto& known : concept_.terms) {
      if (known.term.id == term.id) return;
    }
    const double rarity = Rarity(tables_, term.table_count);
    if (readings_.empty()) rarity_ = rarity;
    const double weight = std::round(rarity * worth * worth_ * kWeightUnit);
    const auto bounded = std::clamp(weight, 1.0, static_cast<double>(store::kQueryWeightMax));
    readings_.push_back({term.text, reading});
    concept_.terms.push_back({std::move(term), static_cast<std::uint32_t>(bounded)});
  }

  bool empty() const { return readings_.empty(); }

  void MoveTo(const Written& written, Query& query) {
    query.words.push_back({written.text, std::move(readings_), rarity_, written.is_value});
    query.concepts.push_back(std::move(concept_));
  }

 private:
  std::int64_t tables_;
  double worth_;
  double rarity_ = 0;
  std::vector<TermReading> readings_;
  store::QueryConcept concept_;
};

/// Looks the words of one query up.
class QueryReader {
 public:
  QueryReader(const text::Lexicon& lexicon, store::SearchReader& reader)
      : lexicon_(lexicon), reader_(reader) {}

  Result<Query> Read(std::string_view text) {
    Query query;
    WARD_TRY(query.table_count, reader_.CountTables());
    const std::vector<Written> written = ReadWords(text.substr(0, kQueryBytesMax));
    for (const auto& word : written) query.singulars.push_back(word.singular);
    const std::vector<std::size_t> kept = WordsThatMatter(written);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (query.words.size() >= store::kQueryConceptsMax) break;
      const Written& word = written[kept[i]];
      const auto same = [&](std::size_t other) { return written[other].singular == word.singular; };
      if (std::any_of(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(i), same)) continue;
      const Written* before = i > 0 ? &written[kept[i - 1]] : nullptr;
      const Written* after = i + 1 < kept.size() ? &written[kept[i + 1]] : nullptr;
      WARD_CHECK(ReadWord(word, before, after, query));
    }
    return query;
  }

 private:
  /// Positions of the words that are no stop words; of all where only stop words are.
  std::vector<std::size_t> WordsThatMatter(const std::vector<Written>& written) const {
    std::vector<std::size_t> kept, all;
    for (std::size_t i = 0; i < written.size(); ++i) {
      all.push_back(i);
      const bool stops =
          lexicon_.IsStopWord(written[i].text) || lexicon_.IsStopWord(written[i].singular);
      if (!stops) kept.push_back(i);
    }
    return kept.empty() ? all : kept;
  }

  Status ReadWord(const Written& word, const Written* before, const Written* after, Query& query) {
    Readings readings(query.table_count, word.worth);
    WARD_CHECK(AddItself(word, readings));
    if (!IsNumber(word.text)) {
      WARD_CHECK(AddForms(word, readings));
      WARD_CHECK(AddSynonyms(word, readings));
      if (before != nullptr) WARD_CHECK(AddCompound(before->singular + word.singular, readings));
      if (after != nullptr) WARD_CHECK(AddCompound(word.singular + after->singular, readings));
    }
    const bool known = !readings.empty();
    if (!known) WARD_CHECK(AddGuesses(word, readings));
    readings.MoveTo(word, query);
    return AddParts(word, query);
  }

  Status AddTerm(std::string_view text, Reading reading, double worth, Readings& readings) {
    WARD_TRY(auto term, reader_.FindTerm(text));
    if (term) readings.Add(*std::move(term), reading, worth);
    return Ok();
  }

  Status AddItself(const Written& word, Readings& readings) {
    WARD_CHECK(AddTerm(word.singular, Reading::Exact, kExactWorth, readings));
    if (word.text != word.singular) {
      WARD_CHECK(AddTerm(word.text, Reading::Exact, kExactWorth, readings));
    }
    return AddTerm(store::TypeTerm(word.singular), Reading::Exact, kExactWorth, readings);
  }

  Status AddForms(const Written& word, Readings& readings) {
    const std::string stem = stemmer_.Stem(word.text), other = stemmer_.Stem(word.singular);
    WARD_TRY(auto forms, reader_.FindStem(stem, kFormsMax));
    for (auto& form : forms) readings.Add(std::move(form), Reading::Form, kFormWorth);
    if (stem == other) return Ok();
    WARD_TRY(auto more, reader_.FindStem(other, kFormsMax));
    for (auto& form : more) readings.Add(std::move(form), Reading::Form, kFormWorth);
    return Ok();
  }

  /// The form of the word that the lexicon lists, if any: "departing" is listed as "depart".
  std::vector<text::Synonym> Synonyms(const Written& word) const {
    const std::string stem = stemmer_.Stem(word.singular);
    std::vector<std::string> forms{word.singular, word.text, stem, stem + "e"};
    if (stem.ends_with('i')) forms.push_back(stem.substr(0, stem.size() - 1) + "y");
    for (const auto& form : forms) {
      auto synonyms = lexicon_.SynonymsOf(form);
      if (!synonyms.empty()) return synonyms;
    }
    return {};
  }

  Status AddSynonyms(const Written& word, Readings& readings) {
    for (const auto& synonym : Synonyms(word)) {
      const auto reading =
          synonym.percent >= kSpellingPercent ? Reading::Spelling : Reading::Synonym;
      const double worth = synonym.percent / 100.0;
      WARD_CHECK(AddTerm(synonym.word, reading, worth, readings));
      if (reading == Reading::Spelling) continue;
      for (const auto& spelling : lexicon_.SynonymsOf(synonym.word)) {  // a synonym, abbreviated
        if (spelling.percent < kSpellingPercent) break;
        WARD_CHECK(AddTerm(spelling.word, reading, worth * spelling.percent / 100.0, readings));
      }
    }
    return Ok();
  }

  /// "country language" may be written together.
  Status AddCompound(const std::string& together, Readings& readings) {
    return AddTerm(together, Reading::Compound, kCompoundWorth, readings);
  }

  /// "zipcode" may be written apart; its parts count as words of their own.
  Status AddParts(const Written& word, Query& query) {
    for (const auto& part : lexicon_.Segment(word.singular)) {
      if (query.words.size() >= store::kQueryConceptsMax) break;
      Written written{part, part, word.is_value, false, word.worth * kPartWorth};
      Readings readings(query.table_count, written.worth);
      WARD_CHECK(AddItself(written, readings));
      if (!readings.empty()) readings.MoveTo(written, query);
    }
    return Ok();
  }

  /// For a word that nothing is known of: what begins with it, and what it may be a typo of.
  Status AddGuesses(const Written& word, Readings& readings) {
    if (word.text.size() < kPrefixShortest || IsNumber(word.text)) return Ok();
    WARD_TRY(auto longer, reader_.FindPrefix(word.singular, kPrefixesMax));
    for (auto& term : longer) readings.Add(std::move(term), Reading::Prefix, kPrefixWorth);
    const bool may_be_typo = readings.empty() && word.text.size() >= kTypoShortest &&
                             !word.is_value && typo_words_++ < kTypoWordsMax;
    if (!may_be_typo) return Ok();
    const std::uint32_t edits = word.text.size() >= kTwoTyposShortest ? 2 : 1;
    WARD_TRY(auto near, reader_.FindNear(word.singular, edits, kTyposMax));
    for (auto& [term, distance] : near) {
      const double worth = distance < 2 ? kOneTypoWorth : kTwoTyposWorth;
      readings.Add(std::move(term), Reading::Typo,
                   word.is_capital ? worth * kNameTypoWorth : worth);
    }
    return Ok();
  }

  const text::Lexicon& lexicon_;
  store::SearchReader& reader_;
  text::Stemmer stemmer_;
  std::size_t typo_words_ = 0;
};

}  // namespace

Result<Query> ReadQuery(std::string_view text, const text::Lexicon& lexicon,
                        store::SearchReader& reader) {
  const auto from = text.find_first_not_of(" \t\n");
  const auto to = text.find_last_not_of(" \t\n");
  if (from != std::string_view::npos && text.substr(from, to - from + 1) == "*") {
    Query query;
    query.is_all = true;
    WARD_TRY(query.table_count, reader.CountTables());
    return query;
  }
  return QueryReader(lexicon, reader).Read(text);
}

}  // namespace schemaward::retrieve
