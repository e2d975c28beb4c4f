#include "packs/library.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/embedded_text.h"
#include "base/read_file.h"
#include "text/nearest.h"

namespace schemaward::packs {

std::span<const EmbeddedText> BuiltInFiles();  // generated from packs/

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPacksMax = 500;

std::map<std::string, FoundPack> BuiltIn() {
  std::map<std::string, FoundPack> packs;
  for (const EmbeddedText& file : BuiltInFiles()) {
    const std::size_t slash = file.name.find('/');
    if (slash == std::string_view::npos) continue;
    FoundPack& pack = packs[std::string(file.name.substr(0, slash))];
    pack.id = file.name.substr(0, slash);
    pack.is_built_in = true;
    pack.files.emplace(file.name.substr(slash + 1), file.text);
  }
  return packs;
}

Error Unreadable(const std::string& why) { return {ErrorKind::InputUnreadable, why}; }

Error NoFolder() {
  return std::move(Unreadable("the folder of the pack cannot be read")
                       .Hint("Name a folder that is there and that this user may read; "
                             "`schemaward packs export generic DIR` makes one to begin with."));
}

}  // namespace

std::string IdOfFolder(const std::string& folder) {
  std::error_code ignored;
  fs::path path = fs::weakly_canonical(folder, ignored);
  if (path.filename().empty()) path = path.parent_path();
  return path.filename().string();
}

Status CheckFaults(const LoadedPack& loaded) {
  if (loaded.faults.empty()) return Ok();
  std::string message = fmt::format("the pack \"{}\" cannot be used: {}", loaded.pack.id,
                                    loaded.faults.front().ToText());
  if (loaded.faults.size() > 1) message += fmt::format("; {} more", loaded.faults.size() - 1);
  return std::move(
      Unreadable(message).Hint("`schemaward packs validate DIR` names all that is wrong."));
}

Result<PackFiles> ReadPackFolder(const std::string& folder) {
  std::error_code failed;
  fs::recursive_directory_iterator at(folder, failed);
  if (failed) return NoFolder();
  PackFiles files;
  for (; at != fs::recursive_directory_iterator(); at.increment(failed)) {
    if (failed) return NoFolder();
    if (at->is_directory() && !at->is_symlink()) continue;
    const std::string name = at->path().lexically_relative(folder).generic_string();
    if (!at->is_regular_file() || at->is_symlink())
      return Unreadable(fmt::format("{} is no plain file", name));
    if (files.size() >= kFilesMax)
      return Error(ErrorKind::ByteCap, fmt::format("the pack has more than {} files", kFilesMax));
    WARD_TRY_IN(files[name], ReadFile(at->path().string(), kFileBytesMax), name);
  }
  return files;
}

Status WritePackFolder(const std::string& folder, const PackFiles& files, bool overwrites) {
  std::error_code failed;
  for (const auto& [name, text] : files) {
    const fs::path path = fs::path(folder) / name;
    if (!overwrites && fs::exists(path, failed))
      return std::move(Unreadable(fmt::format("{} is there already", name))
                           .Hint("Say --force to write over it."));
    fs::create_directories(path.parent_path(), failed);
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    if (!file)
      return std::move(Unreadable(fmt::format("{} could not be written", name))
                           .Hint("Name a folder, there or not yet, that this user may write to."));
  }
  return Ok();
}

Result<std::vector<FoundPack>> Library::List() const {
  std::map<std::string, FoundPack> packs = BuiltIn();
  std::error_code failed;
  for (fs::directory_iterator at(imported_, failed); !failed && at != fs::directory_iterator();
       at.increment(failed)) {
    if (!at->is_directory() || packs.size() >= kPacksMax) continue;
    const std::string id = at->path().filename().string();
    WARD_TRY(PackFiles files, ReadPackFolder(at->path().string()));
    packs[id] = {id, false, std::move(files)};
  }
  std::vector<FoundPack> list;
  for (auto& [id, pack] : packs) list.push_back(std::move(pack));
  return list;
}

Result<FoundPack> Library::Find(std::string_view id) const {
  WARD_TRY(std::vector<FoundPack> packs, List());
  std::vector<std::string> names;
  for (FoundPack& pack : packs) {
    if (pack.id == id) return std::move(pack);
    names.push_back(pack.id);
  }
  return std::move(Error(ErrorKind::InvalidArgument, fmt::format("no pack is called \"{}\"", id))
                       .Near(text::FindNearestNames(id, names, 3)));
}

Result<std::string> Library::Import(const std::string& folder, bool overwrites) const {
  std::string id = IdOfFolder(folder);
  WARD_TRY(const PackFiles files, ReadPackFolder(folder));
  WARD_CHECK(CheckFaults(ReadPack(id, files)));
  WARD_TRY(const auto packs, List());
  const bool is_there =
      std::any_of(packs.begin(), packs.end(), [&](const FoundPack& pack) { return pack.id == id; });
  if (is_there && !overwrites)
    return std::move(Unreadable(fmt::format("a pack \"{}\" is there already", id))
                         .Hint("Say --force to replace it; a built-in one is hidden, not lost."));
  const fs::path target = fs::path(imported_) / id;
  std::error_code failed;
  fs::remove_all(target, failed);  // files of an older version would be strays
  WARD_CHECK(WritePackFolder(target.string(), files, true));
  return id;
}

}  // namespace schemaward::packs
