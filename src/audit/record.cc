#include "audit/record.h"

#include <array>

#include "json/value.h"
#include "json/write.h"

namespace schemaward::audit {
namespace {

// SQLite's own numbers of the types.
constexpr char kInteger = 1;
constexpr char kText = 3;
constexpr char kBlob = 4;

constexpr std::array kColumns = {
    ColumnSpec{"sequence", "INTEGER"},
    ColumnSpec{"version", "INTEGER"},
    ColumnSpec{"kind", "TEXT"},
    ColumnSpec{"occurred_at", "INTEGER"},
    ColumnSpec{"run", "INTEGER"},
    ColumnSpec{"begin_sequence", "INTEGER"},
    // start: what ran, under which rules
    ColumnSpec{"program_version", "TEXT"},
    ColumnSpec{"config_hash", "TEXT"},
    ColumnSpec{"policy_hash", "TEXT"},
    ColumnSpec{"tools_hash", "TEXT"},
    ColumnSpec{"mode", "TEXT"},
    // begin: who asks what
    ColumnSpec{"request_id", "TEXT"},
    ColumnSpec{"principal", "TEXT"},
    ColumnSpec{"client", "TEXT"},
    ColumnSpec{"transport", "TEXT"},
    ColumnSpec{"source", "TEXT"},
    ColumnSpec{"tool", "TEXT"},
    ColumnSpec{"args_hash", "TEXT"},  // of the canonical JSON of the arguments as received
    ColumnSpec{"args", "TEXT"},       // the same, redacted
    // end: what came of it
    ColumnSpec{"status", "TEXT"},
    ColumnSpec{"error_kind", "TEXT"},
    ColumnSpec{"reason", "TEXT"},
    ColumnSpec{"recovery_tool", "TEXT"},
    ColumnSpec{"recovery_args_hash", "TEXT"},
    ColumnSpec{"metric", "TEXT"},
    ColumnSpec{"statement_hash", "TEXT"},  // of the text that ran in the engine
    ColumnSpec{"tables", "TEXT"},          // a JSON list, sorted
    ColumnSpec{"pii_categories", "TEXT"},  // a JSON list, sorted
    ColumnSpec{"exemptions", "TEXT"},      // of the floor; a JSON list: of start too
    ColumnSpec{"rows", "INTEGER"},
    ColumnSpec{"bytes", "INTEGER"},
    ColumnSpec{"duration_us", "INTEGER"},
    ColumnSpec{"profile", "TEXT"},
    ColumnSpec{"detail", "TEXT"},
    // checkpoint and retire: what was signed, what was removed
    ColumnSpec{"covers_sequence", "INTEGER"},
    ColumnSpec{"covers_hash", "TEXT"},
    ColumnSpec{"tree_first", "INTEGER"},
    ColumnSpec{"tree_root", "TEXT"},
    ColumnSpec{"key_id", "TEXT"},
    ColumnSpec{"signature", "TEXT"},
    ColumnSpec{"hash", "BLOB"},
};

void AppendLittleEndian(std::string& out, std::uint64_t value, int size) {
  for (int i = 0; i < size; ++i) out += static_cast<char>((value >> (8 * i)) & 0xFFU);
}

}  // namespace

std::span<const ColumnSpec> Columns() { return kColumns; }

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
  for (const auto& [name, value] : fields) {
    if (const auto* number = std::get_if<std::int64_t>(&value))
      canonical.AddInt(name, *number);
    else
      canonical.AddText(name, std::get<std::string>(value));
  }
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
  for (const ColumnSpec& column : kColumns) {
    const auto found = fields.find(column.name);
    if (column.name == "hash")
      AppendMember(line, column.name, ToHex(hash));
    else if (found == fields.end())
      continue;
    else if (const auto* number = std::get_if<std::int64_t>(&found->second))
      AppendMember(line, column.name, *number);
    else
      AppendMember(line, column.name, std::get<std::string>(found->second));
  }
  return line + "}";
}

}  // namespace schemaward::audit
