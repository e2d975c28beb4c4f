#include "suggest/names.h"

#include <algorithm>
#include <array>
#include <span>

#include "text/words.h"

namespace schemaward::suggest {
namespace {

using Words = std::vector<std::string>;

// Each list is sorted.
constexpr std::array<std::string_view, 15> kIdWords{"cd",         "code",   "fk",  "guid", "id",
                                                    "identifier", "key",    "nbr", "no",   "nr",
                                                    "num",        "number", "pk",  "sk",   "uuid"};
/// Those that names are written together with: custid, deptno, countrycode.
constexpr std::array<std::string_view, 5> kIdEndings{"code", "id", "key", "no", "num"};
constexpr std::array<std::string_view, 14> kTablePrefixes{"cfg",    "dim", "fact", "lkp", "lookup",
                                                          "master", "mst", "ref",  "stg", "t",
                                                          "tb",     "tbl", "v",    "vw"};
constexpr std::array<std::string_view, 46> kGeneric{
    "age",      "amount",   "code",  "count",      "created", "date",    "day",   "description",
    "email",    "guid",     "id",    "identifier", "index",   "key",     "kind",  "label",
    "language", "level",    "line",  "linenumber", "lineno",  "month",   "name",  "no",
    "num",      "number",   "order", "position",   "rank",    "rowguid", "rowid", "rownumber",
    "seq",      "sequence", "sort",  "sortorder",  "state",   "status",  "time",  "title",
    "type",     "updated",  "uuid",  "value",      "version", "year"};

bool Has(std::span<const std::string_view> sorted, std::string_view word) {
  return std::binary_search(sorted.begin(), sorted.end(), word);
}

std::string SingularOf(const std::string& word) {
  if (word == "people" || word == "persons") return "person";
  return text::Singular(word);
}

Words WordsOf(std::string_view name) {
  Words words = text::SplitWords(name);
  if (words.size() > kNameWordsMax) words.resize(kNameWordsMax);
  return words;
}

bool IsNumber(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// The identifier word that `word` ends with, or nothing: "cust" and "id" of custid.
std::string_view EndingOf(std::string_view word) {
  for (const std::string_view ending : kIdEndings) {
    const std::size_t stem_min = ending == "id" || ending == "code" ? 1 : 3;
    if (word.ends_with(ending) && word.size() >= ending.size() + stem_min) return ending;
  }
  return {};
}

bool StartsWith(const Words& words, const Words& start) {
  return start.size() <= words.size() && std::equal(start.begin(), start.end(), words.begin());
}

bool EndsWith(const Words& words, const Words& end) {
  return end.size() <= words.size() && std::equal(end.rbegin(), end.rend(), words.rbegin());
}

std::string Initials(const Words& words) {
  std::string initials;
  for (const std::string& word : words) initials += word.front();
  return initials;
}

/// True when the letters of `part` stand in `whole` in this order, the first at its start.
bool AreLettersOf(std::string_view part, std::string_view whole) {
  if (part.empty() || whole.empty() || part.front() != whole.front()) return false;
  std::size_t at = 0;
  for (const char c : whole)
    if (at < part.size() && c == part[at]) ++at;
  return at == part.size();
}

bool ShareWord(const Words& a, const Words& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& word) {
    return std::find(b.begin(), b.end(), word) != b.end();
  });
}

constexpr std::size_t kAbbreviationMin = 3;  // shorter ones fit too many words

Fit FitOfWholeWords(const Words& stem, const Words& table) {
  if (EndsWith(table, stem)) return Fit::Trailing;
  if (StartsWith(table, stem)) return Fit::Leading;
  if (EndsWith(stem, table)) return Fit::LongerHead;
  if (StartsWith(stem, table)) return Fit::Longer;
  return Fit::None;
}

Fit FitOfLetters(const std::string& stem, const Words& table) {
  const std::string whole = Join(table);
  if (stem.size() >= kAbbreviationMin) {
    if (whole.starts_with(stem)) return Fit::Prefix;
    if (table.back().starts_with(stem)) return Fit::Leading;
  }
  if (whole.size() >= kAbbreviationMin && stem.starts_with(whole)) return Fit::Longer;
  if (table.size() > 1 && stem == Initials(table)) return Fit::Longer;
  if (stem.size() < kAbbreviationMin && whole.starts_with(stem))
    return table.size() == 1 ? Fit::Initial : Fit::SharedWord;
  return Fit::None;
}

}  // namespace

std::string Join(const Words& words) {
  std::string joined;
  for (const std::string& word : words) joined += word;
  return joined;
}

std::string Snake(const Words& words) {
  std::string snake;
  for (const std::string& word : words) {
    if (!snake.empty()) snake += '_';
    snake += word;
  }
  return snake;
}

ColumnWords ReadColumnName(std::string_view name) {
  ColumnWords read;
  read.words = WordsOf(name);
  if (read.words.size() > 1 && IsNumber(read.words.back())) read.words.pop_back();
  for (std::string& word : read.words) word = SingularOf(word);
  read.joined = Join(read.words);
  read.stem = read.words;
  if (read.stem.empty()) return read;
  std::string& last = read.stem.back();
  if (Has(kIdWords, last)) {
    read.id_word = last;
    read.id_apart = true;
    read.stem.pop_back();
  } else if (const std::string_view ending = EndingOf(last); !ending.empty()) {
    read.id_word = ending;
    last.resize(last.size() - ending.size());
  }
  return read;
}

// The first identifier word from the end is left out.
Words SpokenStem(std::string_view name) {
  const Words written = WordsOf(name);
  Words spoken = written;
  for (std::size_t at = spoken.size(); at-- > 0;) {
    const std::string word = SingularOf(spoken[at]);
    if (IsNumber(word)) continue;
    if (Has(kIdWords, word))
      spoken.erase(spoken.begin() + static_cast<std::ptrdiff_t>(at));
    else if (const std::string_view ending = EndingOf(word); !ending.empty())
      spoken[at].resize(word.size() - ending.size());
    break;
  }
  return spoken.empty() ? written : spoken;
}

const ColumnWords& ColumnNames::Read(std::string_view name) {
  const auto found = read_.find(name);
  if (found != read_.end()) return found->second;
  return read_.emplace(name, ReadColumnName(name)).first->second;
}

Words ReadTableName(std::string_view name) {
  Words words = WordsOf(name);
  std::size_t skip = 0;
  while (skip + 1 < words.size() && Has(kTablePrefixes, words[skip])) ++skip;
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(skip));
  for (std::string& word : words) word = SingularOf(word);
  return words;
}

Fit FitOf(const Words& stem, const Words& table) {
  if (stem.empty() || table.empty()) return Fit::None;
  const std::string joined = Join(stem);
  if (joined == Join(table)) return Fit::Same;
  const Fit fit = std::max(FitOfWholeWords(stem, table), FitOfLetters(joined, table));
  if (fit != Fit::None) return fit;
  const bool abbreviates = joined.size() >= kAbbreviationMin && AreLettersOf(joined, Join(table));
  if (abbreviates) return Fit::Letters;
  return ShareWord(stem, table) ? Fit::SharedWord : Fit::None;
}

bool IsGeneric(std::string_view joined) { return Has(kGeneric, joined); }

}  // namespace schemaward::suggest
