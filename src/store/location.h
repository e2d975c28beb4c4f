#pragma once

// One text for each place a source can be in, so that two spellings of it are one source.

#include <string>
#include <string_view>

namespace schemaward::store {

/// Returns what identifies the database at `location`; equal for all spellings of one place.
/// Files: absolute, links resolved as far as they exist, `engine:` and `file:` taken off, options
/// after `?` dropped. postgres and mysql: host (lower case; default localhost), port (default
/// 5432, 3306), socket file, user, database and service, whether given as a URI or as key=value
/// words; the password and all options of the session are left out. Not for opening. Thread: any.
std::string LocationKey(std::string_view engine, std::string_view location);

}  // namespace schemaward::store
