#include "connect/no_rows.h"

#include <utility>

#include <fmt/core.h>

namespace schemaward::connect {

Error HasNoRows(std::string_view description, std::string_view database) {
  return std::move(Error(ErrorKind::EngineUnavailable,
                         fmt::format("the source is {}: there are no rows to query", description))
                       .Hint(fmt::format("Index {}, as postgres://, to run queries.", database)));
}

}  // namespace schemaward::connect
