// Any text is read as an expression or refused, and what is read prints to a text that reads and
// prints the same.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "sql/read/expression.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using schemaward::sql::PrintExpression;
  using schemaward::sql::ReadExpression;
  const auto read = ReadExpression({reinterpret_cast<const char*>(data), size});
  if (!read) return 0;
  const std::string printed = PrintExpression(*read);
  if (printed.size() > schemaward::sql::kExpressionTextMax) return 0;
  const auto again = ReadExpression(printed);
  // Printing "is true" as "is not distinct from true" keeps the levels; brackets may add nesting.
  if (again && PrintExpression(*again) != printed) std::abort();
  return 0;
}
