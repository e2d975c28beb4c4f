#pragma once

// What must hold of every answer, whatever a transcript expects.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "wire/world.h"

namespace schemaward::wire {

/// Remembers what each request asks for, and looks at the answers. Thread: owner.
class AnswerChecks {
 public:
  explicit AnswerChecks(World& world) : world_(world) {}

  /// The client is about to say this.
  void Sent(std::string_view message);
  /// Returns what is wrong with what the server said, one line a fault.
  std::vector<std::string> Look(std::string_view raw);

 private:
  World& world_;
  std::map<std::string, std::string> tool_by_id_;
};

}  // namespace schemaward::wire
