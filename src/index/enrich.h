#pragma once

// `index --enrich`: descriptions of tables and columns by a model, where the database says nothing.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "json/fields.h"
#include "llm/model.h"
#include "privacy/policy.h"
#include "store/descriptions.h"
#include "store/samples.h"
#include "store/store.h"

namespace schemaward::index {

inline constexpr std::int64_t kEnrichTablesMax = 100'000;  ///< of one run
inline constexpr std::size_t kEnrichColumnsMax = 120;      ///< asked for of one table
inline constexpr std::size_t kEnrichPromptMax = 24'000;    ///< bytes that are told of one table
inline constexpr std::size_t kDescriptionBytesMax = 400;   ///< of one description
inline constexpr std::int64_t kEnrichOutputTokensMax = 4'000;
inline constexpr int kEnrichTriesMax = 2;     ///< replies of one table that may be unreadable
inline constexpr int kEnrichFailuresMax = 5;  ///< tables in turn that fail; then the run ends

struct EnrichOptions {
  privacy::Policy policy{};
  std::int64_t tables_max = kEnrichTablesMax;  ///< most tables that the model is asked about
};

struct EnrichSummary {
  std::string model;
  std::int64_t described = 0;  ///< tables by this run
  std::int64_t columns = 0;    ///< columns by this run
  std::int64_t unchanged = 0;  ///< tables that were described before, or say all themselves
  std::int64_t failed = 0;     ///< tables whose replies could not be read
  std::int64_t left = 0;       ///< tables for a next run
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  std::optional<Error> ended_by{};  ///< a cap, or a model that is away; what was made is kept
  void Bind(json::Fields& f);
};

/// What a model is told of a table. Personal columns go without values and labels, and without
/// their names where `policy` hides them. Pure.
std::string EnrichPrompt(const privacy::Policy& policy, const catalog::Table& table,
                         const std::vector<store::ColumnSample>& samples);

/// Reads a reply: {"table": "...", "columns": {"name": "..."}}, maybe with words around it. Only
/// what lacks a comment and was asked for is taken; texts become one line of at most
/// kDescriptionBytesMax. Errors: InputUnreadable where there is no such object.
Result<std::vector<store::Description>> ReadDescriptionReply(const privacy::Policy& policy,
                                                             const catalog::Table& table,
                                                             std::string_view reply);

/// Asks `model` about each table of the source that lacks comments and whose shape was not
/// described yet, by name, one request each, and keeps what it says table by table: a run that
/// breaks off is taken up by the next. What is new then counts in search, as of a next generation.
/// Errors: as Store; Cancelled, DeadlineExceeded. What the model fails with is in the summary.
/// Thread: any.
Result<EnrichSummary> EnrichTables(store::Store& store, const store::Source& source,
                                   llm::Llm& model, const EnrichOptions& options, CallContext& ctx);

}  // namespace schemaward::index
