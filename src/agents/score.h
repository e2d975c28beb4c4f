#pragma once

// How far a played task is what was expected of it.

#include <string_view>

#include "agents/play.h"
#include "agents/task.h"

namespace schemaward::agents {

struct Score {
  double agreement = 0;  ///< of the tools that were chosen: 0 to 1
  bool success = false;  ///< the outcome is the expected one
};

/// Agreement: the expected tools that were called, in order where the task says so, as a share of
/// these and of the tools that were called and are neither expected nor allowed. Success: the task
/// ended as expected, and an answer holds all that it must and rests on a call that did not fail.
/// Thread: any; pure.
Score ScoreOf(const Task& task, const Played& played);

/// True where `answer` holds `wanted`: a number where one of its numbers rounds to it at as many
/// decimals (separators of thousands are passed over), else whole words, whatever their case.
bool Holds(std::string_view answer, std::string_view wanted);

}  // namespace schemaward::agents
