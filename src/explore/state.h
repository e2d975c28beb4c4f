#pragma once

// A run so far: what was asked, what came of it, and what may still be asked.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "explore/action.h"
#include "explore/limits.h"
#include "llm/model.h"

namespace schemaward::explore {

enum class StepKind : std::uint8_t { Query, Lookup, Search, Complete, CompleteRejected };

/// One rewrite of a statement that could not run.
struct RepairAttempt {
  std::string before, after;  ///< statements; `after` is empty where the model gave none
  std::string error;          ///< why `before` could not run
  std::string fault;          ///< why there is no `after`, or why it was not run
  llm::Usage usage;
};

/// One step: an action and what came of it.
struct Step {
  std::int64_t number = 0;  ///< from 1
  StepKind kind = StepKind::Query;
  Action action;
  std::string error;        ///< why it failed; empty: it did not
  std::string observation;  ///< what the model was told
  std::string short_form;   ///< the same in one line, for later turns
  std::string statement;    ///< SQL that ran; empty where none did
  std::int64_t rows = 0;
  std::int64_t time_ms = 0;
  std::vector<std::string> tables;     ///< canonical names that were looked up or found
  std::vector<RepairAttempt> repairs;  ///< of its query, at most kRepairTriesMax
  llm::Usage usage;                    ///< of every reply to this step's prompt, and of repairs
  int replies = 1;                     ///< unparsable ones included
  bool is_charged = false;             ///< one call of its budget was charged
  /// What the step costs in a prompt, in full and in one line; 0: not measured yet.
  std::int64_t tokens_full = 0, tokens_short = 0;
};

/// How often each was asked for, whatever came of it; queries also by what came of it.
struct Counters {
  std::int64_t schema_lookup_calls = 0, schema_search_calls = 0;
  std::int64_t queries = 0, queries_successful = 0, queries_failed = 0;
  std::int64_t queries_repaired = 0;  ///< of the successful ones: ran after a rewrite
  std::int64_t repairs = 0;           ///< rewrites that were asked for
  std::int64_t unparsable_replies = 0, completes_rejected = 0;
  bool operator==(const Counters&) const = default;
};

struct State {
  Limits limits;
  std::vector<Step> steps;
  std::int64_t lookups_used = 0;  ///< charged calls, at most limits.lookups.calls_max
  std::int64_t searches_used = 0;
  std::set<std::string> seen;  ///< canonical names whose columns were shown
  Counters counters;
};

/// What a run may do, those that are off left out.
std::vector<ActionKind> AllowedActions(const Limits& limits);

/// Errors: InvalidArgument where a limit is out of its range.
Status CheckLimits(const Limits& limits);

}  // namespace schemaward::explore
