// Runs a fuzz target over files: the committed corpus is an ordinary test under every compiler.
// Under libFuzzer (presets asan and fuzz) that library brings its own main, and this file is left
// out. usage: <target> FOLDER|FILE...    Exit 1 where there is nothing to run; a fault ends the
// process by itself.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::vector<std::filesystem::path> FilesOf(const std::filesystem::path& place) {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(place)) return {place};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(place)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void Run(const std::string& bytes) {
  // A copy of exactly this size on the heap, so that a sanitizer sees a read past its end.
  const std::vector<std::uint8_t> exact(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

}  // namespace

int main(int argc, char** argv) {
  int files_run = 0;
  for (int i = 1; i < argc; ++i) {
    for (const auto& path : FilesOf(argv[i])) {
      std::ifstream in(path, std::ios::binary);
      if (!in) {
        std::fprintf(stderr, "could not read %s\n", path.c_str());
        return 1;
      }
      const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
      // The input that was running is known when the process dies.
      std::fprintf(stderr, "%s: %zu bytes\n", path.c_str(), bytes.size());
      Run(bytes);
      Run(bytes.substr(0, bytes.size() / 2));  // cut off in the middle
      ++files_run;
    }
  }
  Run("");
  std::printf("%d inputs replayed\n", files_run);
  return files_run > 0 ? 0 : 1;
}
