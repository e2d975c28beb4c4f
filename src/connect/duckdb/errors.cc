#include "connect/duckdb/errors.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace schemaward::connect::duckdb {
namespace {

constexpr std::size_t kProgramBytesMax = 64;

bool Has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// A row stands for each text that begins so and holds the part; the first that fits counts.
struct Row {
  std::string_view begins;
  std::string_view holds;
  ErrorKind kind;
  std::string_view message;
  std::string_view hint;
};
constexpr std::array<Row, 22> kRows = {{
    {"IO Error", "database does not exist", ErrorKind::SourceUnreachable,
     "the database file is not there", ""},
    {"IO Error", "not a valid DuckDB database", ErrorKind::InputUnreadable,
     "the file is not a DuckDB database", ""},
    {"IO Error", "Extension \"", ErrorKind::InputUnreadable, "the file is not a DuckDB database",
     ""},
    {"", "database file with version number", ErrorKind::InputUnreadable,
     "the database file is of a version that this DuckDB library does not read",
     "Install a library of the version that wrote the file, or export and import it with that "
     "version."},
    {"", "encrypted", ErrorKind::InputUnreadable, "the database file is encrypted",
     "Encrypted files cannot be a source yet."},
    {"", "Corrupt database file", ErrorKind::InputUnreadable, "the database file is damaged", ""},
    {"Serialization Error", "", ErrorKind::InputUnreadable,
     "the database file cannot be read by this DuckDB library",
     "It may be damaged, or written by a newer version."},
    {"IO Error", "No space left", ErrorKind::DiskFull, "the disk is full", ""},
    {"IO Error", "Permission denied", ErrorKind::PermissionDenied,
     "the database file may not be read", ""},
    {"IO Error", "", ErrorKind::SourceUnreachable, "the database file could not be read", ""},
    {"Permission Error", "", ErrorKind::PermissionDenied,
     "the statement may not run in a read-only session", ""},
    {"Invalid Input Error", "read-only mode", ErrorKind::PermissionDenied,
     "the database is opened for reading only", ""},
    {"Invalid Input Error", "configuration has been locked", ErrorKind::PermissionDenied,
     "the statement may not change settings", ""},
    {"Out of Memory Error", "", ErrorKind::SqlRuntime,
     "the statement needs more memory than the engine may use",
     "Ask for fewer rows or columns, or filter first."},
    {"FATAL Error", "", ErrorKind::SourceUnreachable, "the engine gave the database up", ""},
    {"INTERNAL Error", "", ErrorKind::SourceUnreachable, "the engine failed inside", ""},
    {"Catalog Error", "Cannot launch in-memory", ErrorKind::InputUnreadable,
     "a database in memory cannot be a source", "Give the path of a database file."},
    {"Conversion Error", "", ErrorKind::SqlRuntime,
     "the engine could not convert a value that the statement reads", ""},
    {"Out of Range Error", "", ErrorKind::SqlRuntime,
     "a value of the statement is outside of its type's range", ""},
    {"Parser Error", "", ErrorKind::SqlRuntime, "the engine could not read the statement", ""},
    {"Dependency Error", "", ErrorKind::SqlRuntime, "the engine could not run the statement", ""},
    {"", "", ErrorKind::SqlRuntime, "the engine could not run the statement", ""},
}};

// "... Conflicting lock is held in /usr/bin/python3.11 (PID 4711). ..."
struct Holder {
  std::string program;  // without its folder; may be empty
  std::string process;
};

std::optional<Holder> HolderIn(std::string_view text) {
  constexpr std::string_view kHeld = "lock is held in ", kPid = "(PID ";
  const std::size_t held = text.find(kHeld);
  const std::size_t pid = text.find(kPid, held == std::string_view::npos ? 0 : held);
  if (pid == std::string_view::npos) return std::nullopt;
  Holder holder;
  for (std::size_t i = pid + kPid.size(); i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i)
    holder.process += text[i];
  if (holder.process.empty()) return std::nullopt;
  if (held == std::string_view::npos) return holder;
  std::string_view program = text.substr(held + kHeld.size(), pid - held - kHeld.size());
  while (program.ends_with(' ')) program.remove_suffix(1);
  program = program.substr(program.rfind('/') + 1);
  const bool is_plain = std::all_of(program.begin(), program.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_' || c == '+';
  });
  if (is_plain && program.size() <= kProgramBytesMax) holder.program = program;
  return holder;
}

Error Locked(std::string_view text) {
  Error error(ErrorKind::SourceUnreachable,
              "another program keeps the database file open for writing");
  if (const auto holder = HolderIn(text)) {
    const std::string program =
        holder->program.empty() ? "" : fmt::format(" ({})", holder->program);
    error.Detail(fmt::format("Process {}{} holds its lock.", holder->process, program));
  }
  error.Hint("Close the database there, or end that program; then make the same call again.");
  error.Private(text);
  return error;
}

}  // namespace

bool IsInterrupt(std::string_view text) { return text.starts_with("INTERRUPT Error"); }

bool IsLocked(std::string_view text) {
  return text.starts_with("IO Error") && Has(text, "Could not set lock on file");
}

bool IsFatal(std::string_view text) {
  return text.starts_with("FATAL Error") || text.starts_with("INTERNAL Error");
}

Error MakeError(std::string_view text, During during) {
  if (IsLocked(text)) return Locked(text);
  const bool names_nothing = (text.starts_with("Catalog Error") && Has(text, "does not exist")) ||
                             (text.starts_with("Binder Error") && Has(text, "not found in FROM"));
  if (during == During::Query && names_nothing)
    return std::move(
        Error(ErrorKind::SchemaDrift, "the source no longer has what the statement reads")
            .Private(text));
  for (const Row& row : kRows) {
    if (!text.starts_with(row.begins) || !Has(text, row.holds)) continue;
    Error error(row.kind, row.message);
    if (!row.hint.empty()) error.Hint(row.hint);
    return std::move(error.Private(text));
  }
  return Error(ErrorKind::SqlRuntime, "the engine could not run the statement");
}

}  // namespace schemaward::connect::duckdb
