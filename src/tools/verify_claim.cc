// verify_claim: a claim's figures, computed anew from the results that it cites.

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "explore/recorded_run.h"
#include "explore/verify.h"
#include "tools/explorations.h"
#include "tools/shapes.h"
#include "tools/tools.h"

namespace schemaward::tools {
namespace {

enum class PartKind : std::uint8_t { OneCell, Sum, Count };

}  // namespace
}  // namespace schemaward::tools

template <>
struct schemaward::json::EnumNames<schemaward::explore::FigureKind> {
  static constexpr std::array<std::string_view, 5> kNames = {"cell", "sum", "count", "ratio",
                                                             "difference"};
};
template <>
struct schemaward::json::EnumNames<schemaward::tools::PartKind> {
  static constexpr std::array<std::string_view, 3> kNames = {"cell", "sum", "count"};
};
template <>
struct schemaward::json::EnumNames<schemaward::explore::Verdict> {
  static constexpr std::array<std::string_view, 5> kNames = {"confirmed", "adjusted", "rejected",
                                                             "unverifiable", "error"};
};

namespace schemaward::tools {
namespace {

constexpr std::size_t kTextMax = 2'000;  // bytes of a claim
constexpr std::size_t kValueMax = 400;   // bytes of a value
constexpr std::size_t kFiguresMax = 20;
constexpr std::size_t kMatchesMax = 10;
constexpr std::size_t kSqlMax = 65'536;

struct ConditionIn {
  std::string column, value;
  void Bind(json::Fields& f) {
    f("column", column, "of the result", {.required = true, .length_max = kNameMax});
    f("value", value, "as shown", {.required = true, .length_max = kValueMax});
  }
};

struct PartIn {
  PartKind kind = PartKind::OneCell;
  std::int64_t step = 0;
  std::string sql, column;
  std::vector<ConditionIn> where;
  void Bind(json::Fields& f) {
    f("kind", kind, "of a part of a ratio or difference: cell, sum or count");
    f("step", step, "query_data step of the run that gave the rows", {.minimum = 0});
    f("sql", sql, "in place of step: one SELECT, which becomes a step of your run",
      {.length_max = kSqlMax});
    f("column", column, "of the result; a count without one is of rows", {.length_max = kNameMax});
    f("where", where, "which rows: all of these hold", {.items_max = kMatchesMax});
  }
};

struct FigureIn {
  std::string label, value;
  explore::FigureKind kind = explore::FigureKind::OneCell;
  PartIn of;
  std::optional<PartIn> base;
  void Bind(json::Fields& f) {
    f("label", label, "what the number is", {.length_max = kNameMax});
    f("value", value, "as claimed: 1,234.5 or 12.5%", {.required = true, .length_max = kValueMax});
    f("kind", kind, "how it is made", {.required = true});
    f("of", of, "what it is taken from", {.required = true});
    f("base", base, "of a ratio: divided by; of a difference: less this");
  }
};

struct In {
  std::string run_id, claim;
  std::vector<FigureIn> figures;
  void Bind(json::Fields& f) {
    f("run_id", run_id, "of start_exploration", {.required = true, .length_max = kRunIdMax});
    f("claim", claim, "one sentence", {.required = true, .length_max = kTextMax});
    f("figures", figures, "each number of the claim", {.required = true, .items_max = kFiguresMax});
  }
};

struct FigureOut {
  std::string label, claimed;
  explore::Verdict verdict = explore::Verdict::Error;
  std::string right, reason;
  std::int64_t step = 0;
  std::optional<std::int64_t> base_step;
  void Bind(json::Fields& f) {
    f("label", label, "as given");
    f("claimed", claimed, "as given");
    f("verdict", verdict, "confirmed, adjusted, rejected, unverifiable or error");
    f("right", right, "the number computed anew", {.omit_empty = true});
    f("reason", reason, "why");
    f("step", step, "step whose SQL ran again");
    f("base_step", base_step, "the same of the base", {.omit_empty = true});
  }
};

struct Out {
  std::string claim;
  explore::Verdict verdict = explore::Verdict::Error;
  std::vector<FigureOut> figures;
  std::string tolerance;
  void Bind(json::Fields& f) {
    f("claim", claim, "as given");
    f("verdict", verdict, "the worst of its figures");
    f("figures", figures, "in their order");
    f("tolerance", tolerance, "how near a number must be");
  }
};

// How many statements of their own the figures cite.
std::int64_t StatementsOf(const In& in) {
  std::set<std::string_view> statements;
  for (const FigureIn& figure : in.figures) {
    statements.insert(figure.of.sql);
    if (figure.base) statements.insert(figure.base->sql);
  }
  statements.erase("");
  return static_cast<std::int64_t>(statements.size());
}

/// Turns the SQL of parts into steps of the caller's run; the same text only once. Tells its
/// progress behind each.
class Citations {
 public:
  Citations(const Services& s, const In& in, explore::Warehouse& warehouse, CallContext& ctx)
      : s_(s),
        in_(in),
        warehouse_(warehouse),
        ctx_(ctx),
        to_do_(StatementsOf(in) + static_cast<std::int64_t>(in.figures.size())) {}

  Result<explore::Part> PartOf(const PartIn& in) {
    explore::Part part;
    part.kind = static_cast<explore::FigureKind>(in.kind);
    part.step = in.step;
    part.column = in.column;
    for (const ConditionIn& match : in.where) part.where.push_back({match.column, match.value});
    if (in.sql.empty()) return part;
    const auto known = std::find_if(steps_.begin(), steps_.end(),
                                    [&](const auto& step) { return step.first == in.sql; });
    if (known != steps_.end()) {
      part.step = known->second;
      return part;
    }
    explore::Action action;
    action.kind = explore::ActionKind::QueryData;
    action.query = in.sql;
    action.purpose = CleanText(in_.claim, kConciseComment);
    WARD_TRY(const explore::Step step,
             explore::AgentStep(s_.explorations->runs(), in_.run_id, ctx_.principal.id, action,
                                warehouse_, {}, ctx_));
    part.step = step.number;
    steps_.emplace_back(in.sql, step.number);
    if (ctx_.progress) ctx_.progress({statements(), to_do_, "statements run"});
    return part;
  }
  std::int64_t statements() const { return static_cast<std::int64_t>(steps_.size()); }

 private:
  const Services& s_;
  const In& in_;
  explore::Warehouse& warehouse_;
  CallContext& ctx_;
  const std::int64_t to_do_;  // statements, then figures
  std::vector<std::pair<std::string, std::int64_t>> steps_;
};

Result<explore::Claim> ClaimOf(const In& in, Citations& citations) {
  explore::Claim claim{in.claim, {}};
  for (const FigureIn& one : in.figures) {
    explore::Figure figure{one.label, one.value, one.kind, {}, {}};
    WARD_TRY(figure.of, citations.PartOf(one.of));
    if (one.base) {
      WARD_TRY(figure.base, citations.PartOf(*one.base));
    }
    claim.figures.push_back(std::move(figure));
  }
  return claim;
}

Out Show(const explore::VerifiedClaim& verified) {
  Out out;
  out.claim = CleanText(verified.claim.text, kTextMax);
  out.verdict = verified.verdict;
  out.tolerance =
      "half a unit of the last digit that the claim is written with; 0 is met by 0 alone";
  for (std::size_t i = 0; i < verified.checked.size(); ++i) {
    const explore::Figure& figure = verified.claim.figures[i];
    const explore::Checked& checked = verified.checked[i];
    FigureOut row{CleanText(figure.label, kNameMax),
                  CleanText(figure.value, kValueMax),
                  checked.verdict,
                  checked.right,
                  checked.reason,
                  figure.of.step,
                  {}};
    if (figure.base) row.base_step = figure.base->step;
    out.figures.push_back(std::move(row));
  }
  return out;
}

Result<Out> Check(const Services& s, const In& in, CallContext& ctx) {
  WARD_TRY(const explore::RunRecord run, FindRun(s, in.run_id, ctx));
  WARD_TRY(const Scope scope, ResolveScope(s, run.source));
  WARD_TRY(const OpenSource opened, s.explorations->Open(scope.sources.front(), ctx));
  Citations citations(s, in, *opened.warehouse, ctx);
  WARD_TRY(const explore::Claim claim, ClaimOf(in, citations));
  explore::RunStore& runs = s.explorations->runs();
  WARD_TRY(const auto steps, runs.Steps(run.id));
  WARD_TRY(const explore::VerifiedClaim verified,
           explore::Verify(claim, steps, *opened.warehouse, ctx, citations.statements()));
  Out out = Show(verified);
  WARD_TRY(const bool is_kept, runs.AddClaim(run.id, json::Write(out)));
  if (!is_kept)
    return Error(ErrorKind::RunBudgetSpent,
                 fmt::format("the run has {} claims, as many as it keeps", explore::kClaimsMax));
  return out;
}

Result<tool::Outcome<Out>> Run(const Services& s, const In& in, CallContext& ctx) {
  auto out = Check(s, in, ctx);
  if (!out) {
    Error error = std::move(out).error();
    if (!error.recovery().call) error.Suggest("get_exploration", RunArguments(in.run_id));
    return error;
  }
  tool::Outcome<Out> outcome(*std::move(out));
  outcome.confidence = tool::Confidence::High;
  if (outcome.data.verdict == explore::Verdict::Error ||
      outcome.data.verdict == explore::Verdict::Unverifiable)
    outcome.confidence = tool::Confidence::Low;
  outcome.follow_up_hints = {"get_exploration", "verify_claim"};
  return outcome;
}

}  // namespace

tool::ToolPtr verify_claim(const Services& services) {
  return tool::MakeTool<In, Out>(
      {.name = "verify_claim",
       .title = "Verify a claim",
       .description = "Use this when you are about to make a claim of numbers from a run. Returns "
                      "a verdict for each figure and the right number, computed anew from the SQL "
                      "of the cited steps. Use get_exploration instead when you look for the "
                      "steps. Common compositions: get_exploration then verify_claim; "
                      "lookup_schema then verify_claim with a statement of your own.",
       .effect = tool::Effect::ReadsSource,
       .latency = tool::Latency::Slow,
       .tokens_estimate = 400,
       .idempotent = false,
       .set = "explore",
       .example_json =
           R"({"run_id":"run_0000000000000000","claim":"there are 3 orders","figures":[{"value":"3","kind":"count","of":{"step":1}}]})"},
      services, Run);
}

}  // namespace schemaward::tools
