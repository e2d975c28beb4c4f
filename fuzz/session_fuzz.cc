// Any bytes as a whole session on the memory transport: it ends, every answer is one valid JSON
// text on one line, and no request is answered twice.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/log.h"
#include "json/value.h"
#include "mcp/test_support.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace ward = schemaward;
  ward::log::SetLevel(ward::log::Level::Off);
  std::size_t lines = 1;
  for (std::size_t i = 0; i < size; ++i) lines += data[i] == '\n' ? 1 : 0;
  ward::mcp::testing::TestServer server({.threads = 1, .queue_max = 4});
  server.door.Open();
  server.memory.SayBytes(std::string_view(reinterpret_cast<const char*>(data), size));
  server.server.Tell({{"shop"}});
  server.memory.Close();
  std::size_t answers = 0;
  for (const std::string& answer : server.memory.HearAll()) {
    if (answer.find('\n') != std::string::npos) __builtin_trap();
    if (!ward::json::Parse(answer, {.bytes_max = 64u << 20, .depth_max = 80})) __builtin_trap();
    const bool is_notification = answer.starts_with(R"({"jsonrpc":"2.0","method":)");
    answers += is_notification ? 0 : 1;
  }
  // A line has one answer at most; a batch's is one array.
  if (answers > lines) __builtin_trap();
  return 0;
}
