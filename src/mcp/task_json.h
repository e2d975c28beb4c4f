#pragma once

// How tasks are spoken of: what a request says of them, and how a task is said. 2025-11-25 and the
// extension of 2026-07-28 have other names for the same.

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "mcp/method.h"
#include "mcp/tasks.h"

namespace schemaward::mcp {

/// Whether a call of a tool is to be a task.
struct TaskWish {
  enum class When : std::uint8_t {
    Never,
    IfLong,  ///< the server decides; 2026-07-28
    Now      ///< the client has asked for one; 2025-11-25
  };
  When when = When::Never;
  std::chrono::milliseconds life = kTaskLife;
};

/// Returns the wish of a call of `tool`, which may be null: no such tool. Fails where a task is
/// asked for of a tool that takes none, or in a way that cannot be read.
std::variant<TaskWish, rpc::Failure> WishOf(const Parts& parts, const Call& call,
                                            const tool::Tool* tool);

/// Returns whose tasks the caller of `call` may see. Where nobody is asked who they are, each
/// session has its own; in the era without sessions the id of a task is all that protects it.
std::string OwnerOf(const Call& call);

/// Returns the member of the capabilities, with a comma before it; empty where `revision` has none.
std::string TasksCapability(Revision revision);

/// Returns the failure of a request whose client has not said that it can hold a task.
rpc::Failure LacksTasks();

/// Returns the result that gives a task in place of an answer.
std::string CreatedJson(const Parts& parts, Revision revision, const Task& task);
/// Returns the members of a task: "taskId":...; in 2026-07-28 also what it came to or asks for.
std::string TaskMembers(const Parts& parts, Revision revision, const Task& task);
/// Returns the value of _meta that says which task a message belongs to, as a member.
std::string RelatedTask(const Task& task);

}  // namespace schemaward::mcp
