#include "verify/verifier.h"

#include <algorithm>
#include <deque>
#include <utility>

#include <fmt/format.h>

#include "base/cut.h"
#include "explore/action.h"
#include "explore/actions.h"
#include "explore/exact.h"
#include "explore/prompt.h"
#include "explore/repair.h"
#include "llm/ask.h"
#include "verify/evidence.h"
#include "verify/limits.h"
#include "verify/prompt.h"
#include "verify/proof.h"

namespace schemaward::verify {
namespace {

using explore::ActionKind;
using explore::Number;

constexpr std::int64_t kThird = 3;

// Bytes of a third of the window, at a byte and a half for a token, which no text falls below by
// much.
std::size_t ShareOf(const llm::ModelInfo& model, std::size_t bytes_max) {
  constexpr std::int64_t kNum = 3;
  constexpr std::int64_t kDen = 2;
  const std::int64_t room = std::max<std::int64_t>(model.window_tokens - kOutputTokensMax, 0);
  return std::min(bytes_max, static_cast<std::size_t>(room * kNum / kDen / kThird));
}

// True where neither another statement nor another round may help.
bool IsBeyondHelp(const Error& error) {
  // A cheaper statement may be in time, and a looked-up one name what is there now.
  if (error.kind() == ErrorKind::StatementTimeout || error.kind() == ErrorKind::SchemaDrift)
    return false;
  return error.row().fixer == Fixer::Environment || error.row().fixer == Fixer::Bug;
}

bool EndsTheCall(const Error& error, const CallContext& ctx) {
  return error.kind() == ErrorKind::Cancelled || !ctx.Check();
}

/// What a query came to.
struct Tried {
  std::optional<Number> number;
  std::string why;              ///< where there is no number
  std::optional<Error> failed;  ///< where it did not run
};

/// Columns that were looked up, as text.
struct LookedUp {
  std::vector<std::string> tables;
  std::string text;
};

/// One insight. Thread: owner.
class Verification {
 public:
  Verification(const Insight& insight, const std::vector<SourceStep>& steps,
               const VerifyOptions& options, explore::Warehouse& warehouse, llm::Llm& model,
               CallContext& ctx)
      : insight_(insight),
        options_(options),
        warehouse_(warehouse),
        repairing_(warehouse, model, options.repair_prompt),
        model_(model),
        ctx_(ctx),
        evidence_(
            RenderEvidence(steps, insight.source_steps, ShareOf(model.info(), kEvidenceBytesMax))) {
    state_.limits.lookups = {options.may_look_up, kRoundsMax};
    state_.limits.searches.is_on = false;
  }

  Result<Validation> Run() {
    result_.claimed = insight_.claimed;
    if (insight_.claimed) claim_ = Number::Read(*insight_.claimed);
    if (!claim_) {
      Decide(ValidationStatus::Unverifiable, "no number is claimed");
      return std::move(result_);
    }
    WARD_CHECK(NameTables());
    while (options_.may_look_up && !is_decided_ && result_.rounds < kRoundsMax) {
      ++result_.rounds;
      WARD_CHECK(Round());
    }
    if (!is_decided_) {
      result_.was_forced = true;
      WARD_CHECK(Round());
    }
    result_.lookups = state_.lookups_used;
    result_.usage += repairing_.usage();
    return std::move(result_);
  }

 private:
  void Decide(ValidationStatus status, std::string reason) {
    is_decided_ = true;
    result_.status = status;
    result_.reasons.push_back(std::move(reason));
    if (!evidence_.without.empty() && status != ValidationStatus::Confirmed)
      result_.reasons.push_back(
          fmt::format("{} of the cited steps ran no statement", evidence_.without.size()));
  }

  // What to begin with where no statement is known: near tables, or the catalog.
  Status NameTables() {
    if (!options_.may_look_up) {
      WARD_TRY(const auto catalog, warehouse_.Catalog(ctx_));
      tables_ = explore::RenderCatalog(catalog, model_.info().window_tokens / kThird).text;
      return Ok();
    }
    if (!evidence_.text.empty()) return Ok();
    const std::string words = insight_.name + " " + insight_.claimed_metric + " " +
                              CutText(insight_.description, explore::kQuestionBytesMax);
    const auto hits =
        warehouse_.Search(CutText(words, explore::kQuestionBytesMax), kHintsMax, ctx_);
    if (!hits) return EndsTheCall(hits.error(), ctx_) ? Status(hits.error()) : Ok();
    for (const explore::TableHit& hit : *hits) tables_ += hit.name + "\n";
    return Ok();
  }

  std::string Grounding() const {
    std::string text;
    if (!evidence_.text.empty())
      text += "Statements that ran for this claim; their tables and columns are there:\n" +
              evidence_.text;
    if (!looked_up_.empty()) text += "Looked up:\n";
    for (const LookedUp& one : looked_up_) text += one.text;
    return text;
  }

  // Nothing where the reply asks for no action that is allowed; then notice_ says so.
  Result<std::optional<explore::Action>> Ask(const std::vector<ActionKind>& allowed) {
    WARD_CHECK(ctx_.Check());
    const int left = result_.was_forced || looks_again_ ? 0 : kRoundsMax - result_.rounds + 1;
    const llm::Request request = MakeRoundRequest(
        insight_, options_.dialect, {Grounding(), tables_, notice_, left, options_.may_look_up},
        model_.info());
    WARD_TRY(const llm::Reply reply, model_.Complete(request, {}, ctx_));
    result_.usage += reply.usage;
    const explore::ParsedAction parsed = explore::ParseAction(reply.text, allowed);
    if (!parsed.action) notice_ = explore::Nudge(parsed, allowed);
    return parsed.action;
  }

  Status Round() {
    std::vector<ActionKind> allowed = {ActionKind::QueryData};
    if (options_.may_look_up) allowed.push_back(ActionKind::LookupSchema);
    const auto action = Ask(allowed);
    if (!action) {
      if (llm::EndsRuns(action.error())) return action.error();
      Decide(ValidationStatus::Error, action.error().message());
      return Ok();
    }
    if (*action && (*action)->kind == ActionKind::QueryData) return RunQuery((*action)->query);
    if (*action && !result_.was_forced) return LookUp(**action);
    if (result_.was_forced) {
      result_.budget_exhausted = true;
      Decide(ValidationStatus::Error, last_failure_.empty()
                                          ? "the rounds are used up and there is no query"
                                          : "no query ran: " + last_failure_);
    }
    return Ok();
  }

  Status LookUp(const explore::Action& action) {
    WARD_TRY(const explore::Step step, CarryOut(state_, action, warehouse_, ctx_));
    notice_ = step.tables.empty() ? step.observation : "The columns stand above.";
    if (step.tables.empty()) return Ok();
    looked_up_.push_back({step.tables, step.observation});
    const std::size_t bytes_max = ShareOf(model_.info(), kLookupBytesMax);
    const auto size = [&] {
      std::size_t sum = 0;
      for (const LookedUp& one : looked_up_) sum += one.text.size();
      return sum;
    };
    // What is dropped may be looked up again.
    while (looked_up_.size() > 1 && size() > bytes_max) {
      for (const std::string& table : looked_up_.front().tables) state_.seen.erase(table);
      looked_up_.pop_front();
    }
    looked_up_.back().text = CutText(looked_up_.back().text, bytes_max);
    return Ok();
  }

  Result<Tried> Try(const std::string& sql) {
    Tried tried;
    result_.query = sql;
    tried.why = WhyNoProof(sql, *claim_);
    if (!tried.why.empty()) return tried;
    repairing_.SetEvidence(Grounding());
    const auto result = repairing_.Query(sql, ctx_);
    result_.repairs += static_cast<std::int64_t>(repairing_.attempts().size());
    if (!result) {
      if (EndsTheCall(result.error(), ctx_)) return result.error();
      tried.failed = result.error();
      tried.why = result.error().message();
      return tried;
    }
    result_.statement = result->statement;
    // Whoever mends a statement is held to the same.
    if (result->repairs > 0) tried.why = WhyNoProof(repairing_.attempts().back().after, *claim_);
    if (tried.why.empty()) tried.number = OneNumber(*result, tried.why);
    return tried;
  }

  Status RunQuery(const std::string& sql) {
    WARD_TRY(const Tried tried, Try(sql));
    if (tried.number) return Compare(*tried.number);
    notice_ = "Your query:\n" + CutText(sql, kNoticeBytesMax / 2) + "\n" +
              (tried.failed ? "It did not run: " + explore::TellError(*tried.failed)
                            : "It does not decide: " + tried.why + ".");
    if (tried.failed) last_failure_ = tried.why;
    const bool is_last = result_.was_forced || (tried.failed && IsBeyondHelp(*tried.failed));
    if (is_last && tried.failed)
      Decide(ValidationStatus::Error, "the query did not run: " + tried.why);
    else if (is_last)
      Decide(ValidationStatus::Unverifiable, "the query does not decide: " + tried.why);
    return Ok();
  }

  Status Compare(const Number& found) {
    if (Meets(found.value, *claim_)) {
      result_.verified = found.ToText();
      Decide(ValidationStatus::Confirmed, "a query gave " + found.ToText());
      return Ok();
    }
    WARD_TRY(const std::optional<Number> again, LookAgain(found));
    if (!again) {
      Decide(
          ValidationStatus::Unverifiable,
          fmt::format("one query gave {}, and no second one was given that ran", found.ToText()));
    } else if (!(*again == found)) {
      Decide(ValidationStatus::Unverifiable,
             fmt::format("two queries disagree: {} and {}", found.ToText(), again->ToText()));
    } else {
      result_.verified = found.ToText();
      const bool is_nothing = found.value.sign() == 0 || found.value.sign() != claim_->value.sign();
      Decide(is_nothing ? ValidationStatus::Rejected : ValidationStatus::Adjusted,
             fmt::format("two queries gave {}", found.ToText()));
    }
    return Ok();
  }

  // One more query, not counted, before a claim is contradicted. It is not told which number would
  // meet the claim more than the claim itself says.
  Result<std::optional<Number>> LookAgain(const Number& found) {
    looks_again_ = true;
    notice_ = fmt::format(
        "Your query:\n{}\nIt gave {}, which is not what is claimed. Look at it again: does it ask "
        "for what the claim says, with its filters and its period? Send the query that you stand "
        "by, the same one if it is right.",
        CutText(result_.query, kNoticeBytesMax / 2), found.ToText());
    auto action = Ask({ActionKind::QueryData});
    if (!action && llm::EndsRuns(action.error())) return std::move(action).error();
    if (!action || !*action) return std::optional<Number>();
    WARD_TRY(const Tried tried, Try((*action)->query));
    return tried.number;
  }

  const Insight& insight_;
  const VerifyOptions& options_;
  explore::Warehouse& warehouse_;
  explore::RepairingWarehouse repairing_;
  llm::Llm& model_;
  CallContext& ctx_;
  const Evidence evidence_;
  explore::State state_;
  std::optional<Number> claim_;
  std::deque<LookedUp> looked_up_;
  std::string tables_, notice_, last_failure_;
  bool is_decided_ = false;
  bool looks_again_ = false;
  Validation result_;
};

}  // namespace

Result<Validation> Verify(const Insight& insight, const std::vector<SourceStep>& steps,
                          const VerifyOptions& options, explore::Warehouse& warehouse,
                          llm::Llm& model, CallContext& ctx) {
  return Verification(insight, steps, options, warehouse, model, ctx).Run();
}

Verified VerifyAll(const InsightFile& file, const VerifyOptions& options,
                   explore::Warehouse& warehouse, llm::Llm& model,
                   const std::function<void(const Insight&, const Validation&)>& on_done,
                   CallContext& ctx) {
  Verified verified;
  for (const Insight& insight : file.insights) {
    auto validation = Verify(insight, file.steps, options, warehouse, model, ctx);
    if (!validation) {
      verified.error = std::move(validation).error();
      return verified;
    }
    verified.counters.Count(*validation);
    verified.usage += validation->usage;
    if (on_done) on_done(insight, *validation);
    verified.validations.push_back(*std::move(validation));
  }
  return verified;
}

}  // namespace schemaward::verify
