#include "connect/mysql/errors.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace schemaward::connect::mysql {
namespace {

// Source: the error references of MySQL 8.0 and MariaDB 10.11; 2000 to 2999 are the client's own.
struct CodeRow {
  unsigned first, last;
  ErrorKind kind;
  std::string_view message;
  std::string_view hint;
};

constexpr std::string_view kLost = "the connection to the source was lost";
constexpr std::string_view kDrifted = "Index the source again.";
constexpr std::string_view kNoRight = "the source's role may not read this";
constexpr std::string_view kGrant = "Grant SELECT to the role, or ask for another table.";
constexpr std::string_view kRefused = "the source refused the login";
constexpr std::string_view kCheckLogin =
    "Check the user, the password and from which hosts the server lets the user in.";
constexpr std::string_view kTooLong = "the engine stopped the statement at its time limit";
constexpr std::string_view kAskLess = "Ask for less: a filter, fewer tables, a smaller range.";
constexpr std::string_view kWrites = "the statement would write, and the session only reads";
constexpr std::string_view kFull = "the source takes no more connections";
constexpr std::string_view kTls = "TLS with the source could not be set up";

constexpr auto kRows = std::to_array<CodeRow>({
    {1021, 1021, ErrorKind::DiskFull, "the source's disk is full", ""},
    {1037, 1038, ErrorKind::SourceUnreachable, "the source is out of resources", ""},
    {1040, 1040, ErrorKind::PoolFull, kFull, ""},
    {1041, 1041, ErrorKind::SourceUnreachable, "the source is out of resources", ""},
    {1044, 1044, ErrorKind::PermissionDenied, kNoRight, kGrant},
    {1045, 1045, ErrorKind::SourceAuthFailed, kRefused, kCheckLogin},
    {1046, 1046, ErrorKind::SchemaDrift, "the statement names no database and SOURCE has none",
     kDrifted},
    {1049, 1049, ErrorKind::SchemaDrift, "the source no longer has a database of the statement",
     kDrifted},
    {1051, 1051, ErrorKind::SchemaDrift, "the source no longer has a table of the statement",
     kDrifted},
    {1053, 1053, ErrorKind::SourceUnreachable, "the source is stopping", ""},
    {1054, 1054, ErrorKind::SchemaDrift, "the source no longer has a column of the statement",
     kDrifted},
    {1114, 1114, ErrorKind::DiskFull, "the source has no room for the statement's own tables", ""},
    {1129, 1130, ErrorKind::SourceAuthFailed, "the source lets nobody in from here", kCheckLogin},
    {1142, 1143, ErrorKind::PermissionDenied, kNoRight, kGrant},
    {1146, 1146, ErrorKind::SchemaDrift, "the source no longer has a table of the statement",
     kDrifted},
    {1158, 1161, ErrorKind::SourceUnreachable, kLost, ""},
    {1184, 1184, ErrorKind::SourceUnreachable, kLost, ""},
    {1203, 1203, ErrorKind::PoolFull, kFull, ""},
    {1205, 1205, ErrorKind::StatementTimeout, "the statement waited too long for a lock", ""},
    {1226, 1226, ErrorKind::PoolFull, kFull, ""},
    {1227, 1227, ErrorKind::PermissionDenied, kNoRight, kGrant},
    {1251, 1251, ErrorKind::SourceAuthFailed, kRefused, kCheckLogin},
    {1290, 1290, ErrorKind::NotARead, kWrites, ""},
    {1317, 1317, ErrorKind::StatementTimeout, kTooLong, kAskLess},
    {1356, 1356, ErrorKind::SchemaDrift,
     "a view of the statement refers to what is gone, or to what its owner may not read", kDrifted},
    {1370, 1370, ErrorKind::PermissionDenied, kNoRight, kGrant},
    {1698, 1698, ErrorKind::SourceAuthFailed, kRefused, kCheckLogin},
    {1792, 1792, ErrorKind::NotARead, kWrites, ""},
    {1820, 1820, ErrorKind::SourceAuthFailed, "the role's password has expired", ""},
    {1836, 1836, ErrorKind::NotARead, kWrites, ""},
    {1862, 1862, ErrorKind::SourceAuthFailed, "the role's password has expired", ""},
    {1927, 1927, ErrorKind::SourceUnreachable, "the source ended the session", ""},
    {1969, 1969, ErrorKind::StatementTimeout, kTooLong, kAskLess},
    {2002, 2005, ErrorKind::SourceUnreachable, "the source does not answer",
     "Check that the server runs, and the address and port of SOURCE; the log has the client's own "
     "words."},
    {2006, 2006, ErrorKind::SourceUnreachable, kLost, ""},
    {2013, 2013, ErrorKind::SourceUnreachable, kLost, ""},
    {2014, 2014, ErrorKind::SourceUnreachable, kLost, ""},
    {2020, 2020, ErrorKind::SqlRuntime, "a value of the answer is too large to be taken", ""},
    {2026, 2026, ErrorKind::SourceUnreachable, kTls,
     "Check ssl-mode and ssl-ca of SOURCE; the log has the client's own words."},
    {2027, 2027, ErrorKind::SourceUnreachable, kLost, ""},
    {2055, 2055, ErrorKind::SourceUnreachable, kLost, ""},
    {2058, 2059, ErrorKind::SourceAuthFailed,
     "the server asks for a way to log in that is not allowed or not installed here",
     "Over TLS that is verified (ssl-mode=verify-identity) a password may be sent as it is; else "
     "give the role mysql_native_password, caching_sha2_password or ed25519."},
    {3024, 3024, ErrorKind::StatementTimeout, kTooLong, kAskLess},
    {3118, 3118, ErrorKind::SourceAuthFailed, "the role is locked", ""},
    {4031, 4031, ErrorKind::SourceUnreachable, "the source ended the session", ""},
    {4151, 4151, ErrorKind::SourceAuthFailed, "the role is locked", ""},
});

constexpr auto kEnding = std::to_array<unsigned>(
    {1053, 1158, 1159, 1160, 1161, 1184, 1927, 2006, 2013, 2014, 2020, 2026, 2027, 2055, 4031});

Error Make(ErrorKind kind, std::string_view message, std::string_view hint,
           std::string_view driver_text) {
  Error error(kind, message);
  error.Private(driver_text);
  if (!hint.empty()) error.Hint(hint);
  return error;
}

}  // namespace

Error ErrorOfCode(unsigned code, std::string_view driver_text, StopCause cause) {
  if (cause == StopCause::Cancelled)
    return Make(ErrorKind::Cancelled, "the caller cancelled the call", "", driver_text);
  if (cause == StopCause::Deadline)
    return Make(ErrorKind::DeadlineExceeded, "the call took longer than it may", "", driver_text);
  if (cause == StopCause::TimeLimit)
    return Make(ErrorKind::StatementTimeout, kTooLong, kAskLess, driver_text);
  const std::string text = std::to_string(code) + " " + std::string(driver_text);
  const auto* const row = std::find_if(kRows.begin(), kRows.end(), [&](const CodeRow& candidate) {
    return candidate.first <= code && code <= candidate.last;
  });
  if (row == kRows.end())
    return Make(ErrorKind::SqlRuntime, "the engine failed while it ran the statement", "", text);
  return Make(row->kind, row->message, row->hint, text);
}

Error ErrorOfConnect(unsigned code, std::string_view driver_text, bool has_secret) {
  constexpr unsigned kAccessDenied = 1045, kNoPassword = 1698, kDbAccessDenied = 1044,
                     kNoDatabase = 1049;
  if ((code == kAccessDenied || code == kNoPassword) && !has_secret)
    return Make(ErrorKind::MissingCredential, "the source asks for a password and none was found",
                "Give one by env:NAME or a password command.", driver_text);
  if (code == kNoDatabase)
    return Make(ErrorKind::SourceUnreachable, "the server has no such database",
                "Check the database's name in SOURCE.", driver_text);
  if (code == kDbAccessDenied)
    return Make(ErrorKind::SourceAuthFailed, "the role may not use the database of SOURCE",
                "Grant SELECT on the database to the role.", driver_text);
  return ErrorOfCode(code, driver_text);
}

bool EndsTheSession(unsigned code) {
  return std::find(kEnding.begin(), kEnding.end(), code) != kEnding.end();
}

}  // namespace schemaward::connect::mysql
