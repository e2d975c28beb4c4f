#pragma once

// What a project says of itself, held against the schema of its pack.

#include <string>
#include <string_view>

#include "base/result.h"

namespace schemaward::packs {

/// Errors: InputUnreadable where `schema` is no JSON Schema of an object, or refers to anything
/// outside itself. Thread: any; pure.
Status CheckProfileSchema(std::string_view schema);

/// Errors: InputUnreadable where `profile` is no JSON or not as `schema` wants it, with the member.
Status CheckProfile(std::string_view schema, std::string_view profile);

}  // namespace schemaward::packs
