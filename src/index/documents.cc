#include "index/documents.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/words.h"

namespace schemaward::index {
namespace {

using store::SearchDocument;
using store::SearchTerm;

// What a word is worth by where it stands. The name says what a table is, a column what it has, a
// comment what someone found worth saying. Half of the worth of a word in a name depends on how
// much of the name it is: "order" is all of orders, and a third of order_line_audit.
constexpr double kNameWorth = 2.0;
constexpr double kColumnWorth = 1.0;
constexpr double kSchemaWorth = 1.0;
constexpr double kCommentWorth = 0.6;  // of the table
constexpr double kColumnCommentWorth = 0.4;
constexpr double kLabelWorth = 0.4;
constexpr double kTypeWorth = 0.3;
constexpr double kShareOfPart = 0.5;
constexpr double kShareOfOtherFields = 0.25;  // of a word that stands in several places
constexpr double kImpactMax = 255.0;
constexpr std::size_t kKeyWordsMax = 4;  // of a name that other names may refer to

constexpr std::array<std::string_view, 4> kPlainSchemas{"public", "main", "dbo", "default"};
constexpr std::array<std::string_view, 9> kKeyWords{"id",  "code", "no",   "number", "key",
                                                    "num", "uuid", "guid", "fk"};

bool IsNumber(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool IsKeyWord(std::string_view word) {
  return std::find(kKeyWords.begin(), kKeyWords.end(), word) != kKeyWords.end();
}

std::vector<std::string> SingularWords(std::string_view text) {
  std::vector<std::string> words = text::SplitWords(text);
  for (auto& word : words) word = text::Singular(word);
  return words;
}

/// What one word is worth in each kind of place.
struct Worths {
  double name = 0, schema = 0, column = 0, comment = 0, label = 0, type = 0;
  std::uint16_t best_column = 0;

  void Raise(double& place, double worth) { place = std::max(place, worth); }
  /// Keeps the column where the word is worth most.
  void RaiseColumn(double& place, double worth, std::size_t position) {
    const double best = std::max({column, label, type});
    if (worth > best && position < UINT16_MAX)
      best_column = static_cast<std::uint16_t>(position + 1);
    Raise(place, worth);
  }

  SearchTerm ToTerm(const std::string& text) const {
    const double most = std::max({name, schema, column, comment, label, type});
    const double rest = name + schema + column + comment + label + type - most;
    const double impact = (most + kShareOfOtherFields * rest) * store::kImpactUnit;
    int fields = 0;
    if (name > 0) fields |= store::kInName;
    if (schema > 0) fields |= store::kInSchema;
    if (column > 0) fields |= store::kInColumn;
    if (comment > 0) fields |= store::kInComment;
    if (label > 0) fields |= store::kInLabel;
    if (type > 0) fields |= store::kInType;
    return {text, static_cast<std::uint8_t>(std::clamp(std::round(impact), 1.0, kImpactMax)),
            static_cast<std::uint8_t>(fields), best_column};
  }
};

/// A word of an identifier and the share of the identifier that it is.
struct Part {
  std::string word;
  double share;
};

/// Gathers the words of one table.
class Gatherer {
 public:
  explicit Gatherer(const text::Lexicon& lexicon) : lexicon_(lexicon) {}

  /// The words of an identifier; a compound stands for itself and for its parts.
  std::vector<Part> Parts(std::string_view identifier) const {
    const std::vector<std::string> words = SingularWords(identifier);
    std::vector<std::vector<std::string>> compounds;
    std::size_t total = 0;
    for (const auto& word : words) {
      compounds.push_back(lexicon_.Segment(word));
      total += std::max<std::size_t>(1, compounds.back().size());
    }
    std::vector<Part> parts;
    const double unit = total == 0 ? 0 : 1.0 / static_cast<double>(total);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const double count = static_cast<double>(std::max<std::size_t>(1, compounds[i].size()));
      parts.push_back({words[i], unit * count});
      for (auto& part : compounds[i]) parts.push_back({std::move(part), unit});
    }
    return parts;
  }

  void AddName(std::string_view name) {
    for (const auto& [word, share] : Parts(name)) {
      auto& worths = words_[word];
      worths.Raise(worths.name, kNameWorth * (1 - kShareOfPart + kShareOfPart * share));
    }
  }

  void AddSchema(std::string_view schema) {
    if (std::find(kPlainSchemas.begin(), kPlainSchemas.end(), schema) != kPlainSchemas.end())
      return;
    auto parts = Parts(schema);
    std::erase_if(parts, [](const Part& part) { return IsNumber(part.word); });
    const double share = 1.0 / static_cast<double>(std::max<std::size_t>(1, parts.size()));
    for (const auto& part : parts) {
      auto& worths = words_[part.word];
      worths.Raise(worths.schema, kSchemaWorth * (1 - kShareOfPart + kShareOfPart * share));
    }
  }

  void AddColumn(const catalog::Column& column, std::size_t position) {
    for (const auto& [word, share] : Parts(column.name)) {
      if (word.size() < 2 || IsNumber(word)) continue;
      auto& worths = words_[word];
      worths.RaiseColumn(worths.column, kColumnWorth * (1 - kShareOfPart + kShareOfPart * share),
                         position);
    }
    for (const auto& word : CommentWords(column.comment)) {
      auto& worths = words_[word];
      worths.RaiseColumn(worths.comment, kColumnCommentWorth, position);
    }
    const std::size_t labels = std::min(column.labels.size(), DocumentMaker::kLabelsMax);
    for (std::size_t i = 0; i < labels; ++i) AddLabel(column.labels[i], position);
    AddType(column.domain ? *column.domain : column.type, position);
  }

  void AddTableComment(std::string_view comment) {
    for (const auto& word : CommentWords(comment)) {
      auto& worths = words_[word];
      worths.Raise(worths.comment, kCommentWorth);
    }
  }

  std::vector<SearchTerm> Terms() const {
    std::vector<SearchTerm> terms;
    for (const auto& [word, worths] : words_) terms.push_back(worths.ToTerm(word));
    if (terms.size() <= DocumentMaker::kTermsMax) return terms;
    std::stable_sort(terms.begin(), terms.end(),
                     [](const SearchTerm& a, const SearchTerm& b) { return a.impact > b.impact; });
    terms.resize(DocumentMaker::kTermsMax);
    std::sort(terms.begin(), terms.end(),
              [](const SearchTerm& a, const SearchTerm& b) { return a.text < b.text; });
    return terms;
  }

 private:
  static bool IsTelling(std::string_view word) { return word.size() > 1 && !IsNumber(word); }

  void AddLabel(std::string_view label, std::size_t position) {
    for (const auto& word : SingularWords(label)) {
      if (!IsTelling(word)) continue;
      auto& worths = words_[word];
      worths.RaiseColumn(worths.label, kLabelWorth, position);
    }
  }

  /// A type is a term of its own kind: the words of questions mean types only when they are types.
  void AddType(std::string_view type, std::size_t position) {
    for (const auto& word : SingularWords(type)) {
      if (!IsTelling(word)) continue;
      auto& worths = words_[store::TypeTerm(word)];
      worths.RaiseColumn(worths.type, kTypeWorth, position);
    }
  }

  std::vector<std::string> CommentWords(std::string_view comment) const {
    std::vector<std::string> words = SingularWords(comment);
    std::erase_if(words, [&](const std::string& word) {
      return word.size() < 2 || IsNumber(word) || lexicon_.IsStopWord(word);
    });
    if (words.size() > DocumentMaker::kCommentWordsMax) {
      words.resize(DocumentMaker::kCommentWordsMax);
    }
    return words;
  }

  const text::Lexicon& lexicon_;
  std::map<std::string, Worths> words_;
};

/// The keys a table is referred to by, and those by which it refers.
class Linker {
 public:
  Linker(std::int64_t source_id, const catalog::Table& table) : table_(table) {
    scope_ = std::to_string(source_id) + '\n' + table.schema + '\n';
    source_ = std::to_string(source_id) + '\n';
  }

  std::vector<std::uint64_t> Offers() const {
    std::vector<std::uint64_t> keys{TableKey(table_.schema, table_.name)};
    const auto name = SingularWords(table_.name);
    if (!name.empty() && name.size() <= kKeyWordsMax) keys.push_back(NameKey(name));
    if (table_.primary_key && table_.primary_key->columns.size() == 1) {
      const auto words = SingularWords(table_.primary_key->columns[0]);
      if (IsTelling(words)) keys.push_back(ColumnKey(words));
    }
    SortUnique(keys);
    return keys;
  }

  std::vector<std::uint64_t> Wants(const std::vector<std::uint64_t>& offers) const {
    std::vector<std::uint64_t> keys;
    std::vector<std::string_view> declared;
    for (const auto& key : table_.foreign_keys) {
      keys.push_back(TableKey(key.target_schema, key.target_table));
      declared.insert(declared.end(), key.columns.begin(), key.columns.end());
    }
    for (const auto& column : table_.columns) {
      if (keys.size() >= DocumentMaker::kWantsMax) break;
      if (std::find(declared.begin(), declared.end(), column.name) == declared.end()) {
        AddImplied(column.name, keys);
      }
    }
    SortUnique(keys);
    if (keys.size() > DocumentMaker::kWantsMax) keys.resize(DocumentMaker::kWantsMax);
    std::erase_if(keys, [&](std::uint64_t key) {
      return std::binary_search(offers.begin(), offers.end(), key);
    });
    return keys;
  }

 private:
  /// A name that says of itself what it identifies: student_id, not id or code.
  static bool IsTelling(const std::vector<std::string>& words) {
    return !words.empty() && words.size() <= kKeyWordsMax && !IsKeyWord(words[0]) &&
           words != std::vector<std::string>{"name"};
  }

  /// What a column that no foreign key covers may refer to: customer_id to customers or to the
  /// table whose key is customer_id, and city to city. Columns that end otherwise refer to nothing.
  void AddImplied(std::string_view column, std::vector<std::uint64_t>& keys) const {
    auto words = SingularWords(column);
    if (!IsTelling(words) || std::any_of(words.begin(), words.end(), IsNumber)) return;
    if (words.size() == 1) {
      keys.push_back(NameKey(words));
      keys.push_back(ColumnKey(words));
    } else if (IsKeyWord(words.back())) {
      keys.push_back(ColumnKey(words));
      words.pop_back();
      keys.push_back(NameKey(words));
    }
  }

  std::uint64_t TableKey(std::string_view schema, std::string_view name) const {
    std::string text = "table\n" + source_;
    text.append(schema).append("\n").append(name);
    return store::SearchHash(text);
  }
  std::uint64_t NameKey(const std::vector<std::string>& words) const {
    return store::SearchHash("name\n" + scope_ + Joined(words));
  }
  std::uint64_t ColumnKey(const std::vector<std::string>& words) const {
    return store::SearchHash("column\n" + scope_ + Joined(words));
  }
  static std::string Joined(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words) text += word + ' ';
    return text;
  }
  static void SortUnique(std::vector<std::uint64_t>& keys) {
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  }

  const catalog::Table& table_;
  std::string scope_, source_;
};

}  // namespace

SearchDocument DocumentMaker::Make(std::int64_t source_id, const catalog::Table& table) const {
  Gatherer gatherer(lexicon_);
  gatherer.AddName(table.name);
  gatherer.AddSchema(table.schema);
  gatherer.AddTableComment(table.comment);
  SearchDocument document;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    gatherer.AddColumn(table.columns[i], i);
    document.columns.push_back(table.columns[i].name);
  }
  document.source_id = source_id;
  document.name = catalog::QualifiedName(table);
  document.schema_key = store::SearchHash(std::to_string(source_id) + '\n' + table.schema);
  document.name_words = static_cast<std::uint16_t>(text::SplitWords(table.name).size());
  document.terms = gatherer.Terms();
  const Linker linker(source_id, table);
  document.offers = linker.Offers();
  document.wants = linker.Wants(document.offers);
  return document;
}

}  // namespace schemaward::index
