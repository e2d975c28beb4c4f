#pragma once

// The byte forms of search's blobs. docs/formats/search.md has the layouts.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schemaward::store {

/// Postings are cut by table id: a range holds kRangeSize ids, and a term has at most one blob per
/// range. Larger: fewer look-ups for a search; smaller: less to rewrite for a changed table.
inline constexpr int kRangeBits = 13;
inline constexpr std::uint32_t kRangeSize = 1U << kRangeBits;
/// Largest table id, so that term and range fit one 64-bit key.
inline constexpr std::int64_t kTableIdMax = (std::int64_t{1} << 33) - 1;

/// One table of a term's postings.
struct Posting {
  std::uint32_t offset = 0;  ///< table id within its range
  std::uint8_t impact = 0;
  bool operator==(const Posting&) const = default;
};

/// What a term's row says of one range, so that ranges can be ruled out unread.
struct RangeEntry {
  std::uint32_t range = 0;
  std::uint8_t max_impact = 0;
  std::uint32_t count = 0;  ///< postings
  bool operator==(const RangeEntry&) const = default;
};

/// What a range says of each of its tables.
struct RangeTable {
  std::uint32_t offset = 0;
  std::int64_t source_id = 0;
  std::uint32_t tie = 0;  ///< of the qualified name: orders equal scores whatever the ids are
  bool operator==(const RangeTable&) const = default;
};

/// A term within a table's own record.
struct RecordTerm {
  std::int64_t term_id = 0;
  std::uint8_t impact = 0;
  std::uint8_t fields = 0;
  std::uint16_t column = 0;
  bool operator==(const RecordTerm&) const = default;
};

// Encoders take sorted input: by offset, range, offset, term id. Decoders return nothing for bytes
// that no encoder wrote. Thread: any.
std::string EncodePostings(const std::vector<Posting>& postings);
std::optional<std::vector<Posting>> DecodePostings(std::string_view bytes);

std::string EncodeRanges(const std::vector<RangeEntry>& ranges);
std::optional<std::vector<RangeEntry>> DecodeRanges(std::string_view bytes);

std::string EncodeRangeTables(const std::vector<RangeTable>& tables);
std::optional<std::vector<RangeTable>> DecodeRangeTables(std::string_view bytes);

/// EncodeRangeTables' bytes, read where they lie: a search looks at few of a range's tables.
/// Lifetime: views the bytes.
class RangeTablesView {
 public:
  /// Returns nothing for bytes that no encoder wrote.
  static std::optional<RangeTablesView> Read(std::string_view bytes);
  /// Offsets at and past it hold no table.
  std::uint32_t end() const { return static_cast<std::uint32_t>(ties_.size() / 4); }
  /// Requires: offset < end().
  std::uint32_t Tie(std::uint32_t offset) const;
  /// 0: no table. Requires: offset < end().
  std::int64_t SourceOf(std::uint32_t offset) const;

 private:
  struct Run {
    std::uint32_t end;  ///< first offset past it
    std::int64_t source_id;
  };
  std::string_view ties_;
  std::vector<Run> runs_;
};

std::string EncodeRecord(const std::vector<RecordTerm>& terms);
std::optional<std::vector<RecordTerm>> DecodeRecord(std::string_view bytes);

std::string EncodeKeys(const std::vector<std::uint64_t>& keys);
std::optional<std::vector<std::uint64_t>> DecodeKeys(std::string_view bytes);

std::string EncodeNames(const std::vector<std::string>& names);
std::optional<std::vector<std::string>> DecodeNames(std::string_view bytes);

/// Calls visit(offset, impact) for each posting without a vector between; false where the bytes are
/// no postings of one range.
template <class Visit>
bool VisitPostings(std::string_view bytes, Visit&& visit);

/// Reads a little-endian base-128 number and moves past it; false at a cut or overlong one.
inline bool ReadVarint(std::string_view& bytes, std::uint64_t& value) {
  value = 0;
  for (int shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if ((byte & 0x80U) == 0) return true;
  }
  return false;
}

template <class Visit>
bool VisitPostings(std::string_view bytes, Visit&& visit) {
  std::uint64_t next = 0;
  while (!bytes.empty()) {
    std::uint64_t gap = 0;
    if (!ReadVarint(bytes, gap) || bytes.empty() || gap >= kRangeSize) return false;
    next += gap;
    if (next >= kRangeSize) return false;
    visit(static_cast<std::uint32_t>(next), static_cast<std::uint8_t>(bytes.front()));
    bytes.remove_prefix(1);
    ++next;
  }
  return true;
}

}  // namespace schemaward::store
