#pragma once

// The form in which names are looked up: case folded, otherwise as they are. [R-NAME-1]

#include <string>
#include <string_view>

namespace schemaward::store {

/// Returns `name` case-folded and composed (NFC), so that names which differ only by case, or by
/// how an accent is coded, share a key. Accents and width stay: "caf\u00e9" is not "cafe". A name
/// that is not UTF-8 has its ASCII letters lowered. Thread: any.
std::string NameKey(std::string_view name);

}  // namespace schemaward::store
