#pragma once

// What tests hear of a server in memory; apart from test_support.h, which fuzzers use too.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "json/value.h"
#include "transport/memory.h"

namespace schemaward::mcp::testing {

/// Returns the next message; a test in which none comes fails, and is given null.
inline json::Value HearOf(transport::Memory& memory) {
  const auto text = memory.Hear();
  if (!text) {
    ADD_FAILURE() << "nothing was said";
    return {};
  }
  return json::Value::parse(*text);
}

}  // namespace schemaward::mcp::testing
