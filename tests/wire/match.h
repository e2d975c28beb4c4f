#pragma once

// Compares what was said with what was expected. Masks stand in place of a value:
//
//   "<any>"         any value
//   "<number>"      any number
//   "<time>"        an ISO 8601 time
//   "<version>"     the program's version
//   "<cursor>"      a text; said by the client, it stands for the last next_cursor
//   "<state>"       a text; said by the client, it stands for the last requestState
//   "<run>"         the id of an exploration; said by the client, it stands for the last one
//   "<task>"        the id of a task; said by the client, it stands for the last one
//   "<structured>"  content[0].text: the bytes of structuredContent, exactly
//   "...": "<any>"  as a member: more members may follow

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace schemaward::wire {

/// Keeps the order of members, so that a transcript shows messages as they are sent.
using Message = nlohmann::ordered_json;

/// Returns the first difference, as a path and the two values; empty where there is none.
std::string Difference(const Message& expected, const Message& said);

/// Returns what to expect from now on: `said`, with the masks of `expected` kept where they stand
/// and fit, and new ones where values change from run to run. `expected`: null for none.
Message Settle(const Message& expected, const Message& said);

/// Puts "<structured>" in place of a text that is exactly the bytes of structuredContent in `raw`.
Message WithTextMasked(std::string_view raw);

/// Returns the first run_id that an answer gives out, or an empty text.
std::string RunId(std::string_view raw);

/// Returns the first taskId that a result gives out, or an empty text.
std::string TaskId(std::string_view raw);

/// Returns the next_cursor that an answer gives out, or an empty text.
std::string NextCursor(std::string_view raw);

/// Returns the requestState that a result asks to have back, or an empty text.
std::string RequestState(std::string_view raw);

}  // namespace schemaward::wire
