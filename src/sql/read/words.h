#pragma once

// The words of the expression language, which its reader and its printer share.

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "sql/statement.h"

namespace schemaward::sql {

/// A function and how many arguments it takes.
struct FunctionWord {
  std::string_view word;
  std::size_t arguments_min;
  std::size_t arguments_max;
};

inline constexpr std::size_t kArgumentsMax = 100;
inline constexpr auto kFunctionWords = std::to_array<FunctionWord>({{"abs", 1, 1},
                                                                    {"ceil", 1, 1},
                                                                    {"coalesce", 1, kArgumentsMax},
                                                                    {"floor", 1, 1},
                                                                    {"length", 1, 1},
                                                                    {"lower", 1, 1},
                                                                    {"nullif", 2, 2},
                                                                    {"round", 1, 2},
                                                                    {"trim", 1, 1},
                                                                    {"upper", 1, 1}});

/// Words that are no names unless quoted.
inline constexpr auto kReservedWords = std::to_array<std::string_view>(
    {"and",    "as",    "between", "case", "cast", "distinct", "else", "end",
     "exists", "false", "from",    "in",   "is",   "like",     "not",  "null",
     "or",     "over",  "select",  "then", "true", "when",     "where"});

/// How strongly a form binds, weakest first; its operands bind more strongly.
enum class Binding : std::uint8_t { Or, And, Not, Comparison, Concat, Sum, Product, Sign, Operand };

bool IsReserved(std::string_view lowered);

/// Returns the type that `word`, lowered, names, or none.
std::optional<CastType> CastTypeOf(std::string_view lowered);

}  // namespace schemaward::sql
