#include "connect/ddl/names.h"

#include <algorithm>
#include <iterator>

#include "base/cut.h"

namespace schemaward::connect::ddl {
namespace {

/// Words of the grammar that cannot stand as a type's or table's name without quotes; sorted.
/// Source: PostgreSQL 15's kwlist.h, categories other than UNRESERVED.
constexpr std::string_view kQuotedWords[] = {"all",
                                             "analyse",
                                             "analyze",
                                             "and",
                                             "any",
                                             "array",
                                             "as",
                                             "asc",
                                             "asymmetric",
                                             "authorization",
                                             "between",
                                             "bigint",
                                             "binary",
                                             "bit",
                                             "boolean",
                                             "both",
                                             "case",
                                             "cast",
                                             "char",
                                             "character",
                                             "check",
                                             "coalesce",
                                             "collate",
                                             "collation",
                                             "column",
                                             "concurrently",
                                             "constraint",
                                             "create",
                                             "cross",
                                             "current_catalog",
                                             "current_date",
                                             "current_role",
                                             "current_schema",
                                             "current_time",
                                             "current_timestamp",
                                             "current_user",
                                             "dec",
                                             "decimal",
                                             "default",
                                             "deferrable",
                                             "desc",
                                             "distinct",
                                             "do",
                                             "else",
                                             "end",
                                             "except",
                                             "exists",
                                             "extract",
                                             "false",
                                             "fetch",
                                             "float",
                                             "for",
                                             "foreign",
                                             "freeze",
                                             "from",
                                             "full",
                                             "grant",
                                             "greatest",
                                             "group",
                                             "grouping",
                                             "having",
                                             "ilike",
                                             "in",
                                             "initially",
                                             "inner",
                                             "inout",
                                             "int",
                                             "integer",
                                             "intersect",
                                             "interval",
                                             "into",
                                             "is",
                                             "isnull",
                                             "join",
                                             "lateral",
                                             "leading",
                                             "least",
                                             "left",
                                             "like",
                                             "limit",
                                             "localtime",
                                             "localtimestamp",
                                             "national",
                                             "natural",
                                             "nchar",
                                             "none",
                                             "normalize",
                                             "not",
                                             "notnull",
                                             "null",
                                             "nullif",
                                             "numeric",
                                             "offset",
                                             "on",
                                             "only",
                                             "or",
                                             "order",
                                             "out",
                                             "outer",
                                             "overlaps",
                                             "overlay",
                                             "placing",
                                             "position",
                                             "precision",
                                             "primary",
                                             "real",
                                             "references",
                                             "returning",
                                             "right",
                                             "row",
                                             "select",
                                             "session_user",
                                             "setof",
                                             "similar",
                                             "smallint",
                                             "some",
                                             "substring",
                                             "symmetric",
                                             "table",
                                             "tablesample",
                                             "then",
                                             "time",
                                             "timestamp",
                                             "to",
                                             "trailing",
                                             "treat",
                                             "trim",
                                             "true",
                                             "union",
                                             "unique",
                                             "user",
                                             "using",
                                             "values",
                                             "varchar",
                                             "variadic",
                                             "verbose",
                                             "when",
                                             "where",
                                             "window",
                                             "with",
                                             "xmlattributes",
                                             "xmlconcat",
                                             "xmlelement",
                                             "xmlexists",
                                             "xmlforest",
                                             "xmlnamespaces",
                                             "xmlparse",
                                             "xmlpi",
                                             "xmlroot",
                                             "xmlserialize",
                                             "xmltable"};

}  // namespace

std::string ObjectName(std::string_view name1, std::string_view name2, std::string_view label) {
  const std::size_t overhead =
      (name2.empty() ? 0 : 1) + (label.empty() ? 0 : 1 + std::min(label.size(), kNameBytesMax - 2));
  const std::size_t room = kNameBytesMax - overhead;
  std::size_t size1 = name1.size();
  std::size_t size2 = name2.size();
  while (size1 + size2 > room) {
    if (size1 > size2) {
      --size1;
    } else {
      --size2;
    }
  }
  std::string name(HeadOf(name1, size1));
  if (!name2.empty()) name.append("_").append(HeadOf(name2, size2));
  if (!label.empty()) name.append("_").append(label);
  return name;
}

std::string JoinedColumns(const std::vector<std::string>& columns) {
  std::string joined;
  for (const std::string& column : columns) {
    if (!joined.empty()) joined += '_';
    joined += column;
    if (joined.size() > kNameBytesMax) break;
  }
  return std::string(HeadOf(joined, kNameBytesMax));
}

std::string QuoteIdent(std::string_view name) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  const bool plain = !name.empty() && !(name[0] >= '0' && name[0] <= '9') &&
                     std::all_of(name.begin(), name.end(), is_plain);
  if (plain && !std::binary_search(std::begin(kQuotedWords), std::end(kQuotedWords), name))
    return std::string(name);
  std::string quoted = "\"";
  for (char c : name) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string QuoteLiteral(std::string_view text) {
  std::string quoted = "'";
  for (char c : text) {
    if (c == '\'') quoted += '\'';
    quoted += c;
  }
  return quoted + '\'';
}

}  // namespace schemaward::connect::ddl
