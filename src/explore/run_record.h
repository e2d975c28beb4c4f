#pragma once

// A run as it is kept, and its JSON.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "explore/insights.h"
#include "explore/state.h"
#include "json/value.h"
#include "llm/metered.h"

namespace schemaward::explore {

/// Who decides the steps of a run: a model of ours, or an agent that calls the tools.
enum class Driver : std::uint8_t { Model, Agent };

/// A run without its steps. Holds no secret.
struct RunRecord {
  std::string id;      ///< run_ and 16 hexadecimal digits
  std::string status;  ///< running | interrupted, or a name of RunStatus
  Driver driver = Driver::Model;
  std::string principal;  ///< who started it
  std::string source, dialect, question;
  std::string model;  ///< provider and name, as the configuration writes it; empty for an agent
  std::int64_t window_tokens = 0;
  Limits limits;
  std::int64_t started_us = 0, updated_us = 0;  ///< microseconds since 1970
  std::int64_t attempt = 1;                     ///< grows with each resume
  std::int64_t steps = 0, lookups_used = 0, searches_used = 0;
  Counters counters;
  llm::Spent spent;                        ///< of the model
  llm::Spent embedder;                     ///< of the embedder of its searches and its analysis
  std::optional<llm::NanoUsd> cost_max{};  ///< most that both may cost; empty: no limit
  std::string summary, error_kind, error_text;
  std::string system, start;  ///< what the prompts begin with
  std::string pack;           ///< name or folder of the domain pack; empty: none
  std::string category;       ///< of the pack; empty: none
  bool verifies = true;       ///< insights of the analysis are verified
  Analysis analysis;
  std::int64_t claims_checked = 0;  ///< of those that its model ended with
};

/// What the run has cost: its model and its embedder.
llm::NanoUsd CostOf(const RunRecord& run);

/// Adds what one step came to.
void Count(const Step& step, Counters& counters);

/// Adds the rewrites of one step alone.
void CountRepairs(const Step& step, Counters& counters);

/// Returns the counters that `steps` came to.
Counters CountersOf(const std::vector<Step>& steps);

/// The state in which a run stands after `steps`.
State StateOf(const RunRecord& run, std::vector<Step> steps);

std::string_view NameOf(StepKind kind);

/// The members of a run that are not columns of the store, and back: the body is what was asked
/// for and what the prompts begin with, progress is what grows with each step. Errors:
/// InputUnreadable.
std::string BodyOf(const RunRecord& run);
Status ReadBody(std::string_view json, RunRecord& run);
std::string ProgressOf(const RunRecord& run);
Status ReadProgress(std::string_view json, RunRecord& run);

/// A step with all that it needs to be told again, and back. Errors: InputUnreadable.
std::string StepToJson(const Step& step);
Result<Step> StepFromJson(std::string_view json);

}  // namespace schemaward::explore
