#pragma once

// What list_entities, list_joins and list_metrics have in common: choosing, paging, and the trust
// of the weakest row.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "json/write.h"
#include "store/definitions.h"
#include "text/lexicon.h"
#include "tools/models.h"
#include "tools/shapes.h"
#include "tools/trust.h"
#include "tools/untrusted_text.h"

namespace schemaward::tools {

constexpr std::int64_t kListMax = 200;
constexpr std::size_t kListQueryMax = 500;  ///< bytes
constexpr std::size_t kListNear = 3;

/// Arguments of every list of definitions.
struct ListIn {
  std::string query, entity;
  std::int64_t limit = 50;
  std::optional<std::string> cursor, source;
  void Bind(json::Fields& f);
};

/// A definition of a source. `index` is into the model's list of its kind.
struct Listed {
  const SourceModel* at = nullptr;
  std::size_t index = 0;
};

/// Returns the definitions of `kind` that the arguments ask for: by name, or best first where there
/// is a query.
std::vector<Listed> Choose(const Models& models, store::DefinitionKind kind, const ListIn& in,
                           const semantic::ModelEntity* entity, const text::Lexicon& lexicon);

/// The names nearest to a query that finds nothing.
std::vector<std::string> NearestDefinitions(const Models& models, store::DefinitionKind kind,
                                            std::string_view query);

/// What a tool that lists is made of.
struct ListKind {
  store::DefinitionKind kind;
  const char* tool;
  std::vector<std::string> hints, empty_hints;
};

/// Of a Row with `kList` (its list's name), `kListDoc`, `name`, `description` and `problem`.
template <class Row>
struct ListOut {
  std::vector<Row> rows;
  std::int64_t total = 0;
  std::vector<std::string> nearest_names;
  std::vector<FlaggedText> instruction_like;
  std::string indexed_at;
  bool truncated = false;
  std::optional<std::string> next_cursor;
  void Bind(json::Fields& f) {
    f(Row::kList, rows, Row::kListDoc);
    f("total", total, "how many there are");
    f("nearest_names", nearest_names, "nearest names where nothing was found",
      {.omit_empty = true});
    f("instruction_like", instruction_like, kFlagsDoc, {.omit_empty = true});
    f("indexed_at", indexed_at, "when the oldest source was indexed, UTC");
    f("truncated", truncated, "more follow at next_cursor");
    f("next_cursor", next_cursor, "pass as cursor for the next page");
  }
};

/// The entity that a list is cut to. Errors: those of FindEntity, with the same call for the
/// nearest entity, or for all.
template <class In>
Result<std::optional<FoundEntity>> EntityOf(const Models& models, const In& in, const char* tool) {
  if (in.entity.empty()) return std::optional<FoundEntity>();
  auto found = FindEntity(models, in.entity);
  if (found) return std::optional(*found);
  Error error = std::move(found).error();
  In next = in;
  next.cursor.reset();
  const auto& near = error.recovery().fuzzy_matches;
  next.entity = near.empty() ? "" : near.front();
  error.Suggest(tool, json::WriteArguments(next));
  return error;
}

/// `show` makes a row of a definition and names its trust.
template <class Row, class In>
Result<tool::Outcome<ListOut<Row>>> RunList(const Services& s, const In& in, CallContext& ctx,
                                            const ListKind& kind,
                                            Row (*show)(const Listed&, const In&,
                                                        const Services&)) {
  auto scope = ResolveScope(s, in.source);
  if (!scope) return MendSource(std::move(scope).error(), kind.tool, in);
  WARD_TRY(const Models models, ModelsOf(s, *scope));
  WARD_TRY(const auto entity, EntityOf(models, in, kind.tool));
  In start = in;
  start.cursor.reset();
  WARD_TRY(const Page page, Page::Open(s, ctx, kind.tool, json::WriteArguments(start), in.cursor,
                                       VersionOf(models)));
  const std::vector<Listed> chosen =
      Choose(models, kind.kind, in, entity ? entity->entity : nullptr, s.searcher.lexicon());
  ListOut<Row> out;
  out.indexed_at = scope->indexed_at();
  out.total = static_cast<std::int64_t>(chosen.size());
  const std::size_t begin = std::min(page.offset(), chosen.size());
  const std::size_t end = std::min(begin + static_cast<std::size_t>(in.limit), chosen.size());
  const std::size_t next =
      AddWhileRoom(begin, end, 0, out.rows, [&](std::size_t i) { return show(chosen[i], in, s); });
  std::optional<tool::Confidence> least;
  std::optional<tool::Provenance> provenance;
  bool has_problem = false;
  TextFlags flags;
  for (const Row& row : out.rows) {
    flags.Look("description", row.name, row.description);
    if (!least || Least(*least, row.confidence) != *least) {
      least = row.confidence;
      provenance = row.provenance;
    }
    has_problem = has_problem || !row.problem.empty();
  }
  out.instruction_like = flags.Take();
  out.truncated = next < chosen.size();
  if (out.truncated) out.next_cursor = page.Seal(fmt::format("{}", next));
  if (out.rows.empty()) out.nearest_names = NearestDefinitions(models, kind.kind, in.query);
  tool::Outcome<ListOut<Row>> outcome(std::move(out));
  outcome.confidence = least;
  outcome.provenance = std::move(provenance);
  outcome.follow_up_hints = kind.hints;
  if (outcome.data.rows.empty()) {
    outcome.status = tool::Status::Empty;
    outcome.follow_up_hints = kind.empty_hints;
  } else if (has_problem || next < end) {
    outcome.status = tool::Status::Partial;
  }
  return outcome;
}

}  // namespace schemaward::tools
