#include "suggest/foreign_keys.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "catalog/is_view.h"
#include "suggest/key_offers.h"
#include "text/lexicon.h"

namespace schemaward::suggest {
namespace {

using catalog::Table;
using Words = std::vector<std::string>;

bool TakesPart(const Table& table) {
  return !catalog::IsView(table.kind) && !table.columns.empty();
}

/// Finds what each column of one schema refers to.
class Inference {
 public:
  Inference(const std::vector<const Reading*>& readings, const InferOptions& options,
            const text::Lexicon& lexicon, std::vector<InferredKey>& out)
      : readings_(readings), options_(options), lexicon_(lexicon), out_(out) {
    for (const Reading* reading : readings_) offers_.Add(*reading);
  }

  void Run() {
    FindPeople();
    AddComposites();
    for (const Reading* reading : readings_)
      for (std::size_t c = 0; c < reading->columns.size(); ++c) Consider(*reading, c);
  }

 private:
  using Found = std::vector<Offer>;
  static Found Copy(std::span<const Offer> offers) { return {offers.begin(), offers.end()}; }

  void Consider(const Reading& from, std::size_t column) {
    if (from.is_declared[column] || IsTaken(from, column)) return;
    const ColumnWords& name = *from.columns[column];
    if (name.words.empty()) return;
    auto offer = OfName(from, column);
    if (!offer) offer = OfRole(from, column);
    if (!offer) offer = OfHierarchy(from, column);
    if (offer) Emit(from, column, *offer);
  }

  /// The whole name is offered by a table.
  std::optional<Offer> OfName(const Reading& from, std::size_t column) const {
    const ColumnWords& name = *from.columns[column];
    Found found = Copy(offers_.Named(name.joined));
    if (name.id_word.empty()) {
      const auto bare = offers_.Bare(name.joined);
      found.insert(found.end(), bare.begin(), bare.end());
    }
    std::erase_if(found, [&](const Offer& offer) {
      return offer.reading == &from || !TypesAgree(from, column, offer);
    });
    if (from.is_own_key[column]) {
      // The table has this name as its own key: it refers to another only where that one owns the
      // name better.
      const Fit own = FitOf(StemOf(name), from.words);
      std::erase_if(found, [&](const Offer& offer) { return offer.fit <= own; });
    }
    return Best(found);
  }

  /// The end of the name is offered, what stands before says which role: billing_address_id.
  std::optional<Offer> OfRole(const Reading& from, std::size_t column) const {
    const ColumnWords& name = *from.columns[column];
    // A key that is named for its own table is that table's; one that is not (the first column of a
    // bridge) may still refer.
    if (from.is_own_key[column] && FitOf(StemOf(name), from.words) >= Fit::Letters)
      return std::nullopt;
    for (std::size_t skip = 1; skip < name.words.size(); ++skip) {
      const Words end(name.words.begin() + static_cast<std::ptrdiff_t>(skip), name.words.end());
      if (end.size() == 1 && end.front() == name.id_word) break;
      if (const auto offer = OfEnd(from, column, Join(end))) return offer;
    }
    return OfWrittenTogether(from, column);
  }

  std::optional<Offer> OfEnd(const Reading& from, std::size_t column,
                             const std::string& end) const {
    const bool is_id = !from.columns[column]->id_word.empty();
    Found found = Copy(is_id ? offers_.Named(end) : offers_.Bare(end));
    std::erase_if(found, [&](const Offer& offer) {
      if (!TypesAgree(from, column, offer) || offer.fit < Fit::Initial) return true;
      if (offer.reading == &from && offer.key.column == column) return true;
      // A word more before a table's name is often a property (rank_in_round, email_address): only
      // a number or a uuid in another table is taken for its key.
      const bool is_key_type =
          from.families[column] == Family::Number || from.families[column] == Family::Uuid;
      return !is_id && (offer.reading == &from || !is_key_type);
    });
    return Best(found);
  }

  /// billtoaddressid: the end is offered and the rest are words.
  std::optional<Offer> OfWrittenTogether(const Reading& from, std::size_t column) const {
    constexpr std::size_t kEndMin = 5, kStartMin = 2;
    const ColumnWords& name = *from.columns[column];
    if (name.words.size() != 1 || name.id_word.empty()) return std::nullopt;
    const std::string& word = name.joined;
    for (std::size_t at = kStartMin; at + kEndMin <= word.size(); ++at) {
      const std::string start = word.substr(0, at);
      if (offers_.Named(word.substr(at)).empty()) continue;
      const bool is_words =
          lexicon_.Knows(start) || lexicon_.IsStopWord(start) || !lexicon_.Segment(start).empty();
      if (!is_words) continue;
      if (const auto offer = OfEnd(from, column, word.substr(at))) return offer;
    }
    return std::nullopt;
  }

  /// parent_id, manager_id, reports_to: this table, or the one table of people there is.
  std::optional<Offer> OfHierarchy(const Reading& from, std::size_t column) const {
    const ColumnWords& name = *from.columns[column];
    const std::string stem = Join(StemOf(name));
    const bool is_parent = stem == "parent" || stem == "predecessor";
    const bool is_superior = stem == "manager" || stem == "supervisor" || stem == "boss" ||
                             stem == "reportto" || stem == "reportsto" || stem == "superior";
    const bool is_agent = !StemOf(name).empty() &&
                          (StemOf(name).back() == "rep" || StemOf(name).back() == "representative");
    const bool is_actor =
        name.words.size() == 2 && name.words.back() == "by" && name.words.front().ends_with("ed");
    if (!is_parent && !is_superior && !is_agent && !is_actor) return std::nullopt;
    const bool is_self = is_parent || (is_superior && IsOfPeople(from));
    const Reading* target = is_self ? &from : people_;
    if (target == nullptr || target->keys.empty()) return std::nullopt;
    const Offer offer{target, target->keys.front(), Rule::Hierarchy, Fit::Same};
    const bool is_itself = target == &from && offer.key.column == column;
    const bool may_be_key =
        from.families[column] == Family::Number || from.families[column] == Family::Uuid;
    if (is_itself || from.is_own_key[column] || !may_be_key || !TypesAgree(from, column, offer))
      return std::nullopt;
    return offer;
  }

  static bool IsOfPeople(const Reading& reading) {
    static constexpr std::string_view kPeople[] = {"employee", "staff",  "user",  "person",
                                                   "worker",   "member", "agent", "personnel"};
    return !reading.words.empty() && std::find(std::begin(kPeople), std::end(kPeople),
                                               reading.words.back()) != std::end(kPeople);
  }

  /// The one table of people in the schema; none where there are several.
  void FindPeople() {
    std::size_t count = 0;
    for (const Reading* reading : readings_) {
      if (reading->words.size() != 1 || !IsOfPeople(*reading)) continue;
      people_ = reading;
      ++count;
    }
    if (count > 1) people_ = nullptr;
  }

  bool TypesAgree(const Reading& from, std::size_t column, const Offer& offer) const {
    const Family a = from.families[column];
    const Family b = offer.reading->families[offer.key.column];
    if (a == Family::Other || b == Family::Other || a == Family::Boolean || a == Family::Time)
      return false;
    if (a == Family::Unknown || b == Family::Unknown) return true;
    return a == b ||
           (options_.types_are_loose && offer.fit >= Fit::Trailing && offer.rule != Rule::BareName);
  }

  /// The one offer that fits best; none where two tables fit alike, since either would be a guess.
  static std::optional<Offer> Best(const Found& found) {
    std::optional<Offer> best;
    bool is_tied = false;
    for (const Offer& offer : found) {
      if (best && offer.fit == best->fit && offer.reading != best->reading) is_tied = true;
      if (best && offer.fit <= best->fit) continue;
      is_tied = false;
      best = offer;
    }
    return is_tied ? std::nullopt : best;
  }

  void Emit(const Reading& from, std::size_t column, const Offer& offer) {
    const Table& target = *offer.reading->table;
    InferredKey key;
    key.table = from.index;
    key.columns = {from.table->columns[column].name};
    key.target = offer.reading->index;
    key.target_columns = {target.columns[offer.key.column].name};
    key.rule = offer.rule;
    key.target_is_unique = offer.key.unique;
    key.evidence = EvidenceOf(from, column, offer);
    out_.push_back(std::move(key));
  }

  static std::string EvidenceOf(const Reading& from, std::size_t column, const Offer& offer) {
    const std::string& name = from.table->columns[column].name;
    const std::string target = catalog::QualifiedName(*offer.reading->table);
    const std::string& key = offer.reading->table->columns[offer.key.column].name;
    switch (offer.rule) {
      case Rule::SameName:
        return fmt::format("column {} is named as the key {} of {}", name, key, target);
      case Rule::TableName:
      case Rule::BareName:
        return fmt::format("column {} is named for the table {}, whose key is {}", name, target,
                           key);
      case Rule::Hierarchy:
        return fmt::format("column {} names a superior row of {}", name, target);
      case Rule::Composite:
        break;
    }
    return {};
  }

  // Composite keys.

  /// Tables whose composite primary key has a column of a name, so that a table which repeats the
  /// whole key is found by any of its columns.
  void AddComposites() {
    std::unordered_map<std::string, std::vector<const Reading*>> by_column;
    for (const Reading* reading : readings_) {
      const auto& key = reading->table->primary_key;
      if (!key || key->columns.size() < 2) continue;
      auto& tables = by_column[key->columns.back()];
      if (tables.size() < kCompositeTablesMax) tables.push_back(reading);
    }
    for (const Reading* from : readings_)
      for (const catalog::Column& column : from->table->columns)
        if (const auto found = by_column.find(column.name); found != by_column.end())
          for (const Reading* target : found->second) ConsiderComposite(*from, *target);
  }

  /// A table that repeats all columns of another's composite key refers to it, where a column of
  /// the key is the other's own (a line number), not itself a key of a third table, and where the
  /// repeating table has not the same key.
  void ConsiderComposite(const Reading& from, const Reading& target) {
    if (&from == &target) return;
    const auto& key = target.table->primary_key->columns;
    if (from.table->primary_key && SameSet(from.table->primary_key->columns, key)) return;
    bool has_own_part = false;
    for (const std::string& column : key) {
      const auto at = PositionOf(*from.table, column);
      const auto there = PositionOf(*target.table, column);
      if (!at || !there || from.is_declared[*at]) return;
      if (from.families[*at] != target.families[*there]) return;
      const Family family = target.families[*there];
      const bool is_moment = family == Family::Date || family == Family::Time;  // of a history
      has_own_part = has_own_part || (!is_moment && !RefersElsewhere(target, *there));
    }
    if (!has_own_part) return;
    InferredKey inferred;
    inferred.table = from.index;
    inferred.target = target.index;
    inferred.columns = inferred.target_columns = key;
    inferred.rule = Rule::Composite;
    inferred.target_is_unique = true;
    inferred.evidence =
        fmt::format("has all columns of the key of {}", catalog::QualifiedName(*target.table));
    out_.push_back(std::move(inferred));
    for (const std::string& column : key)
      if (!RefersElsewhere(target, *PositionOf(*target.table, column)))
        taken_.emplace(from.index, *PositionOf(*from.table, column));
  }

  bool RefersElsewhere(const Reading& reading, std::size_t column) const {
    return reading.is_declared[column] || OfName(reading, column).has_value();
  }

  static bool SameSet(std::vector<std::string> a, std::vector<std::string> b) {
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    return a == b;
  }

  bool IsTaken(const Reading& from, std::size_t column) const {
    return std::find(taken_.begin(), taken_.end(), std::pair(from.index, column)) != taken_.end();
  }

  const std::vector<const Reading*>& readings_;
  const InferOptions& options_;
  const text::Lexicon& lexicon_;
  std::vector<InferredKey>& out_;
  Offers offers_;
  const Reading* people_ = nullptr;
  struct Hash {
    std::size_t operator()(const std::pair<std::size_t, std::size_t>& at) const {
      return at.first * 8191 + at.second;
    }
  };
  std::unordered_set<std::pair<std::size_t, std::size_t>, Hash> taken_;
};

}  // namespace

std::vector<InferredKey> InferForeignKeys(const std::vector<Table>& tables,
                                          const InferOptions& options, ColumnNames& names) {
  std::vector<Reading> readings;
  readings.reserve(tables.size());
  std::map<std::string_view, std::vector<const Reading*>> by_schema;
  for (std::size_t t = 0; t < tables.size(); ++t)
    if (TakesPart(tables[t])) readings.push_back(ReadTable(t, tables[t], names));
  for (const Reading& reading : readings) by_schema[reading.table->schema].push_back(&reading);
  const text::Lexicon lexicon;
  std::vector<InferredKey> keys;
  for (const auto& [schema, members] : by_schema) Inference(members, options, lexicon, keys).Run();
  std::sort(keys.begin(), keys.end(), [](const InferredKey& a, const InferredKey& b) {
    return std::tie(a.table, a.columns, a.target) < std::tie(b.table, b.columns, b.target);
  });
  return keys;
}

}  // namespace schemaward::suggest
