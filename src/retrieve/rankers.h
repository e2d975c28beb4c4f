#pragma once

// The makers of the rankers; CMakeLists.txt has their list and order.

#include <memory>

#include "retrieve/ranker.h"

// Named as their files, since the list in CMakeLists.txt names files.
// NOLINTBEGIN(readability-identifier-naming)
namespace schemaward::retrieve {

std::unique_ptr<Ranker> lexical();
std::unique_ptr<Ranker> coherence();
std::unique_ptr<Ranker> key_graph();

}  // namespace schemaward::retrieve
// NOLINTEND(readability-identifier-naming)
