// Bytes of a valid audit file are changed; verify must fail, or the export must be what it was.
// Input: records of three bytes: the place (two, little-endian, modulo the file's size) and the
// value that is XORed there. Nothing else is trusted to be an audit file, so inputs stay small. The
// input is also read as a proof, and as the changes of a valid one, which must not hold then.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "audit/keys.h"
#include "audit/list.h"
#include "audit/log.h"
#include "audit/prove.h"
#include "audit/verify.h"

using schemaward::FakeClock;
using schemaward::Ok;
using schemaward::Status;
namespace audit = schemaward::audit;

namespace {

constexpr int kCalls = 12;
constexpr std::int64_t kProven = 5;
// The first pair of RFC 8032, section 7.1.
constexpr const char* kPrivateKey =
    "-----BEGIN PRIVATE KEY-----\n"
    "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n"
    "-----END PRIVATE KEY-----\n";
constexpr const char* kPublicKey =
    "-----BEGIN PUBLIC KEY-----\n"
    "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n"
    "-----END PUBLIC KEY-----\n";
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
    std::filesystem::create_directory(folder_ / "log");
    path_ = (folder_ / "log" / "audit.db").string();
    key_ = (folder_ / "key").string();
    // Not made anew each time, so that an input means the same in each run.
    std::ofstream(key_) << kPrivateKey;
    std::ofstream(key_ + ".pub") << kPublicKey;
    std::filesystem::permissions(
        key_, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    keys_.emplace(*audit::TrustedKeys::Load(key_ + ".pub"));
    Write();
    proof_ = *audit::Prove(path_, kProven);
    std::ifstream file(path_, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
    export_ = Exported(path_);
    record_ = audit::CheckProof(proof_, *keys_)->record.text;
  }
  ~Sample() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Sample(const Sample&) = delete;
  Sample& operator=(const Sample&) = delete;

  void Check(const std::uint8_t* data, std::size_t size) const {
    CheckProof(data, size);
    const std::string bytes = Changed(bytes_, data, size);
    for (const char* suffix : {"-wal", "-shm"}) std::filesystem::remove(path_ + suffix);
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
    const auto report = audit::Verify(path_);
    if (report && report->IsIntact())
      Require(Exported(path_) == export_, "a changed file verified, but its export differs");
    (void)audit::Verify(path_, {.full = true, .public_key_path = key_ + ".pub"});
    (void)audit::List(path_, {});
  }

 private:
  static std::string Changed(std::string bytes, const std::uint8_t* data, std::size_t size) {
    for (std::size_t i = 0; i + kChangeSize <= size && i / kChangeSize < kChangesMax;
         i += kChangeSize) {
      const std::size_t at = (data[i] | static_cast<std::size_t>(data[i + 1]) << 8U) % bytes.size();
      bytes[at] = static_cast<char>(bytes[at] ^ data[i + 2]);
    }
    return bytes;
  }

  // A proof whose members say something else does not hold; blanks and the order of members are no
  // part of what it says.
  void CheckProof(const std::uint8_t* data, std::size_t size) const {
    (void)audit::CheckProof({reinterpret_cast<const char*>(data), size}, *keys_);
    const auto report = audit::CheckProof(Changed(proof_, data, size), *keys_);
    if (report && report->valid)
      Require(report->sequence == kProven && report->record.text == record_,
              "a changed proof holds for another record");
  }

  void Write() const {
    const FakeClock clock;
    audit::Options options;
    options.path = path_;
    options.clock = &clock;
    options.signing.key_path = key_;
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
  std::string path_, key_, bytes_, export_, proof_, record_;
  std::optional<audit::TrustedKeys> keys_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Sample sample;
  sample.Check(data, size);
  return 0;
}
