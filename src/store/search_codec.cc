#include "store/search_codec.h"

#include <algorithm>

namespace schemaward::store {
namespace {

void PutVarint(std::string& out, std::uint64_t value) {
  while (value >= 0x80U) {
    out.push_back(static_cast<char>((value & 0x7FU) | 0x80U));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

void PutByte(std::string& out, std::uint8_t byte) { out.push_back(static_cast<char>(byte)); }

bool ReadByte(std::string_view& bytes, std::uint8_t& byte) {
  if (bytes.empty()) return false;
  byte = static_cast<std::uint8_t>(bytes.front());
  bytes.remove_prefix(1);
  return true;
}

template <class T>
bool ReadNumber(std::string_view& bytes, T& value) {
  std::uint64_t wide = 0;
  if (!ReadVarint(bytes, wide)) return false;
  value = static_cast<T>(wide);
  return static_cast<std::uint64_t>(value) == wide;
}

template <class T>
bool ReadFixed(std::string_view& bytes, T& value) {
  if (bytes.size() < sizeof(T)) return false;
  value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    value = static_cast<T>(
        value | static_cast<T>(static_cast<T>(static_cast<unsigned char>(bytes[i])) << (8 * i)));
  }
  bytes.remove_prefix(sizeof(T));
  return true;
}

template <class T>
void PutFixed(std::string& out, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) out.push_back(static_cast<char>(value >> (8 * i)));
}

/// Reads entries until the bytes end; `read` reads one and returns false where it cannot.
template <class T, class Read>
std::optional<std::vector<T>> ReadAll(std::string_view bytes, Read&& read) {
  std::vector<T> all;
  while (!bytes.empty()) {
    T entry;
    if (!read(bytes, entry)) return std::nullopt;
    all.push_back(std::move(entry));
  }
  return all;
}

}  // namespace

std::string EncodePostings(const std::vector<Posting>& postings) {
  std::string out;
  std::uint32_t next = 0;
  for (const auto& posting : postings) {
    PutVarint(out, posting.offset - next);
    PutByte(out, posting.impact);
    next = posting.offset + 1;
  }
  return out;
}

std::optional<std::vector<Posting>> DecodePostings(std::string_view bytes) {
  std::vector<Posting> postings;
  const bool whole = VisitPostings(bytes, [&](std::uint32_t offset, std::uint8_t impact) {
    postings.push_back({offset, impact});
  });
  return whole ? std::optional(std::move(postings)) : std::nullopt;
}

std::string EncodeRanges(const std::vector<RangeEntry>& ranges) {
  std::string out;
  std::uint32_t next = 0;
  for (const auto& entry : ranges) {
    PutVarint(out, entry.range - next);
    PutByte(out, entry.max_impact);
    PutVarint(out, entry.count);
    next = entry.range + 1;
  }
  return out;
}

std::optional<std::vector<RangeEntry>> DecodeRanges(std::string_view bytes) {
  std::uint32_t next = 0;
  return ReadAll<RangeEntry>(bytes, [&](std::string_view& rest, RangeEntry& entry) {
    std::uint32_t gap = 0;
    if (!ReadNumber(rest, gap) || !ReadByte(rest, entry.max_impact)) return false;
    if (!ReadNumber(rest, entry.count)) return false;
    entry.range = next + gap;
    next = entry.range + 1;
    return true;
  });
}

std::string EncodeRangeTables(const std::vector<RangeTable>& tables) {
  std::string out;
  PutVarint(out, tables.empty() ? 0 : tables.back().offset + 1);
  std::uint32_t next = 0;
  for (const auto& table : tables) {
    for (; next < table.offset; ++next) PutFixed(out, std::uint32_t{0});
    PutFixed(out, table.tie);
    next = table.offset + 1;
  }
  next = 0;
  for (std::size_t i = 0; i < tables.size();) {
    if (tables[i].offset > next) {  // a run of absent tables
      PutVarint(out, tables[i].offset - next);
      PutVarint(out, 0);
      next = tables[i].offset;
    }
    const std::uint32_t begin = next;
    const std::int64_t source_id = tables[i].source_id;
    for (; i < tables.size() && tables[i].offset == next && tables[i].source_id == source_id; ++i) {
      ++next;
    }
    PutVarint(out, next - begin);
    PutVarint(out, static_cast<std::uint64_t>(source_id));
  }
  return out;
}

std::optional<RangeTablesView> RangeTablesView::Read(std::string_view bytes) {
  RangeTablesView view;
  if (bytes.empty()) return view;
  std::uint32_t count = 0, end = 0;
  if (!ReadNumber(bytes, count) || count > kRangeSize) return std::nullopt;
  if (bytes.size() < std::size_t{count} * sizeof(std::uint32_t)) return std::nullopt;
  view.ties_ = bytes.substr(0, std::size_t{count} * sizeof(std::uint32_t));
  bytes.remove_prefix(view.ties_.size());
  while (!bytes.empty()) {
    std::uint32_t length = 0;
    std::int64_t source_id = 0;
    if (!ReadNumber(bytes, length) || !ReadNumber(bytes, source_id)) return std::nullopt;
    if (length > count - end) return std::nullopt;
    end += length;
    view.runs_.push_back({end, source_id});
  }
  return end == count ? std::optional(std::move(view)) : std::nullopt;
}

std::uint32_t RangeTablesView::Tie(std::uint32_t offset) const {
  std::string_view at = ties_.substr(std::size_t{offset} * sizeof(std::uint32_t));
  std::uint32_t tie = 0;
  ReadFixed(at, tie);
  return tie;
}

std::int64_t RangeTablesView::SourceOf(std::uint32_t offset) const {
  const auto run = std::upper_bound(runs_.begin(), runs_.end(), offset,
                                    [](std::uint32_t at, const Run& r) { return at < r.end; });
  return run == runs_.end() ? 0 : run->source_id;
}

std::optional<std::vector<RangeTable>> DecodeRangeTables(std::string_view bytes) {
  const auto view = RangeTablesView::Read(bytes);
  if (!view) return std::nullopt;
  std::vector<RangeTable> tables;
  for (std::uint32_t offset = 0; offset < view->end(); ++offset) {
    const std::int64_t source_id = view->SourceOf(offset);
    if (source_id != 0) tables.push_back({offset, source_id, view->Tie(offset)});
  }
  return tables;
}

std::string EncodeRecord(const std::vector<RecordTerm>& terms) {
  std::string out;
  std::int64_t last = 0;
  for (const auto& term : terms) {
    PutVarint(out, static_cast<std::uint64_t>(term.term_id - last));
    PutByte(out, term.impact);
    PutByte(out, term.fields);
    PutVarint(out, term.column);
    last = term.term_id;
  }
  return out;
}

std::optional<std::vector<RecordTerm>> DecodeRecord(std::string_view bytes) {
  std::int64_t last = 0;
  return ReadAll<RecordTerm>(bytes, [&](std::string_view& rest, RecordTerm& term) {
    std::int64_t gap = 0;
    if (!ReadNumber(rest, gap) || !ReadByte(rest, term.impact)) return false;
    if (!ReadByte(rest, term.fields) || !ReadNumber(rest, term.column)) return false;
    term.term_id = last + gap;
    last = term.term_id;
    return true;
  });
}

std::string EncodeKeys(const std::vector<std::uint64_t>& keys) {
  std::string out;
  for (const auto key : keys) PutFixed(out, key);
  return out;
}

std::optional<std::vector<std::uint64_t>> DecodeKeys(std::string_view bytes) {
  return ReadAll<std::uint64_t>(
      bytes, [](std::string_view& rest, std::uint64_t& key) { return ReadFixed(rest, key); });
}

std::string EncodeNames(const std::vector<std::string>& names) {
  std::string out;
  for (const auto& name : names) {
    PutVarint(out, name.size());
    out += name;
  }
  return out;
}

std::optional<std::vector<std::string>> DecodeNames(std::string_view bytes) {
  return ReadAll<std::string>(bytes, [](std::string_view& rest, std::string& name) {
    std::uint64_t size = 0;
    if (!ReadVarint(rest, size) || size > rest.size()) return false;
    name = rest.substr(0, size);
    rest.remove_prefix(size);
    return true;
  });
}

}  // namespace schemaward::store
