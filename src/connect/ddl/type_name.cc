#include "connect/ddl/type_name.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include <fmt/core.h>
#include <pg_query/pg_query.pb-c.h>

#include "connect/ddl/names.h"
#include "connect/ddl/parse.h"

namespace schemaward::connect::ddl {
namespace {

/// How the modifier of a type is printed.
enum class Modifier : std::uint8_t {
  None,
  Length,    ///< name(n)
  Decimal,   ///< name(p,s)
  Time,      ///< time(p) without time zone: the modifier stands inside
  Interval,  ///< interval fields (p)
};

struct Builtin {
  std::string_view name;     ///< as in pg_type
  std::string_view printed;  ///< as format_type prints it, up to the modifier
  Modifier modifier = Modifier::None;
  std::string_view tail = {};  ///< after the modifier
};

constexpr Builtin kBuiltins[] = {
    {"bit", "bit", Modifier::Length},
    {"bool", "boolean"},
    {"bpchar", "character", Modifier::Length},
    {"char", "\"char\""},
    {"decimal", "numeric", Modifier::Decimal},
    {"float4", "real"},
    {"float8", "double precision"},
    {"int2", "smallint"},
    {"int4", "integer"},
    {"int8", "bigint"},
    {"interval", "interval", Modifier::Interval},
    {"numeric", "numeric", Modifier::Decimal},
    {"time", "time", Modifier::Time, " without time zone"},
    {"timestamp", "timestamp", Modifier::Time, " without time zone"},
    {"timestamptz", "timestamp", Modifier::Time, " with time zone"},
    {"timetz", "time", Modifier::Time, " with time zone"},
    {"varbit", "bit varying", Modifier::Length},
    {"varchar", "character varying", Modifier::Length},
};

/// Types of pg_catalog that print as they are called; sorted.
constexpr std::string_view kPlainBuiltins[] = {"aclitem",
                                               "any",
                                               "anyarray",
                                               "anyelement",
                                               "box",
                                               "bytea",
                                               "cid",
                                               "cidr",
                                               "circle",
                                               "cstring",
                                               "date",
                                               "datemultirange",
                                               "daterange",
                                               "gtsvector",
                                               "inet",
                                               "int2vector",
                                               "int4multirange",
                                               "int4range",
                                               "int8multirange",
                                               "int8range",
                                               "json",
                                               "jsonb",
                                               "jsonpath",
                                               "line",
                                               "lseg",
                                               "macaddr",
                                               "macaddr8",
                                               "money",
                                               "name",
                                               "nummultirange",
                                               "numrange",
                                               "oid",
                                               "oidvector",
                                               "path",
                                               "pg_lsn",
                                               "pg_snapshot",
                                               "point",
                                               "polygon",
                                               "record",
                                               "refcursor",
                                               "regclass",
                                               "regcollation",
                                               "regconfig",
                                               "regdictionary",
                                               "regnamespace",
                                               "regoper",
                                               "regoperator",
                                               "regproc",
                                               "regprocedure",
                                               "regrole",
                                               "regtype",
                                               "text",
                                               "tid",
                                               "trigger",
                                               "tsmultirange",
                                               "tsquery",
                                               "tsrange",
                                               "tstzmultirange",
                                               "tstzrange",
                                               "tsvector",
                                               "txid_snapshot",
                                               "unknown",
                                               "uuid",
                                               "void",
                                               "xid",
                                               "xid8",
                                               "xml"};

const Builtin* FindBuiltin(std::string_view name) {
  const auto* found =
      std::lower_bound(std::begin(kBuiltins), std::end(kBuiltins), name,
                       [](const Builtin& b, std::string_view n) { return b.name < n; });
  return found != std::end(kBuiltins) && found->name == name ? found : nullptr;
}

bool IsPlainBuiltin(std::string_view name) {
  return std::binary_search(std::begin(kPlainBuiltins), std::end(kPlainBuiltins), name);
}

/// The text of one type modifier: a number, a string or a name.
std::string ModifierText(const Node* node) {
  if (node->node_case != PG_QUERY__NODE__NODE_A_CONST) return ExpressionText(node);
  const PgQuery__AConst& constant = *node->a_const;
  if (constant.val_case == PG_QUERY__A__CONST__VAL_IVAL) return std::to_string(constant.ival->ival);
  if (constant.val_case == PG_QUERY__A__CONST__VAL_SVAL)
    return std::string(View(constant.sval->sval));
  return ExpressionText(node);
}

std::vector<std::string> ModifiersOf(const PgQuery__TypeName& name) {
  std::vector<std::string> modifiers;
  modifiers.reserve(name.n_typmods);
  for (std::size_t i = 0; i < name.n_typmods; ++i)
    modifiers.push_back(ModifierText(name.typmods[i]));
  return modifiers;
}

std::string InParentheses(const std::vector<std::string>& modifiers) {
  if (modifiers.empty()) return {};
  std::string text = "(";
  for (const std::string& modifier : modifiers) {
    if (text.size() > 1) text += ',';
    text += modifier;
  }
  return text + ')';
}

/// Fields of an interval by the mask that the grammar makes of them.
/// Source: PostgreSQL's INTERVAL_MASK and intervaltypmodout.
std::string_view IntervalFields(std::string_view mask) {
  struct Fields {
    std::string_view mask, text;
  };
  constexpr Fields kFields[] = {{"4", " year"},
                                {"2", " month"},
                                {"8", " day"},
                                {"1024", " hour"},
                                {"2048", " minute"},
                                {"4096", " second"},
                                {"6", " year to month"},
                                {"1032", " day to hour"},
                                {"3080", " day to minute"},
                                {"7176", " day to second"},
                                {"3072", " hour to minute"},
                                {"7168", " hour to second"},
                                {"6144", " minute to second"}};
  for (const Fields& fields : kFields) {
    if (fields.mask == mask) return fields.text;
  }
  return {};
}

std::string PrintBuiltin(const Builtin& type, const std::vector<std::string>& modifiers) {
  std::string text(type.printed);
  switch (type.modifier) {
    case Modifier::None:
      break;
    case Modifier::Length:
    case Modifier::Time:
      text += InParentheses(modifiers);
      break;
    case Modifier::Decimal:
      if (modifiers.size() == 1) {
        text += '(' + modifiers[0] + ",0)";
      } else {
        text += InParentheses(modifiers);
      }
      break;
    case Modifier::Interval:
      if (!modifiers.empty()) text += IntervalFields(modifiers[0]);
      if (modifiers.size() > 1) text += '(' + modifiers[1] + ')';
      break;
  }
  return text.append(type.tail);
}

}  // namespace

TypeRef BuiltinType(std::string_view name) {
  const Builtin* builtin = FindBuiltin(name);
  return {nullptr, builtin != nullptr ? PrintBuiltin(*builtin, {}) : std::string(name), false};
}

TypeRef ReadType(const PgQuery__TypeName* name, SchemaState& state) {
  TypeRef type;
  if (name == nullptr || name->n_names == 0 || name->pct_type != 0) return type;
  type.is_array = name->n_array_bounds > 0;
  const std::string_view last = StringOf(name->names[name->n_names - 1]);
  const std::string_view schema =
      name->n_names > 1 ? StringOf(name->names[name->n_names - 2]) : std::string_view();
  if (schema.empty() || schema == "pg_catalog") {
    if (const Builtin* builtin = FindBuiltin(last)) {
      type.text = PrintBuiltin(*builtin, ModifiersOf(*name));
      return type;
    }
    if (IsPlainBuiltin(last) || schema == "pg_catalog") {
      type.text = QuoteIdent(last) + InParentheses(ModifiersOf(*name));
      return type;
    }
  }
  type.user = state.UseType(schema, last);
  type.text = InParentheses(ModifiersOf(*name));
  return type;
}

std::string PrintType(const TypeRef& type) {
  std::string text;
  if (type.user != nullptr) {
    const std::string& schema = type.user->schema;
    if (!schema.empty()) text = QuoteIdent(schema) + '.';
    text += QuoteIdent(type.user->name);
  }
  text += type.text;
  if (type.is_array && !text.empty()) text += "[]";
  return text;
}

void SetColumnType(const TypeRef& type, catalog::Column& column) {
  column.is_array = type.is_array;
  TypeRef shown = type;
  // A domain may stand over another; the bound is for a script that makes a ring of them.
  constexpr int kDomainDepthMax = 32;
  for (int depth = 0; depth < kDomainDepthMax && shown.user != nullptr; ++depth) {
    if (column.labels.empty()) column.labels = shown.user->labels;
    if (shown.is_array || shown.user->kind != UserTypeKind::Domain) break;
    if (!column.domain) column.domain = PrintType(shown);
    if (shown.user->not_null) column.nullable = false;
    shown = shown.user->base;
    column.is_array = shown.is_array;
  }
  column.type = PrintType(shown);
}

std::string_view SerialBase(const PgQuery__TypeName* name) {
  if (name == nullptr || name->n_names != 1 || name->n_array_bounds > 0) return {};
  const std::string_view word = StringOf(name->names[0]);
  if (word == "serial" || word == "serial4") return "int4";
  if (word == "bigserial" || word == "serial8") return "int8";
  if (word == "smallserial" || word == "serial2") return "int2";
  return {};
}

}  // namespace schemaward::connect::ddl
