#include "connect/postgres/reply.h"

#include <postgresql/libpq-fe.h>

namespace schemaward::connect::postgres {

void FreeResult::operator()(pg_result* result) const { PQclear(result); }

std::size_t Reply::RowCount() const {
  return result_ ? static_cast<std::size_t>(PQntuples(result_.get())) : 0;
}
std::size_t Reply::ColumnCount() const {
  return result_ ? static_cast<std::size_t>(PQnfields(result_.get())) : 0;
}
bool Reply::IsNull(std::size_t row, std::size_t column) const {
  return PQgetisnull(result_.get(), static_cast<int>(row), static_cast<int>(column)) != 0;
}
std::string_view Reply::Text(std::size_t row, std::size_t column) const {
  const int r = static_cast<int>(row), c = static_cast<int>(column);
  return {PQgetvalue(result_.get(), r, c),
          static_cast<std::size_t>(PQgetlength(result_.get(), r, c))};
}
std::string_view Reply::Name(std::size_t column) const {
  return PQfname(result_.get(), static_cast<int>(column));
}
unsigned Reply::TypeOid(std::size_t column) const {
  return PQftype(result_.get(), static_cast<int>(column));
}
int Reply::TypeModifier(std::size_t column) const {
  return PQfmod(result_.get(), static_cast<int>(column));
}

}  // namespace schemaward::connect::postgres
