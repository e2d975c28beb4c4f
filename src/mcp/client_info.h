#pragma once

// What a client says of itself.

#include <string>

#include "json/value.h"

namespace schemaward::mcp {

/// Returns "name/version" of a clientInfo object, as far as it has them; for logs and the audit,
/// never for decisions.
std::string ClientName(const json::Value& info);

/// Returns whether the client that says this of itself has a model that it may be asked for.
/// `capabilities`: what it sent as such, maybe no object. Thread: any.
bool OffersModel(const json::Value& capabilities);

/// Returns whether the client that says this of itself can show its user a form. `capabilities`:
/// what it sent as such, maybe no object. Thread: any.
bool ShowsForms(const json::Value& capabilities);

/// Returns whether the client that says this of itself can take a task in place of an answer.
/// `capabilities`: of one request in the era without sessions. Thread: any.
bool TakesTasks(const json::Value& capabilities);

}  // namespace schemaward::mcp
