#pragma once

// A session as text, one step a line:
//
//   # server: demo | shop | ...  which server it is held with (first line)
//   # words                      a remark
//   > MESSAGE                    the client says this; <oversized> stands for a line past the bound
//   < MESSAGE                    the server must say this next; masks are described in match.h
//   ! COMMAND                    open | await N | close (end of input)

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace schemaward::wire {

struct Step {
  char mark = '#';  ///< one of # > < !, or a blank for an empty line
  std::string text;
  int line = 0;
};

struct Transcript {
  std::string server;
  std::vector<Step> steps;
};

/// Errors: InputUnreadable, naming the line.
Result<Transcript> ReadTranscript(const std::string& path);
Status WriteTranscript(const std::string& path, const std::vector<Step>& steps);

}  // namespace schemaward::wire
