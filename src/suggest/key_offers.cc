#include "suggest/key_offers.h"

#include <algorithm>

#include "suggest/identity.h"

namespace schemaward::suggest {
namespace {

using catalog::Table;
using Words = std::vector<std::string>;

void AddKey(Reading& reading, const std::vector<std::string>& columns) {
  if (columns.size() != 1 || reading.keys.size() >= kKeysPerTableMax) return;
  const auto at = PositionOf(*reading.table, columns.front());
  if (!at) return;
  const bool known = std::any_of(reading.keys.begin(), reading.keys.end(),
                                 [&](const KeyColumn& key) { return key.column == *at; });
  if (!known) reading.keys.push_back({*at, true});
}

}  // namespace

std::optional<std::size_t> PositionOf(const Table& table, std::string_view column) {
  const std::size_t at = catalog::FindColumn(table, column);
  if (at == std::string_view::npos) return std::nullopt;
  return at;
}

const Words& StemOf(const ColumnWords& column) {
  return column.id_word.empty() ? column.words : column.stem;
}

Reading ReadTable(std::size_t index, const Table& table, ColumnNames& names) {
  Reading reading;
  reading.index = index;
  reading.table = &table;
  reading.words = ReadTableName(table.name);
  for (const catalog::Column& column : table.columns) {
    reading.columns.push_back(&names.Read(column.name));
    reading.families.push_back(FamilyOf(column));
  }
  if (table.primary_key) AddKey(reading, table.primary_key->columns);
  for (const catalog::Key& key : table.unique_keys) AddKey(reading, key.columns);
  if (!table.primary_key && reading.keys.empty())
    if (const auto guessed = GuessIdentity(reading.words, reading.columns))
      reading.keys.push_back({*guessed, false});
  reading.is_own_key.assign(table.columns.size(), false);
  for (std::size_t c = 0; c < reading.columns.size(); ++c)
    reading.is_own_key[c] = !reading.columns[c]->id_word.empty() &&
                            FitOf(reading.columns[c]->stem, reading.words) == Fit::Same;
  if (!reading.keys.empty()) reading.is_own_key[reading.keys.front().column] = true;
  reading.is_declared.assign(table.columns.size(), false);
  for (const catalog::ForeignKey& key : table.foreign_keys)
    for (const std::string& column : key.columns)
      if (const auto at = PositionOf(table, column)) reading.is_declared[*at] = true;
  return reading;
}

void Offers::Add(const Reading& reading) {
  if (reading.words.empty()) return;
  const std::string table = Join(reading.words);
  bool is_first = true;
  for (const KeyColumn& key : reading.keys) {
    AddOwnName(reading, key, is_first);
    AddTableNames(reading, key, table, is_first);
    is_first = false;
  }
}

std::span<const Offer> Offers::Named(const std::string& name) const { return Find(by_name_, name); }

std::span<const Offer> Offers::Bare(const std::string& name) const { return Find(bare_, name); }

std::span<const Offer> Offers::Find(const Map& map, const std::string& name) {
  const auto found = map.find(name);
  return found == map.end() ? std::span<const Offer>() : std::span<const Offer>(found->second);
}

void Offers::Put(std::vector<Offer>& offers, const Offer& offer) {
  if (offers.size() < kOffersMax) {
    offers.push_back(offer);
    return;
  }
  const auto weakest = std::min_element(
      offers.begin(), offers.end(), [](const Offer& a, const Offer& b) { return a.fit < b.fit; });
  if (weakest->fit < offer.fit) *weakest = offer;
}

void Offers::AddOwnName(const Reading& reading, const KeyColumn& key, bool is_first) {
  const ColumnWords& column = *reading.columns[key.column];
  if (column.joined.empty() || IsGeneric(column.joined)) return;
  const Fit fit = FitOf(StemOf(column), reading.words);
  if (is_first || fit >= Fit::Letters)
    Put(by_name_[column.joined], {&reading, key, Rule::SameName, fit});
}

void Offers::AddTableNames(const Reading& reading, const KeyColumn& key, const std::string& table,
                           bool is_first) {
  const ColumnWords& column = *reading.columns[key.column];
  const bool is_generic = IsGeneric(column.joined);
  std::vector<std::string> endings;
  if (is_first) endings.emplace_back("id");
  if (!column.id_word.empty() && column.id_word != "id") endings.push_back(column.id_word);
  if (is_generic && column.id_word.empty() && !column.joined.empty())
    endings.push_back(column.joined);
  for (const std::string& ending : endings) {
    if (table + ending != column.joined)
      Put(by_name_[table + ending], {&reading, key, Rule::TableName, Fit::Same});
    if (is_generic && reading.words.size() > 1)
      Put(by_name_[reading.words.back() + ending], {&reading, key, Rule::TableName, Fit::Longer});
  }
  if (is_first) Put(bare_[table], {&reading, key, Rule::BareName, Fit::Same});
}

}  // namespace schemaward::suggest
