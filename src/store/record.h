#pragma once

// Records: bound structs as compact bytes, in Bind's order. docs/formats/store.md has the layout.
//
//   bool      1 byte               list      varint n, n values
//   int       zigzag varint        optional  1 byte (0 | 1), then the value
//   double    8 bytes, LE          object    varint n, n members in Bind's order
//   string    varint n, n bytes    enum      varint
//
// A member that is added at the end of a Bind function reads as its default from older records;
// any other change of a kept struct needs a new schema version (schema.cc). JSON was tried first:
// it took six times as long to read and turned bytes that are not UTF-8 into U+FFFD.

#include <string>
#include <string_view>

#include "base/result.h"
#include "json/fields.h"

namespace schemaward::store {

/// Appends the record of `slot`. Thread: any.
void AppendRecord(std::string& out, json::Slot slot);

/// Reads a record into `slot`, which holds the defaults. Errors: StoreUnusable when the bytes are
/// not such a record; `slot` is then half read. Thread: any.
Status ReadRecord(std::string_view bytes, json::Slot slot);

template <class T>
std::string Encode(const T& value) {
  std::string out;
  AppendRecord(out, json::SlotOf(value));
  return out;
}

template <class T>
Result<T> Decode(std::string_view bytes) {
  T value{};
  WARD_CHECK(ReadRecord(bytes, json::SlotOf(value)));
  return value;
}

}  // namespace schemaward::store
