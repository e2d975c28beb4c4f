// Bytes of a valid audit file are changed; verify must fail, or the export must be what it was.
// Input: records of three bytes: the place (two, little-endian, modulo the file's size) and the
// value that is XORed there. Nothing else is trusted to be an audit file, so inputs stay small.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "audit/list.h"
#include "audit/log.h"
#include "audit/verify.h"

using schemaward::FakeClock;
using schemaward::Ok;
using schemaward::Status;
namespace audit = schemaward::audit;

namespace {

constexpr int kCalls = 12;
constexpr std::size_t kChangesMax = 64;
constexpr std::size_t kChangeSize = 3;

void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

/// The export, and a mark at its end where it broke off.
std::string Exported(const std::string& path) {
  std::string text;
  const Status status = audit::Export(path, [&](std::string_view line) {
    text.append(line).append("\n");
    return Ok();
  });
  return status ? text : text + "!";
}

/// A valid file, its bytes and its export; lives as long as the process.
class Sample {
 public:
  Sample() {
    std::string name = std::filesystem::is_directory("/dev/shm") ? "/dev/shm/ward_fuzz_XXXXXX"
                                                                 : "/tmp/ward_fuzz_XXXXXX";
    folder_ = ::mkdtemp(name.data());
    path_ = (folder_ / "audit.db").string();
    Write();
    std::ifstream file(path_, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
    export_ = Exported(path_);
  }
  ~Sample() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Sample(const Sample&) = delete;
  Sample& operator=(const Sample&) = delete;

  void Check(const std::uint8_t* data, std::size_t size) const {
    std::string bytes = bytes_;
    for (std::size_t i = 0; i + kChangeSize <= size && i / kChangeSize < kChangesMax;
         i += kChangeSize) {
      const std::size_t at = (data[i] | static_cast<std::size_t>(data[i + 1]) << 8U) % bytes.size();
      bytes[at] = static_cast<char>(bytes[at] ^ data[i + 2]);
    }
    for (const char* suffix : {"-wal", "-shm"}) std::filesystem::remove(path_ + suffix);
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
    const auto report = audit::Verify(path_);
    if (report && report->IsIntact())
      Require(Exported(path_) == export_, "a changed file verified, but its export differs");
    (void)audit::Verify(path_, {.full = true});
    (void)audit::List(path_, {});
  }

 private:
  void Write() const {
    const FakeClock clock;
    audit::Options options;
    options.path = path_;
    options.clock = &clock;
    const auto log = audit::Log::Create(options);
    Require(log.has_value(), "the sample log cannot be made");
    for (int i = 0; i < kCalls; ++i) {
      audit::BeginRecord begin;
      begin.tool = "describe_table";
      begin.principal = "ana";
      begin.args_json = R"({"qualified_name":"main.orders"})";
      const auto id = (*log)->Begin(begin, audit::Durability::Soon);
      audit::EndRecord end;
      end.begin = *id;
      end.status = "success";
      end.tables = {"main.orders"};
      Require((*log)->End(end).has_value(), "the sample log cannot be written");
    }
  }

  std::filesystem::path folder_;
  std::string path_, bytes_, export_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Sample sample;
  sample.Check(data, size);
  return 0;
}
