#pragma once

// Walks trees of libpg_query whatever their nodes are, by the descriptions that protobuf-c keeps.

#include <functional>

#include "pgparse/parse.h"

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the library's own name
struct ProtobufCMessage;
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace schemaward::pgparse {

/// How deep a tree is followed: more than parentheses allow, less than the stack does.
inline constexpr int kTreeDepthMax = 6'000;

/// Told of each node; returns true to go on into what it holds.
using NodeVisitor = std::function<bool(const Node& node, int depth)>;

/// Calls `visit` for the nodes that `message` holds, outermost first, in the order in which the
/// library declares members. `message`: any struct of the library. `depth`: of `message` itself.
/// False where the tree is deeper than kTreeDepthMax: what lies deeper was not seen. Thread: one
/// made by RunOnDeepStack.
bool VisitNodes(const ProtobufCMessage& message, int depth, const NodeVisitor& visit);

}  // namespace schemaward::pgparse
