// Types that a cast may name. A closed list: a cast to another type can run a function or read the
// catalog (regclass).
#include <array>

#include <fmt/format.h>

#include "sql/query/dialect_bits.h"
#include "sql/query/parser.h"

namespace schemaward::sql::query {
namespace {

struct TypeWord {
  std::string_view upper;
  unsigned dialects;
};

constexpr auto kTypes = std::to_array<TypeWord>({{"BIGINT", kPg | kLite | kDuck},
                                                 {"BINARY", kMy},
                                                 {"BLOB", kLite | kDuck},
                                                 {"BOOL", kPg | kLite | kDuck},
                                                 {"BOOLEAN", kPg | kLite | kDuck},
                                                 {"BPCHAR", kPg},
                                                 {"BYTEA", kPg},
                                                 {"CHAR", kEvery},
                                                 {"CHARACTER", kPg | kLite},
                                                 {"CIDR", kPg},
                                                 {"DATE", kEvery},
                                                 {"DATETIME", kLite | kMy | kDuck},
                                                 {"DEC", kPg | kMy},
                                                 {"DECIMAL", kEvery},
                                                 {"DOUBLE", kEvery},
                                                 {"FLOAT", kEvery},
                                                 {"FLOAT4", kPg | kDuck},
                                                 {"FLOAT8", kPg | kDuck},
                                                 {"HUGEINT", kDuck},
                                                 {"INET", kPg},
                                                 {"INT", kPg | kLite | kDuck},
                                                 {"INT2", kPg | kDuck},
                                                 {"INT4", kPg | kDuck},
                                                 {"INT8", kPg | kDuck},
                                                 {"INTEGER", kEvery},
                                                 {"INTERVAL", kPg | kDuck},
                                                 {"JSON", kPg | kMy | kDuck},
                                                 {"JSONB", kPg},
                                                 {"NCHAR", kMy},
                                                 {"NUMERIC", kPg | kLite | kDuck},
                                                 {"REAL", kPg | kLite | kDuck | kMy},
                                                 {"SIGNED", kMy},
                                                 {"SMALLINT", kPg | kLite | kDuck},
                                                 {"STRING", kDuck},
                                                 {"TEXT", kPg | kLite | kDuck},
                                                 {"TIME", kEvery},
                                                 {"TIMESTAMP", kPg | kMy | kDuck},
                                                 {"TIMESTAMPTZ", kPg | kDuck},
                                                 {"TIMETZ", kPg},
                                                 {"TINYINT", kDuck},
                                                 {"TSQUERY", kPg},
                                                 {"TSVECTOR", kPg},
                                                 {"UBIGINT", kDuck},
                                                 {"UINTEGER", kDuck},
                                                 {"UNSIGNED", kMy},
                                                 {"USMALLINT", kDuck},
                                                 {"UTINYINT", kDuck},
                                                 {"UUID", kPg | kDuck},
                                                 {"VARBIT", kPg},
                                                 {"VARCHAR", kPg | kLite | kDuck},
                                                 {"YEAR", kMy}});

}  // namespace

bool Parser::IsTypeWord(std::size_t ahead) const {
  const unsigned dialect = is_postgres_ ? kPg : is_sqlite_ ? kLite : is_mysql_ ? kMy : kDuck;
  const Token& token = Ahead(ahead);
  if (token.kind != TokenKind::Word) return false;
  return std::any_of(kTypes.begin(), kTypes.end(), [&](const TypeWord& type) {
    return type.upper == token.upper && (type.dialects & dialect) != 0;
  });
}

Result<std::string> Parser::Type() {
  if (is_postgres_ && (IsWord("PG_CATALOG") && IsSymbolAt(1, "."))) at_ += 2;
  if (reads_script_) {
    WARD_TRY(const ColumnType any, ReadColumnType());
    return any.ToText();
  }
  if (!IsTypeWord())
    return Error(
        ErrorKind::NotARead,
        fmt::format("the statement casts to \"{}\", a type that is not on the list", Now().value));
  std::string type = tokens_[at_++].upper;
  if (type == "DOUBLE" && TakeWord("PRECISION")) type += " PRECISION";
  if ((type == "CHARACTER" || type == "CHAR") && TakeWord("VARYING")) type += " VARYING";
  if ((type == "SIGNED" || type == "UNSIGNED") && (TakeWord("INTEGER") || TakeWord("INT")))
    type += " INTEGER";
  if (is_mysql_ && type == "INTEGER") type = "SIGNED";  // MariaDB reads it; MySQL has no such cast
  if (TakeSymbol("(")) {
    WARD_TRY(const std::string length, Integer());
    type += '(' + length;
    if (TakeSymbol(",")) {
      WARD_TRY(const std::string scale, Integer());
      type += ", " + scale;
    }
    WARD_CHECK(NeedSymbol(")"));
    type += ')';
  }
  if (type.starts_with("TIME")) {
    if (TakeWords({"WITH", "TIME", "ZONE"})) type += " WITH TIME ZONE";
    if (TakeWords({"WITHOUT", "TIME", "ZONE"})) type += " WITHOUT TIME ZONE";
  }
  while ((is_postgres_ || is_duckdb_) && IsSymbol("[") && IsSymbolAt(1, "]")) {
    at_ += 2;
    type += "[]";
  }
  return type;
}

}  // namespace schemaward::sql::query
