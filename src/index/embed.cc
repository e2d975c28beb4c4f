#include "index/embed.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/cut.h"
#include "store/descriptions.h"
#include "store/search_document.h"
#include "store/vectors.h"

namespace schemaward::index {
namespace {

constexpr std::size_t kCommentMax = 300;  // bytes of one comment

void Append(std::string& text, std::string_view more) {
  if (text.size() + more.size() <= kEmbeddedTextMax) text += more;
}

std::int64_t HashOf(const std::string& text) {
  return static_cast<std::int64_t>(
      store::SearchHash(text, store::SearchHash(fmt::format("{}\n", kEmbeddedTextVersion))));
}

/// Embeds texts a batch at a time.
class Batches {
 public:
  Batches(store::Store& store, const store::Source& source, llm::Embedder& embedder,
          EmbedSummary& summary)
      : store_(store), source_(source), embedder_(embedder), summary_(summary) {}

  Status Add(std::int64_t table_id, std::int64_t hash, std::string text, CallContext& ctx) {
    rows_.push_back({table_id, hash, {}});
    texts_.push_back(std::move(text));
    return texts_.size() < llm::kEmbedTextsMax ? Ok() : Flush(ctx);
  }

  Status Flush(CallContext& ctx) {
    if (texts_.empty()) return Ok();
    WARD_TRY(auto made, embedder_.Embed(texts_, ctx));
    for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i].numbers = std::move(made.vectors[i]);
    WARD_CHECK(store::PutVectors(store_, source_.id, summary_.model, rows_));
    summary_.embedded += static_cast<std::int64_t>(rows_.size());
    summary_.tokens += made.usage.input_tokens;
    rows_.clear();
    texts_.clear();
    return Ok();
  }

 private:
  store::Store& store_;
  const store::Source& source_;
  llm::Embedder& embedder_;
  EmbedSummary& summary_;
  std::vector<store::TableVector> rows_;
  std::vector<std::string> texts_;
};

Result<std::vector<std::int64_t>> TableIds(store::Store& store, std::int64_t source_id) {
  std::vector<std::int64_t> ids;
  const std::vector<std::int64_t> sources = {source_id};
  WARD_CHECK(store.VisitTables(sources, [&](const store::TableEntry& entry) {
    ids.push_back(entry.id);
    return true;
  }));
  return ids;
}

}  // namespace

void EmbedSummary::Bind(json::Fields& f) {
  f("model", model, "whose vectors they are");
  f("tables", tables, "tables of the source");
  f("embedded", embedded, "tables whose vectors were made");
  f("unchanged", unchanged, "tables whose vectors are as they were");
  f("tokens", tokens, "tokens that were sent");
}

std::string EmbeddedText(const privacy::Policy& policy, const catalog::Table& table) {
  std::string text = catalog::QualifiedName(table);
  if (!table.comment.empty()) Append(text, ": " + std::string(HeadOf(table.comment, kCommentMax)));
  Append(text, "\ncolumns:");
  for (const catalog::Column& column : table.columns) {
    if (policy.hide_names() && policy.RuleOf(table, column).IsBlocked()) continue;
    Append(text, " " + column.name);
    if (!column.comment.empty())
      Append(text, " (" + std::string(HeadOf(column.comment, kCommentMax)) + ")");
    Append(text, ",");
  }
  return text;
}

Result<EmbedSummary> EmbedTables(store::Store& store, const store::Source& source,
                                 const privacy::Policy& policy, llm::Embedder& embedder,
                                 CallContext& ctx) {
  EmbedSummary summary;
  summary.model = llm::IdOf(embedder.info());
  WARD_TRY(const auto known, store::VectorHashes(store, source.id, summary.model));
  WARD_TRY(const auto ids, TableIds(store, source.id));
  summary.tables = static_cast<std::int64_t>(ids.size());
  Batches batches(store, source, embedder, summary);
  std::int64_t done = 0;
  for (const std::int64_t id : ids) {
    WARD_CHECK(ctx.Check());
    if (ctx.progress) ctx.progress({++done, summary.tables, "embedding"});
    WARD_TRY(auto table, store.GetTable(id));
    if (!table) continue;  // another index has removed it meanwhile
    WARD_TRY(const auto descriptions, store::ReadDescriptions(store, id));
    std::string text =
        EmbeddedText(policy, store::WithDescriptions(*std::move(table), descriptions));
    const std::int64_t hash = HashOf(text);
    const auto before = known.find(id);
    if (before != known.end() && before->second == hash) {
      ++summary.unchanged;
      continue;
    }
    WARD_CHECK(batches.Add(id, hash, std::move(text), ctx));
  }
  WARD_CHECK(batches.Flush(ctx));
  WARD_CHECK(store::ForgetOtherVectors(store, source.id, summary.model));
  return summary;
}

}  // namespace schemaward::index
