#pragma once

// What a tool is: a description, typed input and output, and a function. One declaration makes its
// schemas, its MCP annotations, its audit class and its command-line verb.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/call_context.h"
#include "base/result.h"
#include "json/fields.h"
#include "json/read.h"
#include "json/schema.h"
#include "json/value.h"
#include "json/write.h"

namespace schemaward::tool {

/// The shape in which a tool answers. [R-FAM-1]
enum class Family : std::uint8_t { Charter, Pattern, Workspace };

/// The farthest thing a call touches; annotations and audit durability follow from it.
enum class Effect : std::uint8_t {
  Pure,
  ReadsIndex,
  ReadsSource,
  WritesIndex,
  WritesSource,
  CallsModel
};

/// fast < 100 ms, moderate < 1 s, slow >= 1 s.
enum class Latency : std::uint8_t { Fast, Moderate, Slow };

enum class Confidence : std::uint8_t { High, Medium, Low };

/// Statuses of an answer that has no error. The other two, error and refused, follow from the
/// error's kind. [R-ENV-2]
enum class Status : std::uint8_t { Success, Empty, Partial, Degraded };

enum class Degradation : std::uint8_t {
  FanOutJoin,
  TimeDimensionUnavailable,
  MissingOrderByWithLimit
};

/// What an answer of the pattern family holds: words for people, JSON for programs, or both. The
/// argument `format` of its tools. [R-PAT-1]
enum class Format : std::uint8_t { Markdown, Json, Both };

/// Where a fact comes from. [R-CONF-2]
struct Provenance {
  std::string source = "schema";  ///< schema | llm | inferred
  std::optional<std::string> model;
  std::optional<std::string> observed_in;
  std::optional<std::string> inference_method;
  std::optional<std::string> validation_state;
  void Bind(json::Fields& f);
};

/// What every tool says of itself.
struct ToolSpec {
  std::string name;
  std::string title;
  std::string description;
  Family family = Family::Charter;
  Effect effect = Effect::ReadsIndex;
  Latency latency = Latency::Fast;
  std::int64_t tokens_estimate = 500;  ///< of a usual answer
  bool idempotent = true;
  bool repeats = false;  ///< a call without failure says the same again while the index is the
                         ///< same, to the same caller; such a tool reads the index alone
  std::string set = "catalog";  ///< catalog | semantic | sql | patterns | explore | workspaces
  std::string example_json;  ///< arguments that read without a problem; mends calls that lack some
  std::string rehearsal{};  ///< a boolean argument with which the call reads the index only; empty:
                            ///< there is none
  std::string source_flag{};  ///< a boolean argument without which the call reads the index only;
                              ///< empty: every call does what `effect` says
  bool has_format = false;    ///< of the pattern family: the argument `format` says what the answer
                              ///< holds
  std::string answer_title{};  ///< title of the published outputSchema; empty: none
  std::string twin{};          ///< a tool that is easily mistaken for this one; empty: none
  std::string description_beside_twin{};  ///< where the twin is served too: names it
  std::string confirmation{};  ///< a boolean argument that says the user has agreed; without it the
                               ///< call does nothing and fails with ConfirmationNeeded; empty: the
                               ///< tool destroys nothing
};

/// A failure with what a family says of it beyond the error.
struct Failure {
  Error error;
  std::string code;  ///< of the workspace family: the tool's own word in place of the row's
  std::vector<std::pair<std::string, std::string>>
      facts{};  ///< of the workspace family: details, name and JSON value
};

/// What a tool returns, its data already JSON.
struct Reply {
  std::optional<Error> error;  ///< where set, the other members mean nothing
  Status status = Status::Success;
  std::string data_json;  ///< an object
  std::optional<Confidence> confidence;
  std::optional<Provenance> provenance;
  std::vector<std::string>
      follow_up_hints;  ///< 1 to 3 tools; those that are not served are left out
  std::optional<Degradation> degradation;
  std::int64_t rows = 0;            ///< of the source that are in the answer, for the audit record
  std::vector<std::string> tables;  ///< qualified names that were read, for the audit record
  std::string statement;            ///< what the engine was given, for the audit record's hash
  std::string metric;               ///< the metrics that were asked for, for the audit record
  std::vector<std::string>
      exemptions;  ///< columns that were read by an exemption from the floor, for the audit record
  std::string markdown;         ///< of the pattern family: the answer for people
  std::string message;          ///< of the workspace family: what was done
  std::string warning;          ///< of the workspace family: why the answer is not all that was
                                ///< asked for; empty: it is
  std::string user_id;          ///< of the workspace family: the user of the managed service
  bool rehearsal_only = false;  ///< of a rehearsal: the call itself would fail, since its source is
                                ///< a description without a database
  std::string code;             ///< with an error: as Failure
  std::vector<std::pair<std::string, std::string>> facts;  ///< with an error: as Failure
};

/// What a tool's function returns.
template <class Out>
struct Outcome {
  Outcome() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): `return Out{...}` is the idiom
  Outcome(Out the_data) : data(std::move(the_data)) {}
  Out data{};
  Status status = Status::Success;
  std::optional<Confidence> confidence = Confidence::High;
  std::optional<Provenance> provenance = Provenance{};
  std::vector<std::string> follow_up_hints;
  std::optional<Degradation> degradation;
  std::int64_t rows = 0;
  std::vector<std::string> tables;
  std::string statement, metric;
  std::vector<std::string> exemptions;
  std::string markdown;                   ///< of the pattern family
  std::string message, warning, user_id;  ///< of the workspace family
  bool rehearsal_only = false;            ///< as Reply
  std::optional<Failure> failure;         ///< of the workspace family: in place of an Error
};

/// Thread: any, once ServeBeside has been called; a tool holds no state of its own.
class Tool {
 public:
  virtual ~Tool() = default;
  virtual const ToolSpec& spec() const = 0;
  /// Says beside which tools this one is served, before any call: its description may name them.
  virtual void ServeBeside(const std::vector<std::string>& names) = 0;
  /// JSON Schemas of the arguments and of `data`.
  virtual std::string InputSchema() const = 0;
  virtual std::string DataSchema() const = 0;
  /// Reads the arguments and runs nothing. [R-ARG-1]
  virtual json::ReadReport CheckArguments(const json::Value& args) const = 0;
  /// Reads the arguments and runs. An unreadable argument is the error InvalidArgument whose
  /// recovery is the repaired call.
  virtual Reply Call(const json::Value& args, CallContext& ctx) const = 0;
};

using ToolPtr = std::unique_ptr<Tool>;

/// Returns the refusal of a call that waits for the user's word. `loss`: what would be lost, a
/// clause that a person can say yes or no to; it is the error's detail.
Error ConfirmationNeeded(std::string_view loss);

/// Returns the error that the problems of `report` stand for; its recovery is `tool` called with
/// the repaired arguments, its words are those of `family`. [R-ARG-2]
Error InvalidArguments(std::string_view tool, const json::ReadReport& report,
                       Family family = Family::Charter);

namespace internal {

template <class In, class Out, class Services>
class TypedTool final : public Tool {
 public:
  using Run = Result<Outcome<Out>> (*)(const Services&, const In&, CallContext&);
  TypedTool(ToolSpec spec, const Services& services, Run run)
      : spec_(std::move(spec)), services_(services), run_(run) {}

  const ToolSpec& spec() const override { return spec_; }
  void ServeBeside(const std::vector<std::string>& names) override {
    if (spec_.twin.empty()) return;
    if (std::find(names.begin(), names.end(), spec_.twin) != names.end())
      spec_.description = spec_.description_beside_twin;
  }
  std::string InputSchema() const override { return json::SchemaOf<In>(json::SchemaUse::Input); }
  std::string DataSchema() const override { return json::SchemaOf<Out>(json::SchemaUse::Output); }

  json::ReadReport CheckArguments(const json::Value& args) const override {
    In in{};
    return json::Read(args, in, spec_.example_json);
  }

  Reply Call(const json::Value& args, CallContext& ctx) const override {
    In in{};
    const json::ReadReport report = json::Read(args, in, spec_.example_json);
    Reply reply;
    if (!report.ok()) {
      reply.error = InvalidArguments(spec_.name, report, spec_.family);
      return reply;
    }
    Result<Outcome<Out>> outcome = RunFor(in, ctx);
    if (!outcome) {
      reply.error = std::move(outcome).error();
      return reply;
    }
    if (outcome->failure) {
      reply.error = std::move(outcome->failure->error);
      reply.code = std::move(outcome->failure->code);
      reply.facts = std::move(outcome->failure->facts);
      return reply;
    }
    reply.status = outcome->status;
    json::Append(reply.data_json, outcome->data);
    reply.confidence = outcome->confidence;
    reply.provenance = std::move(outcome->provenance);
    reply.follow_up_hints = std::move(outcome->follow_up_hints);
    reply.degradation = outcome->degradation;
    reply.rows = outcome->rows;
    reply.tables = std::move(outcome->tables);
    reply.statement = std::move(outcome->statement);
    reply.metric = std::move(outcome->metric);
    reply.exemptions = std::move(outcome->exemptions);
    reply.markdown = std::move(outcome->markdown);
    reply.message = std::move(outcome->message);
    reply.warning = std::move(outcome->warning);
    reply.user_id = std::move(outcome->user_id);
    reply.rehearsal_only = outcome->rehearsal_only;
    return reply;
  }

 private:
  // Services that differ by caller are made for each call.
  Result<Outcome<Out>> RunFor(const In& in, CallContext& ctx) const {
    if constexpr (requires { services_.For(ctx); })
      return run_(services_.For(ctx), in, ctx);
    else
      return run_(services_, in, ctx);
  }

  ToolSpec spec_;
  const Services& services_;
  Run run_;
};

}  // namespace internal

/// Makes the only kind of Tool there is. Where Services has For(const CallContext&), each call runs
/// on what that returns. Lifetime: `services` outlives the tool.
template <class In, class Out, class Services>
ToolPtr MakeTool(ToolSpec spec, const Services& services,
                 Result<Outcome<Out>> (*run)(const Services&, const In&, CallContext&)) {
  return std::make_unique<internal::TypedTool<In, Out, Services>>(std::move(spec), services, run);
}

}  // namespace schemaward::tool

template <>
struct schemaward::json::EnumNames<schemaward::tool::Confidence> {
  static constexpr std::array<std::string_view, 3> kNames = {"HIGH", "MEDIUM", "LOW"};
};
template <>
struct schemaward::json::EnumNames<schemaward::tool::Status> {
  static constexpr std::array<std::string_view, 4> kNames = {"success", "empty", "partial",
                                                             "degraded"};
};
template <>
struct schemaward::json::EnumNames<schemaward::tool::Degradation> {
  static constexpr std::array<std::string_view, 3> kNames = {
      "fan_out_join", "time_dimension_unavailable", "missing_order_by_with_limit"};
};
template <>
struct schemaward::json::EnumNames<schemaward::tool::Format> {
  static constexpr std::array<std::string_view, 3> kNames = {"markdown", "json", "both"};
};
