#include "sql/read/words.h"

#include <algorithm>

#include "sql/read/expression.h"

namespace schemaward::sql {
namespace {

struct TypeWord {
  std::string_view word;
  CastType type;
};

// The first word of a type is what is printed.
constexpr auto kTypeWords = std::to_array<TypeWord>({{"text", CastType::Text},
                                                     {"varchar", CastType::Text},
                                                     {"string", CastType::Text},
                                                     {"integer", CastType::Integer},
                                                     {"int", CastType::Integer},
                                                     {"bigint", CastType::Integer},
                                                     {"double", CastType::Double},
                                                     {"double precision", CastType::Double},
                                                     {"float", CastType::Double},
                                                     {"real", CastType::Double},
                                                     {"decimal", CastType::Decimal},
                                                     {"numeric", CastType::Decimal},
                                                     {"boolean", CastType::Boolean},
                                                     {"bool", CastType::Boolean},
                                                     {"date", CastType::Date},
                                                     {"timestamp", CastType::Timestamp},
                                                     {"datetime", CastType::Timestamp},
                                                     {"timestamptz", CastType::TimestampTz}});

}  // namespace

bool IsReserved(std::string_view lowered) {
  return std::find(kReservedWords.begin(), kReservedWords.end(), lowered) != kReservedWords.end();
}

std::optional<CastType> CastTypeOf(std::string_view lowered) {
  for (const TypeWord& row : kTypeWords)
    if (row.word == lowered) return row.type;
  return std::nullopt;
}

std::string_view WordOf(CastType type) {
  for (const TypeWord& row : kTypeWords)
    if (row.type == type) return row.word;
  return "text";
}

}  // namespace schemaward::sql
