#include "app/http_tokens.h"

#include <utility>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "base/file_watch.h"
#include "base/hex.h"
#include "base/read_file.h"
#include "base/sha256.h"

namespace schemaward::app {
namespace {

constexpr std::size_t kFileBytesMax = 4u << 20;
constexpr std::size_t kHashDigits = 64;

Error Wrong(std::size_t entry, std::string_view what) {
  return Error(ErrorKind::InputUnreadable,
               fmt::format("entry {} of the tokens file {}", entry + 1, what));
}

struct Entry {
  std::string sha256;
  Principal principal{.id = {}, .client = {}, .transport = "http", .scopes = {}};
};

Result<Entry> ReadEntry(const YAML::Node& node, std::size_t number) {
  Entry entry;
  if (!node.IsMap()) return Wrong(number, "is not a mapping");
  for (const auto& member : node) {
    const auto key = member.first.as<std::string>();
    if (key == "id") {
      entry.principal.id = member.second.as<std::string>();
    } else if (key == "sha256") {
      entry.sha256 = member.second.as<std::string>();
    } else if (key == "scopes") {
      for (const auto& scope : member.second)
        entry.principal.scopes.push_back(scope.as<std::string>());
    } else if (key == "claims") {
      for (const auto& claim : member.second)
        entry.principal.claims[claim.first.as<std::string>()] = claim.second.as<std::string>();
    } else {
      return Wrong(number, fmt::format("has no member \"{}\"", key));
    }
  }
  if (entry.principal.id.empty()) return Wrong(number, "needs an id");
  if (entry.sha256.size() != kHashDigits || !FromHex(entry.sha256))
    return Wrong(number, "needs sha256, 64 lower-case hexadecimal digits");
  return entry;
}

}  // namespace

Result<HttpTokens> HttpTokens::Parse(const std::string& yaml) {
  HttpTokens tokens;
  try {
    const YAML::Node root = YAML::Load(yaml);
    if (!root.IsMap() || root.size() != 1 || !root["tokens"] || !root["tokens"].IsSequence())
      return Error(ErrorKind::InputUnreadable, "the tokens file must hold one list, tokens");
    const YAML::Node list = root["tokens"];
    if (list.size() > kTokensMax)
      return Error(ErrorKind::InputUnreadable,
                   fmt::format("the tokens file may hold at most {} tokens", kTokensMax));
    for (std::size_t i = 0; i < list.size(); ++i) {
      WARD_TRY(Entry entry, ReadEntry(list[i], i));
      if (!tokens.ids_.insert(entry.principal.id).second) return Wrong(i, "has the id of another");
      if (!tokens.by_hash_.emplace(entry.sha256, std::move(entry.principal)).second)
        return Wrong(i, "has the hash of another");
    }
  } catch (const YAML::Exception& e) {
    return Error(ErrorKind::InputUnreadable,
                 fmt::format("the tokens file cannot be read: line {}, column {}", e.mark.line + 1,
                             e.mark.column + 1))
        .Private(e.what());
  }
  return tokens;
}

Result<HttpTokens> HttpTokens::Read(const std::string& path) {
  if (IsWritableByOthers(path))
    return std::move(Error(ErrorKind::InputUnreadable, "the tokens file may be written by others")
                         .Hint("Take that right from them: chmod go-w."));
  WARD_TRY(const std::string text, ReadFile(path, kFileBytesMax, "tokens file"));
  return Parse(text);
}

std::optional<Principal> HttpTokens::Admit(std::string_view token) const {
  if (token.size() < kTokenBytesMin) return std::nullopt;
  const auto found = by_hash_.find(Sha256Hex(token));
  return found == by_hash_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace schemaward::app
