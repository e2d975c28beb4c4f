// Text: tree, names, decision, text again.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/ascii.h"
#include "guard/decision.h"
#include "guard/guard.h"
#include "guard/rewrite.h"
#include "sql/query/print.h"
#include "sql/query/reader.h"

namespace schemaward::guard {
namespace {

namespace query = sql::query;

// Ids of the rules, as the audit record names them, in the order in which they are applied.
constexpr const char* kOneRead = "one_read";
constexpr const char* kNamesResolve = "names_resolve";
constexpr const char* kPersonalData = "personal_data";
constexpr const char* kTablesAllowed = "tables_allowed";
constexpr const char* kKnownLineage = "known_lineage";
constexpr const char* kListedFunctions = "listed_functions";
constexpr const char* kRowFilters = "row_filters";
constexpr const char* kHiddenOrder = "hidden_order";
constexpr const char* kReadsBack = "reads_back";
constexpr const char* kDatabaseSession = "database_session";
constexpr const char* kHiddenNames = "hidden_names";

// The printer puts brackets around every operator.
constexpr int kReadBackDepthMax = 3 * query::kReadDepthMax;

// The session that the policy asks for this caller, filled. It fails closed: what an engine cannot
// set, or what is not known of the caller, is a refusal. A role that a caller's claim names "none"
// would give the connection's own role back.
Result<DatabaseSession> SessionOf(const privacy::CallerPolicy& caller, const Principal& principal,
                                  const sql::Dialect& dialect) {
  DatabaseSession filled;
  const privacy::Session* session = caller.session();
  if (session == nullptr) return filled;
  if (dialect.name != sql::Postgres().name && dialect.name != sql::MySql().name)
    return std::move(
        Error(
            ErrorKind::PolicyBlocked,
            fmt::format("the policy sets a role or settings, which {} does not have", dialect.name))
            .Detail("A session of the policy is for PostgreSQL and MariaDB; what it would have "
                    "kept back cannot be kept back here.")
            .Hint("Whoever keeps the policy can use row_filters for this source instead."));
  WARD_TRY(filled.role, privacy::Filled(session->role, principal));
  const bool is_none = EqualsIgnoringAsciiCase(filled.role, "none");
  if (is_none || (filled.role.empty() && !session->role.empty()) ||
      filled.role.find('\0') != std::string::npos)
    return Error(ErrorKind::PolicyBlocked,
                 "the role that the policy names for this caller is none");
  for (const auto& [name, value] : session->settings) {
    WARD_TRY(std::string text, privacy::Filled(value, principal));
    if (text.find('\0') != std::string::npos)
      return Error(ErrorKind::PolicyBlocked, "a claim of this caller holds a zero byte");
    filled.settings.emplace_back(name, std::move(text));
  }
  return filled;
}

// What is printed reads back as a tree that prints the same.
Status ReadsBack(const query::Statement& statement, const query::Printed& printed,
                 const sql::Dialect& dialect) {
  if (statement.query == nullptr) return Ok();  // made of words of ours and names of the catalog
  const auto again = query::Read(printed.text, dialect, kReadBackDepthMax);
  if (!again)
    return Error(ErrorKind::Internal, "a statement does not read back as it was printed")
        .Private(again.error().message());
  WARD_TRY(const query::Printed twice, query::Print(*again, dialect));
  if (twice.text != printed.text)
    return Error(ErrorKind::Internal, "a statement reads back as another").Private(twice.text);
  return Ok();
}

}  // namespace

Result<Approved> Guard::Decide(const Statement& statement, const sql::Dialect& dialect,
                               TableLookup& lookup, const Principal& principal, bool is_ours,
                               TextHelp* help) const {
  WARD_TRY(query::Statement tree, query::Read(statement.text, dialect,
                                              is_ours ? kReadBackDepthMax : query::kReadDepthMax));
  if (tree.parameters != statement.parameters.size())
    return Error(ErrorKind::InvalidArgument,
                 fmt::format("the statement has {} placeholders and {} values were given",
                             tree.parameters, statement.parameters.size()));
  Decision decision(statement.text, policy_, principal, dialect, lookup, is_ours);
  if (const Status decided = decision.Run(tree); !decided) {
    if (help != nullptr) help->tables = decision.TablesToLookAt();
    if (help != nullptr && decided.error().kind() == ErrorKind::SqlUnknownName &&
        !decision.analysis.corrections.empty()) {
      const Correction& fix = decision.analysis.corrections.front();
      std::string text(statement.text);
      if (fix.begin <= fix.end && fix.end <= text.size() && fix.end > 0) {
        text.replace(fix.begin, fix.end - fix.begin, fix.text);
        help->corrected = std::move(text);
      }
    }
    return decided.error();
  }
  WARD_TRY(query::Printed printed, query::Print(tree, dialect));
  WARD_CHECK(ReadsBack(tree, printed, dialect));
  Approved approved;
  approved.text_ = std::move(printed.text);
  for (const std::size_t index : printed.order)
    approved.parameters_.push_back(statement.parameters[index]);
  const bool reads_hidden = decision.ReadsHidden();
  if (reads_hidden && decision.TellsNames(approved.text_))
    approved.shown_ = {std::string(statement.text), statement.parameters, decision.Reads(true)};
  else if (reads_hidden)
    approved.shown_ = {approved.text_, approved.parameters_, decision.Reads(true)};
  approved.dialect_ = &dialect;
  approved.is_explain_ = tree.kind == query::StatementKind::Explain;
  approved.masked_ = std::move(decision.masked);
  WARD_TRY(approved.session_, SessionOf(policy_.For(principal), principal, dialect));
  approved.reads_ = decision.Reads(false);
  approved.rules_ = {kOneRead,      kNamesResolve,    kPersonalData, kTablesAllowed,
                     kKnownLineage, kListedFunctions, kReadsBack};
  if (decision.filters_rows) approved.rules_.emplace_back(kRowFilters);
  if (!approved.session_.IsEmpty()) approved.rules_.emplace_back(kDatabaseSession);
  if (reads_hidden) approved.rules_.emplace_back(kHiddenNames);
  HiddenOrder& order = decision.order;
  approved.inside_ = std::move(order.inside);
  auto& settings = approved.session_.settings;
  settings.insert(settings.end(), order.settings.begin(), order.settings.end());
  if (order.has_hints || !order.settings.empty()) approved.rules_.emplace_back(kHiddenOrder);
  return approved;
}

namespace {

// The statement without what of it is refused as personal data, or nothing where there is none.
std::optional<std::string> WithoutBlocked(const Statement& statement, const sql::Dialect& dialect,
                                          TableLookup& lookup, const Principal& principal,
                                          const privacy::Policy& policy) {
  auto tree = query::Read(statement.text, dialect);
  if (!tree || tree->kind != query::StatementKind::Select) return std::nullopt;
  Decision decision(statement.text, policy, principal, dialect, lookup, false);
  if (!Analyze(*tree, dialect, lookup, false, decision.analysis)) return std::nullopt;
  if (!LeaveOut(*tree, decision.Refused())) return std::nullopt;
  const auto printed = query::Print(*tree, dialect);
  // The caller's values stay what they are: each placeholder must still be there, in its order.
  if (!printed || printed->order.size() != statement.parameters.size() ||
      !std::is_sorted(printed->order.begin(), printed->order.end()))
    return std::nullopt;
  return printed->text;
}

}  // namespace

Result<Approved> Guard::ApproveText(const Statement& statement, const sql::Dialect& dialect,
                                    TableLookup& lookup, const Principal& principal,
                                    TextHelp* help) const {
  auto approved = Decide(statement, dialect, lookup, principal, false, help);
  if (approved) return approved;
  Error error = std::move(approved).error();
  if (error.kind() == ErrorKind::PiiBlocked) {
    auto rewritten = WithoutBlocked(statement, dialect, lookup, principal, policy_);
    if (rewritten &&
        Decide({*rewritten, statement.parameters}, dialect, lookup, principal, false, nullptr)) {
      error.recovery().rewrite = {*rewritten, "it leaves out what is personal"};
      if (help != nullptr) help->rewritten = std::move(rewritten);
    }
  }
  if (error.kind() == ErrorKind::NotARead && error.hint().empty())
    error.Hint(
        "This connection only reads: give a statement that changes something to the user, "
        "who can run it.");
  return error;
}

}  // namespace schemaward::guard
