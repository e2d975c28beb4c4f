#include "app/driving.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "analysis/analyse.h"
#include "base/read_file.h"
#include "connect/repair_prompt.h"
#include "packs/profile.h"
#include "text/nearest.h"

namespace schemaward::app {
namespace {

using PackPtr = std::shared_ptr<const packs::Pack>;  // shared: options are copied into threads

std::string AreasText(const packs::Pack& pack, const std::string& category) {
  std::string text;
  for (const packs::Area* area : pack.AreasOf(category))
    text += fmt::format("- {}: {}\n", area->name, area->description);
  return text;
}

// What the project says of itself, beside the store; empty where it says nothing.
Result<std::string> ProfileFor(const Config& config, const packs::Pack& pack) {
  constexpr std::uintmax_t kProfileBytesMax = 20'000;
  const std::filesystem::path store = config.store_path();
  const std::string path = (store.parent_path() / "profiles" / (pack.id + ".json")).string();
  std::error_code none;
  if (!std::filesystem::exists(path, none)) return std::string();
  WARD_TRY(std::string text, ReadFile(path, kProfileBytesMax));
  WARD_CHECK(packs::CheckProfile(pack.profile_schema, text));
  return text;
}

explore::PromptFrame FrameOf(const packs::Pack& pack, const std::string& profile,
                             const explore::RunRecord& run) {
  explore::PromptFrame frame;
  frame.text = pack.exploration;
  frame.texts = {{"AREAS", AreasText(pack, run.category)}, {"PROFILE", profile}};
  const HoleTexts known = {
      {"DIALECT", run.dialect}, {"QUESTION", run.question}, {"PROFILE", profile}};
  frame.background = pack.base.Fill(known) + "\n";
  for (const packs::Category& category : pack.categories)
    if (category.id == run.category) frame.background += category.exploration.Fill(known) + "\n";
  return frame;
}

explore::AfterSteps AnalysisBy(PackPtr pack, std::string profile,
                               std::shared_ptr<llm::Embedder> embedder,
                               verify::VerifyOptions verify, AnalysisWatch watch) {
  return [pack = std::move(pack), profile = std::move(profile), embedder = std::move(embedder),
          verify = std::move(verify), watch = std::move(watch)](
             explore::RunRecord& run, const std::vector<explore::Step>& steps,
             explore::Warehouse& warehouse, llm::Llm& llm, const explore::SaveRun& save,
             CallContext& ctx) {
    analysis::Options options;
    options.pack = pack.get();
    options.profile = profile;
    options.embedder = embedder.get();
    options.verify = &verify;
    options.on_area = watch.on_area;
    options.on_insight = watch.on_insight;
    return analysis::Analyse(run, steps, options, warehouse, llm, save, ctx);
  };
}

}  // namespace

packs::Library PacksOf(const Config& config) {
  const std::filesystem::path store = config.store_path();
  return packs::Library((store.parent_path() / "packs").string());
}

Result<PackPtr> FindPack(const Config& config, const std::string& name) {
  packs::FoundPack found;
  if (name.find('/') == std::string::npos) {
    WARD_TRY(found, PacksOf(config).Find(name));
  } else {
    found.id = packs::IdOfFolder(name);
    WARD_TRY(found.files, packs::ReadPackFolder(name));
  }
  packs::LoadedPack loaded = packs::ReadPack(found.id, found.files);
  WARD_CHECK(packs::CheckFaults(loaded));
  return std::make_shared<const packs::Pack>(std::move(loaded.pack));
}

Status CheckCategory(const packs::Pack& pack, const std::string& category) {
  if (category.empty()) return Ok();
  std::vector<std::string> names;
  for (const packs::Category& one : pack.categories) names.push_back(one.id);
  if (std::find(names.begin(), names.end(), category) != names.end()) return Ok();
  return std::move(Error(ErrorKind::InvalidArgument,
                         fmt::format("pack \"{}\" has no category \"{}\"", pack.id, category))
                       .Near(text::FindNearestNames(category, names, 3)));
}

Result<explore::DriveOptions> DriveOptionsOf(const Application& application,
                                             const explore::RunRecord& run,
                                             const MeteredModel& model,
                                             const AnalysisWatch& watch) {
  explore::DriveOptions options;
  WARD_TRY(options.repair_prompt, TemplateText::Parse(connect::RepairPromptOf(run.dialect),
                                                      run.dialect + "/sql_repair.md"));
  options.spent = [meter = model.meter] { return meter->spent(); };
  if (model.embedder != nullptr)
    options.embedder_spent = [meter = model.embedder] { return meter->spent(); };
  if (run.pack.empty()) return options;
  WARD_TRY(PackPtr pack, FindPack(application.config(), run.pack));
  WARD_CHECK(CheckCategory(*pack, run.category));
  WARD_TRY(std::string profile, ProfileFor(application.config(), *pack));
  options.frame = FrameOf(*pack, profile, run);
  std::shared_ptr<llm::Embedder> embedder = model.embedder;
  if (embedder == nullptr) embedder = application.embedder();  // one that cannot be asked
  options.after = AnalysisBy(std::move(pack), std::move(profile), std::move(embedder),
                             {run.dialect, options.repair_prompt, true}, watch);
  return options;
}

}  // namespace schemaward::app
