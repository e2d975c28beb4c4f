#pragma once

// What the tools of the workspace family share: failures in the words of the family, direct
// targets, and pages of lists. docs/workspaces.md, docs/contract.md [R-WS-1..2].

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/fields.h"
#include "tool/tool.h"
#include "tools/services.h"
#include "tools/shapes.h"
#include "workspaces/types.h"

namespace schemaward::tools {

inline constexpr std::size_t kIdMax = 200;  ///< bytes of an id or a name in an argument

/// The arguments of a tool that takes none.
struct NothingIn {
  void Bind(json::Fields& /*f*/) {}
};

using Facts = std::vector<std::pair<std::string, std::string>>;  ///< names and JSON values

/// Returns `error` as a tool of the family fails: with its own code (empty: that of the table) and
/// details, its message after `lead` ("regions could not be listed: ").
tool::Failure FailureOf(const Error& error, std::string_view code, std::string_view lead,
                        Facts facts = {});

/// The outcome of a call that failed so.
template <class Out>
tool::Outcome<Out> FailedWith(tool::Failure failure) {
  tool::Outcome<Out> outcome;
  outcome.failure = std::move(failure);
  return outcome;
}

/// Returns `outcome`, an error in it as FailureOf has it.
template <class Out>
tool::Outcome<Out> OrFailed(Result<tool::Outcome<Out>> outcome, std::string_view code,
                            std::string_view lead, Facts facts = {}) {
  if (outcome) return *std::move(outcome);
  return FailedWith<Out>(FailureOf(outcome.error(), code, lead, std::move(facts)));
}

/// Returns `text` as a JSON fact.
std::string FactText(std::string_view text);

/// The sources that are workspaces too: those served that run queries, by name.
Result<std::vector<store::Source>> DirectTargets(const Services& services);

/// A direct target as lists show it.
workspaces::Workspace ShowDirect(const store::Source& source);

/// True when there is a client of the managed service and a credential for it. Errors: as
/// workspaces::Cloud::IsConfigured.
Result<bool> AsksCloud(const Services& services, CallContext& ctx);

/// Returns the client. Errors: MissingCredential, naming what needs it, where the service cannot be
/// asked.
Result<workspaces::Cloud*> CloudFor(const Services& services, std::string_view what,
                                    CallContext& ctx);

/// The user whom the service has told, for the metadata; empty where it is not known.
std::string UserOf(const Services& services);

/// What there is of one kind, at the service and among direct targets.
template <class Row>
struct Collected : workspaces::Listed<Row> {
  std::optional<Error> failed = {};  ///< why the service's own are absent
};

/// The organizations of the service, and that of the direct targets. Errors: MissingCredential
/// where there is neither service nor direct target; Cancelled, DeadlineExceeded.
Result<Collected<workspaces::Organization>> ListOrganizations(const Services& services,
                                                              CallContext& ctx);

/// Arguments of a list.
struct PageIn {
  std::optional<std::int64_t> limit;
  std::optional<std::string> cursor;
  void BindPage(json::Fields& f);
};

/// Members of a list's answer.
struct PageOut {
  std::int64_t count = 0, total = 0;
  bool truncated = false;
  std::optional<std::string> next_cursor;
  void BindPage(json::Fields& f);
};

inline constexpr std::int64_t kListDefault = 100;
inline constexpr std::int64_t kListMax = 500;

/// Returns why a list is not whole, or nothing: entries that could not be read, the service that
/// failed, a page that is not the last.
std::string WhyNotWhole(std::int64_t unreadable, const std::optional<Error>& failed,
                        const PageOut& page);

/// Answers a list: the page of `all` that `in` asks for goes into `rows` of an Out, with why the
/// list is not whole and whose it is. The message is the caller's. Errors: as Page::Open.
template <class Out, class In, class Row>
Result<tool::Outcome<Out>> AnswerPage(const Services& services, const CallContext& ctx,
                                      std::string_view tool, const In& in, Collected<Row> all,
                                      std::vector<Row> Out::*rows) {
  In start = in;
  start.cursor.reset();
  WARD_TRY(const Page page,
           Page::Open(services, ctx, tool, json::WriteArguments(start), in.cursor, 0));
  tool::Outcome<Out> outcome;
  Out& out = outcome.data;
  std::vector<Row>& items = all.items;
  const auto limit = static_cast<std::size_t>(in.limit.value_or(kListDefault));
  const std::size_t begin = std::min(page.offset(), items.size());
  const std::size_t end = std::min(begin + limit, items.size());
  const std::size_t next =
      AddWhileRoom(begin, end, 0, out.*rows, [&](std::size_t i) { return std::move(items[i]); });
  out.count = static_cast<std::int64_t>((out.*rows).size());
  out.total = static_cast<std::int64_t>(items.size());
  out.truncated = next < items.size();
  if (out.truncated) out.next_cursor = page.Seal(std::to_string(next));
  outcome.warning = WhyNotWhole(all.unreadable, all.failed, out);
  outcome.user_id = UserOf(services);
  return outcome;
}

}  // namespace schemaward::tools
