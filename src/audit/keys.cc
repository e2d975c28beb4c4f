#include "audit/keys.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hex.h"
#include "base/sha256.h"

namespace schemaward::audit {
namespace {

namespace fs = std::filesystem;

// A private key's raw form is its seed.
constexpr std::size_t kRawSize = crypto_sign_ed25519_PUBLICKEYBYTES;
static_assert(kRawSize == crypto_sign_ed25519_SEEDBYTES);
constexpr std::size_t kSignatureSize = crypto_sign_ed25519_BYTES;
constexpr off_t kPemBytesMax = 16 << 10;
constexpr mode_t kPrivateMode = 0600;
constexpr mode_t kPublicMode = 0644;
constexpr mode_t kNotForAKey = 0177;  // anything but reading and writing by its owner

// The one form that an Ed25519 key has in DER, up to its 32 bytes. Source: RFC 8410, section 7.
constexpr std::string_view kPrivateHead(
    "\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20", 16);
constexpr std::string_view kPublicHead("\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00", 12);
constexpr std::string_view kPrivateLabel = "PRIVATE KEY";
constexpr std::string_view kPublicLabel = "PUBLIC KEY";

const unsigned char* BytesOfText(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

unsigned char* BytesOfText(std::string& text) {
  return reinterpret_cast<unsigned char*>(text.data());
}

constexpr std::string_view kIsAFile =
    "Name a key file that is there and that this user may read; `schemaward audit keygen FILE` "
    "makes one.";
constexpr std::string_view kIsFree =
    "Name a file that is not there yet, in a folder that this user may write to.";
constexpr std::string_view kIsAPublicKey =
    "Name the file FILE.pub of `schemaward audit keygen FILE`.";

Error Unusable(std::string_view what, const std::string& path, std::string_view hint = {}) {
  return std::move(Error(ErrorKind::InputUnreadable, what).Hint(hint).Private(path));
}

struct OpenFile {
  explicit OpenFile(int the_file) : file(the_file) {}
  ~OpenFile() {
    if (file >= 0) ::close(file);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int file;
};

// Reads a small regular file; a private one must be its owner's alone.
Result<std::string> ReadKeyFile(const std::string& path, bool is_private) {
  const OpenFile opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat info {};
  if (opened.file < 0 || ::fstat(opened.file, &info) != 0 || !S_ISREG(info.st_mode) ||
      info.st_size > kPemBytesMax)
    return Unusable("the key file of the audit log cannot be read", path, kIsAFile);
  if (is_private && (info.st_mode & kNotForAKey) != 0)
    return std::move(Unusable("the audit log's key may be read or changed by others", path)
                         .Hint("Give it the mode 0600."));
  if (is_private && info.st_uid != ::geteuid() && info.st_uid != 0)
    return Unusable("the audit log's key belongs to another user", path,
                    "Make it this user's own.");
  std::string text(static_cast<std::size_t>(info.st_size), '\0');
  if (::read(opened.file, text.data(), text.size()) != info.st_size)
    return Unusable("the key file of the audit log cannot be read", path, kIsAFile);
  return text;
}

std::string Marker(std::string_view word, std::string_view label) {
  return fmt::format("-----{} {}-----", word, label);
}

std::string FromBase64(std::string_view text) {
  std::string bytes(text.size(), '\0');
  std::size_t size = 0;
  if (sodium_base642bin(BytesOfText(bytes), bytes.size(), text.data(), text.size(), "\n\r \t",
                        &size, nullptr, sodium_base64_VARIANT_ORIGINAL) != 0)
    return {};
  bytes.resize(size);
  return bytes;
}

// The 32 bytes of the next key of `pem`, which is taken off its front; nullopt where there is none
// or it is of another kind.
std::optional<std::string> TakeKey(std::string_view& pem, std::string_view label,
                                   std::string_view head) {
  const std::string begin = Marker("BEGIN", label);
  const std::string end = Marker("END", label);
  const std::size_t at = pem.find(begin);
  if (at == std::string_view::npos) return std::nullopt;
  const std::size_t body = at + begin.size();
  const std::size_t stop = pem.find(end, body);
  if (stop == std::string_view::npos) return std::nullopt;
  const std::string der = FromBase64(pem.substr(body, stop - body));
  pem.remove_prefix(stop + end.size());
  if (der.size() != head.size() + kRawSize || !der.starts_with(head)) return std::nullopt;
  return der.substr(head.size());
}

std::string ToPem(std::string_view label, std::string_view head, std::string_view raw) {
  const std::string der = std::string(head).append(raw);
  std::string base64(sodium_base64_encoded_len(der.size(), sodium_base64_VARIANT_ORIGINAL), '\0');
  sodium_bin2base64(base64.data(), base64.size(), BytesOfText(std::string_view(der)), der.size(),
                    sodium_base64_VARIANT_ORIGINAL);
  base64.pop_back();  // the terminating zero
  return fmt::format("{}\n{}\n{}\n", Marker("BEGIN", label), base64, Marker("END", label));
}

Status WriteNew(const std::string& path, mode_t mode, std::string_view text) {
  const OpenFile made(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (made.file < 0)
    return errno == EEXIST ? Unusable("the key file exists already and is kept", path, kIsFree)
                           : Unusable("the key file cannot be made", path, kIsFree);
  if (::write(made.file, text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
      ::fsync(made.file) != 0)
    return Unusable("the key file cannot be written", path);
  return Ok();
}

// What signs, wiped when it goes; the other half is put into `public_raw`.
struct Pair {
  Pair(std::string_view seed, std::string& public_raw) {
    public_raw.resize(kRawSize);
    crypto_sign_ed25519_seed_keypair(BytesOfText(public_raw), key.data(), BytesOfText(seed));
  }
  ~Pair() { sodium_memzero(key.data(), key.size()); }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;
  std::array<unsigned char, crypto_sign_ed25519_SECRETKEYBYTES> key{};
};

}  // namespace

struct SigningKey::Handle {
  Handle(std::string_view seed, std::string& public_raw) : pair(seed, public_raw) {}
  Pair pair;
};

SigningKey::SigningKey(std::unique_ptr<Handle> handle, std::string key_id)
    : handle_(std::move(handle)), key_id_(std::move(key_id)) {}
SigningKey::SigningKey(SigningKey&&) noexcept = default;
SigningKey& SigningKey::operator=(SigningKey&&) noexcept = default;
SigningKey::~SigningKey() = default;

bool LiesBeside(const std::string& path, const std::string& log_path) {
  std::error_code ignored;
  const fs::path folder =
      fs::weakly_canonical(fs::absolute(log_path, ignored).parent_path(), ignored);
  const fs::path plain = fs::weakly_canonical(fs::absolute(path, ignored).parent_path(), ignored);
  const fs::path real = fs::weakly_canonical(fs::absolute(path, ignored), ignored).parent_path();
  return plain == folder || real == folder;
}

Result<SigningKey> SigningKey::Load(const std::string& path, const std::string& log_path) {
  if (LiesBeside(path, log_path))
    return std::move(Unusable("the audit log's key lies in the log's own folder", path)
                         .Hint("Keep it where whoever can write the log cannot read it."));
  WARD_TRY(const std::string pem, ReadKeyFile(path, true));
  std::string_view rest = pem;
  const std::optional<std::string> raw = TakeKey(rest, kPrivateLabel, kPrivateHead);
  if (!raw) return Unusable("the audit log's key is no Ed25519 key in PEM", path, kIsAFile);
  std::string public_raw;
  auto handle = std::make_unique<Handle>(*raw, public_raw);
  return SigningKey(std::move(handle), Sha256Hex(public_raw));
}

std::string SigningKey::Sign(std::string_view text) const {
  std::string signature(kSignatureSize, '\0');
  crypto_sign_ed25519_detached(BytesOfText(signature), nullptr, BytesOfText(text), text.size(),
                               handle_->pair.key.data());
  return ToHex(signature);
}

Result<TrustedKeys> TrustedKeys::Load(const std::string& path) {
  WARD_TRY(const std::string pem, ReadKeyFile(path, false));
  TrustedKeys keys;
  std::string_view rest = pem;
  while (keys.keys_.size() < kKeysMax && rest.find("-----BEGIN") != std::string_view::npos) {
    std::optional<std::string> raw = TakeKey(rest, kPublicLabel, kPublicHead);
    if (!raw) return Unusable("the public key is no Ed25519 key in PEM", path, kIsAPublicKey);
    std::string id = Sha256Hex(*raw);
    keys.keys_.push_back({std::move(id), *std::move(raw)});
  }
  if (keys.keys_.empty())
    return Unusable("the public key is no Ed25519 key in PEM", path, kIsAPublicKey);
  return keys;
}

bool TrustedKeys::Has(std::string_view key_id) const {
  return std::any_of(keys_.begin(), keys_.end(), [&](const Key& key) { return key.id == key_id; });
}

bool TrustedKeys::Accepts(std::string_view key_id, std::string_view text,
                          std::string_view signature) const {
  const auto found =
      std::find_if(keys_.begin(), keys_.end(), [&](const Key& key) { return key.id == key_id; });
  const std::optional<std::string> bytes = FromHex(signature);
  if (found == keys_.end() || !bytes || bytes->size() != kSignatureSize) return false;
  return crypto_sign_ed25519_verify_detached(BytesOfText(std::string_view(*bytes)),
                                             BytesOfText(text), text.size(),
                                             BytesOfText(std::string_view(found->raw))) == 0;
}

Result<NewKey> GenerateKey(const std::string& path) {
  if (sodium_init() < 0) return Error(ErrorKind::Internal, "no key could be made");
  std::string private_raw(kRawSize, '\0');
  randombytes_buf(private_raw.data(), private_raw.size());
  std::string public_raw;
  const Pair pair(private_raw, public_raw);
  const std::string public_path = path + ".pub";
  WARD_CHECK(WriteNew(path, kPrivateMode, ToPem(kPrivateLabel, kPrivateHead, private_raw)));
  WARD_CHECK(WriteNew(public_path, kPublicMode, ToPem(kPublicLabel, kPublicHead, public_raw)));
  return NewKey{Sha256Hex(public_raw), public_path};
}

}  // namespace schemaward::audit
