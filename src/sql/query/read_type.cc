// Types that a cast may name. A closed list: a cast to another type can run a function or read the
// catalog (regclass).
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/ascii.h"
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

// Other types of PostgreSQL's catalog: without a schema their names mean these, whatever else is
// called so. Those that begin with reg or pg_ too.
constexpr auto kSystemTypes = std::to_array<std::string_view>({"aclitem",
                                                               "any",
                                                               "anyarray",
                                                               "bit",
                                                               "box",
                                                               "char",
                                                               "cid",
                                                               "circle",
                                                               "cstring",
                                                               "daterange",
                                                               "gtsvector",
                                                               "int2vector",
                                                               "int4multirange",
                                                               "int4range",
                                                               "int8multirange",
                                                               "int8range",
                                                               "internal",
                                                               "jsonpath",
                                                               "line",
                                                               "lseg",
                                                               "macaddr",
                                                               "macaddr8",
                                                               "money",
                                                               "name",
                                                               "numrange",
                                                               "oid",
                                                               "oidvector",
                                                               "path",
                                                               "point",
                                                               "polygon",
                                                               "record",
                                                               "refcursor",
                                                               "tid",
                                                               "trigger",
                                                               "tsrange",
                                                               "tstzrange",
                                                               "txid_snapshot",
                                                               "unknown",
                                                               "void",
                                                               "xid",
                                                               "xid8",
                                                               "xml"});

bool IsSystemType(const std::string& name) {
  const std::string lowered = LowerAscii(name);
  const auto is_listed = [&](const TypeWord& type) {
    return EqualsIgnoringAsciiCase(type.upper, name);
  };
  return std::any_of(kTypes.begin(), kTypes.end(), is_listed) || lowered.starts_with("reg") ||
         lowered.starts_with("pg_") ||
         std::find(kSystemTypes.begin(), kSystemTypes.end(), lowered) != kSystemTypes.end();
}

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
  if (takes_any_type_) {
    WARD_TRY(const ColumnType any, ReadColumnType());
    if (is_mysql_ && TakeWord("CHARSET")) Skip();  // so MariaDB prints the casts of a view
    return any.ToText();
  }
  if (!IsTypeWord())
    return Error(
        NotListed(fmt::format("casts to \"{}\", a type that is not on the list", Now().value)));
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
  if (is_mysql_ && type.starts_with("CHAR") &&
      (TakeWords({"CHARACTER", "SET"}) || TakeWord("CHARSET"))) {
    const auto set = std::find_if(kCharacterSets.begin(), kCharacterSets.end(),
                                  [this](std::string_view one) { return TakeWord(one); });
    if (set == kCharacterSets.end()) return Expected("a character set that is on the list");
    type += fmt::format(" CHARACTER SET {}", *set);
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

// A name that is not on the list may be of the source's own types; the guard knows those.
bool Parser::IsOwnTypeName() const {
  if (takes_any_type_ || (!is_postgres_ && !is_duckdb_) || IsTypeWord()) return false;
  const bool is_system = IsWord("PG_CATALOG") && IsSymbolAt(1, ".");
  return !is_system && IsName();
}

// CAST(operand AS the type that follows), without a closing bracket of the text's own. A type that
// is not on the list makes the form own_cast: `names` are the type's, `text` what follows them.
Result<ExpressionPtr> Parser::CastTo(const std::string& open, ExpressionPtr operand) {
  constexpr std::size_t kNamesMax = 2;  // schema.type
  std::vector<Part> parts;
  parts.push_back(ValuePart(open, std::move(operand)));
  if (!IsOwnTypeName()) {
    WARD_TRY(const std::string type, Type());
    parts.push_back(TextPart(" AS " + type + ")"));
    return MakeSyntax("cast", std::move(parts), false);
  }
  const std::string first = Now().value;
  WARD_TRY(auto names, DottedName("a type"));
  const bool is_system = names.size() == 1 && IsSystemType(first);
  if (is_system || names.size() > kNamesMax || IsSymbol("("))
    return Error(NotListed(fmt::format("casts to \"{}\", a type that is not on the list", first)));
  std::string end = ")";
  while (IsSymbol("[") && IsSymbolAt(1, "]")) {
    at_ += 2;
    end.insert(0, "[]");
  }
  parts.push_back(TextPart(" AS "));
  ExpressionPtr cast = MakeSyntax("own_cast", std::move(parts), false);
  cast->names = std::move(names);
  cast->text = std::move(end);
  return cast;
}

}  // namespace schemaward::sql::query
