#include "tool/cursor.h"

#include <gtest/gtest.h>

#include "base/result_matchers.h"

namespace schemaward::tool {
namespace {

constexpr std::string_view kKey = "0123456789abcdef0123456789abcdef";

// COVERS: R-MCP-5
TEST(Cursor, OpensOnlyForTheCallItWasMadeFor) {
  const CursorState state{"list", HashArguments("{}"), 3, "position:\x1f 7", "someone"};
  const std::string cursor = SealCursor(kKey, state);
  EXPECT_THAT(OpenCursor(kKey, cursor, state), IsOkAnd("position:\x1f 7"));
  CursorState other = state;
  other.tool = "find";
  EXPECT_THAT(OpenCursor(kKey, cursor, other), IsError(ErrorKind::InvalidCursor));
  other = state;
  other.arguments = HashArguments("{\"a\":1}");
  EXPECT_THAT(OpenCursor(kKey, cursor, other), IsError(ErrorKind::InvalidCursor));
  other = state;
  other.principal = "another";
  EXPECT_THAT(OpenCursor(kKey, cursor, other), IsError(ErrorKind::InvalidCursor));
  other = state;
  other.generation = 4;
  EXPECT_THAT(OpenCursor(kKey, cursor, other), IsError(ErrorKind::StaleCursor));
  EXPECT_THAT(OpenCursor("another key of thirty-two bytes!", cursor, state),
              IsError(ErrorKind::InvalidCursor));
}

TEST(Cursor, RefusesWhatWasTamperedWith) {
  const CursorState state{"list", "h", 3, "7", "someone"};
  const std::string cursor = SealCursor(kKey, state);
  for (std::size_t i = 0; i < cursor.size(); ++i) {
    std::string changed = cursor;
    changed[i] = changed[i] == '0' ? '1' : '0';
    EXPECT_THAT(OpenCursor(kKey, changed, state), IsError(ErrorKind::InvalidCursor)) << i;
  }
  for (const char* text : {"", "zz", "abc", "00"})
    EXPECT_THAT(OpenCursor(kKey, text, state), IsError(ErrorKind::InvalidCursor));
}

}  // namespace
}  // namespace schemaward::tool
