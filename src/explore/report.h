#pragma once

// A run for people to read.

#include <string>
#include <vector>

#include "explore/run_record.h"

namespace schemaward::explore {

/// The question, the end, the budgets, each claim with its verdict (`claims`: as the store keeps
/// them) and each step with the SQL that ran. Texts of models and of
/// the database are fenced or escaped. Deterministic. Thread: any; pure.
std::string MarkdownReport(const RunRecord& run, const std::vector<Step>& steps,
                           const std::vector<std::string>& claims = {});

/// The same as one HTML file that loads nothing: charts are inline SVG, there is no script.
std::string HtmlReport(const RunRecord& run, const std::vector<Step>& steps,
                       const std::vector<std::string>& claims = {});

/// What a terminal shows: the record's figures, a line or two for each step, the summary. Thread:
/// any; pure.
std::string TextReport(const RunRecord& run, const std::vector<Step>& steps);

/// The record, its steps and its claims as one JSON object.
std::string JsonReport(const RunRecord& run, const std::vector<Step>& steps,
                       const std::vector<std::string>& claims = {});

/// One JSON object of the record's figures: status, budgets, counters, tokens, cost, summary.
std::string RunJson(const RunRecord& run);

}  // namespace schemaward::explore
