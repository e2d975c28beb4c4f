#include "audit/keys.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include "audit/hex.h"
#include "base/sha256.h"

namespace schemaward::audit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kRawSize = 32;
constexpr std::size_t kSignatureSize = 64;
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

struct FreeKey {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using KeyHandle = std::unique_ptr<EVP_PKEY, FreeKey>;
using Context = std::unique_ptr<EVP_MD_CTX, FreeContext>;

const unsigned char* BytesOfText(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

Error Unusable(std::string_view what, const std::string& path) {
  return std::move(Error(ErrorKind::InputUnreadable, what).Private(path));
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
    return Unusable("the key file of the audit log cannot be read", path);
  if (is_private && (info.st_mode & kNotForAKey) != 0)
    return std::move(Unusable("the audit log's key may be read or changed by others", path)
                         .Hint("Give it the mode 0600."));
  if (is_private && info.st_uid != ::geteuid() && info.st_uid != 0)
    return Unusable("the audit log's key belongs to another user", path);
  std::string text(static_cast<std::size_t>(info.st_size), '\0');
  if (::read(opened.file, text.data(), text.size()) != info.st_size)
    return Unusable("the key file of the audit log cannot be read", path);
  return text;
}

std::string Marker(std::string_view word, std::string_view label) {
  return fmt::format("-----{} {}-----", word, label);
}

std::string FromBase64(std::string text) {
  std::erase_if(text, [](char c) { return c == '\n' || c == '\r' || c == ' ' || c == '\t'; });
  if (text.empty() || text.size() % 4 != 0) return {};
  std::string bytes(text.size() / 4 * 3, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                   BytesOfText(text), static_cast<int>(text.size()));
  if (size < 0) return {};
  const auto padding = static_cast<std::size_t>(std::count(text.end() - 2, text.end(), '='));
  bytes.resize(static_cast<std::size_t>(size) - padding);
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
  const std::string der = FromBase64(std::string(pem.substr(body, stop - body)));
  pem.remove_prefix(stop + end.size());
  if (der.size() != head.size() + kRawSize || !der.starts_with(head)) return std::nullopt;
  return der.substr(head.size());
}

std::string ToPem(std::string_view label, std::string_view head, std::string_view raw) {
  const std::string der = std::string(head).append(raw);
  std::string base64((der.size() + 2) / 3 * 4 + 1, '\0');
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(base64.data()),
                                   BytesOfText(der), static_cast<int>(der.size()));
  base64.resize(static_cast<std::size_t>(size));
  return fmt::format("{}\n{}\n{}\n", Marker("BEGIN", label), base64, Marker("END", label));
}

using GetRaw = int (*)(const EVP_PKEY*, unsigned char*, std::size_t*);

Result<std::string> RawOf(const EVP_PKEY* key, GetRaw get) {
  std::string raw(kRawSize, '\0');
  std::size_t size = raw.size();
  if (get(key, reinterpret_cast<unsigned char*>(raw.data()), &size) != 1 || size != kRawSize)
    return Error(ErrorKind::Internal, "the key of the audit log cannot be used");
  return raw;
}

Status WriteNew(const std::string& path, mode_t mode, std::string_view text) {
  const OpenFile made(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (made.file < 0)
    return errno == EEXIST ? Unusable("the key file exists already and is kept", path)
                           : Unusable("the key file cannot be made", path);
  if (::write(made.file, text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
      ::fsync(made.file) != 0)
    return Unusable("the key file cannot be written", path);
  return Ok();
}

}  // namespace

struct SigningKey::Handle {
  KeyHandle key;
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
  if (!raw) return Unusable("the audit log's key is no Ed25519 key in PEM", path);
  KeyHandle key(
      EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, BytesOfText(*raw), raw->size()));
  if (!key) return Error(ErrorKind::Internal, "the key of the audit log cannot be used");
  WARD_TRY(const std::string public_raw, RawOf(key.get(), EVP_PKEY_get_raw_public_key));
  return SigningKey(std::make_unique<Handle>(Handle{std::move(key)}), Sha256Hex(public_raw));
}

Result<std::string> SigningKey::Sign(std::string_view text) const {
  const Context context(EVP_MD_CTX_new());
  std::string signature(kSignatureSize, '\0');
  std::size_t size = signature.size();
  if (!context ||
      EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, handle_->key.get()) != 1 ||
      EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size,
                     BytesOfText(text), text.size()) != 1)
    return Error(ErrorKind::Internal, "the audit log's checkpoint could not be signed");
  return ToHex(signature);
}

Result<TrustedKeys> TrustedKeys::Load(const std::string& path) {
  WARD_TRY(const std::string pem, ReadKeyFile(path, false));
  TrustedKeys keys;
  std::string_view rest = pem;
  while (keys.keys_.size() < kKeysMax && rest.find("-----BEGIN") != std::string_view::npos) {
    std::optional<std::string> raw = TakeKey(rest, kPublicLabel, kPublicHead);
    if (!raw) return Unusable("the public key is no Ed25519 key in PEM", path);
    std::string id = Sha256Hex(*raw);
    keys.keys_.push_back({std::move(id), *std::move(raw)});
  }
  if (keys.keys_.empty()) return Unusable("the public key is no Ed25519 key in PEM", path);
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
  const KeyHandle key(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr,
                                                  BytesOfText(found->raw), found->raw.size()));
  const Context context(EVP_MD_CTX_new());
  return key && context &&
         EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
         EVP_DigestVerify(context.get(), BytesOfText(*bytes), bytes->size(), BytesOfText(text),
                          text.size()) == 1;
}

Result<NewKey> GenerateKey(const std::string& path) {
  const KeyHandle key(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
  if (!key) return Error(ErrorKind::Internal, "no key could be made");
  WARD_TRY(const std::string private_raw, RawOf(key.get(), EVP_PKEY_get_raw_private_key));
  WARD_TRY(const std::string public_raw, RawOf(key.get(), EVP_PKEY_get_raw_public_key));
  const std::string public_path = path + ".pub";
  WARD_CHECK(WriteNew(path, kPrivateMode, ToPem(kPrivateLabel, kPrivateHead, private_raw)));
  WARD_CHECK(WriteNew(public_path, kPublicMode, ToPem(kPublicLabel, kPublicHead, public_raw)));
  return NewKey{Sha256Hex(public_raw), public_path};
}

}  // namespace schemaward::audit
