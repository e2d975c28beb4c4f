#pragma once

// `suggest --model`: entities and metrics that a language model proposes, kept as drafts after they
// were checked against the index.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "json/fields.h"
#include "llm/model.h"
#include "privacy/policy.h"
#include "semantic/definitions.h"
#include "store/store.h"

namespace schemaward::suggest {

inline constexpr std::size_t kTablesPerAsk = 8;      ///< in one request
inline constexpr std::size_t kAsksMax = 2'000;       ///< requests of one run
inline constexpr std::size_t kProposalsMax = 40;     ///< taken of one reply
inline constexpr std::size_t kColumnsTold = 80;      ///< of one table
inline constexpr std::size_t kAskBytesMax = 40'000;  ///< of one request
inline constexpr int kReplyTriesMax = 2;             ///< replies of one request that are unreadable
inline constexpr std::int64_t kReplyTokensMax = 4'000;
inline constexpr std::size_t kDroppedMax = 50;  ///< reasons that are kept

struct ByModelOptions {
  privacy::Policy policy{};
  std::size_t asks_max = kAsksMax;
};

struct ByModelSummary {
  std::string model;
  std::int64_t asked = 0;     ///< requests
  std::int64_t entities = 0;  ///< drafts kept
  std::int64_t metrics = 0;
  std::int64_t dropped = 0;          ///< proposals that do not fit the index or were there already
  std::vector<std::string> reasons;  ///< of the first kDroppedMax dropped: "metric x: why"
  std::int64_t failed = 0;           ///< requests whose replies could not be read
  std::int64_t left = 0;             ///< tables for a next run
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  std::optional<Error> ended_by{};  ///< a cap, or a model that is away; what was made is kept
  void Bind(json::Fields& f);
};

struct ByModelDrafts {
  semantic::Definitions definitions;  ///< what was kept; method llm_suggested, state draft
  ByModelSummary summary;
};

/// Asks `model` about the source's entities and about tables that no entity covers, and keeps what
/// fits, request by request; tables of which it proposed something before are passed over, so that
/// a run that breaks off is taken up by the next. A proposal is dropped where its name is taken,
/// where it does not fit the index, or where it reads a column that the policy blocks. Nothing that
/// is there is changed. `tables`: all of the index. Errors: as Store; Cancelled, DeadlineExceeded;
/// what the model fails with is in the summary. Thread: any.
Result<ByModelDrafts> SuggestByModel(store::Store& store, const store::Source& source,
                                     const std::vector<catalog::Table>& tables, llm::Llm& model,
                                     const ByModelOptions& options, CallContext& ctx);

/// Reads a reply: {"entities": [...], "metrics": [...]}, maybe with words around it. Errors:
/// InputUnreadable where there is no such object.
Result<semantic::Definitions> ReadProposals(std::string_view reply, const std::string& model);

}  // namespace schemaward::suggest
