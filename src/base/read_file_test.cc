#include "base/read_file.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/result_matchers.h"

namespace schemaward {
namespace {

namespace fs = std::filesystem;

class ReadFileTest : public ::testing::Test {
 protected:
  ReadFileTest()
      : path_(fs::temp_directory_path() / ("ward_read_file_" + std::to_string(::getpid()))) {
    std::ofstream(path_, std::ios::binary) << std::string("a\0\r\n", 4);
  }
  ~ReadFileTest() override { fs::remove(path_); }

  const fs::path path_;
};

TEST_F(ReadFileTest, GivesTheBytesAsTheyAre) {
  const auto text = ReadFile(path_.string(), 4);
  ASSERT_THAT(text, IsOk());
  EXPECT_EQ(*text, std::string("a\0\r\n", 4));
}

TEST_F(ReadFileTest, RefusesWhatIsLargerAbsentOrNoFile) {
  for (const auto& text : {ReadFile(path_.string(), 3), ReadFile(path_.string() + ".absent", 4),
                           ReadFile(path_.parent_path().string(), 1U << 20U)})
    EXPECT_THAT(text, IsError(ErrorKind::InputUnreadable));
  EXPECT_EQ(ReadFile("/absent/x", 1, "policy file").error().message(),
            "policy file /absent/x cannot be read");
}

TEST_F(ReadFileTest, SaysWhyAFileCannotBeRead) {
  const auto why = [](const std::string& path, std::uintmax_t bytes_max) {
    return ReadFile(path, bytes_max).error().detail();
  };
  EXPECT_EQ(why(path_.string() + ".absent", 4),
            "There is no such file; a relative path starts in the current folder.");
  EXPECT_EQ(why(path_.parent_path().string(), 4), "It is a folder, and a file is meant.");
  EXPECT_EQ(why(path_.string(), 3), "It has more than 3 bytes.");
}

}  // namespace
}  // namespace schemaward
