#include "patterns/library.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/sha256.h"
#include "json/access.h"
#include "json/value.h"
#include "patterns/ranking.h"
#include "text/nearest.h"

namespace schemaward::patterns {
namespace {

constexpr std::size_t kVersionDigits = 12;

// Each line names a pattern that is there; those of one pattern are sorted by engine.
Status AddEvidence(const std::vector<std::string_view>& lines, std::vector<Pattern>& patterns) {
  for (const std::string_view text : lines) {
    WARD_TRY(const json::Document read, json::Parse(text));
    const json::Value& line = read.value();
    const std::string id = json::TextOf(line, "pattern");
    const auto pattern = std::lower_bound(
        patterns.begin(), patterns.end(), id,
        [](const Pattern& one, const std::string& wanted) { return one.id < wanted; });
    if (pattern == patterns.end() || pattern->id != id)
      return Error(ErrorKind::InputUnreadable, fmt::format("evidence of no pattern: \"{}\"", id));
    pattern->evidence.push_back({json::TextOf(line, "engine"), json::TextOf(line, "version"),
                                 json::IntegerOf(json::Member(line, "rows")).value_or(0),
                                 json::TextOf(line, "statement")});
  }
  return Ok();
}

}  // namespace

struct Library::State {
  std::vector<Pattern> patterns;  // sorted by id
  std::unique_ptr<Ranking> ranking;
  std::string version;

  const Pattern* Find(std::string_view id) const {
    const auto found = std::lower_bound(
        patterns.begin(), patterns.end(), id,
        [](const Pattern& one, std::string_view wanted) { return one.id < wanted; });
    return found != patterns.end() && found->id == id ? &*found : nullptr;
  }

  Status Read(const Source& source, const text::Lexicon& lexicon) {
    Sha256 hash;
    for (const std::string_view text : source.patterns) {
      WARD_TRY(Pattern pattern, ParsePattern(text));
      patterns.push_back(std::move(pattern));
      hash.Update(text);
    }
    std::sort(patterns.begin(), patterns.end(),
              [](const Pattern& a, const Pattern& b) { return a.id < b.id; });
    WARD_CHECK(AddEvidence(source.evidence, patterns));
    ranking = std::make_unique<Ranking>(patterns, lexicon);
    for (const std::string_view line : source.evidence) hash.Update(line);
    version = ToHex(BytesOf(hash.Finish())).substr(0, kVersionDigits);
    return Ok();
  }
};

Library::Library(Source source, std::function<const text::Lexicon&()> lexicon)
    : source_(std::move(source)), lexicon_(std::move(lexicon)) {}
Library::~Library() = default;

Result<const Library::State*> Library::Ready() const {
  std::call_once(once_, [this] {
    auto state = std::make_unique<State>();
    const Status read = state->Read(source_, lexicon_());
    if (!read)
      failed_ = read.error();
    else
      state_ = std::move(state);
  });
  if (failed_) return *failed_;
  return state_.get();
}

Result<const std::vector<Pattern>*> Library::All() const {
  WARD_TRY(const State* state, Ready());
  return &state->patterns;
}

Result<const Pattern*> Library::Find(std::string_view id) const {
  WARD_TRY(const State* state, Ready());
  return state->Find(id);
}

Result<std::vector<Hit>> Library::Search(const Query& query) const {
  WARD_TRY(const State* state, Ready());
  const bool is_all = query.words.empty() || query.words == "*";
  const std::vector<double> scores =
      is_all ? std::vector<double>(state->patterns.size(), 1) : state->ranking->Scores(query.words);
  std::vector<Hit> hits;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const Pattern& pattern = state->patterns[i];
    const bool is_wanted = (!query.category || *query.category == pattern.category) &&
                           (!query.difficulty || *query.difficulty == pattern.difficulty);
    if (is_wanted && scores[i] > 0) hits.push_back({&pattern, scores[i]});
  }
  std::stable_sort(hits.begin(), hits.end(),
                   [](const Hit& a, const Hit& b) { return a.score > b.score; });
  return hits;
}

Result<std::vector<std::string>> Library::Near(std::string_view id, std::size_t k) const {
  WARD_TRY(const State* state, Ready());
  constexpr std::uint32_t kTypos = 30;  // NameDistance gives 10 for one
  std::vector<std::string> ids, near;
  for (const Pattern& pattern : state->patterns) ids.push_back(pattern.id);
  for (std::string& one : text::FindNearestNames(id, ids, k))
    if (text::NameDistance(id, one, kTypos) <= kTypos) near.push_back(std::move(one));
  WARD_TRY(const auto hits, Search({std::string(id), std::nullopt, std::nullopt}));
  for (const Hit& hit : hits)
    if (near.size() < k && std::find(near.begin(), near.end(), hit.pattern->id) == near.end())
      near.push_back(hit.pattern->id);
  return near;
}

Result<std::string> Library::Version() const {
  WARD_TRY(const State* state, Ready());
  return state->version;
}

}  // namespace schemaward::patterns
