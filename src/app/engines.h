#pragma once

// The engines that are part of the program; the others are modules, loaded at first use.

#include <vector>

#include "connect/connector.h"

namespace schemaward::app {

std::vector<connect::EnginePtr> LinkedEngines();

}  // namespace schemaward::app
