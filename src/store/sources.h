#pragma once

// Registering sources: which database is meant, whatever the spelling, and what it is called.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/store.h"

namespace schemaward::store {

/// What is known of a source before it is read.
struct SourceSpec {
  std::string name;         ///< given by --name, or the default (database name, file stem)
  bool name_given = false;  ///< a given name is taken as it is or refused; a default is made unique
  std::string engine;
  std::string location;  ///< without its secret
  std::string secret_ref = "none";
};

/// Adds a source or updates the one with the same location: its engine, spelling of the location
/// and secret_ref follow `spec`, its name only where one is given. Another location with the same
/// default name becomes name_2, name_3, ... Errors: InvalidArgument when a given name is another
/// source's or empty; as Store.
Result<Source> PutSource(Store& store, const SourceSpec& spec);

/// Errors: UnknownSource; InvalidArgument when the new name is another source's or empty.
Status RenameSource(Store& store, std::string_view name, std::string_view new_name);

/// Removes a source and all that was indexed of it, in one transaction. Errors: UnknownSource.
Status RemoveSource(Store& store, std::string_view name);

/// Names that PutSource tries before it gives up.
inline constexpr int kNameTriesMax = 1000;

}  // namespace schemaward::store
