#include "connect/ddl/ddl_engine.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include "connect/ddl/read_script.h"
#include "connect/no_rows.h"

namespace schemaward::connect::ddl {
namespace {

/// A file descriptor that closes itself.
class File {
 public:
  explicit File(const std::string& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~File() {
    if (fd_ >= 0) close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

Error Unreachable(std::string_view what, const std::string& path) {
  return Error(ErrorKind::SourceUnreachable, fmt::format("the script could not be {}", what))
      .Hint(
          "Check the path in SOURCE, and that this user may read the file; a relative path starts "
          "in the current folder.")
      .Private(fmt::format("{}: errno {}", path, errno));
}

Result<std::string> ReadFile(const std::string& path) {
  const File file(path);
  struct stat facts {};
  if (file.fd() < 0 || fstat(file.fd(), &facts) != 0) return Unreachable("opened", path);
  if (!S_ISREG(facts.st_mode))
    return Error(ErrorKind::InputUnreadable, "the script is no file")
        .Hint("Point SOURCE at one script, not at a folder.")
        .Private(path);
  const auto size = static_cast<std::size_t>(facts.st_size);
  if (size > kScriptBytesMax)
    return Error(ErrorKind::ByteCap,
                 fmt::format("the script has {} bytes, the limit is {}", size, kScriptBytesMax))
        .Hint("Dump the schema without the rows: pg_dump --schema-only.");
  std::string text(size, '\0');
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = read(file.fd(), text.data() + done, size - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Unreachable("read", path);
    if (got == 0) break;  // cut off while it was read
    done += static_cast<std::size_t>(got);
  }
  text.resize(done);
  return text;
}

/// Returns a text that differs for different contents: length and a 64-bit hash of eight bytes a
/// step. No defence against files made to collide. Source: the mixing step of MurmurHash64A.
std::string FingerprintOf(std::string_view text) {
  constexpr std::uint64_t kFactor = 0xc6a4a7935bd1e995u;
  constexpr int kShift = 47;
  std::uint64_t hash = text.size() * kFactor;
  for (std::size_t i = 0; i < text.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + i, std::min(sizeof word, text.size() - i));
    word *= kFactor;
    word ^= word >> kShift;
    hash = (hash ^ (word * kFactor)) * kFactor;
  }
  hash ^= hash >> kShift;
  return fmt::format("{}-{:016x}", text.size(), hash);
}

class DdlConnector final : public Connector {
 public:
  explicit DdlConnector(std::string path) : path_(std::move(path)) {}

  const Capabilities& capabilities() const override {
    static constexpr Capabilities kCapabilities{.runs_queries = false, .has_schemas = true};
    return kCapabilities;
  }
  const sql::Dialect& dialect() const override { return sql::Postgres(); }

  Result<catalog::Database> Introspect(const Scope& scope, CallContext& ctx) override {
    WARD_TRY(const std::string text, ReadFile(path_));
    WARD_TRY(catalog::Database database, ReadScript(text, scope.schemas, ctx));
    database.name = std::filesystem::path(path_).stem().string();
    database.fingerprint = FingerprintOf(text);
    return database;
  }

  Result<std::string> Fingerprint(CallContext& ctx) override {
    WARD_CHECK(ctx.Check());
    WARD_TRY(const std::string text, ReadFile(path_));
    return FingerprintOf(text);
  }

  Result<QueryResult> Query(const guard::Approved&, const QueryLimits&, CallContext&) override {
    return NoQueries();
  }
  Result<PlanEstimate> Explain(const guard::Approved&, CallContext&) override {
    return NoQueries();
  }

  Status Ping(CallContext& ctx) override {
    WARD_CHECK(ctx.Check());
    if (access(path_.c_str(), R_OK) != 0) return Unreachable("opened", path_);
    return Ok();
  }
  bool IsBroken() const override { return false; }

 private:
  static Error NoQueries() { return HasNoRows("a schema script", "the database itself"); }

  std::string path_;
};

class DdlEngine final : public Engine {
 public:
  std::string_view name() const override { return "ddl"; }
  Result<std::unique_ptr<Connector>> Open(const Target& target, CallContext& ctx) override {
    auto connector = std::make_unique<DdlConnector>(target.location);
    WARD_CHECK(connector->Ping(ctx));
    return std::unique_ptr<Connector>(std::move(connector));
  }
};

}  // namespace

EnginePtr MakeDdlEngine() { return std::make_shared<DdlEngine>(); }

}  // namespace schemaward::connect::ddl
