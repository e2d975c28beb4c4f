#pragma once

// How sure a hit is, and why it is one.

#include <string>
#include <vector>

#include "retrieve/ranker.h"

namespace schemaward::retrieve {

/// In [0, 1]; kHighFrom and above only where the query names the table: every word of the table's
/// name is a word of the query, or a spelling of one, and the table accounts for most of the query.
/// `name`: the table's name without its schema.
double ConfidenceOf(const Query& query, const Candidate& candidate, std::string_view name);

/// Returns what of the query is found where: name matches "order"; column customer_id matches
/// "customer". `columns`: the table's; `joined`: names of tables that it joins and that were found.
std::string ReasonOf(const Query& query, const Candidate& candidate,
                     const std::vector<std::string>& columns,
                     const std::vector<std::string>& joined);

/// The position of the column that most of the query's matches fall on, or npos.
std::size_t BestColumnOf(const Candidate& candidate);

}  // namespace schemaward::retrieve
