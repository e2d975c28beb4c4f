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

/// Returns `error` as a tool of the family fails: with its own code and details, its message after
/// `lead` ("regions could not be listed: ").
tool::Failure FailureOf(const Error& error, std::string_view code, std::string_view lead,
                        Facts facts = {});

/// The outcome of a call that failed so.
template <class Out>
tool::Outcome<Out> FailedWith(tool::Failure failure) {
  tool::Outcome<Out> outcome;
  outcome.failure = std::move(failure);
  return outcome;
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

/// The organizations of the service, and that of the direct targets.
struct OrganizationList {
  std::vector<workspaces::Organization> items;
  std::int64_t unreadable = 0;
  std::optional<Error> failed;  ///< why the service's own are absent
};
/// Errors: MissingCredential where there is neither service nor direct target; Cancelled,
/// DeadlineExceeded.
Result<OrganizationList> ListOrganizations(const Services& services, CallContext& ctx);

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

/// Moves the page that `in` asks for from `all` into `rows`. `args_json`: the call without its
/// cursor. Errors: as Page::Open.
template <class Row>
Status TakePage(const Services& services, const CallContext& ctx, std::string_view tool,
                const std::string& args_json, const PageIn& in, std::vector<Row> all,
                std::vector<Row>& rows, PageOut& out) {
  WARD_TRY(const Page page, Page::Open(services, ctx, tool, args_json, in.cursor, 0));
  const auto limit = static_cast<std::size_t>(in.limit.value_or(kListDefault));
  const std::size_t begin = std::min(page.offset(), all.size());
  const std::size_t end = std::min(begin + limit, all.size());
  const std::size_t next =
      AddWhileRoom(begin, end, 0, rows, [&](std::size_t i) { return std::move(all[i]); });
  out.count = static_cast<std::int64_t>(rows.size());
  out.total = static_cast<std::int64_t>(all.size());
  out.truncated = next < all.size();
  if (out.truncated) out.next_cursor = page.Seal(std::to_string(next));
  return Ok();
}

/// Returns why a list is not whole, or nothing: entries that could not be read, the service that
/// failed, a page that is not the last.
std::string WhyNotWhole(std::int64_t unreadable, const std::optional<Error>& failed,
                        const PageOut& page);

}  // namespace schemaward::tools
