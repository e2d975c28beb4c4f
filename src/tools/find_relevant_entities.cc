// find_relevant_entities: entities for a question, a topic or a half-remembered name.

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "retrieve/search.h"
#include "text/nearest.h"
#include "tools/models.h"
#include "tools/personal.h"
#include "tools/relevance.h"
#include "tools/shapes.h"
#include "tools/tools.h"
#include "tools/trust.h"
#include "tools/untrusted_text.h"

namespace schemaward::tools {
namespace {

constexpr std::int64_t kLimitMax = 100;
constexpr std::size_t kQueryMax = 2'000;  // bytes
constexpr std::size_t kTablesSearched = 50;
constexpr std::size_t kNearMax = 3;
constexpr std::size_t kReasonMax = 300;

struct In {
  std::string query;
  std::int64_t limit = 10;
  std::optional<std::string> source, cursor;
  void Bind(json::Fields& f) {
    f("query", query, "a question, topic, or part of a name; * lists all entities",
      {.required = true, .length_max = kQueryMax});
    f("limit", limit, "most entities to return", {.minimum = 1, .maximum = kLimitMax});
    f("source", source, "one source by name; all where absent", {.length_max = kNameMax});
    f("cursor", cursor, "next_cursor of the answer before", {.length_max = kCursorMax});
  }
};

struct HitOut {
  std::string name, description, qualified_table, source, reason, problem;
  tool::Confidence relevance = tool::Confidence::High;
  tool::Confidence confidence = tool::Confidence::High;
  tool::Provenance provenance;
  void Bind(json::Fields& f) {
    f("name", name, "entity, as describe_entity takes it");
    f("description", description, "what one of them is", {.omit_empty = true});
    f("qualified_table", qualified_table, "its table or view");
    f("source", source, "source name");
    f("relevance", relevance, "how well it fits the query");
    f("reason", reason, "why it was found");
    f("problem", problem, "why it cannot be used as it is", {.omit_empty = true});
    f("confidence", confidence, "the lesser of relevance and the definition's trust");
    f("provenance", provenance, "where the definition comes from");
  }
};

struct Out {
  std::vector<HitOut> entities;
  std::int64_t total = 0;
  std::vector<std::string> nearest_names;
  std::vector<FlaggedText> instruction_like;
  std::string indexed_at;
  bool truncated = false;
  std::optional<std::string> next_cursor;
  void Bind(json::Fields& f) {
    f("entities", entities, "best first");
    f("total", total, "number of entities found");
    f("nearest_names", nearest_names, "nearest entities where nothing was found",
      {.omit_empty = true});
    f("instruction_like", instruction_like, kFlagsDoc, {.omit_empty = true});
    f("indexed_at", indexed_at, "when the oldest source searched was indexed, UTC");
    f("truncated", truncated, "more follow at next_cursor");
    f("next_cursor", next_cursor, "pass as cursor for the next page");
  }
};

struct Candidate {
  const SourceModel* at = nullptr;
  const semantic::ModelEntity* entity = nullptr;
  double score = 0;
  tool::Confidence relevance = tool::Confidence::Low;
  std::string reason;
};

std::vector<Candidate> AllOf(const Models& models) {
  std::vector<Candidate> all;
  for (const SourceModel& at : models)
    for (const semantic::ModelEntity& entity : at.model->entities())
      all.push_back({&at, &entity, 0, tool::Confidence::High, "listed"});
  return all;
}

Said SaidOf(const privacy::Policy& policy, const semantic::ModelEntity& entity) {
  Said said{entity.definition.name, entity.definition.synonyms, entity.ColumnNames(),
            entity.definition.description};
  if (policy.hide_names())
    std::erase_if(said.members, [&](const std::string& name) {
      return NamesBlockedColumn(policy, entity.table, name);
    });
  said.members.push_back(entity.table.name);
  return said;
}

tool::Confidence BucketOf(double confidence) {
  if (confidence >= retrieve::kHighFrom) return tool::Confidence::High;
  return confidence >= retrieve::kMediumFrom ? tool::Confidence::Medium : tool::Confidence::Low;
}

// What the search for tables finds, by source and table; best first. True where it is degraded.
Result<bool> AddTables(const Services& s, const Scope& scope, const In& in, CallContext& ctx,
                       std::vector<Candidate>& candidates) {
  const auto ids = scope.ids();
  WARD_TRY(
      const auto answer,
      s.searcher.Search(
          s.store,
          {.query = in.query, .limit = kTablesSearched, .offset = 0, .sources = ids, .ctx = &ctx}));
  std::map<std::pair<std::int64_t, std::string>, const retrieve::Hit*> hits;
  for (const retrieve::Hit& hit : answer.hits) {
    WARD_TRY(const auto entry, s.store.GetEntry(hit.table_id));
    if (entry)
      hits.try_emplace({entry->source_id, catalog::QualifiedName(entry->schema, entry->name)},
                       &hit);
  }
  for (Candidate& candidate : candidates) {
    const auto found = hits.find({candidate.at->source.id, candidate.entity->source_table});
    if (found == hits.end()) continue;
    const retrieve::Hit& hit = *found->second;
    candidate.score += hit.confidence;
    candidate.relevance = std::min(candidate.relevance, BucketOf(hit.confidence));
    if (!candidate.reason.empty()) candidate.reason += "; ";
    candidate.reason += "its table";
    if (!s.PolicyFor(candidate.at->source).hide_names())
      candidate.reason +=
          ": " + (s.caller.IsLimited() ? WithoutNeighbours(hit.reason) : hit.reason);
  }
  return answer.is_degraded;
}

// What was found, best first, and whether an embedder was missed.
struct Found {
  std::vector<Candidate> candidates;
  bool is_degraded = false;
};

Result<Found> Search(const Services& s, const Scope& scope, const Models& models, const In& in,
                     CallContext& ctx) {
  Found found{AllOf(models)};
  std::vector<Candidate>& candidates = found.candidates;
  const Relevance relevance(in.query, s.searcher.lexicon());
  if (relevance.is_all()) return found;
  std::vector<Said> said;
  for (Candidate& candidate : candidates) {
    said.push_back(SaidOf(s.PolicyFor(candidate.at->source), *candidate.entity));
    candidate.relevance = tool::Confidence::Low;
    candidate.reason.clear();
  }
  for (const Fit& fit : relevance.Rank(said)) {
    candidates[fit.index].score = fit.score;
    candidates[fit.index].relevance = fit.confidence;
    candidates[fit.index].reason = fit.reason;
  }
  WARD_TRY(found.is_degraded, AddTables(s, scope, in, ctx, candidates));
  std::erase_if(candidates, [](const Candidate& one) { return one.score <= 0; });
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
  return found;
}

HitOut Show(const Candidate& candidate) {
  const semantic::Entity& definition = candidate.entity->definition;
  return {.name = definition.name,
          .description = CleanText(definition.description, kConciseComment),
          .qualified_table = candidate.entity->source_table.empty()
                                 ? definition.table
                                 : candidate.entity->source_table,
          .source = candidate.at->source.name,
          .reason = CleanText(candidate.reason, kReasonMax),
          .problem = ProblemOf(candidate.entity->problems),
          .relevance = candidate.relevance,
          .confidence = Least(candidate.relevance, ConfidenceOf(definition.trust)),
          .provenance = ProvenanceOf(definition.trust)};
}

std::vector<std::string> NearestTo(const Models& models, const std::string& query) {
  text::NearestNames nearest(query, kNearMax);
  for (const SourceModel& at : models)
    for (const semantic::ModelEntity& entity : at.model->entities())
      nearest.Offer(entity.definition.name);
  return nearest.Take();
}

Result<tool::Outcome<Out>> Run(const Services& s, const In& in, CallContext& ctx) {
  auto scope = ResolveScope(s, in.source);
  if (!scope) return MendSource(std::move(scope).error(), "find_relevant_entities", in);
  WARD_TRY(const Models models, ModelsOf(s, *scope));
  In start = in;
  start.cursor.reset();
  WARD_TRY(const Page page, Page::Open(s, ctx, "find_relevant_entities",
                                       json::WriteArguments(start), in.cursor, VersionOf(models)));
  WARD_TRY(const Found searched, Search(s, *scope, models, in, ctx));
  const std::vector<Candidate>& found = searched.candidates;
  Out out;
  out.indexed_at = scope->indexed_at();
  out.total = static_cast<std::int64_t>(found.size());
  const std::size_t begin = std::min(page.offset(), found.size());
  const std::size_t end = std::min(begin + static_cast<std::size_t>(in.limit), found.size());
  const std::size_t next =
      AddWhileRoom(begin, end, 0, out.entities, [&](std::size_t i) { return Show(found[i]); });
  out.truncated = next < found.size();
  if (out.truncated) out.next_cursor = page.Seal(fmt::format("{}", next));
  TextFlags flags;
  for (const HitOut& hit : out.entities) flags.Look("description", hit.name, hit.description);
  out.instruction_like = flags.Take();
  if (out.entities.empty()) out.nearest_names = NearestTo(models, in.query);
  tool::Outcome<Out> outcome(std::move(out));
  const bool is_degraded = searched.is_degraded;
  if (is_degraded) outcome.status = tool::Status::Degraded;
  if (outcome.data.entities.empty()) {
    if (!is_degraded) outcome.status = tool::Status::Empty;
    outcome.confidence.reset();
    outcome.provenance.reset();
    outcome.follow_up_hints =
        HasNoEntity(models) ? std::vector<std::string>{"find_relevant_tables"}
                            : std::vector<std::string>{"list_entities", "find_relevant_tables"};
    return outcome;
  }
  if (next < end && !is_degraded) outcome.status = tool::Status::Partial;
  outcome.confidence = outcome.data.entities.front().confidence;
  if (is_degraded) outcome.confidence = Least(*outcome.confidence, tool::Confidence::Medium);
  outcome.provenance = outcome.data.entities.front().provenance;
  outcome.follow_up_hints = {"describe_entity", "resolve_join", "list_metrics"};
  return outcome;
}

}  // namespace

tool::ToolPtr find_relevant_entities(const Services& services) {
  return tool::MakeTool<In, Out>(
      {.name = "find_relevant_entities",
       .title = "Find relevant entities",
       .description =
           "Use this when you look for entities by question or rough name. Returns ranked entities "
           "with reason, table and trust; query \"*\" lists all. Use find_relevant_tables instead "
           "when you need tables that no entity covers. Common compositions: "
           "find_relevant_entities then describe_entity; then resolve_join for two hits.",
       .effect = tool::Effect::ReadsIndex,
       .tokens_estimate = 600,
       .set = "semantic",
       .example_json = R"({"query":"customers"})"},
      services, Run);
}

}  // namespace schemaward::tools
