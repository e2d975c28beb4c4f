#include "connect/postgres/errors.h"

#include <algorithm>
#include <array>
#include <utility>

namespace schemaward::connect::postgres {
namespace {

constexpr std::size_t kStateSize = 5;

// A row stands for each SQLSTATE that begins so; the first that fits counts.
// Source: PostgreSQL documentation, appendix A.
struct StateRow {
  std::string_view begins;
  ErrorKind kind;
  std::string_view message;
  std::string_view hint;
};
constexpr std::array<StateRow, 19> kStates = {{
    {"28", ErrorKind::SourceAuthFailed, "the source refused the login",
     "Check the user, the password and the server's access rules."},
    {"3D000", ErrorKind::SourceUnreachable, "the server has no such database",
     "Check the database's name in SOURCE."},
    {"08", ErrorKind::SourceUnreachable, "the connection to the source was lost", ""},
    {"57P", ErrorKind::SourceUnreachable, "the source is starting, stopping or ended the session",
     ""},
    {"42501", ErrorKind::PermissionDenied, "the source's role may not read this",
     "Grant SELECT to the role, or ask for another table."},
    {"57014", ErrorKind::StatementTimeout, "the engine stopped the statement at its time limit",
     "Ask for less: a filter, fewer tables, a smaller range."},
    {"25P03", ErrorKind::StatementTimeout, "the engine ended an idle transaction", ""},
    {"25P04", ErrorKind::StatementTimeout, "the engine ended a transaction at its time limit", ""},
    {"55P03", ErrorKind::StatementTimeout, "the statement waited too long for a lock", ""},
    {"53300", ErrorKind::PoolFull, "the source takes no more connections", ""},
    {"53100", ErrorKind::DiskFull, "the source's disk is full", ""},
    {"42P01", ErrorKind::SchemaDrift, "the source no longer has a table of the statement",
     "Index the source again."},
    {"42703", ErrorKind::SchemaDrift, "the source no longer has a column of the statement",
     "Index the source again."},
    {"3F000", ErrorKind::SchemaDrift, "the source no longer has a schema of the statement",
     "Index the source again."},
    {"42883", ErrorKind::SqlRuntime,
     "the engine has no such operator or function for the types of the statement",
     "Cast what is compared, grouped or sorted to text."},
    {"55000", ErrorKind::SqlRuntime,
     "what the statement reads is not ready, such as a materialized view without rows yet",
     "Read the tables that it is made of, or ask who runs the database to refresh it."},
    {"25006", ErrorKind::NotARead, "the statement would write, and the session only reads", ""},
    {"53", ErrorKind::SourceUnreachable, "the source is out of resources", ""},
    {"", ErrorKind::SqlRuntime, "the engine failed while it ran the statement", ""},
}};

bool IsStateCharacter(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); }

Error Make(ErrorKind kind, std::string_view message, std::string_view hint,
           std::string_view driver_text) {
  Error error(kind, std::string(message));
  error.Private(driver_text);
  if (!hint.empty()) error.Hint(std::string(hint));
  return error;
}

}  // namespace

Error ErrorOfState(std::string_view state, std::string_view driver_text, StopCause cause) {
  if (cause == StopCause::Cancelled)
    return Make(ErrorKind::Cancelled, "the caller cancelled the call", "", driver_text);
  if (cause == StopCause::Deadline)
    return Make(ErrorKind::DeadlineExceeded, "the call took longer than it may", "", driver_text);
  const auto row = std::find_if(kStates.begin(), kStates.end(), [&](const StateRow& candidate) {
    return state.starts_with(candidate.begins);
  });
  return Make(row->kind, row->message, row->hint,
              std::string(state) + " " + std::string(driver_text));
}

Error ErrorOfStatement(std::string_view state, std::string_view driver_text, StopCause cause) {
  if (state.starts_with("08") || state.starts_with("HV"))
    return Make(
        ErrorKind::SqlRuntime, "a foreign table of the statement could not be read",
        "Ask without the foreign table, or ask who runs the database whether its own server "
        "answers.",
        std::string(state) + " " + std::string(driver_text));
  return ErrorOfState(state, driver_text, cause);
}

std::string_view FindState(std::string_view driver_text) {
  // "FATAL:  28P01: password authentication failed": two blanks, the code, a colon or the line's
  // end.
  for (std::size_t at = driver_text.find(":  "); at != std::string_view::npos;
       at = driver_text.find(":  ", at + 1)) {
    const std::string_view state = driver_text.substr(at + 3, kStateSize);
    const std::size_t end = at + 3 + kStateSize;
    if (state.size() == kStateSize && std::all_of(state.begin(), state.end(), IsStateCharacter) &&
        (end == driver_text.size() || driver_text[end] == ':' || driver_text[end] == '\n'))
      return state;
  }
  return {};
}

Error ErrorOfConnect(std::string_view driver_text, bool needs_password) {
  if (needs_password)
    return Make(ErrorKind::MissingCredential, "the source asks for a password and none was found",
                "Give one by env:NAME, a service or password file, or a password command.",
                driver_text);
  const std::string_view state = FindState(driver_text);
  if (!state.empty()) return ErrorOfState(state, driver_text);
  return Make(
      ErrorKind::SourceUnreachable, "the source does not answer",
      "Check that the server runs, and the address, port and sslmode of SOURCE; the log has the "
      "client's own words.",
      driver_text);
}

}  // namespace schemaward::connect::postgres
