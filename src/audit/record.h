#pragma once

// One record of the audit log: its columns, its canonical bytes and its hash.
//
//   column           type     in     what
//   sequence         INTEGER  all    1, 2, 3 ... without a gap
//   version          INTEGER  all    format of the record: kRecordVersion
//   kind             TEXT     all    start | begin | end | checkpoint | rotate | retire | note
//   occurred_at      INTEGER  all    microseconds since 1970, UTC
//   run              INTEGER  b e    sequence of the start record of the process that wrote it
//   begin_sequence   INTEGER  e      the begin that it ends
//   ...              the other columns stand in columns.h, in table order
//   hash             BLOB     all    SHA-256(hash of the record before || canonical bytes)
//
// Canonical bytes: the version as one byte; then, for each column of the row but `hash` that is not
// null, in the byte order of their names:
//   u16 length of the name | name | u8 type (1 integer, 3 text, 4 blob) | u32 length | value
// with all numbers little-endian and an integer's value in 8 bytes. A column that a later version
// adds is null in older records and so leaves their hashes as they are.
// The full description is docs/formats/audit.md.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "audit/columns.h"
#include "base/sha256.h"

namespace schemaward::audit {

inline constexpr std::int64_t kRecordVersion = 1;

/// The hash before the first record: 32 zero bytes.
inline constexpr Digest kGenesis{};

/// What a record says, without its hash. Columns that were not set are null. Thousands of these
/// wait for the file at once, so the values lie in two pieces of memory, whatever their number.
/// Thread: owner.
class RecordFields {
 public:
  /// Makes room for so many bytes of texts at once.
  void Reserve(std::size_t text_bytes) { texts_.reserve(text_bytes); }
  /// Sets the column, in place of what it was set to before.
  void Set(Column column, std::int64_t number);
  void Set(Column column, std::string_view text);

  struct Field {
    std::size_t column;  ///< place in Columns()
    bool is_text;
    std::int64_t number;    ///< 0 of a text
    std::string_view text;  ///< empty of a number
  };
  /// Calls `take` with each Field that is set, in the byte order of their names.
  template <class Take>
  void EachByName(const Take& take) const;
  /// The same, in table order.
  template <class Take>
  void EachInTable(const Take& take) const;

 private:
  static constexpr std::size_t kUsual = 14;  // columns of a begin or an end
  struct Slot {
    std::uint32_t column;
    std::uint32_t text_size = 0;
    std::int64_t number_or_begin = 0;  // of a text: where it begins in texts_
    bool is_text() const { return kColumns[column].type == kTextColumn; }
  };
  // One more than the place in slots_ of each column; 0 where it is not set.
  using Places = std::array<std::uint8_t, kColumns.size()>;

  Slot& SlotOf(Column column);
  Places PlacesOfAll() const;
  Field FieldOf(const Slot& slot) const;

  std::vector<Slot> slots_;
  std::string texts_;
};

template <class Take>
void RecordFields::EachByName(const Take& take) const {
  const Places places = PlacesOfAll();
  for (const std::uint8_t column : kColumnsByName)
    if (places[column] != 0) take(FieldOf(slots_[places[column] - 1U]));
}

template <class Take>
void RecordFields::EachInTable(const Take& take) const {
  for (const std::uint8_t place : PlacesOfAll())
    if (place != 0) take(FieldOf(slots_[place - 1U]));
}

/// Collects the canonical bytes of one record. Requires: fields are added in the byte order of
/// their names, nulls and `hash` left out. Thread: owner.
class Canonicaliser {
 public:
  /// Forgets the last record and starts one of `version`.
  void Start(std::int64_t version);
  void AddInt(std::string_view name, std::int64_t value);
  void AddText(std::string_view name, std::string_view value);
  void AddBlob(std::string_view name, std::string_view value);
  /// Returns SHA-256(previous || canonical bytes).
  Digest HashAfter(std::string_view previous);
  /// Lifetime: until the next call.
  std::string_view bytes() const { return bytes_; }

 private:
  void AddHead(std::string_view name, char type, std::size_t size);
  std::string bytes_;
  Sha256 hasher_;
};

/// Adds a member to the JSON object that `object` begins with "{".
void AppendMember(std::string& object, std::string_view name, std::int64_t value);
void AppendMember(std::string& object, std::string_view name, std::string_view value);

/// Returns a record as one JSON object, as the export gives it. `hash`: 32 bytes.
std::string ToJson(const RecordFields& fields, std::string_view hash);

/// Returns the hash of a record whose forerunner has the hash `previous`.
Digest HashOf(const RecordFields& fields, std::string_view previous, Canonicaliser& canonical);

}  // namespace schemaward::audit
