#pragma once

// For tests: tables in a line, definitions as JSON, a small shop in which the usual traps stand.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "semantic/model.h"

namespace schemaward::semantic {

/// main.name with columns "id integer, name text, ..."; the first column is the primary key unless
/// `key` names others.
catalog::Table TableOf(std::string_view name, std::string_view columns,
                       const std::vector<std::string>& key = {});

/// Reads {"entities": [...], "joins": [...], "metrics": [...]}. Fails the test where it cannot.
Definitions DefinitionsOf(std::string_view json);

/// customer <- order <- order_item -> product <-> tag (bridge); order has two addresses (billing,
/// shipping) and payments; employee has a manager; ticket -> customer, so that order and ticket are
/// a chasm.
std::shared_ptr<const Model> ShopModel();

}  // namespace schemaward::semantic
