#pragma once

// Whether each client that is wired would reach the server.

#include <functional>
#include <string>

#include "app/application.h"

namespace schemaward::cli {

/// Takes one finding: what was checked, "ok", "note" or "fault", what was found, what to do.
using AddFinding =
    std::function<void(std::string check, std::string state, std::string what, std::string advice)>;

/// Reads each client's file and holds a session with the entry in it, as that client would.
void CheckWiring(const app::Application& app, const AddFinding& add);

}  // namespace schemaward::cli
