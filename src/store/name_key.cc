#include "store/name_key.h"

#include "text/fold.h"

namespace schemaward::store {

std::string NameKey(std::string_view name) { return text::FoldCase(name); }

}  // namespace schemaward::store
