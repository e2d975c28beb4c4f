#pragma once

// The columns of the audit log's table, and their names as places in it.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace schemaward::audit {

inline constexpr std::string_view kIntegerColumn = "INTEGER";
inline constexpr std::string_view kTextColumn = "TEXT";
inline constexpr std::string_view kBlobColumn = "BLOB";

/// A column of the table.
struct ColumnSpec {
  std::string_view name;
  std::string_view type;  ///< INTEGER | TEXT | BLOB
};

/// In table order, `hash` last.
inline constexpr std::array kColumns = {
    ColumnSpec{"sequence", kIntegerColumn},
    ColumnSpec{"version", kIntegerColumn},
    ColumnSpec{"kind", kTextColumn},
    ColumnSpec{"occurred_at", kIntegerColumn},
    ColumnSpec{"run", kIntegerColumn},
    ColumnSpec{"begin_sequence", kIntegerColumn},
    // start: what ran, under which rules
    ColumnSpec{"program_version", kTextColumn},
    ColumnSpec{"config_hash", kTextColumn},
    ColumnSpec{"policy_hash", kTextColumn},
    ColumnSpec{"tools_hash", kTextColumn},
    ColumnSpec{"mode", kTextColumn},
    // begin: who asks what
    ColumnSpec{"request_id", kTextColumn},
    ColumnSpec{"principal", kTextColumn},
    ColumnSpec{"client", kTextColumn},
    ColumnSpec{"transport", kTextColumn},
    ColumnSpec{"source", kTextColumn},
    ColumnSpec{"tool", kTextColumn},
    ColumnSpec{"args_hash", kTextColumn},  // of the canonical JSON of the arguments as received
    ColumnSpec{"args", kTextColumn},       // the same, redacted
    // end: what came of it
    ColumnSpec{"status", kTextColumn},
    ColumnSpec{"error_kind", kTextColumn},
    ColumnSpec{"reason", kTextColumn},
    ColumnSpec{"recovery_tool", kTextColumn},
    ColumnSpec{"recovery_args_hash", kTextColumn},
    ColumnSpec{"metric", kTextColumn},
    ColumnSpec{"statement_hash", kTextColumn},  // of the text that ran in the engine
    ColumnSpec{"tables", kTextColumn},          // a JSON list, sorted
    ColumnSpec{"pii_categories", kTextColumn},  // a JSON list, sorted
    ColumnSpec{"exemptions", kTextColumn},      // of the floor; a JSON list: of start too
    ColumnSpec{"rows", kIntegerColumn},
    ColumnSpec{"bytes", kIntegerColumn},
    ColumnSpec{"duration_us", kIntegerColumn},
    ColumnSpec{"profile", kTextColumn},
    ColumnSpec{"detail", kTextColumn},
    // checkpoint and retire: what was signed, what was removed
    ColumnSpec{"covers_sequence", kIntegerColumn},
    ColumnSpec{"covers_hash", kTextColumn},
    ColumnSpec{"tree_first", kIntegerColumn},
    ColumnSpec{"tree_root", kTextColumn},
    ColumnSpec{"key_id", kTextColumn},
    ColumnSpec{"signature", kTextColumn},
    ColumnSpec{"hash", kBlobColumn},
};

/// Places in kColumns, in the byte order of the names.
inline constexpr auto kColumnsByName = [] {
  std::array<std::uint8_t, kColumns.size()> places{};
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<std::uint8_t>(i);
  std::sort(places.begin(), places.end(), [](std::uint8_t left, std::uint8_t right) {
    return kColumns[left].name < kColumns[right].name;
  });
  return places;
}();

/// Returns the columns in table order, `hash` last. Lifetime: static.
std::span<const ColumnSpec> Columns();

/// A column by its name, looked up when the program is compiled: a name that no column has does not
/// compile. Not `hash`, which is made of the others.
class Column {
 public:
  template <std::size_t kSize>
  consteval Column(const char (&name)[kSize])  // NOLINT(google-explicit-constructor): Set("kind")
      : place_(PlaceOf({name, kSize - 1})) {}
  /// Requires: `place` is one in Columns(), and not the last.
  constexpr explicit Column(std::size_t place) : place_(place) {}

  constexpr std::size_t place() const { return place_; }

 private:
  static void NoSuchColumn();  // not constexpr, so that a call of it ends the compiling
  static consteval std::size_t PlaceOf(std::string_view name) {
    for (std::size_t i = 0; i + 1 < kColumns.size(); ++i)
      if (kColumns[i].name == name) return i;
    NoSuchColumn();
    return 0;
  }
  std::size_t place_;
};

}  // namespace schemaward::audit
