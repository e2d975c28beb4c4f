#pragma once

// A call that would destroy something waits for the user's word. Which calls do is the tools' own
// declaration (tool::ToolSpec::confirmation), what would be lost the tool's own words; here is who
// is asked, how, and what counts as a yes. Nothing but a yes goes ahead.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "mcp/method.h"

namespace schemaward::mcp {

/// How long the answer to a question stays good that was asked by a result. Nobody waits for it.
inline constexpr std::chrono::milliseconds kConsentGoodMax{600'000};
inline constexpr std::string_view kConsentKey =
    "confirm";  ///< of the question and of its one field

/// A question to the client in place of an answer: the result object as JSON.
struct Question {
  std::string result_json;
};

/// What a call comes to.
using Outcome = std::variant<tool::Answer, Question, rpc::Failure>;

/// Makes the call that `call` names, with `arguments`. Where its tool wants the user's word and the
/// arguments do not say that it was given:
/// * a client that takes requests and can show a form is asked, and the call waits for at most
///   ServerOptions::consent_max. Where half of the workers wait so, it is not asked;
/// * in the era without requests such a client gets a Question, and makes the call again with the
///   answer and the signed state of the question. A state that was not made for this call by this
///   server for this caller is a Failure; answers without a state, or to another question, are
///   asked for again; one yes goes ahead once;
/// * any other client gets the tool's refusal: only the argument itself helps.
/// A state that comes with a call of any other tool is a Failure too.
/// An answer that is no yes is the refusal ConfirmationDeclined, one that cannot be read or does
/// not come in time ConfirmationRequired. Each is recorded, and nothing was done. Thread: any.
Outcome CallWithConsent(Parts& parts, const Call& call, const json::Value& arguments,
                        CallContext& ctx);

enum class Consent : std::uint8_t { Given, Declined, Unreadable };

/// Reads what a client answered to elicitation/create. Given is {"action":"accept"} with a true in
/// the form's one field, and nothing else is. Thread: any.
Consent ConsentIn(const json::Value& answer);

/// Returns the params of elicitation/create: `loss` as a question, and a form with one box. Thread:
/// any.
std::string ConsentForm(std::string_view loss);

}  // namespace schemaward::mcp
