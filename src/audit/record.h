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
//   ...              the other columns stand in record.cc, in table order
//   hash             BLOB     all    SHA-256(hash of the record before || canonical bytes)
//
// Canonical bytes: the version as one byte; then, for each column of the row but `hash` that is not
// null, in the byte order of their names:
//   u16 length of the name | name | u8 type (1 integer, 3 text, 4 blob) | u32 length | value
// with all numbers little-endian and an integer's value in 8 bytes. A column that a later version
// adds is null in older records and so leaves their hashes as they are.
// The full description is docs/formats/audit.md.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/sha256.h"

namespace schemaward::audit {

inline constexpr std::int64_t kRecordVersion = 1;

/// A column of the table.
struct ColumnSpec {
  std::string_view name;
  std::string_view type;  ///< INTEGER | TEXT | BLOB
};

/// Returns the columns in table order, `hash` last. Lifetime: static.
std::span<const ColumnSpec> Columns();

/// The hash before the first record: 32 zero bytes.
inline constexpr Digest kGenesis{};

/// What a record says, without its hash. Absent columns are null. Keys are names of Columns().
using RecordFields = std::map<std::string_view, std::variant<std::int64_t, std::string>>;

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
