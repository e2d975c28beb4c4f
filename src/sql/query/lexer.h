#pragma once

// The tokens of a statement, by the rules of its dialect. A scan that differs from the engine's own
// can misread what was meant, never let something through: what runs is printed anew from the tree.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sql/dialect.h"

namespace schemaward::sql::query {

/// Stands before the name of a function that MySQL has and MariaDB lacks: to MySQL a comment, to
/// MariaDB a schema that holds no functions, so that none of the database's own is called by it.
/// Scanned as a comment, other than in a script.
inline constexpr std::string_view kNowhereInMariaDb = "/*M!100000 information_schema.*/";
/// The same before a function that MariaDB has and MySQL lacks. Versions 5.7 are MySQL's alone to
/// MariaDB; SingleStore, which has some of these functions, says that it is 5.7.32.
inline constexpr std::string_view kNowhereInMySql = "/*!50733 information_schema.*/";

inline constexpr std::size_t kTextMax = 64u << 10;  ///< bytes of a statement
inline constexpr std::size_t kTokensMax = 16'000;

enum class TokenKind : std::uint8_t {
  Word,
  Name,  ///< in quotes
  Text,  ///< a string
  Bits,  ///< X'..' or B'..'
  Integer,
  Decimal,
  Parameter,
  Symbol,
  End
};

struct Token {
  TokenKind kind = TokenKind::End;
  std::string value;        ///< a name or string without its quotes and escapes
  std::string upper;        ///< of a word
  bool maybe_text = false;  ///< of a name in double quotes
  std::size_t begin = 0;    ///< bytes of the statement
  std::size_t end = 0;
  bool is_inner = false;  ///< of a semicolon of a script: DELIMITER said what ends statements
};

/// Returns the tokens without comments, the last one End. Errors: SqlSyntax for quotes and comments
/// that do not close, characters that begin nothing, sizes above the bounds; NotARead for a MySQL
/// comment that the server would run.
Result<std::vector<Token>> Scan(std::string_view text, const Dialect& dialect);

inline constexpr std::size_t kScriptTextMax = 1u << 20;  ///< bytes of a script
inline constexpr std::size_t kScriptTokensMax = 400'000;

/// What a script holds up to where it cannot be scanned.
struct Scanned {
  std::vector<Token> tokens;  ///< the last one End
  std::optional<Error> failure;
  std::size_t failed_at = 0;  ///< the byte where `failure` begins
};

/// Scans a text of several statements, as Scan does, within the larger bounds and by more of what
/// an engine and its command line know: MySQL's DELIMITER and the comments that its server runs,
/// psql's lines that begin with a backslash and the rows behind COPY FROM STDIN, named parameters,
/// any operator of PostgreSQL's alphabet, numbers such as 1_000 and 0b1.
Scanned ScanScript(std::string_view text, const Dialect& dialect);

/// The error that the scanner and the reader make. `found` is shown, cut.
Error SyntaxAt(std::size_t begin, std::size_t end, std::string_view expected,
               std::string_view found);

}  // namespace schemaward::sql::query
