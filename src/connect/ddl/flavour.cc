#include "connect/ddl/flavour.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/ascii.h"

namespace schemaward::connect::ddl {
namespace {

/// Bytes looked at for the flavour of a script.
constexpr std::size_t kSampleBytes = 1u << 20;

std::string LowerSample(std::string_view script) {
  return LowerAscii(script.substr(0, kSampleBytes));
}

Error NoScript(std::string_view what, std::string_view hint) {
  return Error(ErrorKind::InputUnreadable, fmt::format("the file is {}, not a script", what))
      .Hint(std::string(hint));
}

}  // namespace

Status RefuseNoScript(std::string_view script) {
  if (script.starts_with("PGDMP"))
    return NoScript("an archive of pg_dump",
                    "Make a script of it with pg_restore --schema-only --file=schema.sql ARCHIVE.");
  if (script.starts_with("\x1f\x8b")) return NoScript("compressed", "Unpack it with gunzip first.");
  if (script.starts_with("SQLite format 3"))
    return NoScript("an SQLite database", "Name it as sqlite:FILE.");
  if (script.starts_with("\xff\xfe") || script.starts_with("\xfe\xff"))
    return NoScript("in UTF-16", "Save it as UTF-8.");
  if (script.substr(0, kSampleBytes).find('\0') != std::string_view::npos)
    return NoScript("binary", "ddl: reads the plain text that pg_dump --schema-only writes.");
  return Ok();
}

std::string FlavourHint(std::string_view script) {
  constexpr std::string_view kReads =
      "ddl: reads PostgreSQL scripts, as pg_dump --schema-only writes them.";
  const std::string sample = LowerSample(script);
  const auto has = [&](std::string_view word) { return sample.find(word) != std::string::npos; };
  if (has("auto_increment") || has("engine=innodb") || has("`"))
    return fmt::format("This looks like a MySQL script. {} ", kReads) +
           "Load it into a MySQL server and name that as mysql://.";
  if (has("autoincrement") || has("pragma "))
    return fmt::format("This looks like an SQLite script. {} ", kReads) +
           "Load it with sqlite3 FILE.db and name that as sqlite:FILE.db.";
  if (has("\ngo\n") || has("\ngo\r\n") || has("[dbo]"))
    return fmt::format("This looks like an SQL Server script. {}", kReads);
  return std::string(kReads);
}

std::string DumpedVersion(std::string_view script) {
  constexpr std::string_view kNote = "-- Dumped from database version ";
  constexpr std::size_t kHeaderBytes = 4096;
  const std::size_t at = script.substr(0, kHeaderBytes).find(kNote);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = script.substr(at + kNote.size());
  constexpr std::size_t kVersionBytesMax = 40;
  return std::string(rest.substr(0, std::min(rest.find_first_of(" \r\n"), kVersionBytesMax)));
}

}  // namespace schemaward::connect::ddl
