#pragma once

// One task played by one model.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "agents/task.h"
#include "json/value.h"
#include "llm/model.h"

namespace schemaward::agents {

/// What a call came to.
struct CallAnswer {
  std::string text;  ///< as an agent sees it
  bool is_error = false;
};

/// The tools as an agent is shown them, and the way to call them.
struct Toolbox {
  std::string instructions;              ///< as a client hands them on
  std::vector<std::string> definitions;  ///< JSON objects: name, description, inputSchema
  std::function<CallAnswer(const std::string& tool, const json::Value& arguments)> call;
};

/// Bounds on one task.
struct PlayLimits {
  std::int64_t replies_max = 10;      ///< calls, the end and what could not be read together
  std::int64_t unreadable_max = 3;    ///< replies that hold no move
  std::int64_t tokens_max = 300'000;  ///< of prompts and replies; looked at before each request
  std::int64_t reply_tokens_max = 2'048;
  std::size_t result_bytes_max = 24'000;  ///< of a call's answer that is shown
};

/// Why a task is over.
enum class Ending : std::uint8_t { Answered, Cannot, Replies, Unreadable, Tokens, Window };

struct MadeCall {
  std::string tool;
  bool is_error = false;
};

struct Played {
  Ending ending = Ending::Replies;
  std::string answer;  ///< words of the end, where the model made one
  std::vector<MadeCall> calls;
  llm::Usage usage;
};

/// Asks `model` until it ends the task or a bound is reached. The model sees the question, the
/// instructions and the definitions, and nothing of what is expected. Errors: those of the model
/// that are not of this task alone; Cancelled; DeadlineExceeded. Thread: the model's.
Result<Played> Play(std::string_view question, const Toolbox& toolbox, llm::Llm& model,
                    const PlayLimits& limits, CallContext& ctx);

}  // namespace schemaward::agents
