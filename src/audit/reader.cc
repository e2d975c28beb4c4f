#include "audit/reader.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

namespace schemaward::audit {
namespace {

constexpr int kBusyTimeoutMs = 2000;
constexpr int kCacheKib = 512;
constexpr int kInteger = 1;
constexpr int kText = 3;
constexpr int kBlob = 4;
constexpr int kNull = 5;
constexpr std::size_t kColumnsMax = 256;  // a table with more is not one of ours

bool HasBytes(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && info.st_size > 0;
}

Error NotALog() { return Error(ErrorKind::InputUnreadable, "the file is not an audit log"); }

// A file in WAL mode in a folder that cannot be written is readable only when SQLite is told that
// nobody writes it, which is so where no -wal file waits to be read.
std::string ImmutableUri(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path)
    if (c == '%' || c == '?' || c == '#')
      uri += fmt::format("%{:02X}", static_cast<unsigned>(c));
    else
      uri += c;
  return uri + "?immutable=1";
}

// Read by name, since files of earlier versions lack columns.
Result<Chain> ReadChain(sqlite::Database& database) {
  WARD_TRY(auto read,
           database.Prepare("SELECT base_sequence, base_hash, head_sequence, head_hash, *"
                            " FROM chain WHERE one = 1"));
  WARD_TRY(const bool found, read.Step());
  if (!found) return NotALog();
  Chain chain{read.Int(0), std::string(read.Blob(1)), read.Int(2), std::string(read.Blob(3)), 0};
  for (int i = 4; i < read.ColumnCount(); ++i)
    if (read.ColumnName(i) == "next_file") chain.next_file = read.Int(i);
  return chain;
}

// SQL that names a table or column which is not there is SqlRuntime: the file is another database.
template <class T>
Result<T> AsLog(Result<T> result) {
  if (!result && result.error().kind() == ErrorKind::SqlRuntime)
    return std::move(NotALog().Private(result.error().private_detail()));
  return result;
}

}  // namespace

Reader::Reader(sqlite::Database database, sqlite::Statement rows, Chain chain, Layout layout)
    : database_(std::move(database)),
      rows_(std::move(rows)),
      chain_(std::move(chain)),
      at_(std::move(layout)) {}

Result<Reader> Reader::Open(const std::string& path, std::int64_t first) {
  if (!HasBytes(path))
    return std::move(
        Error(ErrorKind::InputUnreadable, "there is no audit log to read").Private(path));
  Result<Reader> reader = OpenAs(path, first);
  if (!reader && reader.error().kind() == ErrorKind::StoreUnusable && !HasBytes(path + "-wal"))
    return OpenAs(ImmutableUri(path), first);
  return reader;
}

Result<Reader> Reader::OpenAs(const std::string& path, std::int64_t first) {
  WARD_TRY(auto database, sqlite::Database::Open(path, {.read_only = true,
                                                        .busy_timeout_ms = kBusyTimeoutMs,
                                                        .cache_kib = kCacheKib}));
  WARD_CHECK(database.Execute("BEGIN"));
  WARD_TRY(Chain chain, AsLog(ReadChain(database)));
  WARD_TRY(auto rows,
           AsLog(database.Prepare("SELECT * FROM record WHERE sequence >= ? ORDER BY sequence")));
  rows.Bind(1, first);
  Layout layout;
  const int columns = rows.ColumnCount();
  if (static_cast<std::size_t>(columns) > kColumnsMax) return NotALog();
  for (int i = 0; i < columns; ++i) {
    layout.names.emplace_back(rows.ColumnName(i));
    const std::string& name = layout.names.back();
    if (name == "sequence") layout.sequence = i;
    if (name == "version") layout.version = i;
    if (name == "hash")
      layout.hash = i;
    else
      layout.by_name.push_back(i);
  }
  if (layout.sequence < 0 || layout.hash < 0 || layout.version < 0) return NotALog();
  std::sort(layout.by_name.begin(), layout.by_name.end(), [&](int a, int b) {
    return layout.names[static_cast<std::size_t>(a)] < layout.names[static_cast<std::size_t>(b)];
  });
  return Reader(std::move(database), std::move(rows), std::move(chain), std::move(layout));
}

Result<std::vector<std::string>> Reader::Triggers() {
  WARD_TRY(auto read, database_.Prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'"
                                        " AND tbl_name IN ('record', 'chain')"));
  std::vector<std::string> names;
  while (true) {
    WARD_TRY(const bool more, read.Step());
    if (!more || names.size() == kColumnsMax) return names;
    names.emplace_back(read.Text(0));
  }
}

Result<bool> Reader::Next() { return rows_.Step(); }

std::string_view Reader::Hash() const {
  return rows_.Type(at_.hash) == kBlob ? rows_.Blob(at_.hash) : std::string_view();
}

int Reader::Find(std::string_view column) const {
  const auto found = std::find(at_.names.begin(), at_.names.end(), column);
  return found == at_.names.end() ? -1 : static_cast<int>(found - at_.names.begin());
}

std::optional<std::int64_t> Reader::Int(std::string_view column) const {
  const int i = Find(column);
  if (i < 0 || rows_.Type(i) != kInteger) return std::nullopt;
  return rows_.Int(i);
}

std::optional<std::string_view> Reader::Text(std::string_view column) const {
  const int i = Find(column);
  if (i < 0 || rows_.Type(i) != kText) return std::nullopt;
  return rows_.Text(i);
}

std::optional<Digest> Reader::Rehash(std::string_view previous) {
  canonical_.Start(rows_.Int(at_.version));
  for (const int i : at_.by_name) {
    const std::string& name = at_.names[static_cast<std::size_t>(i)];
    switch (rows_.Type(i)) {
      case kInteger:
        canonical_.AddInt(name, rows_.Int(i));
        break;
      case kText:
        canonical_.AddText(name, rows_.Text(i));
        break;
      case kBlob:
        canonical_.AddBlob(name, rows_.Blob(i));
        break;
      case kNull:
        break;
      default:
        return std::nullopt;
    }
  }
  return canonical_.HashAfter(previous);
}

std::string Reader::ToJson() const {
  std::string line = "{";
  for (int i = 0; i < static_cast<int>(at_.names.size()); ++i) {
    const int type = rows_.Type(i);
    if (type == kNull) continue;
    const std::string& name = at_.names[static_cast<std::size_t>(i)];
    if (type == kInteger)
      AppendMember(line, name, rows_.Int(i));
    else if (type == kBlob)
      AppendMember(line, name, ToHex(rows_.Blob(i)));
    else
      AppendMember(line, name, rows_.Text(i));
  }
  return line + "}";
}

}  // namespace schemaward::audit
