#include "sql/samples.h"

namespace schemaward::sql {

Select SampleSelect(std::string_view schema, std::string_view table,
                    const std::vector<std::string>& columns, std::int64_t rows_max) {
  constexpr const char* kAlias = "t";
  Select select;
  for (const std::string& column : columns)
    select.columns.push_back({MakeColumn(kAlias, column), column});
  select.from = TableRef{std::string(schema), std::string(table), kAlias};
  select.limit = rows_max;
  return select;
}

}  // namespace schemaward::sql
