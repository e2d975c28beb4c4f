#include "audit/record.h"

#include <cassert>

#include "json/value.h"
#include "json/write.h"

namespace schemaward::audit {
namespace {

// SQLite's own numbers of the types.
constexpr char kInteger = 1;
constexpr char kText = 3;
constexpr char kBlob = 4;

void AppendLittleEndian(std::string& out, std::uint64_t value, std::size_t size) {
  std::array<char, sizeof(value)> bytes{};
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>((value >> (8 * i)) & 0xFFU);
  out.append(bytes.data(), size);
}

}  // namespace

std::span<const ColumnSpec> Columns() { return kColumns; }

RecordFields::Slot& RecordFields::SlotOf(Column column) {
  for (Slot& slot : slots_)
    if (slot.column == column.place()) return slot;
  if (slots_.empty()) slots_.reserve(kUsual);
  return slots_.emplace_back(Slot{static_cast<std::uint32_t>(column.place())});
}

void RecordFields::Set(Column column, std::int64_t number) {
  Slot& slot = SlotOf(column);
  assert(!slot.is_text() && "a column of texts has no numbers");
  slot.number_or_begin = number;
}

void RecordFields::Set(Column column, std::string_view text) {
  Slot& slot = SlotOf(column);
  assert(slot.is_text() && "a column of numbers has no texts");
  slot.number_or_begin = static_cast<std::int64_t>(texts_.size());
  slot.text_size = static_cast<std::uint32_t>(text.size());
  texts_ += text;
}

RecordFields::Places RecordFields::PlacesOfAll() const {
  Places places{};
  for (std::size_t i = 0; i < slots_.size(); ++i)
    places[slots_[i].column] = static_cast<std::uint8_t>(i + 1);
  return places;
}

RecordFields::Field RecordFields::FieldOf(const Slot& slot) const {
  if (!slot.is_text()) return {slot.column, false, slot.number_or_begin, {}};
  const auto begin = static_cast<std::size_t>(slot.number_or_begin);
  return {slot.column, true, 0, std::string_view(texts_).substr(begin, slot.text_size)};
}

void Canonicaliser::Start(std::int64_t version) {
  bytes_.clear();
  bytes_ += static_cast<char>(version & 0xFF);
}

void Canonicaliser::AddHead(std::string_view name, char type, std::size_t size) {
  AppendLittleEndian(bytes_, name.size(), 2);
  bytes_ += name;
  bytes_ += type;
  AppendLittleEndian(bytes_, size, 4);
}

void Canonicaliser::AddInt(std::string_view name, std::int64_t value) {
  AddHead(name, kInteger, sizeof(value));
  AppendLittleEndian(bytes_, static_cast<std::uint64_t>(value), sizeof(value));
}

void Canonicaliser::AddText(std::string_view name, std::string_view value) {
  AddHead(name, kText, value.size());
  bytes_ += value;
}

void Canonicaliser::AddBlob(std::string_view name, std::string_view value) {
  AddHead(name, kBlob, value.size());
  bytes_ += value;
}

Digest Canonicaliser::HashAfter(std::string_view previous) {
  return hasher_.Update(previous).Update(bytes_).Finish();
}

Digest HashOf(const RecordFields& fields, std::string_view previous, Canonicaliser& canonical) {
  canonical.Start(kRecordVersion);
  fields.EachByName([&](const RecordFields::Field& field) {
    const std::string_view name = kColumns[field.column].name;
    field.is_text ? canonical.AddText(name, field.text) : canonical.AddInt(name, field.number);
  });
  return canonical.HashAfter(previous);
}

void AppendMember(std::string& object, std::string_view name, std::int64_t value) {
  object += object.size() > 1 ? "," : "";
  json::AppendQuoted(object, name);
  object += ':';
  json::AppendInt(object, value);
}

void AppendMember(std::string& object, std::string_view name, std::string_view value) {
  object += object.size() > 1 ? "," : "";
  json::AppendQuoted(object, name);
  object += ':';
  json::AppendQuoted(object, value);
}

std::string ToJson(const RecordFields& fields, std::string_view hash) {
  std::string line = "{";
  fields.EachInTable([&](const RecordFields::Field& field) {
    const std::string_view name = kColumns[field.column].name;
    field.is_text ? AppendMember(line, name, field.text) : AppendMember(line, name, field.number);
  });
  AppendMember(line, "hash", ToHex(hash));
  return line + "}";
}

}  // namespace schemaward::audit
